// Changes what a waiting session requests, after showing what the change does to its position in the queue.
import { Button, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { answer, client } from "~/api/client";
import { useOptions } from "~/api/queries";
import { followed } from "~/api/ratio";
import type { ChangeRequest, Session } from "~/api/types";
import { useChangeSession } from "~/api/writes";
import { formatDuration, parseDuration } from "~/lib/duration";
import { gbToMib, mibToGb } from "~/lib/size";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { Field } from "~/ui/Section";
import { SiteFields } from "~/ui/SiteFields";
import { Stepper } from "~/ui/Stepper";
import classes from "./ChangeDialog.module.css";

const words = strings.sessionChange;
const TYPING_PAUSE_MS = 250;

type Asked = "gpus" | "cpus" | "memory_mib" | "walltime_s" | "partition" | "account" | "shards" | "mps_percent" | "constraint" | "licenses" | "wckey" | "exclusive";
type Wanted = Required<Pick<Session["resources"], Asked>>;

export default function ChangeDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const options = useOptions().data;
  const { walltime_s } = session.resources;
  const [wanted, setWanted] = useState<Wanted>(askedBy(session));
  const [time, setTime] = useState(formatDuration(walltime_s));
  const change = useChangeSession();
  const set = (part: Partial<Wanted>) => {
    change.reset();
    setWanted((before) => ({ ...before, ...part }));
  };

  const resources = Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => askedBy(session)[name as keyof Wanted] !== value),
  ) as ChangeRequest["resources"];
  const asked = JSON.stringify(resources);
  const [settled] = useDebouncedValue(asked, TYPING_PAUSE_MS);
  const check = useQuery({
    queryKey: ["change-check", session.id, settled],
    queryFn: () =>
      answer(() =>
        client.POST("/sessions/{session_id}/resources/check", {
          params: { path: { session_id: session.id } },
          body: { resources: JSON.parse(settled) as ChangeRequest["resources"], new_job: false },
        }),
      ),
    placeholderData: (before) => before,
    staleTime: 0,
    retry: false,
  });
  const plan = check.data;
  const pending = check.isPlaceholderData || check.isPending || asked !== settled;
  const problem = (name: string) => plan?.problems.find(({ field }) => field === `resources.${name}`)?.message;
  const there = options?.partitions.find(({ name }) => name === wanted.partition);
  const byGpus = (count: number) => {
    if (options === undefined) return { gpus: count };
    const before = followed(wanted.gpus, options.policy, there?.per_node);
    const after = followed(count, options.policy, there?.per_node);
    return {
      gpus: count,
      ...(wanted.cpus === before.cpus ? { cpus: after.cpus } : {}),
      ...(wanted.memory_mib === before.memoryMib ? { memory_mib: after.memoryMib } : {}),
    };
  };
  const seconds = parseDuration(time.trim());
  const send = (newJob: boolean) =>
    change.mutate({ id: session.id, body: { resources, new_job: newJob } }, { onSuccess: onClose });
  const shown = plan !== undefined && plan.how !== "nothing" && plan.ok ? plan : null;

  return (
    <Dialog opened onClose={onClose} title={words.title(session.name)} closeLabel={strings.dialog.close}>
      <div className={classes["fields"]}>
        <Field label={strings.launch.gpus} problem={problem("gpus")}>
          <Stepper
            label={strings.launch.gpus}
            value={wanted.gpus}
            most={there?.per_node.gpus ?? wanted.gpus}
            fewer={strings.launch.fewerGpus}
            more={strings.launch.moreGpus}
            onChange={(count) => set({ ...byGpus(count), ...(count > 0 ? { shards: 0, mps_percent: 0 } : {}) })}
          />
        </Field>
        <NumberInput
          label={words.cores}
          min={1}
          value={wanted.cpus}
          error={problem("cpus")}
          onChange={(value) => typeof value === "number" && set({ cpus: value })}
        />
        <NumberInput
          label={words.memory}
          min={0.5}
          value={mibToGb(wanted.memory_mib)}
          error={problem("memory_mib")}
          onChange={(value) => typeof value === "number" && set({ memory_mib: gbToMib(value) })}
        />
        <TextInput
          label={words.time}
          value={time}
          error={seconds === null ? words.timeBad : problem("walltime_s")}
          onChange={(event) => {
            setTime(event.currentTarget.value);
            const length = parseDuration(event.currentTarget.value.trim());
            if (length !== null && length >= 60) set({ walltime_s: Math.ceil(length / 60) * 60 });
          }}
        />
        <NativeSelect
          label={words.partition}
          value={wanted.partition}
          error={problem("partition")}
          data={[...new Set([wanted.partition, ...(options?.partitions.map(({ name }) => name) ?? [])])]}
          onChange={(event) => set({ partition: event.currentTarget.value })}
        />
        {options !== undefined && options.accounts.length > 1 && (
          <NativeSelect
            label={words.account}
            value={wanted.account ?? ""}
            error={problem("account")}
            data={[...new Set([wanted.account ?? "", ...options.accounts.map(({ name }) => name)])]}
            onChange={(event) => set({ account: event.currentTarget.value })}
          />
        )}
        <SiteFields
          options={options}
          partition={there}
          gpuType={session.resources.gpu_type}
          value={{ ...wanted, mps: wanted.mps_percent, constraint: wanted.constraint ?? "", licenses: wanted.licenses ?? "", wckey: wanted.wckey ?? "" }}
          problems={{
            shards: problem("shards"),
            mps: problem("mps_percent"),
            constraint: problem("constraint"),
            licenses: problem("licenses"),
            wckey: problem("wckey"),
          }}
          change={({ shards, mps, exclusive, ...texts }) =>
            set({
              ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text === "" ? null : text])),
              ...(exclusive === undefined ? {} : { exclusive }),
              ...(shards === undefined || mps === undefined
                ? {}
                : { shards, mps_percent: mps, gpus: shards + mps > 0 ? 0 : Math.max(1, wanted.gpus) }),
            })
          }
        />
      </div>
      <div className={classes["plan"]} aria-live="polite" data-pending={pending || undefined} data-how={shown?.how}>
        {check.error !== null && <ProblemNote error={check.error} />}
        {shown !== null && <p>{shown.place}</p>}
        {shown !== null && <p className="quiet">{words.then(shown.starts_text)}</p>}
        {plan?.how === "nothing" && plan.ok && check.error === null && <p className="quiet">{words.nothing}</p>}
        {plan?.problems
          .filter(({ field }) => !FIELDS.has(field))
          .map(({ message }) => (
            <p key={message}>{message}</p>
          ))}
      </div>
      {change.error !== null && <ProblemNote error={change.error} title={words.failed} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {strings.dialog.close}
        </Button>
        {change.error !== null && shown?.how === "in_place" && (
          <Button variant="default" loading={change.isPending} onClick={() => send(true)}>
            {words.newJob}
          </Button>
        )}
        <Button
          disabled={pending || shown === null || seconds === null}
          loading={change.isPending}
          onClick={() => send(shown?.how === "new_job")}
        >
          {shown?.how === "new_job" ? words.newJob : words.change}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function askedBy({ resources }: Session): Wanted {
  const { gpus, cpus, memory_mib, walltime_s, partition, account, shards, mps_percent, exclusive } = resources;
  const { constraint = null, licenses = null, wckey = null } = resources;
  return { gpus, cpus, memory_mib, walltime_s, partition, account, shards, mps_percent, constraint, licenses, wckey, exclusive };
}

const SHOWN: readonly Asked[] = [
  "gpus", "cpus", "memory_mib", "walltime_s", "partition", "account", "shards", "mps_percent", "constraint", "licenses", "wckey",
];
const FIELDS = new Set(SHOWN.map((name) => `resources.${name}`));
