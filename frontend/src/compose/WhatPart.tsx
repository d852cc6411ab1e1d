// What runs: the commands, their folder, and their environment.
import { NativeSelect, TextInput, Textarea } from "@mantine/core";

import { strings } from "~/strings/en";
import { Section, marked } from "~/ui/Section";
import { FolderField } from "~/ui/files/FolderField";
import classes from "./ComposeForm.module.css";
import { orNull, type PartProps } from "./part";

const words = strings.compose;
const BELOW = ["label", "input", "description", "error"] as const;

export function WhatPart({ form, options, problems, change }: PartProps) {
  const environments = options?.environments ?? [];
  const unknown = form.environment !== null && !environments.some(({ name }) => name === form.environment);
  return (
    <Section title={words.what}>
      <div {...marked(problems["name"])}>
        <TextInput
          label={words.name}
          error={problems["name"]}
          maxLength={120}
          autoComplete="off"
          value={form.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </div>
      <div {...marked(problems["command"])}>
        <Textarea
          className={classes["command"] ?? ""}
          label={words.command}
          description={words.commandHint}
          inputWrapperOrder={[...BELOW]}
          error={problems["command"]}
          rows={Math.min(14, Math.max(5, form.command.split("\n").length + 1))}
          spellCheck={false}
          autoCapitalize="off"
          value={form.command}
          onChange={(event) => change({ command: event.currentTarget.value })}
        />
      </div>
      <div {...marked(problems["environment"])}>
        <NativeSelect
          label={words.environment}
          error={problems["environment"]}
          value={form.environment ?? ""}
          onChange={(event) => change({ environment: orNull(event.currentTarget.value) })}
          data={[
            { value: "", label: words.environmentNone },
            ...environments.map(({ name, title, version }) => ({ value: name, label: [title, version].filter(Boolean).join(" · ") })),
            ...(unknown ? [{ value: form.environment ?? "", label: form.environment ?? "" }] : []),
          ]}
        />
      </div>
      <div {...marked(problems["workdir"])}>
        <FolderField
          label={words.workdir}
          description={words.workdirHint}
          error={problems["workdir"]}
          value={form.workdir ?? ""}
          onChange={(folder) => change({ workdir: orNull(folder) })}
        />
      </div>
    </Section>
  );
}
