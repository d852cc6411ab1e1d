// A node's health, now and before: what is wrong with it, when it last responded, its history.
import { Skeleton } from "@mantine/core";

import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { Fact, Facts, TimeFact } from "~/ui/Facts";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import classes from "./NodeHealth.module.css";
import { useNodeHealth, type NodeHealth as Health } from "./nodes";

const words = strings.admin.nodes.health;

export function NodeHealth({ name }: { name: string }) {
  const { data, error, refetch } = useNodeHealth(name);
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={160} />;
  }
  return (
    <section aria-label={words.title}>
      <h3 className="section-title">{words.title}</h3>
      {data.findings.length === 0 ? (
        <p className="quiet">{words.well}</p>
      ) : (
        <ul className={classes["findings"]}>
          {data.findings.map(({ level, text }) => (
            <li key={text} data-level={level}>
              <strong>{words.levels[level]}</strong> {text}
            </li>
          ))}
        </ul>
      )}
      <Facts>
        <Fact name={words.gpus}>{words.gpusOf(data.gpus_total, data.gpus_found, data.gpus_drained)}</Fact>
        <Fact name={words.load}>{data.load}</Fact>
        <Fact name={words.free}>{data.memory_free_mib === null ? null : strings.size.of(gb(data.memory_free_mib), gb(data.memory_mib))}</Fact>
        <TimeFact name={words.slurmd} at={data.slurmd_since} />
        <TimeFact name={words.boot} at={data.boot_at} />
        <TimeFact name={words.busy} at={data.busy_at} />
      </Facts>
      <h3 className="section-title">{words.history}</h3>
      <History items={data.history} />
    </section>
  );
}

function History({ items }: { items: Health["history"] }) {
  if (items.length === 0) return <p className="quiet">{words.noHistory}</p>;
  return (
    <ol className={classes["history"]}>
      {items.map(({ at, state, reason, actor }) => (
        <li key={`${at} ${state}`}>
          <Time at={at} as="clock" /> <strong>{words.states[state]}</strong>
          {actor !== null && <span className="quiet"> {words.by(actor)}</span>}
          {reason !== "" && <span className={classes["reason"]}>{reason}</span>}
        </li>
      ))}
    </ol>
  );
}
