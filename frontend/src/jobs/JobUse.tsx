// What a job really uses of its allocation, as reported by its nodes; after its end, what Slurm's accounting recorded;
// and what its meter says of its GPUs.
import { useQuery } from "@tanstack/react-query";

import { isOver, isPending } from "~/api/jobStates";
import type { JobDetail } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { percent } from "~/lib/numbers";
import { gb } from "~/lib/size";
import { span } from "~/lib/time";
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
      <Enough job={job} />
    </section>
  );
}

/** What would be enough for the next job of this name, if this one requested twice as much. */
function Enough({ job: { name, nodes, array, memory_mib: memory, walltime_s: walltime } }: { job: JobDetail }) {
  const { data } = useQuery({ ...jobReads.lastUse(name), enabled: nodes === 1 && array === null });
  const fit = data?.fit ?? null;
  if (fit === null) return null;
  const less = (enough: number | null, asked: number | null) => enough !== null && asked !== null && enough * 2 <= asked;
  return (
    <>
      {less(fit.memory_mib, memory) && <p>{words.enoughMemory(fit.jobs, name, gb(fit.peak_mib ?? 0), gb(fit.memory_mib ?? 0))}</p>}
      {less(fit.walltime_s, walltime) && <p>{words.enoughTime(fit.jobs, name, span(fit.longest_s ?? 0), span(fit.walltime_s ?? 0))}</p>}
    </>
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
