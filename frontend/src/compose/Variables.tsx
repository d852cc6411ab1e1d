// Environment variables of the job.
import { ActionIcon, TextInput } from "@mantine/core";
import { TrashIcon } from "@primer/octicons-react";

import { strings } from "~/strings/en";
import { AddButton } from "~/ui/AddButton";
import { ProblemLine, marked } from "~/ui/Section";
import classes from "./ComposeForm.module.css";
import type { PartProps } from "./part";

const words = strings.compose;

export function Variables({ form: { env }, problems, change }: PartProps) {
  const set = (index: number, next: Partial<{ name: string; value: string }>) =>
    change({ env: env.map((variable, at) => (at === index ? { ...variable, ...next } : variable)) });
  return (
    <div className={classes["list"]} role="group" aria-label={words.env} {...marked(problems["env"])}>
      <strong>{words.env}</strong>
      {env.map(({ name, value }, index) => (
        <div key={index} className={classes["item"]}>
          <TextInput
            aria-label={words.envName}
            placeholder={words.envName}
            autoComplete="off"
            value={name}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          <TextInput
            aria-label={words.envValue}
            placeholder={words.envValue}
            autoComplete="off"
            value={value}
            onChange={(event) => set(index, { value: event.currentTarget.value })}
          />
          <ActionIcon aria-label={words.remove(name)} onClick={() => change({ env: env.filter((_, at) => at !== index) })}>
            <TrashIcon />
          </ActionIcon>
        </div>
      ))}
      <ProblemLine text={problems["env"]} />
      <AddButton label={words.envAdd} onClick={() => change({ env: [...env, { name: "", value: "" }] })} />
    </div>
  );
}
