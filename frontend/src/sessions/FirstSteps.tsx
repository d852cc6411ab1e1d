// Shown when nothing is active: what a session is, and three ways to start one.
import { BeakerIcon, BookIcon, TerminalIcon, type Icon } from "@primer/octicons-react";
import { Link } from "react-router-dom";

import { useOptions } from "~/api/queries";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./FirstSteps.module.css";

export function FirstSteps() {
  const apps = useOptions().data?.apps ?? [];
  const terminal = apps.find((app) => app.name === "terminal");
  return (
    <section className={classes["steps"]} aria-labelledby="first-steps">
      <h2 id="first-steps" className={classes["title"]}>
        {strings.sessions.emptyTitle}
      </h2>
      <p className={classes["text"]}>{strings.sessions.emptyText}</p>
      <div className={classes["starts"]}>
        <Start to={pages.newSession(new URLSearchParams({ app: "jupyterlab" }))} Icon={BookIcon} says={strings.sessions.starts.notebook} />
        <Start to={pages.templates()} Icon={BeakerIcon} says={strings.sessions.starts.template} />
        <Start
          to={pages.newSession(new URLSearchParams(terminal === undefined ? { gpus: "0" } : { app: terminal.name, gpus: "0" }))}
          Icon={TerminalIcon}
          says={strings.sessions.starts.terminal}
        />
      </div>
    </section>
  );
}

function Start({ to, Icon, says }: { to: string; Icon: Icon; says: { title: string; text: string } }) {
  return (
    <Link to={to} className={`card ${classes["start"]}`}>
      <Icon size={24} className={classes["icon"] ?? ""} />
      <strong>{says.title}</strong>
      <span className="quiet">{says.text}</span>
    </Link>
  );
}
