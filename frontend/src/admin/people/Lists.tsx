// All users and groups of the directory, a page at a time: what they hold, have used and may use.
import { Button, Skeleton, Table, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState, type ReactNode } from "react";

import { hours } from "~/lib/numbers";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Choice } from "~/ui/Choice";
import { DataTable, NumberCell, TextCell, heads as headsOf } from "~/ui/DataTable";
import { Empty } from "~/ui/Empty";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "~/ui/Table.module.css";
import { LimitDialog } from "./LimitDialog";
import { factsOf } from "./facts";
import { PAGE, useGroups, usePeople, type DirectoryState, type GroupRow, type Listed, type PersonRow, type Subject } from "./queries";

const words = strings.admin.people;
const TYPING_PAUSE_MS = 250;

export type View = "people" | "groups";

interface ListsProps {
  view: View;
  q: string;
  offset: number;
  change: (next: { view?: View; q?: string; offset?: number; person?: string }) => void;
}

export function Filters({ view, q, change }: ListsProps) {
  return (
    <>
      {(["people", "groups"] as const).map((one) => (
        <Choice key={one} name="view" value={one} checked={view === one} onChoose={() => change({ view: one, offset: 0 })}>
          {words.views[one]}
        </Choice>
      ))}
      <TextInput
        data-filter
        aria-label={words.filter[view]}
        placeholder={words.filter[view]}
        value={q}
        onChange={(event) => change({ q: event.currentTarget.value, offset: 0 })}
      />
    </>
  );
}

export function Lists(props: ListsProps) {
  const [q] = useDebouncedValue(props.q, TYPING_PAUSE_MS);
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
  return (
    <Frame list={usePeople(q, offset)} heads={words.heads.people} label={words.views.people} offset={offset} change={change}>
      {(one: PersonRow) => (
        <Table.Tr key={one.username}>
          <TextCell>
            <button type="button" className={classes["open"]} onClick={() => change({ person: one.username })}>
              {one.username}
            </button>
            <span className={classes["beneath"]}>
              <bdi>{one.display_name === one.username ? one.mail : one.display_name}</bdi>
            </span>
          </TextCell>
          <Table.Td>{standingOf(one)}</Table.Td>
          <TextCell>{one.groups.join(", ")}</TextCell>
          <Uses use={one} />
          <Limit rule={one.limit} subject={{ kind: "user", name: one.username }} onLimit={onLimit} />
        </Table.Tr>
      )}
    </Frame>
  );
}

function standingOf(one: PersonRow): string {
  if (one.in_directory === false) return words.standing.gone;
  if (one.admin === true) return words.standing.admin;
  return one.allowed === false ? words.standing.outside : "";
}

function Groups({ q, offset, change, onLimit }: ListProps) {
  return (
    <Frame list={useGroups(q, offset)} heads={words.heads.groups} label={words.views.groups} offset={offset} change={change}>
      {(one: GroupRow) => (
        <Table.Tr key={one.name}>
          <TextCell>
            <span className={classes["name"]}>
              <bdi>{one.name}</bdi>
            </span>
          </TextCell>
          <Table.Td>{one.admin ? words.standing.admins : one.login ? words.standing.login : ""}</Table.Td>
          <NumberCell>{one.members ?? strings.time.unknown}</NumberCell>
          <Uses use={one} />
          <Limit rule={one.limit} subject={{ kind: "group", name: one.name }} onLimit={onLimit} />
        </Table.Tr>
      )}
    </Frame>
  );
}

function Uses({ use }: { use: Pick<PersonRow, "sessions" | "gpus" | "gpu_hours"> }) {
  return (
    <>
      <NumberCell>{use.sessions}</NumberCell>
      <NumberCell>{use.gpus}</NumberCell>
      <NumberCell>{hours(use.gpu_hours)}</NumberCell>
    </>
  );
}

function Limit({ rule, subject, onLimit }: { rule: PersonRow["limit"]; subject: Subject; onLimit: (subject: Subject) => void }) {
  return (
    <TextCell>
      <Button size="xs" variant="default" aria-label={words.limitOf(subject.name)} onClick={() => onLimit(subject)}>
        {words.limitThis}
      </Button>
      <span className={classes["beneath"]}>{rule === null ? "" : factsOf(rule).join(" · ")}</span>
    </TextCell>
  );
}

interface FrameProps<Row> {
  list: Listed<Row>;
  heads: readonly string[];
  label: string;
  offset: number;
  change: ListsProps["change"];
  children: (row: Row) => ReactNode;
}

function Frame<Row>({ list: { data, error, refetch }, heads, label, offset, change, children }: FrameProps<Row>) {
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={240} />;
  }
  const last = Math.min(offset + PAGE, data.total);
  return (
    <>
      <Silent directory={data.directory} />
      {data.items.length === 0 ? (
        <Empty>
          <p>{words.none}</p>
        </Empty>
      ) : (
        <DataTable label={label} heads={headsOf(heads, words.figures)}>
          {data.items.map(children)}
        </DataTable>
      )}
      {data.total > PAGE && (
        <nav className={classes["bulk"]} aria-label={words.pages}>
          <span>{words.page(offset + 1, last, data.total)}</span>
          <Button size="xs" variant="default" disabled={offset === 0} onClick={() => change({ offset: Math.max(0, offset - PAGE) })}>
            {words.previous}
          </Button>
          <Button size="xs" variant="default" disabled={last >= data.total} onClick={() => change({ offset: offset + PAGE })}>
            {words.next}
          </Button>
        </nav>
      )}
    </>
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
