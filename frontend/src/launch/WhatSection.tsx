// What to open: app cards under their headings, the app's options, and the environment.
import { TextInput } from "@mantine/core";
import { Link } from "react-router-dom";

import type { App } from "~/api/types";
import { groupsOf } from "~/lib/groups";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { AppIcon } from "~/ui/AppIcon";
import { Choice } from "~/ui/Choice";
import { Field, Section, marked } from "~/ui/Section";
import { EnvironmentField } from "./EnvironmentField";
import { OptionFields } from "./OptionFields";
import classes from "./WhatSection.module.css";
import type { PartProps } from "./part";

export function WhatSection(props: PartProps) {
  const { draft, options, view, problems, change } = props;
  const groups = groupsOf(options.apps);
  return (
    <Section title={strings.launch.what}>
      <Field
        label={strings.launch.app}
        hint={<Link to={pages.apps()}>{strings.apps.catalogue.all}</Link>}
        problem={problems["app"]}
      >
        <div className={classes["groups"]}>
          {groups.map(({ title, apps }) => (
            <div key={title} className={classes["group"]}>
              {groups.length > 1 && <h3 className={classes["heading"]}>{title}</h3>}
              <div className={classes["apps"]}>
                {apps.map((app) => (
                  <AppCard
                    key={app.name}
                    app={app}
                    checked={app.name === view.app?.name}
                    onChoose={() => change({ app: app.name, environment: null, options: {} })}
                  />
                ))}
              </div>
            </div>
          ))}
        </div>
      </Field>
      <OptionFields {...props} />
      <EnvironmentField {...props} />
      <div {...marked(problems["name"])}>
        <TextInput
          label={strings.launch.name}
          description={strings.launch.nameHint}
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={problems["name"]}
          maxLength={60}
          autoComplete="off"
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </div>
    </Section>
  );
}

function AppCard({ app, checked, onChoose }: { app: App; checked: boolean; onChoose: () => void }) {
  return (
    <Choice
      name="app"
      value={app.name}
      look="card"
      checked={checked}
      refused={app.available ? null : (app.reason ?? strings.apps.unavailable)}
      onChoose={onChoose}
    >
      <span className={classes["head"]}>
        <AppIcon name={app.icon} />
        <strong>{app.title}</strong>
      </span>
      <span className={classes["text"]}>{app.description}</span>
      {!app.available && <span className={classes["reason"]}>{app.reason ?? strings.apps.unavailable}</span>}
    </Choice>
  );
}
