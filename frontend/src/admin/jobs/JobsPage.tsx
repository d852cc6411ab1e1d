// Everybody's jobs, with administrators' actions.
import { Button, Skeleton, Table, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

import { SelectAll, SelectOne } from "~/admin/ui/Select";
import { filterIn } from "~/admin/ui/filter";
import { useSelection, type Selection } from "~/admin/ui/selection";
import { useSite } from "~/api/queries";
import { clock, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Choice } from "~/ui/Choice";
import { DataTable, NumberCell, TextCell, heads } from "~/ui/DataTable";
import { Empty } from "~/ui/Empty";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark, StateWord } from "~/ui/StateMark";
import classes from "~/ui/Table.module.css";
import { Time } from "~/ui/Time";
import { lookOfClusterJob } from "~/ui/jobLook";
import { JobActionDialog } from "./JobActionDialog";
import { useQueue, type JobsAction, type JobState, type QueueRow } from "./queries";

const words = strings.admin.jobs;
const STATES: JobState[] = ["all", "running", "waiting"];
const ACTIONS: JobsAction["action"][] = ["hold", "release", "requeue", "time_limit", "priority", "cancel"];
const TYPING_PAUSE_MS = 250;
const HEADS = heads(
  [words.id, words.name, words.user, words.state, words.partition, words.gpus, words.where, words.limit, words.priority],
  [words.gpus, words.priority],
);

export default function AdminJobsPage() {
  const [params, setParams] = useSearchParams();
  const q = filterIn(params);
  const state = STATES.find((one) => one === params.get("state")) ?? "all";
  const change = (next: { q?: string; state?: string }) => {
    const all = Object.entries({ q, state, ...next }).filter(([, value]) => value !== "" && value !== "all");
    setParams(all, { replace: true });
  };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      wide
      actions={
        <>
          {STATES.map((one) => (
            <Choice key={one} name="state" value={one} checked={state === one} onChoose={() => change({ state: one })}>
              {words.states[one]}
            </Choice>
          ))}
          <TextInput
            data-filter
            aria-label={words.filter}
            placeholder={words.filter}
            value={q}
            onChange={(event) => change({ q: event.currentTarget.value })}
          />
        </>
      }
    >
      <Queue state={state} query={q} />
    </Page>
  );
}

function Queue({ state, query }: { state: JobState; query: string }) {
  const [settled] = useDebouncedValue(query, TYPING_PAUSE_MS);
  const { data, error, refetch } = useQueue(state, settled);
  const slurm = useSite().data?.slurm;
  const now = useNow(60);
  const selection = useSelection();
  const [acting, setActing] = useState<JobsAction["action"] | null>(null);
  const [done, setDone] = useState("");
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={320} />;
  }
  const stale = slurm?.state === "down" && data.as_of !== null && <p className="quiet">{words.stale(clock(data.as_of, now))}</p>;
  if (data.items.length === 0) {
    return (
      <>
        {stale}
        <Empty>
          <p>{data.as_of === null ? words.unknown : settled === "" ? words.empty : words.none}</p>
        </Empty>
      </>
    );
  }
  const chosen = data.items.filter(({ id }) => selection.has(id));
  return (
    <>
      {stale}
      <div className={classes["bulk"]} role="group" aria-label={words.bulk}>
        <span>{words.chosen(chosen.length)}</span>
        {ACTIONS.map((action) => (
          <Button key={action} size="xs" variant="default" disabled={chosen.length === 0} onClick={() => setActing(action)}>
            {words.actions[action]}
          </Button>
        ))}
        <span role="status">{done}</span>
      </div>
      <DataTable label={words.title} heads={HEADS} choose={<SelectAll names={data.items.map(({ id }) => id)} selection={selection} />}>
        {data.items.map((job) => (
          <Row key={job.id} job={job} selection={selection} />
        ))}
      </DataTable>
      {data.total > data.items.length && <p className="quiet">{words.first(data.items.length, data.total)}</p>}
      {acting !== null && (
        <JobActionDialog
          action={acting}
          jobs={chosen}
          onDone={(count) => {
            setDone(words.done[acting](count));
            selection.clear();
          }}
          onClose={() => setActing(null)}
        />
      )}
    </>
  );
}

function Row({ job, selection }: { job: QueueRow; selection: Selection }) {
  const look = lookOfClusterJob(job);
  return (
    <Table.Tr>
      <Table.Td>
        <SelectOne name={job.id} label={words.job(job.id, job.user)} selection={selection} />
      </Table.Td>
      <Table.Td className="mono">{job.id}</Table.Td>
      <TextCell>{job.name}</TextCell>
      <Table.Td>
        {job.user}
        <span className={classes["beneath"]}>{job.account}</span>
      </Table.Td>
      <Table.Td>
        <span className={classes["look"]} title={job.state}>
          <StateMark look={look} />
          <StateWord look={look} />
        </span>
      </Table.Td>
      <Table.Td>{job.partition}</Table.Td>
      <NumberCell>{job.gpus}</NumberCell>
      <TextCell>{job.nodes || job.reason}</TextCell>
      <Table.Td>
        {job.time_limit_s === null ? "" : span(job.time_limit_s)}
        {job.ends_at !== null && job.nodes !== "" && (
          <span className={classes["beneath"]}>
            <Time at={job.ends_at} as="left" />
          </span>
        )}
      </Table.Td>
      <NumberCell>{job.priority}</NumberCell>
    </Table.Tr>
  );
}
