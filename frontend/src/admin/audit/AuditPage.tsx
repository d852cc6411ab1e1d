// The audit log: filters in the URL, older entries on demand.
import { Button, Switch, TextInput } from "@mantine/core";

import type { AuditFilter } from "~/api/keys";
import { auditQuery, useAudit } from "~/api/queries";
import type { AuditEntry } from "~/api/types";
import { outside } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { OutsideButton } from "~/ui/LinkButton";
import { Loaded } from "~/ui/Loaded";
import { Page } from "~/ui/Page";
import { Time } from "~/ui/Time";
import { DataTable, type Column } from "~/ui/table/DataTable";
import { useAddress, useSettled } from "~/ui/useAddress";
import classes from "./AuditPage.module.css";

const words = strings.audit;
const ADDRESS = { actor: "", action: "", target: "", refused: ["", "true"], from: "", to: "" } as const;

const COLUMNS: Column<AuditEntry>[] = [
  { id: "at", header: words.at, cell: ({ at }) => <Time at={at} /> },
  { id: "actor", header: words.actor, value: ({ actor }) => actor },
  { id: "action", header: words.action, value: ({ action }) => action, kind: "mono" },
  { id: "target", header: words.target, value: ({ target }) => target, kind: "mono" },
  { id: "result", header: words.result, value: ({ result }) => result },
  { id: "address", header: words.address, value: ({ address }) => address, kind: "mono" },
  { id: "detail", header: words.detail, value: detailOf, kind: "text" },
];

export default function AuditPage() {
  const [address, change] = useAddress(ADDRESS);
  const filter: AuditFilter = { ...address, refused: address.refused === "true", from: dayOf(address.from), to: dayOf(address.to) };
  return (
    <Page
      title={words.title}
      lead={words.lead}
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
            onChange={(event) => change({ refused: event.currentTarget.checked ? "true" : "" })}
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

/** A day as the URL has it; null for anything else. */
const dayOf = (text: string | null) => (text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : "");

function AuditTable({ filter }: { filter: AuditFilter }) {
  const settled = useSettled(filter);
  const log = useAudit(settled);
  return (
    <Loaded query={log} height={320}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0) {
          return (
            <Empty>
              <p>{Object.keys(auditQuery(settled)).length === 0 ? words.empty : words.none}</p>
            </Empty>
          );
        }
        return (
          <>
            <DataTable label={words.caption} rows={items} idOf={({ id }) => `${id}`} columns={COLUMNS} />
            {log.hasNextPage && (
              <Button variant="default" mt="xs" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                {words.older}
              </Button>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** The entry's details, as `name value` pairs. */
function detailOf({ detail }: AuditEntry): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" · ");
}
