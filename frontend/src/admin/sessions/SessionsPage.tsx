// Everybody's sessions: filter, sort and select them; message their owners, extend or stop them.
import { Button } from "@mantine/core";
import { useState } from "react";

import type { Session } from "~/api/types";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Choice } from "~/ui/Choice";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { Loaded } from "~/ui/Loaded";
import { Page } from "~/ui/Page";
import { DataTable } from "~/ui/table/DataTable";
import classes from "~/ui/table/List.module.css";
import { BulkActions } from "~/ui/table/cells";
import { useSelection } from "~/ui/table/useSelection";
import { useAddress, useSettled, type Address, type Change } from "~/ui/useAddress";
import { SessionPanel } from "./SessionPanel";
import { SessionsActionDialog } from "./SessionsActionDialog";
import { columnsOf } from "./columns";
import { useEverybodysSessions, type Action, type Scope, type SessionList } from "./queries";

const words = strings.adminSessions;
const SCOPES: readonly Scope[] = ["active", "ended"];
const ACTIONS: Action[] = ["message", "extend", "stop"];

const ADDRESS = { scope: SCOPES, q: "", sort: "owner", session: "" };

export default function AdminSessionsPage() {
  const [address, change] = useAddress(ADDRESS);
  const settled = useSettled(address.q);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <>
          {SCOPES.map((scope) => (
            <Choice key={scope} name="scope" value={scope} checked={address.scope === scope} onChoose={() => change({ scope })}>
              {words.states[scope]}
            </Choice>
          ))}
          <FilterField label={words.filter} value={address.q} onChange={(q) => change({ q })} />
        </>
      }
    >
      <Loaded query={useEverybodysSessions(address.scope, settled)} height={320}>
        {(list) => <Sessions list={list} address={address} change={change} />}
      </Loaded>
    </Page>
  );
}

interface SessionsProps {
  list: SessionList;
  address: Address<typeof ADDRESS>;
  change: Change<typeof ADDRESS>;
}

const idOf = ({ id }: Session) => id;

function Sessions({ list: { items, next, use_unknown_since }, address, change }: SessionsProps) {
  const selection = useSelection(idOf);
  const [acting, setActing] = useState<Action | null>(null);
  const [done, setDone] = useState("");
  const now = useNow(60);
  const active = address.scope === "active";
  const chosen = items.filter((session) => session.state !== "ended" && selection.has(session));
  const opened = items.find(({ id }) => id === address.session);
  const none = address.q !== "" ? words.none : active ? words.empty : words.emptyEnded;
  return (
    <>
      {use_unknown_since !== null && (
        <p className={classes["missing"]} role="status">
          {words.useUnknown(clock(use_unknown_since, now))}
        </p>
      )}
      {active && items.length > 0 && (
        <BulkActions label={words.bulk} count={words.chosen(chosen.length)} done={done}>
          {ACTIONS.map((action) => (
            <Button key={action} size="xs" variant="default" disabled={chosen.length === 0} onClick={() => setActing(action)}>
              {words.actions[action]}
            </Button>
          ))}
        </BulkActions>
      )}
      {items.length === 0 ? (
        <Empty>
          <p>{none}</p>
        </Empty>
      ) : (
        <DataTable
          label={words.title}
          rows={items}
          idOf={idOf}
          columns={columnsOf((session) => change({ session }))}
          sort={address.sort}
          onSort={(sort) => change({ sort })}
          selection={active ? selection : undefined}
          nameOf={({ name, owner }) => words.choose(name, owner)}
          opened={address.session}
        />
      )}
      {next !== null && <p className="quiet">{words.more(items.length)}</p>}
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
