// The job's details, as a list of names and values.
import { isOver } from "~/api/jobStates";
import type { JobDetail } from "~/api/jobTypes";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Fact, FactList, TimeFact } from "~/ui/Facts";
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
      <FactList>
        <Fact name={words.id} value={job.id} mono />
        <Fact name={words.array} value={job.array?.range} mono />
        <Fact name={words.nodes} value={job.node_list} mono />
        <Fact name={words.resources} value={resourcesOf(job)} />
        {job.shards_per_node + job.mps_per_node > 0 && (
          <Fact name={site.shards} value={strings.resources.gpus(0, job.gpu_type, job.shards_per_node, job.mps_per_node)} />
        )}
        {job.exclusive && <Fact name={site.exclusive} value={strings.apps.yes} />}
        <Fact name={site.features} value={job.constraint?.replaceAll("&", ", ")} />
        <Fact name={site.licenses} value={licenseWords(job.licenses ?? "").join(", ")} />
        <Fact name={site.wckey} value={job.wckey} />
        <Fact name={words.timeLimit} value={job.walltime_s === null ? null : span(job.walltime_s)} />
        <Fact name={words.partition} value={job.partition} />
        <Fact name={words.account} value={job.account} />
        <Fact name={words.qos} value={job.qos} />
        <Fact name={words.dependencies} value={job.dependencies.join(", ")} mono />
        <TimeFact name={words.submitted} at={job.submitted_at} />
        <TimeFact name={words.started} at={job.started_at} />
        {!isOver(job) && <TimeFact name={words.ends} at={job.ends_at} />}
        <TimeFact name={words.ended} at={job.ended_at} />
        <Fact name={words.exit} value={exitOf(job)} />
        <Fact name={words.workdir} value={job.workdir} mono />
        <Fact name={words.stdout} value={job.stdout} mono />
        {job.stderr !== job.stdout && <Fact name={words.stderr} value={job.stderr} mono />}
      </FactList>
    </section>
  );
}

function exitOf({ exit_code, signal }: JobDetail): string | null {
  if (exit_code === null) return null;
  return signal === null || signal === 0 ? String(exit_code) : words.exitSignal(exit_code, signal);
}
