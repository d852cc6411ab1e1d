// The job's actions that the portal currently allows.
import { Button } from "@mantine/core";
import { useState } from "react";

import type { JobAction, JobDetail } from "~/api/jobTypes";
import { strings } from "~/strings/en";
import { ActionDialog } from "./ActionDialog";
import { ACTIONS } from "./actions";

export function JobButtons({ job, size = "sm" }: { job: JobDetail; size?: "sm" | "xs" }) {
  const [asking, setAsking] = useState<JobAction | null>(null);
  return (
    <>
      {ACTIONS.filter((action) => job.actions.includes(action)).map((action) => (
        <Button key={action} size={size} variant="default" onClick={() => setAsking(action)}>
          {strings.jobs.actions[action]}
        </Button>
      ))}
      {asking !== null && <ActionDialog action={asking} targets={[job]} onClose={() => setAsking(null)} />}
    </>
  );
}
