// The jobs it depends on; active ones are offered by name.
import { ActionIcon, NativeSelect, TextInput } from "@mantine/core";
import { TrashIcon } from "@primer/octicons-react";
import { useInfiniteQuery } from "@tanstack/react-query";

import { jobReads } from "~/api/jobs";
import { strings } from "~/strings/en";
import { AddButton } from "~/ui/AddButton";
import { ProblemLine, marked } from "~/ui/Section";
import classes from "./ComposeForm.module.css";
import type { PartProps } from "./part";

const words = strings.compose;
type Kind = keyof typeof words.dependencyKinds;
const KINDS = Object.entries(words.dependencyKinds).map(([value, label]) => ({ value, label }));

export function Dependencies({ form: { dependencies }, problems, change }: PartProps) {
  const active = useInfiniteQuery(jobReads.list({ scope: "active", query: "" })).data?.pages[0]?.items ?? [];
  const set = (index: number, next: Partial<{ kind: Kind; job: string }>) =>
    change({ dependencies: dependencies.map((dependency, at) => (at === index ? { ...dependency, ...next } : dependency)) });
  return (
    <div className={classes["list"]} role="group" aria-label={words.dependencies} {...marked(problems["dependencies"])}>
      <strong>{words.dependencies}</strong>
      {dependencies.map(({ kind, job }, index) => (
        <div key={index} className={classes["item"]}>
          <TextInput
            aria-label={words.dependencyJob}
            placeholder={words.dependencyJob}
            list="dependency-jobs"
            autoComplete="off"
            value={job}
            onChange={(event) => set(index, { job: event.currentTarget.value.trim() })}
          />
          <NativeSelect
            aria-label={words.dependencyKind}
            value={kind}
            onChange={(event) => set(index, { kind: event.currentTarget.value as Kind })}
            data={KINDS}
          />
          <ActionIcon
            aria-label={words.remove(`${words.dependencyJob} ${job}`)}
            onClick={() => change({ dependencies: dependencies.filter((_, at) => at !== index) })}
          >
            <TrashIcon />
          </ActionIcon>
        </div>
      ))}
      <datalist id="dependency-jobs">
        {active.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </datalist>
      <ProblemLine text={problems["dependencies"]} />
      <AddButton label={words.dependencyAdd} onClick={() => change({ dependencies: [...dependencies, { kind: "afterok", job: "" }] })} />
    </div>
  );
}
