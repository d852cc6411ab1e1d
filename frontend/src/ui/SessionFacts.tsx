// The session's details, as a list of names and values.
import { useOptions } from "~/api/queries";
import type { Session } from "~/api/types";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Fact, Facts, TimeFact } from "./Facts";
import { GpuCells } from "./GpuCells";
import { Memory } from "./Memory";
import classes from "./SessionFacts.module.css";
import { sessionCells } from "./cells";
import { licenseWords } from "./siteAsked";

const words = strings.session;

export function SessionFacts({ session }: { session: Session }) {
  const { resources, image } = session;
  const count = resources.gpus * resources.nodes;
  return (
    <section className={`card ${classes["facts"]}`} aria-labelledby="facts-title">
      <h2 className="section-title" id="facts-title">
        {words.details}
      </h2>
      <Facts>
        <Fact name={words.node} mono>{session.node}</Fact>
        <Fact name={words.jobId} mono>{session.job_id}</Fact>
        <Fact
          name={words.resources}><>
              {count > 0 && (
                <>
                  <GpuCells cells={sessionCells({ ...session, usage: null })} label={strings.resources.gpus(count, resources.gpu_type)} />{" "}
                </>
              )}
              {strings.resources.gpus(resources.gpus, resources.gpu_type, resources.shards, resources.mps_percent)}, {strings.resources.cores(resources.cpus)},{" "}
              <Memory mib={resources.memory_mib} />
              {resources.exclusive && `, ${strings.siteFields.wholeNodes(resources.nodes)}`}
              {resources.nodes > 1 && ` ${strings.launch.perNode} (${strings.resources.nodes(resources.nodes)})`}
            </></Fact>
        <Fact name={strings.apps.image}>{image?.reference}</Fact>
        <Fact name={strings.apps.imageFile} mono>{image?.path}</Fact>
        <Fact name={strings.apps.digest} mono>{image?.digest}</Fact>
        <Fact name={strings.apps.modules}>{session.modules.join(", ")}</Fact>
        <OptionFacts session={session} />
        <Fact name={words.timeLimit}>{span(resources.walltime_s)}</Fact>
        <Fact name={words.partition}>{resources.partition}</Fact>
        <Fact name={words.account}>{resources.account}</Fact>
        <Fact name={words.qos}>{resources.qos}</Fact>
        <Fact name={words.reservation}>{resources.reservation}</Fact>
        <Fact name={strings.siteFields.features}>{resources.constraint?.replaceAll("&", ", ")}</Fact>
        <Fact name={strings.siteFields.licenses}>{licenseWords(resources.licenses ?? "").join(", ")}</Fact>
        <Fact name={strings.siteFields.wckey}>{resources.wckey}</Fact>
        <TimeFact name={words.created} at={session.created_at} />
        <TimeFact name={words.started} at={session.started_at} />
        <TimeFact name={words.readyAt} at={session.ready_at} />
        {session.state !== "ended" && <TimeFact name={words.ends} at={session.ends_at} />}
        <TimeFact name={words.endedAt} at={session.ended_at} />
      </Facts>
    </section>
  );
}

/** The app's options, under the app's own names for them. */
function OptionFacts({ session }: { session: Session }) {
  const asked = useOptions().data?.apps.find(({ name }) => name === session.app)?.options ?? [];
  return Object.entries(session.options).map(([name, value]) => (
    <Fact
      key={name}
      name={asked.find((option) => option.name === name)?.label ?? name}>{typeof value === "boolean" ? (value ? strings.apps.yes : null) : value}</Fact>
  ));
}
