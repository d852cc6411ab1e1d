// The same nodes as a table.
import type { ClusterKind, ClusterNode } from "~/api/types";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { OpenButton } from "~/ui/table/cells";
import { NodeCells } from "./NodeCells";
import classes from "./NodeTable.module.css";
import { freeOf, type Mine } from "./snapshot";

const words = strings.cluster.table;

interface NodeTableProps {
  nodes: readonly ClusterNode[];
  kinds: readonly ClusterKind[];
  mine: Mine;
  opened: string | null;
  onOpen: (name: string) => void;
  sort: string;
  onSort: (sort: string) => void;
}

const idOf = ({ name }: ClusterNode) => name;

export function NodeTable({ nodes, kinds, mine, onOpen, ...table }: NodeTableProps) {
  const columns: Column<ClusterNode>[] = [
    { id: "name", header: words.name, value: idOf, cell: ({ name }) => <OpenButton onOpen={() => onOpen(name)}>{name}</OpenButton> },
    {
      id: "state",
      header: words.state,
      value: ({ state }) => strings.cluster.states[state],
      cell: ({ state }) => <span className={classes["state"]} data-state={state}>{strings.cluster.states[state]}</span>,
    },
    { id: "gpus", header: words.gpus, cell: (node) => <NodeCells node={node} kind={kinds[node.kind]} mine={mine[node.name]} /> },
    {
      id: "free",
      header: words.free,
      value: (node) => (node.gpus === "" ? null : freeOf(node)),
      cell: (node) => node.gpus !== "" && `${freeOf(node)} / ${node.gpus.length}`,
      downFirst: true,
    },
    { id: "type", header: words.type, value: ({ kind }) => kinds[kind]?.gpus.map(({ type }) => type.toUpperCase()).join(", ") || null },
    {
      id: "cpus",
      header: words.cpus,
      value: ({ cpus }) => cpus,
      cell: (node) => `${node.cpus} / ${kinds[node.kind]?.cpus ?? 0}`,
    },
    {
      id: "memory",
      header: words.memory,
      value: ({ memory_mib }) => memory_mib,
      cell: (node) => `${gb(node.memory_mib)} / ${gb(kinds[node.kind]?.memory_mib ?? 0)}`,
    },
    { id: "partitions", header: words.partitions, cell: ({ kind }) => kinds[kind]?.partitions.join(", "), kind: "text" },
    { id: "reason", header: words.reason, value: ({ reason }) => reason || null, cell: ({ reason }) => <bdi className={classes["reason"]}>{reason}</bdi> },
  ];
  return <DataTable label={words.caption} rows={nodes} idOf={idOf} columns={columns} {...table} />;
}
