// The same nodes as a table. Only visible rows are rendered; space above and below replaces the others.
import { strings } from "~/strings/en";
import type { ClusterKind, ClusterNode } from "~/api/types";
import { gb } from "~/lib/size";
import { NodeCells } from "./NodeCells";
import classes from "./NodeTable.module.css";
import { freeOf, type Mine } from "./picture";
import { useWindowed } from "./useWindowed";

const words = strings.cluster;
const ROW_PX = 36;
const HEADS = [words.table.name, words.table.state, words.table.gpus, words.table.free, words.table.type, words.table.cpus, words.table.memory, words.table.partitions, words.table.reason];

interface NodeTableProps {
  nodes: readonly ClusterNode[];
  kinds: readonly ClusterKind[];
  mine: Mine;
  opened: string | null;
  onOpen: (name: string) => void;
}

export function NodeTable({ nodes, kinds, mine, opened, onOpen }: NodeTableProps) {
  const { frame, range } = useWindowed();
  const { from, to } = range(nodes.map((_, index) => index * ROW_PX));
  return (
    <div ref={frame} className={`card ${classes["frame"]}`} role="region" aria-label={words.table.caption} tabIndex={0}>
      <table className={classes["table"]} aria-rowcount={nodes.length + 1}>
        <caption className="hidden">{words.table.caption}</caption>
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {from > 0 && <Room height={from * ROW_PX} />}
          {nodes.slice(from, to).map((node, index) => (
            <NodeRow
              key={node.name}
              node={node}
              kind={kinds[node.kind]}
              mine={mine[node.name]}
              number={from + index + 2}
              opened={node.name === opened}
              onOpen={onOpen}
            />
          ))}
          {to < nodes.length && <Room height={(nodes.length - to) * ROW_PX} />}
        </tbody>
      </table>
    </div>
  );
}

function Room({ height }: { height: number }) {
  return (
    <tr aria-hidden="true">
      <td colSpan={HEADS.length} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

interface NodeRowProps {
  node: ClusterNode;
  kind: ClusterKind | undefined;
  mine: readonly number[] | undefined;
  number: number;
  opened: boolean;
  onOpen: (name: string) => void;
}

function NodeRow({ node, kind, mine, number, opened, onOpen }: NodeRowProps) {
  return (
    <tr aria-rowindex={number} data-opened={opened || undefined}>
      <th scope="row">
        <button type="button" className={classes["name"]} onClick={() => onOpen(node.name)}>
          {node.name}
        </button>
      </th>
      <td data-state={node.state}>{words.states[node.state]}</td>
      <td>
        <NodeCells node={node} kind={kind} mine={mine} />
      </td>
      <td>{node.gpus === "" ? "" : `${freeOf(node)} / ${node.gpus.length}`}</td>
      <td>{kind?.gpus.map(({ type }) => type.toUpperCase()).join(", ")}</td>
      <td>{`${node.cpus} / ${kind?.cpus ?? 0}`}</td>
      <td>{`${gb(node.memory_mib)} / ${gb(kind?.memory_mib ?? 0)}`}</td>
      <td>{kind?.partitions.join(", ")}</td>
      <td className={classes["reason"]}>{node.reason}</td>
    </tr>
  );
}
