// The session's details, as a list of names and values.
import { useOptions } from "~/api/queries";
import type { Session } from "~/api/types";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Fact, FactList, TimeFact } from "./Facts";
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
      <FactList>
        <Fact name={words.node} value={session.node} mono />
        <Fact name={words.jobId} value={session.job_id} mono />
        <Fact
          name={words.resources}
          value={
            <>
              {count > 0 && (
                <>
                  <GpuCells cells={sessionCells({ ...session, usage: null })} label={strings.resources.gpus(count, resources.gpu_type)} />{" "}
                </>
              )}
              {strings.resources.gpus(resources.gpus, resources.gpu_type, resources.shards, resources.mps_percent)}, {strings.resources.cores(resources.cpus)},{" "}
              <Memory mib={resources.memory_mib} />
              {resources.exclusive && `, ${strings.siteFields.wholeNodes(resources.nodes)}`}
              {resources.nodes > 1 && ` ${strings.launch.perNode} (${strings.resources.nodes(resources.nodes)})`}
            </>
          }
        />
        <Fact name={strings.apps.image} value={image?.reference} />
        <Fact name={strings.apps.imageFile} value={image?.path} mono />
        <Fact name={strings.apps.digest} value={image?.digest} mono />
        <Fact name={strings.apps.modules} value={session.modules.join(", ")} />
        <OptionFacts session={session} />
        <Fact name={words.timeLimit} value={span(resources.walltime_s)} />
        <Fact name={words.partition} value={resources.partition} />
        <Fact name={words.account} value={resources.account} />
        <Fact name={words.qos} value={resources.qos} />
        <Fact name={words.reservation} value={resources.reservation} />
        <Fact name={strings.siteFields.features} value={resources.constraint?.replaceAll("&", ", ")} />
        <Fact name={strings.siteFields.licenses} value={licenseWords(resources.licenses ?? "").join(", ")} />
        <Fact name={strings.siteFields.wckey} value={resources.wckey} />
        <TimeFact name={words.created} at={session.created_at} />
        <TimeFact name={words.started} at={session.started_at} />
        <TimeFact name={words.readyAt} at={session.ready_at} />
        {session.state !== "ended" && <TimeFact name={words.ends} at={session.ends_at} />}
        <TimeFact name={words.endedAt} at={session.ended_at} />
      </FactList>
    </section>
  );
}

/** The app's options, under the app's own names for them. */
function OptionFacts({ session }: { session: Session }) {
  const asked = useOptions().data?.apps.find(({ name }) => name === session.app)?.options ?? [];
  return Object.entries(session.options).map(([name, value]) => (
    <Fact
      key={name}
      name={asked.find((option) => option.name === name)?.label ?? name}
      value={typeof value === "boolean" ? (value ? strings.apps.yes : null) : value}
    />
  ));
}
