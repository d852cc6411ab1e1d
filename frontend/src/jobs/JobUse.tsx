// What a job really uses of what it has, or used: Slurm's own measure.
import type { JobDetail } from "~/api/jobTypes";
import { gb, mib } from "~/lib/size";
import { span } from "~/lib/time";
import { percent } from "~/sessions/words";
import { strings } from "~/strings/en";
import { UseBar, UseBars } from "~/ui/UseBar";
import { isOver, isPending } from "./state";

const words = strings.jobs.job;

export function JobUse({ job }: { job: JobDetail }) {
  const over = isOver(job);
  const { usage, efficiency } = job;
  if (isPending(job) || (over && job.started_at === null)) return null;
  const bars = over ? efficiencyOf(job) : [];
  return (
    <section aria-labelledby="job-use">
      <h2 className="section-title" id="job-use">
        {over ? words.useAfter : words.use}
      </h2>
      {(over ? efficiency === null : usage === null) && <p className="quiet">{words.noUse}</p>}
      <UseBars>
        {bars.map(({ name, value }) => (
          <UseBar key={name} name={name} part={value / 100} text={words.useText(percent(value))} />
        ))}
        {!over && usage !== null && <Now job={job} usage={usage} />}
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

function Now({ job, usage }: { job: JobDetail; usage: NonNullable<JobDetail["usage"]> }) {
  const { memory_mib, nodes } = job;
  const each = memory_mib === null ? null : memory_mib / Math.max(1, nodes);
  return (
    <>
      {usage.cpu_s !== null && <p style={{ gridColumn: "1 / -1", margin: 0 }}>{words.cpuTime(span(usage.cpu_s))}</p>}
      {usage.memory_mib !== null && (
        <UseBar
          name={words.memory}
          part={each === null ? 0 : usage.memory_mib / each}
          text={each === null ? gb(usage.memory_mib) : strings.size.of(gb(usage.memory_mib), gb(each))}
          title={mib(usage.memory_mib)}
        />
      )}
    </>
  );
}
