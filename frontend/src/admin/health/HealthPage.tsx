// The health of everything the portal depends on: state, since when, what to do; and recent calls to Slurm.
import { Skeleton } from "@mantine/core";

import { strings } from "~/strings/en";
import { Fact, Facts, TimeFact } from "~/ui/Facts";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark, StateWord } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { Told } from "~/ui/Told";
import type { Look } from "~/ui/look";
import { DataTable, type Column } from "~/ui/table/DataTable";
import classes from "./HealthPage.module.css";
import { useHealth, type Health, type Part } from "./queries";

const words = strings.health;

const LOOKS: Record<Part["state"], Look> = {
  ok: { shape: "check", tone: "good", word: words.states.ok },
  down: { shape: "cross", tone: "bad", word: words.states.down },
  unknown: { shape: "dotted", tone: "wait", word: words.states.unknown },
  off: { shape: "square", tone: "idle", word: words.states.off },
};

export default function HealthPage() {
  const { data, error, refetch } = useHealth();
  return (
    <Page title={words.title} lead={data === undefined ? undefined : <Lead health={data} />}>
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Skeleton height={360} /> : <Full health={data} />}
    </Page>
  );
}

function Lead({ health }: { health: Health }) {
  const down = health.parts.filter(({ state }) => state === "down").map(({ title }) => title);
  return <span role="status">{down.length === 0 ? words.good : words.bad(down)}</span>;
}

function Full({ health }: { health: Health }) {
  return (
    <>
      <ul className={`card ${classes["parts"]}`} aria-label={words.parts}>
        {health.parts.map((part) => (
          <PartLine key={part.name} part={part} />
        ))}
      </ul>
      <div className={`card ${classes["facts"]}`}>
        <Facts>
          <TimeFact name={words.queueRead} at={health.queue_as_of} />
          <TimeFact name={words.nodesRead} at={health.nodes_as_of} />
          <Fact name={words.readers}>{health.readers}</Fact>
          <TimeFact name={words.started} at={health.started_at} />
        </Facts>
      </div>
      <h2 className={`section-title ${classes["head"]}`}>{words.calls}</h2>
      <Calls health={health} />
    </>
  );
}

function PartLine({ part }: { part: Part }) {
  const look = LOOKS[part.state];
  return (
    <li className={classes["part"]} data-state={part.state}>
      <StateMark look={look} />
      <span className={classes["name"]}>{part.title}</span>
      <span>
        <StateWord look={look} />
        {part.since !== null && (
          <span className="quiet">
            {" "}
            {words.since.toLowerCase()} <Time at={part.since} as="clock" />
          </span>
        )}
      </span>
      <span className={classes["what"]}>
        <Told text={part.message} />{" "}
        {part.do !== "" && (
          <strong>
            <Told text={part.do} />
          </strong>
        )}
      </span>
      <span className="quiet">
        {part.checked_at !== null && <Time at={part.checked_at} />}
        {part.took_ms !== null && ` · ${words.ms(part.took_ms)}`}
      </span>
    </li>
  );
}

const COLUMNS: Column<Health["calls"][number]>[] = [
  { id: "program", header: words.program, value: ({ program }) => program, kind: "mono" },
  { id: "rate", header: words.perMinute, value: ({ per_minute }) => per_minute, kind: "number" },
  { id: "median", header: words.median, cell: ({ median_ms }) => words.ms(median_ms), kind: "number" },
  { id: "slowest", header: words.slowest, cell: ({ slowest_ms }) => words.ms(slowest_ms), kind: "number" },
  { id: "failed", header: words.failed, value: ({ failed }) => failed, kind: "number" },
];

function Calls({ health: { calls, calls_per_minute } }: { health: Health }) {
  if (calls.length === 0) return <p className="quiet">{words.noCalls}</p>;
  return (
    <>
      <p className="quiet">{words.callsLead(String(calls_per_minute))}</p>
      <DataTable label={words.calls} rows={calls} idOf={({ program }) => program} columns={COLUMNS} />
    </>
  );
}
