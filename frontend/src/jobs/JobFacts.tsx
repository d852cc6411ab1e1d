// The job's details, as a list of names and values.
import { isOver } from "~/api/jobStates";
import type { JobDetail } from "~/api/jobTypes";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Fact, Facts, TimeFact } from "~/ui/Facts";
import { resourcesOf } from "~/ui/jobWords";
import { licenseWords } from "~/ui/siteAsked";

const words = strings.jobs.job;
const site = strings.siteFields;

export function JobFacts({ job }: { job: JobDetail }) {
  return (
    <section aria-labelledby="job-facts">
      <h2 className="section-title" id="job-facts">
        {words.details}
      </h2>
      <Facts>
        <Fact name={words.id} mono>{job.id}</Fact>
        <Fact name={words.array} mono>{job.array?.range}</Fact>
        <Fact name={words.nodes} mono>{job.node_list}</Fact>
        <Fact name={words.resources}>{resourcesOf(job)}</Fact>
        {job.shards_per_node + job.mps_per_node > 0 && (
          <Fact name={site.shards}>{strings.resources.gpus(0, job.gpu_type, job.shards_per_node, job.mps_per_node)}</Fact>
        )}
        {job.exclusive && <Fact name={site.exclusive}>{strings.apps.yes}</Fact>}
        <Fact name={site.features}>{job.constraint?.replaceAll("&", ", ")}</Fact>
        <Fact name={site.licenses}>{licenseWords(job.licenses ?? "").join(", ")}</Fact>
        <Fact name={site.wckey}>{job.wckey}</Fact>
        <Fact name={words.timeLimit}>{job.walltime_s === null ? null : span(job.walltime_s)}</Fact>
        <Fact name={words.partition}>{job.partition}</Fact>
        <Fact name={words.account}>{job.account}</Fact>
        <Fact name={words.qos}>{job.qos}</Fact>
        <Fact name={words.dependencies} mono>{job.dependencies.join(", ")}</Fact>
        <TimeFact name={words.submitted} at={job.submitted_at} />
        <TimeFact name={words.started} at={job.started_at} />
        {!isOver(job) && <TimeFact name={words.ends} at={job.ends_at} />}
        <TimeFact name={words.ended} at={job.ended_at} />
        <Fact name={words.exit}>{exitOf(job)}</Fact>
        <Fact name={words.workdir} mono>{job.workdir}</Fact>
        <Fact name={words.stdout} mono>{job.stdout}</Fact>
        {job.stderr !== job.stdout && <Fact name={words.stderr} mono>{job.stderr}</Fact>}
      </Facts>
    </section>
  );
}

function exitOf({ exit_code, signal }: JobDetail): string | null {
  if (exit_code === null) return null;
  return signal === null || signal === 0 ? String(exit_code) : words.exitSignal(exit_code, signal);
}
