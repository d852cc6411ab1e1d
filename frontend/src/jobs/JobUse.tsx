// What a job really uses of its allocation, as reported by its nodes; after its end, what Slurm's accounting recorded;
// and what its meter says of its GPUs.
import { useQuery } from "@tanstack/react-query";

import { isOver, isPending } from "~/api/jobStates";
import type { JobDetail } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { percent } from "~/lib/numbers";
import { strings } from "~/strings/en";
import { GpuTotals } from "~/ui/GpuTotals";
import { UseBar, UseBars } from "~/ui/UseBar";
import { LiveUse } from "./LiveUse";

const words = strings.jobs.job;

interface JobUseProps {
  job: JobDetail;
  /** Of an array: the selected task. */
  task?: number;
}

export function JobUse({ job, task }: JobUseProps) {
  if (isPending(job) || (isOver(job) && job.started_at === null)) return null;
  const ofTask = job.array === null ? null : (task ?? null);
  if (job.array !== null && ofTask === null) return isOver(job) ? <Efficiency job={job} /> : null;
  return (
    <>
      {isOver(job) ? <Efficiency job={job} /> : <LiveUse id={job.id} task={ofTask} hasGpus={job.gpus > 0} />}
      {job.gpus > 0 && <Gpus job={job} task={ofTask} />}
    </>
  );
}

/** What its meter has reported; nothing for jobs without one. */
function Gpus({ job, task }: { job: JobDetail; task: number | null }) {
  const { data } = useQuery(jobReads.gpus(job.id, task, !isOver(job)));
  if (data === undefined || data.items.length === 0) return null;
  return (
    <section aria-labelledby="job-gpus">
      <h2 className="section-title" id="job-gpus">
        {strings.usage.gpus.title}
      </h2>
      <GpuTotals data={data} />
    </section>
  );
}

function Efficiency({ job }: { job: JobDetail }) {
  return (
    <section aria-labelledby="job-use">
      <h2 className="section-title" id="job-use">
        {words.useAfter}
      </h2>
      {job.efficiency === null && <p className="quiet">{words.noUse}</p>}
      <UseBars>
        {efficiencyOf(job).map(({ name, value }) => (
          <UseBar key={name} name={name} part={value / 100} text={words.useText(percent(value))} />
        ))}
      </UseBars>
    </section>
  );
}

function efficiencyOf({ efficiency }: JobDetail): { name: string; value: number }[] {
  const rows: [string, number | null | undefined][] = [
    [words.cpu, efficiency?.cpu_percent],
    [words.memory, efficiency?.memory_percent],
    [words.gpu, efficiency?.gpu_percent],
  ];
  return rows.flatMap(([name, value]) => (value == null ? [] : [{ name, value }]));
}
