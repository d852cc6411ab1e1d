// Rarely needed fields: array, dependencies, variables, output files, QOS, reservation, notification.
import { Switch, TextInput } from "@mantine/core";
import { useState } from "react";

import { endedJobs } from "~/live/jobNotices";
import { askForNotices, permission } from "~/live/notices";
import { strings } from "~/strings/en";
import { FoldedSection } from "~/ui/FoldedSection";
import { ModulesField } from "~/ui/ModulesField";
import { QosField } from "~/ui/QosField";
import { marked } from "~/ui/Section";
import { SiteFields } from "~/ui/SiteFields";
import section from "~/ui/Section.module.css";
import classes from "./ComposeForm.module.css";
import { Dependencies } from "./Dependencies";
import { Variables } from "./Variables";
import { orNull, type PartProps } from "./part";

const words = strings.compose;
const FIELDS = ["modules", "array", "range", "at_once", "dependencies", "env", "output", "error", "qos", "reservation", "notify", "shards_per_node", "mps_per_node", "constraint", "licenses", "wckey", "exclusive"];

export function MorePart(props: PartProps) {
  const { form, options, problems, change } = props;
  const used =
    form.array !== null ||
    form.dependencies.length > 0 ||
    form.env.length > 0 ||
    form.modules.length > 0 ||
    form.exclusive ||
    form.shards_per_node + form.mps_per_node > 0 ||
    [form.output, form.error, form.qos, form.reservation, form.constraint, form.licenses, form.wckey].some((value) => value !== null);
  const partition = options?.partitions.find(({ name, default: usual }) => (form.partition === null ? usual : name === form.partition));
  const [opened, setOpened] = useState(used);
  // A preset or the script may set these fields.
  const [wasUsed, setWasUsed] = useState(used);
  if (used !== wasUsed) {
    setWasUsed(used);
    if (used) setOpened(true);
  }
  const open = opened || FIELDS.some((field) => field in problems);
  return (
    <FoldedSection title={words.more} open={open} onToggle={() => setOpened(!open)}>
      <div className={`${section["body"]} ${classes["more"]}`}>
        <ArrayFields {...props} />
        <Dependencies {...props} />
        <Variables {...props} />
        <div className={section["pair"]}>
          <TextField {...props} field="output" label={words.output} hint={words.outputHint} />
          <TextField {...props} field="error" label={words.error} hint={words.errorHint} />
          <QosField
            options={options}
            account={form.account}
            value={form.qos ?? ""}
            problem={problems["qos"]}
            onChange={(qos) => change({ qos: orNull(qos) })}
          />
          <TextField {...props} field="reservation" label={words.reservation} />
          <SiteFields
            options={options}
            partition={partition}
            gpuType={form.gpu_type}
            value={{
              shards: form.shards_per_node,
              mps: form.mps_per_node,
              constraint: form.constraint ?? "",
              licenses: form.licenses ?? "",
              wckey: form.wckey ?? "",
              exclusive: form.exclusive,
            }}
            problems={{ ...problems, shards: problems["shards_per_node"], mps: problems["mps_per_node"] }}
            change={({ shards, mps, exclusive, ...texts }) =>
              change({
                ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, orNull(text)])),
                ...(exclusive === undefined ? {} : { exclusive }),
                ...(shards === undefined || mps === undefined ? {} : { shards_per_node: shards, mps_per_node: mps }),
                ...((shards ?? 0) + (mps ?? 0) > 0 ? { gpus_per_node: 0 } : {}),
              })
            }
          />
        </div>
        <ModulesField problem={problems["modules"]} chosen={form.modules} onChange={(modules) => change({ modules })} />
        <Notify {...props} />
      </div>
    </FoldedSection>
  );
}

function ArrayFields({ form, problems, change }: PartProps) {
  const { array } = form;
  return (
    <div className={section["pair"]} {...marked(problems["array"] ?? problems["range"] ?? problems["at_once"])}>
      <TextInput
        label={words.array}
        description={words.arrayHint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder="0-99"
        error={problems["array"] ?? problems["range"]}
        autoComplete="off"
        value={array?.range ?? ""}
        onChange={(event) => {
          const range = event.currentTarget.value;
          change({ array: range === "" ? null : { range, at_once: array?.at_once ?? null } });
        }}
      />
      <TextInput
        type="number"
        min={1}
        label={words.atOnce}
        error={problems["at_once"]}
        disabled={array === null}
        value={array?.at_once ?? ""}
        onChange={(event) => {
          const count = /^[1-9]\d{0,5}$/.test(event.currentTarget.value) ? Number(event.currentTarget.value) : null;
          change({ array: array === null ? null : { ...array, at_once: count } });
        }}
      />
    </div>
  );
}

interface TextFieldProps extends PartProps {
  field: "output" | "error" | "reservation";
  label: string;
  hint?: string;
}

function TextField({ form, problems, change, field, label, hint }: TextFieldProps) {
  return (
    <div {...marked(problems[field])}>
      <TextInput
        label={label}
        description={hint}
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder={words.optional}
        error={problems[field]}
        autoComplete="off"
        value={form[field] ?? ""}
        onChange={(event) => change({ [field]: orNull(event.currentTarget.value) })}
      />
    </div>
  );
}

function Notify({ form, change }: PartProps) {
  const [allowed, setAllowed] = useState(permission());
  const set = async (wanted: boolean) => {
    change({ notify: wanted });
    if (!wanted) return;
    endedJobs.begin(Date.now());
    if (allowed !== "unsupported" && allowed !== "denied") await askForNotices();
    setAllowed(permission());
  };
  return (
    <Switch
      label={words.notify}
      description={allowed === "ask" || allowed === "granted" ? words.notifyHint : words.notifyPages}
      checked={form.notify}
      onChange={(event) => void set(event.currentTarget.checked)}
    />
  );
}
