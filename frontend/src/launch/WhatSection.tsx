import {
  BookIcon,
  BrowserIcon,
  GraphIcon,
  ImageIcon,
  TerminalIcon,
  VscodeIcon,
  type Icon,
} from "@primer/octicons-react";

import { strings } from "~/strings/en";
import { Choice } from "./Choice";
import { EnvironmentField } from "./EnvironmentField";
import { Field, Section } from "./Section";
import classes from "./WhatSection.module.css";
import type { PartProps } from "./part";

const ICONS: Record<string, Icon> = {
  jupyter: BookIcon,
  notebook: BookIcon,
  terminal: TerminalIcon,
  graph: GraphIcon,
  tensorboard: GraphIcon,
  image: ImageIcon,
  vscode: VscodeIcon,
};

export function WhatSection(props: PartProps) {
  const { options, view, problems, change } = props;
  return (
    <Section title={strings.launch.what}>
      <Field label={strings.launch.app} problem={problems["app"]}>
        <div className={classes["apps"]}>
          {options.apps.map((app) => {
            const AppIcon = ICONS[app.icon] ?? BrowserIcon;
            return (
              <Choice
                key={app.name}
                name="app"
                value={app.name}
                look="card"
                checked={app.name === view.app?.name}
                onChoose={() => change({ app: app.name, environment: null })}
              >
                <span className={classes["head"]}>
                  <AppIcon />
                  <strong>{app.title}</strong>
                </span>
                <span className={classes["text"]}>{app.description}</span>
              </Choice>
            );
          })}
        </div>
      </Field>
      <EnvironmentField {...props} />
    </Section>
  );
}
