// What a job really uses of its allocation, as reported by its nodes; after its end, what Slurm's accounting recorded.
import { isOver, isPending } from "~/api/jobStates";
import type { JobDetail } from "~/api/jobTypes";
import { percent } from "~/lib/numbers";
import { strings } from "~/strings/en";
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
  if (isOver(job)) return <Efficiency job={job} />;
  if (job.array !== null && task === undefined) return null;
  return <LiveUse id={job.id} task={job.array === null ? null : (task ?? null)} hasGpus={job.gpus > 0} />;
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
  const told: [string, number | null | undefined][] = [
    [words.cpu, efficiency?.cpu_percent],
    [words.memory, efficiency?.memory_percent],
    [words.gpu, efficiency?.gpu_percent],
  ];
  return told.flatMap(([name, value]) => (value == null ? [] : [{ name, value }]));
}
