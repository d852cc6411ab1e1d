// Everybody's sessions as a table, sorted by clicking a column.
import { Table } from "@mantine/core";

import { SelectAll, SelectOne } from "~/admin/ui/Select";
import type { Selection } from "~/admin/ui/selection";
import type { Session } from "~/api/types";
import { percent } from "~/lib/numbers";
import { gb, mib } from "~/lib/size";
import { secondsUntil, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { DataTable } from "~/ui/DataTable";
import { GpuCells } from "~/ui/GpuCells";
import { StateMark, StateWord } from "~/ui/StateMark";
import classes from "~/ui/Table.module.css";
import { Time } from "~/ui/Time";
import { sessionCells } from "~/ui/cells";
import { isWaiting, lookOf } from "~/ui/sessionLook";
import { meanGpuUse } from "~/ui/sessionWords";
import { nextOrder, type Column, type Order } from "./sort";

const words = strings.adminSessions;
const COLUMNS = Object.keys(words.columns) as Column[];
/** An app used this recently counts as in use: the Hub gets activity only every few minutes. */
const IN_USE_S = 600;

interface SessionTableProps {
  items: readonly Session[];
  order: Order;
  /** Null where they cannot be selected. */
  selection: Selection | null;
  opened: string;
  onOrder: (order: Order) => void;
  onOpen: (id: string) => void;
}

export function SessionTable({ items, order, selection, opened, onOrder, onOpen }: SessionTableProps) {
  const heads = COLUMNS.map((column) => ({
    title: words.columns[column],
    hover: words.sortBy(words.columns[column]),
    sort: {
      order: order.by !== column ? ("none" as const) : order.down ? ("descending" as const) : ("ascending" as const),
      onSort: () => onOrder(nextOrder(order, column)),
    },
  }));
  const choose = selection === null ? null : <SelectAll names={items.map(({ id }) => id)} selection={selection} />;
  return (
    <DataTable label={words.title} heads={heads} choose={choose}>
      {items.map((session) => (
        <Row key={session.id} session={session} selection={selection} opened={session.id === opened} onOpen={onOpen} />
      ))}
    </DataTable>
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
    <Table.Tr data-opened={opened || undefined}>
      {selection !== null && (
        <Table.Td>
          <SelectOne name={session.id} label={words.choose(session.name, session.owner)} selection={selection} />
        </Table.Td>
      )}
      <Table.Td className={classes["text"] ?? ""}>
        <button type="button" className={classes["open"]} aria-label={words.details(session.name)} onClick={() => onOpen(session.id)}>
          <bdi>{session.name}</bdi>
        </button>
        <span className={classes["beneath"]}>{session.app_title}</span>
      </Table.Td>
      <Table.Td>
        <bdi>{session.owner}</bdi>
      </Table.Td>
      <Table.Td>
        <span className={classes["look"]} title={session.reason ?? ""}>
          <StateMark look={look} />
          <StateWord look={look} />
        </span>
      </Table.Td>
      <Table.Td>
        {session.node ?? ""}
        <span className={classes["beneath"]}>{resources.partition}</span>
      </Table.Td>
      <Table.Td>
        <GpuCells cells={sessionCells(session)} label={strings.resources.gpus(resources.gpus * resources.nodes, resources.gpu_type)} />
        <span className={classes["beneath"]}>{strings.resources.gpus(resources.gpus * resources.nodes, resources.gpu_type)}</span>
      </Table.Td>
      <Table.Td>{gpuUse(session)}</Table.Td>
      <Table.Td>
        {usage?.cpu_percent != null && `CPU ${percent(usage.cpu_percent)}`}
        {usage?.memory_mib != null && (
          <span className={classes["beneath"]} title={`${mib(usage.memory_mib)} / ${mib(resources.memory_mib)}`}>
            {strings.size.of(gb(usage.memory_mib), gb(resources.memory_mib))}
          </span>
        )}
      </Table.Td>
      <Table.Td>
        <Idle session={session} />
      </Table.Td>
      <Table.Td>
        <Left session={session} />
      </Table.Td>
    </Table.Tr>
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
