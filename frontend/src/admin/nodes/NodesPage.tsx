// Nodes for administrators: state, reason, users; drain and resume; reservations below.
import { Button, Skeleton, Table, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

import { SelectAll, SelectOne } from "~/admin/ui/Select";
import { filterIn } from "~/admin/ui/filter";
import { useSelection, type Selection } from "~/admin/ui/selection";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { DataTable, NumberCell, TextCell, heads } from "~/ui/DataTable";
import { Empty } from "~/ui/Empty";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { SidePanel } from "~/ui/SidePanel";
import classes from "~/ui/Table.module.css";
import { DrainDialog } from "./DrainDialog";
import { NodeHealth } from "./NodeHealth";
import { Reservations } from "./Reservations";
import { ReserveDialog } from "./ReserveDialog";
import { ResumeButton } from "./ResumeButton";
import { useNodes, type NodeRow } from "./queries";

const words = strings.admin.nodes;
const ROWS_AT_MOST = 300;
const FIGURES = [words.gpus, words.cpus, words.memory, words.load];
const HEADS = heads([words.node, words.state, ...FIGURES, words.users, words.why, words.actions], FIGURES);

export default function NodesPage() {
  const [params, setParams] = useSearchParams();
  const q = filterIn(params);
  const opened = params.get("node") ?? "";
  const change = (next: { q?: string; node?: string }) =>
    setParams(Object.entries({ q, node: opened, ...next }).filter(([, value]) => value !== ""), { replace: true });
  return (
    <Page
      title={words.title}
      lead={words.lead}
      wide
      actions={
        <TextInput
          data-filter
          aria-label={words.filter}
          placeholder={words.filter}
          value={q}
          onChange={(event) => change({ q: event.currentTarget.value })}
        />
      }
    >
      <Nodes filter={q.toLowerCase()} onOpen={(node) => change({ node })} />
      <Reservations />
      {opened !== "" && (
        <SidePanel key={opened} title={words.health.details(opened.slice(0, 100))} closeLabel={words.health.close} onClose={() => change({ node: "" })}>
          <NodeHealth name={opened} />
        </SidePanel>
      )}
    </Page>
  );
}

function Nodes({ filter, onOpen }: { filter: string; onOpen: (name: string) => void }) {
  const { data, error, refetch } = useNodes();
  const selection = useSelection();
  const [draining, setDraining] = useState<readonly NodeRow[] | null>(null);
  const [reserving, setReserving] = useState<readonly string[] | null>(null);
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={320} />;
  }
  const items = data.items.filter((node) => textOf(node).includes(filter));
  const chosen = items.filter(({ name }) => selection.has(name));
  if (items.length === 0) return <Empty>{<p>{words.none}</p>}</Empty>;
  return (
    <>
      <div className={classes["bulk"]} role="group" aria-label={words.bulk}>
        <span>{words.chosen(chosen.length)}</span>
        <Button size="xs" variant="default" disabled={chosen.length === 0} onClick={() => setDraining(chosen)}>
          {words.drainMany}
        </Button>
        <Button size="xs" variant="default" disabled={chosen.length === 0} onClick={() => setReserving(chosen.map(({ name }) => name))}>
          {strings.admin.reservations.make}
        </Button>
        {chosen.some(({ draining: is }) => is) && (
          <ResumeButton nodes={chosen.filter(({ draining: is }) => is).map(({ name }) => name)} />
        )}
      </div>
      <DataTable label={words.title} heads={HEADS} choose={<SelectAll names={items.map(({ name }) => name)} selection={selection} />}>
        {items.slice(0, ROWS_AT_MOST).map((node) => (
          <Row key={node.name} node={node} selection={selection} onDrain={() => setDraining([node])} onOpen={() => onOpen(node.name)} />
        ))}
      </DataTable>
      {items.length > ROWS_AT_MOST && <p className="quiet">{words.moreNodes(items.length - ROWS_AT_MOST)}</p>}
      {reserving !== null && <ReserveDialog nodes={reserving} onClose={() => setReserving(null)} />}
      {draining !== null && <DrainDialog nodes={draining} opened onClose={() => setDraining(null)} />}
    </>
  );
}

interface RowProps {
  node: NodeRow;
  selection: Selection;
  onDrain: () => void;
  onOpen: () => void;
}

function Row({ node, selection, onDrain, onOpen }: RowProps) {
  const users = [...new Set(node.jobs.map(({ user }) => user))].sort();
  return (
    <Table.Tr>
      <Table.Td>
        <SelectOne name={node.name} selection={selection} />
      </Table.Td>
      <Table.Td>
        <button type="button" className={classes["open"]} aria-label={words.health.details(node.name)} onClick={onOpen}>
          {node.name}
        </button>
        <span className={classes["beneath"]}>{node.partitions.join(", ")}</span>
      </Table.Td>
      <Table.Td>
        <span data-tone={toneOf(node)} className={classes["state"]}>
          {wordOf(node)}
        </span>
        <span className={`${classes["beneath"]} mono`}>{node.state}</span>
      </Table.Td>
      <NumberCell>{words.used(node.gpus_allocated, node.gpus_total, node.gpu_types)}</NumberCell>
      <NumberCell>{words.of(node.cpus_allocated, node.cpus)}</NumberCell>
      <NumberCell>{strings.size.of(gb(node.memory_allocated_mib), gb(node.memory_mib))}</NumberCell>
      <NumberCell>{node.load ?? ""}</NumberCell>
      <Table.Td>{users.join(", ")}</Table.Td>
      <TextCell>{node.reason}</TextCell>
      <Table.Td>
        {node.draining ? (
          <ResumeButton nodes={[node.name]} />
        ) : (
          <Button size="xs" variant="default" aria-label={words.drainOf(node.name)} onClick={onDrain}>
            {words.drain}
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function wordOf(node: NodeRow): string {
  if (node.draining) return node.jobs.length > 0 ? words.states.draining : words.states.drained;
  if (!node.available) return words.states.down;
  if (reserved(node)) return words.states.reserved;
  return node.jobs.length > 0 ? words.states.busy : words.states.idle;
}

/** Slurm reports it as one of the flags. */
const reserved = ({ state }: NodeRow) => state.split("+").includes("RESERVED");

const toneOf = (node: NodeRow) => (!node.draining && !node.available ? "bad" : node.draining || reserved(node) ? "wait" : "good");

const textOf = (node: NodeRow) =>
  [node.name, node.state, wordOf(node), node.reason, ...node.partitions, ...node.gpu_types, ...node.jobs.map(({ user }) => user)].join(" ").toLowerCase();
