// The chosen app's options: a folder, a file, a text, a number, one of several choices, yes or no.
import { Button, NativeSelect, NumberInput, Switch, TextInput } from "@mantine/core";
import { SyncIcon } from "@primer/octicons-react";
import { useQueryClient } from "@tanstack/react-query";

import { keys } from "~/api/keys";
import type { AppOption } from "~/api/types";
import { strings } from "~/strings/en";
import { marked } from "~/ui/Section";
import { FileField } from "~/ui/files/FileField";
import { FolderField } from "~/ui/files/FolderField";
import type { PartProps } from "./part";
import { optionField } from "./view";

export function OptionFields({ draft, view, problems, warnings, change }: PartProps) {
  return view.app?.options.map((option) => {
    const field = optionField(option.name);
    return (
      <div key={option.name} {...marked(problems[field])}>
        <OptionField
          option={option}
          value={draft.options[option.name] ?? textOf(option.default)}
          problem={problems[field]}
          warning={warnings[field]}
          onChange={(value) => change({ options: { ...draft.options, [option.name]: value } })}
        />
        {option.kind === "folder" && warnings[field] !== undefined && <LookAgain />}
      </div>
    );
  });
}

/** What was missing in a folder may have appeared meanwhile. */
function LookAgain() {
  const queries = useQueryClient();
  const look = () => {
    void queries.invalidateQueries({ queryKey: keys.checks });
    void queries.invalidateQueries({ queryKey: keys.files("").slice(0, 1) });
  };
  return (
    <Button variant="subtle" size="compact-xs" leftSection={<SyncIcon size={12} />} onClick={look}>
      {strings.apps.lookAgain}
    </Button>
  );
}

interface OptionFieldProps {
  option: AppOption;
  value: string;
  problem: string | undefined;
  warning: string | undefined;
  onChange: (value: string) => void;
}

function OptionField({ option, value, problem, warning, onChange }: OptionFieldProps) {
  const description = [warning, option.help].filter(Boolean).join(" ") || undefined;
  const common = { label: option.label, required: option.required, error: problem };
  if (option.kind === "folder") {
    return <FolderField {...common} description={description} value={value} onChange={onChange} />;
  }
  if (option.kind === "bool") {
    return (
      <Switch
        label={option.label}
        description={description}
        error={problem}
        checked={value === "true"}
        onChange={(event) => onChange(String(event.currentTarget.checked))}
      />
    );
  }
  const box = { ...common, description, inputWrapperOrder: ORDER, value, maw: 420 };
  if (option.kind === "choice") {
    const none = option.required ? [] : [{ value: "", label: "–" }];
    const choices = option.choices.map((choice) => ({ value: choice, label: choice }));
    return <NativeSelect {...box} data={[...none, ...choices]} onChange={(event) => onChange(event.currentTarget.value)} />;
  }
  if (option.kind === "file") return <FileField {...box} onChange={onChange} />;
  if (option.kind === "number") {
    return (
      <NumberInput
        {...box}
        {...(option.least === null ? {} : { min: option.least })}
        {...(option.most === null ? {} : { max: option.most })}
        allowDecimal={!option.whole}
        clampBehavior="none"
        placeholder={option.required ? "" : strings.apps.optional}
        onChange={(number) => onChange(String(number))}
      />
    );
  }
  return (
    <TextInput
      {...box}
      maxLength={1024}
      autoComplete="off"
      placeholder={option.required ? "" : strings.apps.optional}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const ORDER = ["label", "input", "description", "error"] as ("label" | "input" | "description" | "error")[];

export const textOf = (value: string | boolean | null) => (value === null ? "" : String(value));
