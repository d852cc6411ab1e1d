// All users of the directory: what they hold and may use; details of one user; the limits of users and groups.
import { Button, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

import { filterIn } from "~/admin/ui/filter";
import { strings } from "~/strings/en";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "~/ui/Table.module.css";
import { LimitDialog } from "./LimitDialog";
import { Limits } from "./Limits";
import { Filters, Lists } from "./Lists";
import { factsOf } from "./facts";
import { usePerson } from "./queries";

const words = strings.admin.people;

export default function PeoplePage() {
  const [params, setParams] = useSearchParams();
  const person = params.get("person");
  const lists = {
    view: params.get("view") === "groups" ? ("groups" as const) : ("people" as const),
    q: filterIn(params),
    offset: Math.max(0, Number(params.get("offset")) || 0),
    change: (next: object) => {
      const all = Object.entries({ view: lists.view, q: lists.q, offset: lists.offset, person: person ?? "", ...next });
      const kept = all.filter(([, value]) => value !== "" && value !== 0 && value !== "people");
      setParams(kept.map(([name, value]) => [name, String(value)] as [string, string]), { replace: true });
    },
  };
  return (
    <Page title={words.title} lead={words.lead} wide actions={<Filters {...lists} />}>
      {person !== null && <Person username={person} onClose={() => lists.change({ person: "" })} />}
      <Lists {...lists} />
      <Limits />
    </Page>
  );
}

function Person({ username, onClose }: { username: string; onClose: () => void }) {
  const { data, error, refetch } = usePerson(username);
  const [limiting, setLimiting] = useState(false);
  if (error !== null) return <ProblemNote error={error} title={username} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={96} mb="md" />;
  return (
    <section className={`card ${classes["person"]}`} aria-label={data.username}>
      <div>
        <h2 className="section-title">{words.person(data.display_name, data.username)}</h2>
        <p>{[...(data.admin ? [words.administrator] : []), ...(data.allowed ? [] : [words.notAllowed]), data.mail].filter((part) => part !== "").join(" · ")}</p>
        <p className="quiet">{words.groups(data.groups)}</p>
        <p>{words.holds(data.sessions, data.gpus, data.gpu_hours)}</p>
        <p className="quiet">{words.may(factsOf(data.limits))}</p>
      </div>
      <span className={classes["actions"]}>
        <Button size="xs" variant="default" onClick={() => setLimiting(true)}>
          {words.limitThis}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {strings.dialog.close}
        </Button>
      </span>
      {limiting && <LimitDialog subject={{ kind: "user", name: data.username }} onClose={() => setLimiting(false)} />}
    </section>
  );
}
