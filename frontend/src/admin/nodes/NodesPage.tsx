// Nodes for administrators: state, reason, users; drain and resume; reservations below.
import { Button } from "@mantine/core";
import { useMemo, useState } from "react";

import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { Loaded } from "~/ui/Loaded";
import { Page } from "~/ui/Page";
import { SidePanel } from "~/ui/SidePanel";
import { DrainDialog } from "~/ui/operate/DrainDialog";
import { NodeHealth } from "~/ui/operate/NodeHealth";
import { ResumeButton } from "~/ui/operate/ResumeButton";
import { useNodes, type NodeRow } from "~/ui/operate/nodes";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { Beneath, BulkActions, OpenButton } from "~/ui/table/cells";
import { useSelection } from "~/ui/table/useSelection";
import { useAddress, type Address, type Change } from "~/ui/useAddress";
import classes from "./NodesPage.module.css";
import { Reservations } from "./Reservations";
import { ReserveDialog } from "./ReserveDialog";

const words = strings.admin.nodes;
const ADDRESS = { q: "", sort: "node", node: "" };
type State = Address<typeof ADDRESS>;

export default function NodesPage() {
  const [address, change] = useAddress(ADDRESS);
  const { q, node } = address;
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={<FilterField label={words.filter} value={q} onChange={(text) => change({ q: text })} />}
    >
      <Loaded query={useNodes()} height={320}>
        {({ items }) => <Nodes items={items} address={address} change={change} />}
      </Loaded>
      <Reservations />
      {node !== "" && (
        <SidePanel key={node} title={words.health.details(node.slice(0, 100))} closeLabel={words.health.close} onClose={() => change({ node: "" })}>
          <NodeHealth name={node} />
        </SidePanel>
      )}
    </Page>
  );
}

const idOf = ({ name }: NodeRow) => name;

interface NodesProps {
  items: readonly NodeRow[];
  address: State;
  change: Change<typeof ADDRESS>;
}

function Nodes({ items, address: { q, sort, node: opened }, change }: NodesProps) {
  const selection = useSelection(idOf);
  const [draining, setDraining] = useState<readonly string[] | null>(null);
  const [reserving, setReserving] = useState<readonly string[] | null>(null);
  const rows = useMemo(() => items.filter((node) => textOf(node).includes(q.toLowerCase())), [items, q]);
  if (rows.length === 0) return <Empty>{<p>{words.none}</p>}</Empty>;
  const chosen = rows.filter(selection.has);
  const drained = chosen.filter((node) => node.draining).map(idOf);
  return (
    <>
      <BulkActions label={words.bulk} count={words.chosen(chosen.length)}>
        <Button size="xs" variant="default" disabled={chosen.length === 0} onClick={() => setDraining(chosen.map(idOf))}>
          {words.drainMany}
        </Button>
        <Button size="xs" variant="default" disabled={chosen.length === 0} onClick={() => setReserving(chosen.map(idOf))}>
          {strings.admin.reservations.make}
        </Button>
        {drained.length > 0 && <ResumeButton nodes={drained} />}
      </BulkActions>
      <DataTable
        label={words.title}
        rows={rows}
        idOf={idOf}
        columns={columnsOf(
          (name) => change({ node: name }),
          (name) => setDraining([name]),
        )}
        sort={sort}
        onSort={(next) => change({ sort: next })}
        selection={selection}
        opened={opened}
      />
      {reserving !== null && <ReserveDialog nodes={reserving} onClose={() => setReserving(null)} />}
      {draining !== null && (
        <DrainDialog nodes={items.filter(({ name }) => draining.includes(name))} opened onClose={() => setDraining(null)} />
      )}
    </>
  );
}

const columnsOf = (onOpen: (name: string) => void, onDrain: (name: string) => void): Column<NodeRow>[] => [
  {
    id: "node",
    header: words.node,
    value: idOf,
    cell: (node) => (
      <>
        <OpenButton label={words.health.details(node.name)} onOpen={() => onOpen(node.name)}>
          {node.name}
        </OpenButton>
        <Beneath>{node.partitions.join(", ")}</Beneath>
      </>
    ),
  },
  {
    id: "state",
    header: words.state,
    value: wordOf,
    cell: (node) => (
      <>
        <span data-tone={toneOf(node)} className={classes["state"]}>
          {wordOf(node)}
        </span>
        <Beneath mono>{node.state}</Beneath>
      </>
    ),
  },
  {
    id: "gpus",
    header: words.gpus,
    value: ({ gpus_total, gpus_allocated }) => gpus_total - gpus_allocated,
    cell: (node) => words.used(node.gpus_allocated, node.gpus_total, node.gpu_types),
    kind: "number",
    downFirst: true,
  },
  {
    id: "cpus",
    header: words.cpus,
    value: ({ cpus, cpus_allocated }) => cpus - cpus_allocated,
    cell: (node) => words.of(node.cpus_allocated, node.cpus),
    kind: "number",
    downFirst: true,
  },
  {
    id: "memory",
    header: words.memory,
    value: ({ memory_mib, memory_allocated_mib }) => memory_mib - memory_allocated_mib,
    cell: (node) => strings.size.of(gb(node.memory_allocated_mib), gb(node.memory_mib)),
    kind: "number",
    downFirst: true,
  },
  { id: "load", header: words.load, value: ({ load }) => load, kind: "number", downFirst: true },
  { id: "users", header: words.users, cell: ({ jobs }) => [...new Set(jobs.map(({ user }) => user))].sort().join(", "), kind: "text" },
  { id: "why", header: words.why, value: ({ reason }) => reason || null, kind: "text" },
  {
    id: "actions",
    header: words.actions,
    cell: (node) =>
      node.draining ? (
        <ResumeButton nodes={[node.name]} />
      ) : (
        <Button size="xs" variant="default" aria-label={words.drainOf(node.name)} onClick={() => onDrain(node.name)}>
          {words.drain}
        </Button>
      ),
  },
];

function wordOf(node: NodeRow): string {
  // Jobs and what they take come from readings of different times: a node is free once both say so.
  const busy = node.jobs.length > 0 || node.cpus_allocated > 0;
  if (node.draining) return busy ? words.states.draining : words.states.drained;
  if (!node.available) return words.states.down;
  if (reserved(node)) return words.states.reserved;
  return busy ? words.states.busy : words.states.idle;
}

/** Slurm reports it as one of the flags. */
const reserved = ({ state }: NodeRow) => state.split("+").includes("RESERVED");

const toneOf = (node: NodeRow) => (!node.draining && !node.available ? "bad" : node.draining || reserved(node) ? "wait" : "good");

const textOf = (node: NodeRow) =>
  [node.name, node.state, wordOf(node), node.reason, ...node.partitions, ...node.gpu_types, ...node.jobs.map(({ user }) => user)].join(" ").toLowerCase();
