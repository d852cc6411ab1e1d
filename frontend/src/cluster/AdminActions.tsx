// Administrators' actions on the node or job in the panel. Loaded for administrators only.
import { Button } from "@mantine/core";
import { useState } from "react";

import { JobActionDialog } from "~/ui/operate/JobActionDialog";
import type { JobsAction } from "~/ui/operate/jobs";
import { DrainDialog } from "~/ui/operate/DrainDialog";
import { ResumeButton } from "~/ui/operate/ResumeButton";
import type { ClusterJobDetail, ClusterNodeDetail } from "~/api/types";
import { strings } from "~/strings/en";
import { OUT_OF_SERVICE } from "./snapshot";
import { waits } from "./words";

export function NodeActions({ node }: { node: ClusterNodeDetail }) {
  const [draining, setDraining] = useState(false);
  if (OUT_OF_SERVICE.has(node.state)) return <ResumeButton nodes={[node.name]} />;
  const jobs = node.jobs.map(({ job }) => ({ id: job.id, user: job.user ?? "", name: job.name ?? "", gpus: job.gpus, ends_at: job.ends_at, session_id: null }));
  return (
    <>
      <Button variant="default" size="xs" aria-label={strings.admin.nodes.drainOf(node.name)} onClick={() => setDraining(true)}>
        {strings.admin.nodes.drainMany}
      </Button>
      <DrainDialog nodes={[{ name: node.name, jobs }]} opened={draining} onClose={() => setDraining(false)} />
    </>
  );
}

type Action = JobsAction["action"];
const WAITING: readonly Action[] = ["hold", "release", "time_limit", "priority", "cancel"];
const RUNNING: readonly Action[] = ["requeue", "time_limit", "cancel"];

export function JobActions({ job }: { job: ClusterJobDetail }) {
  const [acting, setActing] = useState<Action | null>(null);
  const actions = waits(job) ? WAITING : job.state === "RUNNING" ? RUNNING : [];
  return (
    <>
      {actions.map((action) => (
        <Button key={action} variant="default" size="xs" onClick={() => setActing(action)}>
          {strings.admin.jobs.actions[action]}
        </Button>
      ))}
      {acting !== null && (
        <JobActionDialog action={acting} jobs={[{ id: `${job.id}`, user: job.user ?? "", name: job.name ?? "" }]} onClose={() => setActing(null)} />
      )}
    </>
  );
}
