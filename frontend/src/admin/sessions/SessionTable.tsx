// Everybody's sessions as a table whose rows become cards where it is narrow. Its own roles: they outlive the change.
import { ChevronDownIcon, ChevronUpIcon } from "@primer/octicons-react";

import type { Session } from "~/api/types";
import { sessionCells } from "~/lib/cells";
import { gb, mib } from "~/lib/size";
import { secondsUntil, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { StateMark, StateWord } from "~/sessions/StateMark";
import { isWaiting, lookOf } from "~/sessions/state";
import { meanGpuUse, percent } from "~/sessions/words";
import { strings } from "~/strings/en";
import { GpuCells } from "~/ui/GpuCells";
import { Time } from "~/ui/Time";
import type { Selection } from "../ui/selection";
import { SelectAll, SelectOne } from "../ui/Select";
import classes from "./SessionTable.module.css";
import { nextOrder, type Column, type Order } from "./sort";

const words = strings.adminSessions;
const COLUMNS = Object.keys(words.columns) as Column[];
/** An app that was touched this lately is in use: the Hub hears of it every few minutes only. */
const IN_USE_S = 600;

interface SessionTableProps {
  items: readonly Session[];
  order: Order;
  /** Null where nothing can be done with them. */
  selection: Selection | null;
  opened: string;
  onOrder: (order: Order) => void;
  onOpen: (id: string) => void;
}

export function SessionTable({ items, order, selection, opened, onOrder, onOpen }: SessionTableProps) {
  return (
    <div className={`card ${classes["frame"]}`} tabIndex={0} role="region" aria-label={words.title}>
      <div role="table" aria-label={words.title} className={classes["table"]}>
        <div role="rowgroup" className={classes["heads"]}>
          <div role="row">
            {selection !== null && (
              <div role="columnheader">
                <SelectAll names={items.map(({ id }) => id)} selection={selection} />
              </div>
            )}
            {COLUMNS.map((column) => (
              <Head key={column} column={column} order={order} onOrder={onOrder} />
            ))}
          </div>
        </div>
        <div role="rowgroup">
          {items.map((session) => (
            <Row key={session.id} session={session} selection={selection} opened={session.id === opened} onOpen={onOpen} />
          ))}
        </div>
      </div>
    </div>
  );
}

function Head({ column, order, onOrder }: { column: Column; order: Order; onOrder: (order: Order) => void }) {
  const current = order.by === column;
  return (
    <div role="columnheader" aria-sort={current ? (order.down ? "descending" : "ascending") : "none"}>
      <button type="button" className={classes["sort"]} title={words.sortBy(words.columns[column])} onClick={() => onOrder(nextOrder(order, column))}>
        {words.columns[column]}
        {current && (order.down ? <ChevronDownIcon size={12} /> : <ChevronUpIcon size={12} />)}
      </button>
    </div>
  );
}

interface RowProps {
  session: Session;
  selection: Selection | null;
  opened: boolean;
  onOpen: (id: string) => void;
}

function Row({ session, selection, opened, onOpen }: RowProps) {
  const look = lookOf(session);
  const { usage, resources } = session;
  return (
    <div role="row" data-opened={opened || undefined}>
      {selection !== null && (
        <div role="cell" className={classes["choose"]}>
          <SelectOne name={session.id} label={words.choose(session.name, session.owner)} selection={selection} />
        </div>
      )}
      <div role="cell" className={classes["name"]}>
        <button type="button" aria-label={words.details(session.name)} onClick={() => onOpen(session.id)}>
          <bdi>{session.name}</bdi>
        </button>
        <span className={classes["beneath"]}>{session.app_title}</span>
      </div>
      <div role="cell" data-label={words.columns.owner}>
        <bdi>{session.owner}</bdi>
      </div>
      <div role="cell" data-label={words.columns.state}>
        <span className={classes["state"]} title={session.reason ?? ""}>
          <StateMark look={look} />
          <StateWord look={look} />
        </span>
      </div>
      <div role="cell" data-label={words.columns.node}>
        {session.node ?? ""}
        <span className={classes["beneath"]}>{resources.partition}</span>
      </div>
      <div role="cell" data-label={words.columns.gpus}>
        <GpuCells cells={sessionCells(session)} label={strings.resources.gpus(resources.gpus * resources.nodes, resources.gpu_type)} />
        <span className={classes["beneath"]}>{strings.resources.gpus(resources.gpus * resources.nodes, resources.gpu_type)}</span>
      </div>
      <div role="cell" data-label={words.columns.use}>{gpuUse(session)}</div>
      <div role="cell" data-label={words.columns.memory}>
        {usage?.cpu_percent != null && `CPU ${percent(usage.cpu_percent)}`}
        {usage?.memory_mib != null && (
          <span className={classes["beneath"]} title={`${mib(usage.memory_mib)} / ${mib(resources.memory_mib)}`}>
            {strings.size.of(gb(usage.memory_mib), gb(resources.memory_mib))}
          </span>
        )}
      </div>
      <div role="cell" data-label={words.columns.idle}>
        <Idle session={session} />
      </div>
      <div role="cell" data-label={words.columns.left}>
        <Left session={session} />
      </div>
    </div>
  );
}

function gpuUse(session: Session): string {
  const mean = meanGpuUse(session);
  if (mean !== null) return percent(mean);
  return session.state === "ready" && session.resources.gpus > 0 ? words.notMeasured : "";
}

function Idle({ session: { used_at, state } }: { session: Session }) {
  const now = useNow(30);
  if (state !== "ready") return null;
  if (used_at === null) return <>{strings.time.unknown}</>;
  const seconds = -secondsUntil(used_at, now);
  return <time dateTime={used_at}>{seconds < IN_USE_S ? words.inUse : span(seconds)}</time>;
}

function Left({ session }: { session: Session }) {
  if (session.ended_at !== null) return <Time at={session.ended_at} />;
  if (session.ends_at !== null) return <Time at={session.ends_at} as="left" />;
  return isWaiting(session) ? <>{span(session.resources.walltime_s)}</> : null;
}
