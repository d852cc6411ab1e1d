// The columns of everybody's sessions.
import type { Session } from "~/api/types";
import { percent } from "~/lib/numbers";
import { gb, mib } from "~/lib/size";
import { secondsUntil, span } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { GpuCells } from "~/ui/GpuCells";
import { Time } from "~/ui/Time";
import { sessionCells } from "~/ui/cells";
import { isWaiting, lookOf } from "~/ui/sessionLook";
import { meanGpuUse } from "~/ui/sessionWords";
import type { Column } from "~/ui/table/DataTable";
import { Beneath, LookCell, OpenButton } from "~/ui/table/cells";

const words = strings.adminSessions;
/** An app used this recently counts as in use: the Hub gets activity only every few minutes. */
const IN_USE_S = 600;

export const columnsOf = (onOpen: (id: string) => void): Column<Session>[] => [
  {
    id: "name",
    header: words.columns.name,
    value: ({ name }) => name,
    cell: (session) => (
      <>
        <OpenButton label={words.details(session.name)} onOpen={() => onOpen(session.id)}>
          {session.name}
        </OpenButton>
        <Beneath>{session.app_title}</Beneath>
      </>
    ),
    kind: "text",
  },
  { id: "owner", header: words.columns.owner, value: ({ owner }) => owner, cell: ({ owner }) => <bdi>{owner}</bdi> },
  {
    id: "state",
    header: words.columns.state,
    value: ({ state }) => state,
    cell: (session) => <LookCell look={lookOf(session)} title={session.reason} />,
  },
  {
    id: "node",
    header: words.columns.node,
    value: ({ node }) => node,
    cell: ({ node, resources }) => (
      <>
        {node}
        <Beneath>{resources.partition}</Beneath>
      </>
    ),
  },
  {
    id: "gpus",
    header: words.columns.gpus,
    value: gpusOf,
    cell: (session) => {
      const gpus = strings.resources.gpus(gpusOf(session), session.resources.gpu_type);
      return (
        <>
          <GpuCells cells={sessionCells(session)} label={gpus} />
          <Beneath>{gpus}</Beneath>
        </>
      );
    },
    downFirst: true,
  },
  { id: "use", header: words.columns.use, value: meanGpuUse, cell: gpuUse },
  {
    id: "memory",
    header: words.columns.memory,
    value: ({ usage }) => usage?.memory_mib ?? null,
    cell: ({ usage, resources }) => (
      <>
        {usage?.cpu_percent != null && `CPU ${percent(usage.cpu_percent)}`}
        {usage?.memory_mib != null && (
          <Beneath title={`${mib(usage.memory_mib)} / ${mib(resources.memory_mib)}`}>
            {strings.size.of(gb(usage.memory_mib), gb(resources.memory_mib))}
          </Beneath>
        )}
      </>
    ),
    downFirst: true,
  },
  {
    id: "idle",
    header: words.columns.idle,
    // Longest idle means least recently used.
    value: ({ used_at }) => (used_at === null ? null : -Date.parse(used_at)),
    cell: (session) => <Idle session={session} />,
    downFirst: true,
  },
  {
    id: "left",
    header: words.columns.left,
    value: ({ ends_at, ended_at }) => (ended_at ?? ends_at) && Date.parse(ended_at ?? ends_at ?? ""),
    cell: (session) => <Left session={session} />,
  },
];

const gpusOf = ({ resources }: Session) => resources.gpus * resources.nodes;

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
