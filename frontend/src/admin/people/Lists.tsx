// All users and groups of the directory, a page at a time: what they hold, have used and may use.
import { Button } from "@mantine/core";
import { useState } from "react";

import { hours } from "~/lib/numbers";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Choice } from "~/ui/Choice";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { Loaded } from "~/ui/Loaded";
import { Pages } from "~/ui/Pages";
import { DataTable, type Column, type DataTableProps } from "~/ui/table/DataTable";
import classes from "~/ui/table/List.module.css";
import { Beneath, OpenButton } from "~/ui/table/cells";
import { useSettled } from "~/ui/useAddress";
import { LimitDialog } from "./LimitDialog";
import { factsOf } from "./facts";
import { PAGE, useGroups, usePeople, type DirectoryState, type GroupRow, type Listed, type PersonRow, type Subject } from "./queries";

const words = strings.admin.people;

export const VIEWS = ["people", "groups"] as const;
type View = (typeof VIEWS)[number];

export interface ListsProps {
  view: View;
  q: string;
  offset: number;
  change: (next: { view?: View; q?: string; offset?: number; person?: string }) => void;
}

export function Filters({ view, q, change }: ListsProps) {
  return (
    <>
      {VIEWS.map((choice) => (
        <Choice key={choice} name="view" value={choice} checked={view === choice} onChoose={() => change({ view: choice, offset: 0 })}>
          {words.views[choice]}
        </Choice>
      ))}
      <FilterField label={words.filter[view]} value={q} onChange={(text) => change({ q: text, offset: 0 })} />
    </>
  );
}

export function Lists(props: ListsProps) {
  const q = useSettled(props.q);
  const [limiting, setLimiting] = useState<Subject | null>(null);
  return (
    <>
      {props.view === "people" ? (
        <People {...props} q={q} onLimit={setLimiting} />
      ) : (
        <Groups {...props} q={q} onLimit={setLimiting} />
      )}
      {limiting !== null && <LimitDialog subject={limiting} onClose={() => setLimiting(null)} />}
    </>
  );
}

type ListProps = ListsProps & { onLimit: (subject: Subject) => void };

function People({ q, offset, change, onLimit }: ListProps) {
  const columns: Column<PersonRow>[] = [
    {
      id: "username",
      header: words.heads.person,
      cell: (person) => (
        <>
          <OpenButton onOpen={() => change({ person: person.username })}>{person.username}</OpenButton>
          <Beneath>
            <bdi>{person.display_name === person.username ? person.mail : person.display_name}</bdi>
          </Beneath>
        </>
      ),
      kind: "text",
    },
    { id: "standing", header: words.heads.standing, cell: standingOf },
    { id: "groups", header: words.heads.groups, cell: ({ groups }) => groups.join(", "), kind: "text" },
    ...USE,
    limitColumn((person) => onLimit({ kind: "user", name: person.username })),
  ];
  return <Frame list={usePeople(q, offset)} idOf={({ username }) => username} columns={columns} label={words.views.people} offset={offset} change={change} />;
}

function standingOf(person: PersonRow): string {
  if (person.in_directory === false) return words.standing.gone;
  if (person.admin === true) return words.standing.admin;
  return person.allowed === false ? words.standing.outside : "";
}

function Groups({ q, offset, change, onLimit }: ListProps) {
  const columns: Column<GroupRow>[] = [
    { id: "name", header: words.heads.group, cell: ({ name }) => <bdi>{name}</bdi>, kind: "text" },
    { id: "standing", header: words.heads.standing, cell: (group) => (group.admin ? words.standing.admins : group.login ? words.standing.login : "") },
    { id: "members", header: words.heads.members, value: ({ members }) => members ?? strings.time.unknown, kind: "number" },
    ...USE,
    limitColumn((group) => onLimit({ kind: "group", name: group.name })),
  ];
  return <Frame list={useGroups(q, offset)} idOf={({ name }) => name} columns={columns} label={words.views.groups} offset={offset} change={change} />;
}

const USE: Column<PersonRow | GroupRow>[] = [
  { id: "sessions", header: words.heads.sessions, value: ({ sessions }) => sessions, kind: "number" },
  { id: "gpus", header: words.heads.gpus, value: ({ gpus }) => gpus, kind: "number" },
  { id: "hours", header: words.heads.gpuHours, value: ({ gpu_hours_used }) => hours(gpu_hours_used), kind: "number" },
  { id: "promised", header: words.heads.promised, value: ({ gpu_hours_promised }) => hours(gpu_hours_promised), kind: "number" },
];

const limitColumn = <Row extends PersonRow | GroupRow>(onLimit: (row: Row) => void): Column<Row> => ({
  id: "limit",
  header: words.heads.limit,
  cell: (row) => (
    <>
      <Button size="xs" variant="default" aria-label={words.limitOf("username" in row ? row.username : row.name)} onClick={() => onLimit(row)}>
        {words.limitThis}
      </Button>
      <Beneath>{row.limit !== null && factsOf(row.limit).join(" · ")}</Beneath>
    </>
  ),
  kind: "text",
});

interface FrameProps<Row extends object> extends Pick<DataTableProps<Row>, "label" | "idOf" | "columns"> {
  list: Listed<Row>;
  offset: number;
  change: ListsProps["change"];
}

function Frame<Row extends object>({ list, offset, change, ...table }: FrameProps<Row>) {
  return (
    <Loaded query={list} height={240}>
      {({ items, total, directory }) => (
        <>
          <Silent directory={directory} />
          {items.length === 0 ? (
            <Empty>
              <p>{words.none}</p>
            </Empty>
          ) : (
            <DataTable rows={items} {...table} />
          )}
          {total > PAGE && <Pages label={words.pages} offset={offset} size={PAGE} total={total} onOffset={(next) => change({ offset: next })} />}
        </>
      )}
    </Loaded>
  );
}

/** What is missing while the directory does not answer, and since when. */
function Silent({ directory: { silent_since, as_of, message } }: { directory: DirectoryState }) {
  const now = useNow(60);
  if (silent_since === null) return null;
  return (
    <p className={classes["missing"]} role="status" title={message ?? ""}>
      {words.silent(clock(silent_since, now), as_of === null ? null : clock(as_of, now))}
    </p>
  );
}
