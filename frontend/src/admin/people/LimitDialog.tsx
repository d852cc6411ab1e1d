// Sets what one user, or each member of one group and all its members together, may use. An empty field sets no limit here, so the next layer
// applies.
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";

import classes from "~/ui/Form.module.css";
import { byField, fromThrown } from "~/api/errors";
import { strings } from "~/strings/en";
import { hoursOf } from "~/lib/time";
import { Choice } from "~/ui/Choice";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { Field } from "~/ui/Section";
import { factsOf } from "./facts";
import { isChanged, useLimits, useSetLimit, type LimitRow } from "./queries";

const words = strings.admin.people;
const HOUR = 3600;
const ORDER: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

interface LimitDialogProps {
  /** Whose limit to change or set; null asks for whom. */
  subject: Pick<LimitRow, "kind" | "name"> | null;
  onClose: () => void;
}

/** Waits for the existing limits, so that nobody overwrites one unseen. */
export function LimitDialog({ subject, onClose }: LimitDialogProps) {
  const items = useLimits().data?.items;
  if (items === undefined) return null;
  const rule = subject === null ? undefined : ruleOf(items, subject);
  return <Form subject={rule ?? subject} items={items} onClose={onClose} />;
}

const ruleOf = (items: readonly LimitRow[], { kind, name }: Pick<LimitRow, "kind" | "name">) =>
  items.find((limit) => limit.kind === kind && limit.name === name);

interface FormProps {
  subject: (Pick<LimitRow, "kind" | "name"> & Partial<LimitRow>) | null;
  items: readonly LimitRow[];
  onClose: () => void;
}

function Form({ subject, items, onClose }: FormProps) {
  const set = useSetLimit();
  const [seen] = useState(subject?.version ?? 0);
  const [kind, setKind] = useState<LimitRow["kind"]>(subject?.kind ?? "group");
  const [draft, setDraft] = useState(() => ({
    name: subject?.name ?? "",
    gpus: shown(subject?.max_gpus),
    sessions: shown(subject?.max_sessions),
    hours: shown(subject?.max_walltime_s == null ? null : hoursOf(subject.max_walltime_s)),
    gpuHours: shown(subject?.max_gpu_hours),
    partitions: (subject?.partitions ?? []).join(", "),
    gpuTypes: (subject?.gpu_types ?? []).join(", "),
    groupGpus: shown(subject?.group_max_gpus),
    groupGpuHours: shown(subject?.group_max_gpu_hours),
  }));
  const conflict = isChanged(set.error);
  // Once the other administrator's change has been shown, overwriting it is deliberate.
  const theirs = conflict ? ruleOf(items, { kind, name: draft.name.trim() }) : undefined;
  const version = conflict ? (theirs?.version ?? 0) : seen;
  const problems = set.error === null ? {} : byField(fromThrown(set.error).fields);
  const field = (name: keyof typeof draft) => ({
    value: draft[name],
    inputWrapperOrder: ORDER,
    autoComplete: "off",
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setDraft((old) => ({ ...old, [name]: value }));
    },
  });
  return (
    <Dialog opened onClose={onClose} title={words.limitTitle(subject?.name ?? null)} closeLabel={strings.dialog.close}>
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          const hours = number(draft.hours);
          const limit = {
            max_gpus: number(draft.gpus),
            max_sessions: number(draft.sessions),
            max_walltime_s: hours === null ? null : Math.round(hours * HOUR),
            max_gpu_hours: number(draft.gpuHours),
            partitions: names(draft.partitions),
            gpu_types: names(draft.gpuTypes),
            group_max_gpus: kind === "group" ? number(draft.groupGpus) : null,
            group_max_gpu_hours: kind === "group" ? number(draft.groupGpuHours) : null,
          };
          set.mutate({ kind, name: draft.name.trim(), limit, version }, { onSuccess: onClose });
        }}
      >
        <p className="quiet">{words.limitText[kind]}</p>
        {subject === null && (
          <>
            <Field label={words.whom}>
              {(["group", "user"] as const).map((choice) => (
                <Choice key={choice} name="kind" value={choice} checked={kind === choice} onChoose={() => setKind(choice)}>
                  {words.kinds[choice]}
                </Choice>
              ))}
            </Field>
            <TextInput label={words.name} required maxLength={128} data-autofocus {...field("name")} />
          </>
        )}
        <h3 className="section-title">{words.each[kind]}</h3>
        <div className={classes["pair"]}>
          <TextInput type="number" min={0} label={words.gpus} error={problems["max_gpus"]} {...field("gpus")} />
          <TextInput type="number" min={0} label={words.sessions} error={problems["max_sessions"]} {...field("sessions")} />
          <TextInput type="number" min={0.25} step={0.25} label={words.hours} error={problems["max_walltime_s"]} {...field("hours")} />
          <TextInput type="number" min={0} label={words.gpuHours} error={problems["max_gpu_hours"]} {...field("gpuHours")} />
          <TextInput label={words.partitions} description={words.namesHint} error={problems["partitions"]} {...field("partitions")} />
          <TextInput label={words.gpuTypes} description={words.namesHint} error={problems["gpu_types"]} {...field("gpuTypes")} />
        </div>
        {kind === "group" && (
          <>
            <h3 className="section-title">{words.together}</h3>
            <p className="quiet">{words.togetherText}</p>
            <div className={classes["pair"]}>
              <TextInput type="number" min={0} label={words.groupGpus} error={problems["group_max_gpus"]} {...field("groupGpus")} />
              <TextInput type="number" min={0} label={words.groupGpuHours} error={problems["group_max_gpu_hours"]} {...field("groupGpuHours")} />
            </div>
          </>
        )}
        {set.error !== null && <ProblemNote error={set.error} title={words.failed} />}
        {conflict && (
          <p className={classes["affected"]}>{theirs === undefined ? words.removedMeanwhile : words.theirs(theirs.changed_by, factsOf(theirs))}</p>
        )}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={set.isPending}>
            {conflict ? words.setAnyway : words.set}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const shown = (value: number | null | undefined) => (value == null ? "" : String(value));
const number = (text: string) => (text.trim() === "" ? null : Number(text));

function names(text: string): string[] | null {
  const parts = text.split(/[\s,]+/).filter((part) => part !== "");
  return parts.length === 0 ? null : parts;
}
