import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";

import { readLog, useMe } from "~/api/queries";
import type { Session } from "~/api/types";
import { useSeeEnd } from "~/api/writes";
import { gb } from "~/lib/size";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { StateMark } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { plainText } from "~/ui/output/ansi";
import { lookOf } from "~/ui/sessionLook";
import classes from "./EndPanel.module.css";
import { StartAgain } from "./StartAgain";
import { useSessionUse } from "./queries";

const words = strings.session;
const LAST_BYTES = 4096;
const LAST_LINES = 8;

/** How and why a session ended, what it used of its limits, its last lines, and a start that does not end the same way. */
export function EndPanel({ session }: { session: Session }) {
  const look = lookOf(session);
  useSeen(session);
  return (
    <section className={`card ${classes["panel"]}`} data-tone={look.tone} aria-labelledby="end-title">
      <h2 className={classes["title"]} id="end-title">
        <StateMark look={look} />
        {look.word}
        {session.ended_at !== null && (
          <span className={classes["when"]}>
            <Time at={session.ended_at} />
          </span>
        )}
      </h2>
      {session.end !== null && <p>{session.end.text}</p>}
      {session.end?.advice != null && <p>{session.end.advice}</p>}
      <div className={classes["act"]}>
        <StartAgain session={session} />
      </div>
      {session.started_at !== null && <Used session={session} />}
      {session.started_at !== null && look.tone === "bad" && <LastLines session={session} />}
    </section>
  );
}

/** Its owner sees it now: it need not stand on top of the sessions any more. */
function useSeen(session: Session) {
  const { mutate, isPending, isError } = useSeeEnd();
  const mine = useMe().data?.username === session.owner;
  const unseen = session.end?.seen === false && mine && !isPending && !isError;
  useEffect(() => {
    if (unseen) mutate({ id: session.id, seen: true });
  }, [unseen, mutate, session.id]);
}

function Used({ session }: { session: Session }) {
  const items = useSessionUse(session.id, false).data?.items ?? [];
  const { memory_mib, walltime_s } = session.resources;
  const ran = (Date.parse(session.ended_at ?? "") - Date.parse(session.started_at ?? "")) / 1000;
  const memory = most(items.map((item) => item.memory_mib));
  const gpu = most(items.map((item) => item.gpu_percent));
  // A sample before the memory ran out would contradict the sentence above.
  const known = memory !== null && (session.end?.code !== "oom" || memory > 0.9 * memory_mib);
  const facts: [string, string][] = [
    [words.ran, words.ofLimit(span(Math.max(0, ran)), span(walltime_s))],
    [words.memory, known ? words.peakOf(gb(memory), gb(memory_mib)) : words.limitOf(gb(memory_mib))],
  ];
  if (gpu !== null) facts.push([words.gpuUse, words.peak(`${Math.round(gpu)} %`)]);
  if (session.node !== null) facts.push([words.node, session.node]);
  if (session.end?.exit_code != null && session.end.exit_code !== 0) facts.push([words.exitCode, String(session.end.exit_code)]);
  return (
    <dl className={classes["facts"]}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function LastLines({ session }: { session: Session }) {
  const { data } = useQuery({
    queryKey: ["last-lines", session.id],
    queryFn: () => readLog(session.id, -LAST_BYTES, LAST_BYTES),
    staleTime: Infinity,
    retry: false,
  });
  const lines = (data?.text ?? "").split("\n").map((line) => plainText(line).trimEnd());
  const last = lines.filter((line) => line !== "").slice(-LAST_LINES);
  if (last.length === 0) return null;
  return (
    <figure className={classes["last"]}>
      <figcaption>{words.lastLines}</figcaption>
      {/* Scrollable, so it must be reachable by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={words.lastLines}>
        {last.join("\n")}
      </pre>
    </figure>
  );
}

function most(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}
