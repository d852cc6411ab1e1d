// Everybody's jobs, with administrators' actions.
import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router-dom";

import { useSite } from "~/api/queries";
import { clock, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Choice } from "~/ui/Choice";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { Loaded } from "~/ui/Loaded";
import { Page } from "~/ui/Page";
import { Time } from "~/ui/Time";
import { lookOfClusterJob } from "~/ui/jobLook";
import { JobActionDialog } from "~/ui/operate/JobActionDialog";
import { pageOfJob, useQueue, type JobsAction, type JobState, type Queue, type QueueRow } from "~/ui/operate/jobs";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { Beneath, BulkActions, LookCell } from "~/ui/table/cells";
import { useSelection } from "~/ui/table/useSelection";
import { useAddress, useSettled } from "~/ui/useAddress";

const words = strings.admin.jobs;
const STATES: readonly JobState[] = ["all", "running", "waiting"];
const ACTIONS: JobsAction["action"][] = ["hold", "release", "requeue", "time_limit", "priority", "cancel"];
const ADDRESS = { q: "", state: STATES };

const idOf = ({ id }: QueueRow) => id;
const COLUMNS: Column<QueueRow>[] = [
  { id: "id", header: words.id, value: idOf, cell: (job) => <Link to={pageOfJob(job)}>{job.id}</Link>, kind: "mono" },
  {
    id: "name",
    header: words.name,
    value: ({ name }) => name,
    cell: (job) => (
      <>
        {job.name}
        {job.session_id !== null && <Beneath>{words.session}</Beneath>}
      </>
    ),
    kind: "text",
  },
  {
    id: "user",
    header: words.user,
    cell: (job) => (
      <>
        <Link to={`/admin/people?person=${encodeURIComponent(job.user)}`}>{job.user}</Link>
        <Beneath>{job.account}</Beneath>
      </>
    ),
  },
  { id: "state", header: words.state, cell: (job) => <LookCell look={lookOfClusterJob(job)} title={job.state} /> },
  { id: "partition", header: words.partition, value: ({ partition }) => partition },
  { id: "gpus", header: words.gpus, value: ({ gpus }) => gpus, kind: "number" },
  { id: "where", header: words.where, value: ({ nodes, reason }) => nodes || reason, kind: "text" },
  {
    id: "limit",
    header: words.limit,
    cell: (job) => (
      <>
        {job.time_limit_s !== null && span(job.time_limit_s)}
        {job.ends_at !== null && job.nodes !== "" && (
          <Beneath>
            <Time at={job.ends_at} as="left" />
          </Beneath>
        )}
      </>
    ),
  },
  { id: "priority", header: words.priority, value: ({ priority }) => priority, kind: "number" },
];

export default function AdminJobsPage() {
  const [{ q, state }, change] = useAddress(ADDRESS);
  const settled = useSettled(q);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          {STATES.map((choice) => (
            <Choice key={choice} name="state" value={choice} checked={state === choice} onChoose={() => change({ state: choice })}>
              {words.states[choice]}
            </Choice>
          ))}
          <FilterField label={words.filter} value={q} onChange={(text) => change({ q: text })} />
        </>
      }
    >
      <Loaded query={useQueue(state, settled)} height={320}>
        {(queue) => <Jobs queue={queue} filtered={settled !== ""} />}
      </Loaded>
    </Page>
  );
}

function Jobs({ queue: { items, total, as_of }, filtered }: { queue: Queue; filtered: boolean }) {
  const slurm = useSite().data?.slurm;
  const now = useNow(60);
  const selection = useSelection(idOf);
  const [acting, setActing] = useState<JobsAction["action"] | null>(null);
  const [done, setDone] = useState("");
  const chosen = items.filter(selection.has);
  return (
    <>
      {slurm?.state === "down" && as_of !== null && <p className="quiet">{words.stale(clock(as_of, now))}</p>}
      {items.length === 0 ? (
        <Empty>
          <p>{as_of === null ? words.unknown : filtered ? words.none : words.empty}</p>
        </Empty>
      ) : (
        <>
          <BulkActions label={words.bulk} count={words.chosen(chosen.length)} done={done}>
            {ACTIONS.map((action) => (
              <Button key={action} size="xs" variant="default" disabled={chosen.length === 0} onClick={() => setActing(action)}>
                {words.actions[action]}
              </Button>
            ))}
          </BulkActions>
          <DataTable label={words.title} rows={items} idOf={idOf} columns={COLUMNS} selection={selection} nameOf={({ id, user }) => words.job(id, user)} />
        </>
      )}
      {total > items.length && <p className="quiet">{words.first(items.length, total)}</p>}
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
