// Everybody's sessions: filter, sort and select them; message their owners, extend or stop them.
import { Button, Skeleton, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

import { filterIn } from "~/admin/ui/filter";
import { useSelection } from "~/admin/ui/selection";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Choice } from "~/ui/Choice";
import { Empty } from "~/ui/Empty";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import tableClasses from "~/ui/Table.module.css";
import { SessionPanel } from "./SessionPanel";
import { SessionTable } from "./SessionTable";
import { SessionsActionDialog } from "./SessionsActionDialog";
import { useEverybodysSessions, type Action, type Scope } from "./queries";
import { readOrder, sorted, writeOrder } from "./sort";

const words = strings.adminSessions;
const SCOPES: Scope[] = ["active", "ended"];
const ACTIONS: Action[] = ["message", "extend", "stop"];
const TYPING_PAUSE_MS = 250;

interface Address {
  scope: Scope;
  q: string;
  sort: string;
  session: string;
}

export default function AdminSessionsPage() {
  const [params, setParams] = useSearchParams();
  const address: Address = {
    scope: params.get("scope") === "ended" ? "ended" : "active",
    q: filterIn(params),
    sort: params.get("sort") ?? "",
    session: params.get("session") ?? "",
  };
  const change = (next: Partial<Address>) => {
    const all = Object.entries({ ...address, ...next }).filter(([, value]) => value !== "" && value !== "active");
    setParams(all, { replace: true });
  };
  return (
    <Page
      title={words.title}
      lead={words.lead}
      wide
      actions={
        <>
          {SCOPES.map((one) => (
            <Choice key={one} name="scope" value={one} checked={address.scope === one} onChoose={() => change({ scope: one })}>
              {words.states[one]}
            </Choice>
          ))}
          <TextInput
            data-filter
            aria-label={words.filter}
            placeholder={words.filter}
            value={address.q}
            onChange={(event) => change({ q: event.currentTarget.value })}
          />
        </>
      }
    >
      <Sessions address={address} change={change} />
    </Page>
  );
}

function Sessions({ address, change }: { address: Address; change: (next: Partial<Address>) => void }) {
  const [query] = useDebouncedValue(address.q, TYPING_PAUSE_MS);
  const { data, error, refetch } = useEverybodysSessions(address.scope, query);
  const selection = useSelection();
  const [acting, setActing] = useState<Action | null>(null);
  const [done, setDone] = useState("");
  const now = useNow(60);
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={320} />;
  }
  const order = readOrder(address.sort);
  const items = sorted(data.items, order);
  const going = items.filter(({ state }) => state !== "ended");
  const chosen = going.filter(({ id }) => selection.has(id));
  const opened = items.find(({ id }) => id === address.session);
  const none = address.q !== "" ? words.none : address.scope === "ended" ? words.emptyEnded : words.empty;
  return (
    <>
      {data.use_unknown_since !== null && (
        <p className={tableClasses["missing"]} role="status">
          {words.useUnknown(clock(data.use_unknown_since, now))}
        </p>
      )}
      {address.scope === "active" && items.length > 0 && (
        <div className={tableClasses["bulk"]} role="group" aria-label={words.bulk}>
          <span>{words.chosen(chosen.length)}</span>
          {ACTIONS.map((action) => (
            <Button key={action} size="xs" variant="default" disabled={chosen.length === 0} onClick={() => setActing(action)}>
              {words.actions[action]}
            </Button>
          ))}
          <span role="status">{done}</span>
        </div>
      )}
      {items.length === 0 ? (
        <Empty>
          <p>{none}</p>
        </Empty>
      ) : (
        <SessionTable
          items={items}
          order={order}
          selection={address.scope === "active" ? selection : null}
          opened={address.session}
          onOrder={(next) => change({ sort: writeOrder(next) })}
          onOpen={(id) => change({ session: id })}
        />
      )}
      {data.next !== null && <p className="quiet">{words.more(data.items.length)}</p>}
      {opened !== undefined && <SessionPanel session={opened} onClose={() => change({ session: "" })} />}
      {acting !== null && (
        <SessionsActionDialog
          action={acting}
          sessions={chosen}
          onDone={(count) => {
            setDone(words.done[acting](count));
            selection.clear();
          }}
          onClose={() => setActing(null)}
        />
      )}
    </>
  );
}
