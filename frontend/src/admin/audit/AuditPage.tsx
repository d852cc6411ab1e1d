// The audit log: filters in the URL, older entries on demand.
import { Button, Skeleton, Switch, Table, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useSearchParams } from "react-router-dom";

import type { AuditFilter } from "~/api/keys";
import { auditQuery, useAudit } from "~/api/queries";
import type { AuditEntry } from "~/api/types";
import { outside } from "~/paths";
import { strings } from "~/strings/en";
import { DataTable, TextCell, heads } from "~/ui/DataTable";
import { Empty } from "~/ui/Empty";
import { OutsideButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import classes from "./AuditPage.module.css";

const words = strings.audit;
const TYPING_PAUSE_MS = 300;
const HEADS = heads([words.at, words.actor, words.action, words.target, words.result, words.address, words.detail]);

export default function AuditPage() {
  const [params, setParams] = useSearchParams();
  const filter: AuditFilter = {
    actor: params.get("actor") ?? "",
    action: params.get("action") ?? "",
    target: params.get("target") ?? "",
    refused: params.get("refused") === "true",
    from: dayOf(params.get("from")),
    to: dayOf(params.get("to")),
  };
  const change = (next: Partial<AuditFilter>) => setParams(queryOf({ ...filter, ...next }), { replace: true });
  return (
    <Page
      title={words.title}
      lead={words.lead}
      wide
      actions={
        <>
          <TextInput
            data-filter
            aria-label={words.actor}
            placeholder={words.actor}
            value={filter.actor}
            onChange={(event) => change({ actor: event.currentTarget.value })}
          />
          <TextInput
            aria-label={words.action}
            placeholder={words.action}
            value={filter.action}
            onChange={(event) => change({ action: event.currentTarget.value })}
          />
          <TextInput
            aria-label={words.target}
            placeholder={words.target}
            value={filter.target}
            onChange={(event) => change({ target: event.currentTarget.value })}
          />
          {(["from", "to"] as const).map((end) => (
            <TextInput
              key={end}
              type="date"
              aria-label={words[end]}
              title={words[end]}
              value={filter[end]}
              {...(end === "from" ? { max: filter.to } : { min: filter.from })}
              onChange={(event) => change({ [end]: event.currentTarget.value })}
            />
          ))}
          <Switch
            className={classes["switch"] ?? ""}
            label={words.refusedOnly}
            checked={filter.refused}
            onChange={(event) => change({ refused: event.currentTarget.checked })}
          />
          <OutsideButton variant="default" href={outside.auditCsv(new URLSearchParams(auditQuery(filter)))} sameTab>
            {words.csv}
          </OutsideButton>
        </>
      }
    >
      <AuditTable filter={filter} />
    </Page>
  );
}

function queryOf(filter: AuditFilter): URLSearchParams {
  const given = Object.entries(filter).filter(([, value]) => value !== "" && value !== false);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}

/** A day as the URL has it; null for anything else. */
const dayOf = (text: string | null) => (text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : "");

function AuditTable({ filter }: { filter: AuditFilter }) {
  const [settled] = useDebouncedValue(filter, TYPING_PAUSE_MS);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useAudit(settled);
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={320} />;
  }
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <Empty>
        <p>{queryOf(settled).size === 0 ? words.empty : words.none}</p>
      </Empty>
    );
  }
  return (
    <>
      <DataTable label={words.caption} heads={HEADS}>
        {items.map((entry) => (
          <AuditRow key={entry.id} entry={entry} />
        ))}
      </DataTable>
      {hasNextPage && (
        <Button variant="default" mt="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.older}
        </Button>
      )}
    </>
  );
}

function AuditRow({ entry }: { entry: AuditEntry }) {
  const detail = detailOf(entry);
  return (
    <Table.Tr>
      <Table.Td>
        <Time at={entry.at} />
      </Table.Td>
      <Table.Td>{entry.actor}</Table.Td>
      <Table.Td className="mono">{entry.action}</Table.Td>
      <Table.Td className="mono">{entry.target}</Table.Td>
      <Table.Td>{entry.result}</Table.Td>
      <Table.Td className="mono">{entry.address}</Table.Td>
      <TextCell>{detail !== "" && <span className="quiet">{detail}</span>}</TextCell>
    </Table.Tr>
  );
}

/** The entry's details, as `name value` pairs. */
function detailOf({ detail }: AuditEntry): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
}
