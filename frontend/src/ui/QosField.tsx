// The QOS: those that the account may use according to accounting; free text if accounting does not know.
import { NativeSelect, TextInput } from "@mantine/core";

import type { Options } from "~/api/types";
import { strings } from "~/strings/en";
import { marked } from "./Section";

interface QosFieldProps {
  options: Options | undefined;
  /** The account to charge; null: the user's default. */
  account: string | null;
  value: string;
  problem: string | undefined;
  onChange: (qos: string) => void;
}

export function QosField({ options, account, value, problem, onChange }: QosFieldProps) {
  const words = strings.launch;
  const accounts = options?.accounts ?? [];
  const charged = accounts.find((candidate) => (account === null ? candidate.default : candidate.name === account));
  const known = charged?.qos ?? [];
  const field = { label: words.qos, error: problem, value };
  return (
    <div {...marked(problem)}>
      {known.length === 0 ? (
        <TextInput {...field} placeholder={words.optional} autoComplete="off" onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <NativeSelect
          {...field}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[
            { value: "", label: words.qosDefault(charged?.default_qos ?? null) },
            ...withChosen(known, value).map((name) => ({ value: name, label: name })),
          ]}
        />
      )}
    </div>
  );
}

/** The chosen value stays an option: a script or a link may name anything, and Slurm decides. */
const withChosen = (known: string[], chosen: string) => (chosen === "" || known.includes(chosen) ? known : [...known, chosen]);
