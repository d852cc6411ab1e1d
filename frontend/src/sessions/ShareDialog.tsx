// Shares a session's app, or one port of it, with people, a group or a key, and shows with whom it is shared.
import { Button, NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";

import { useMe } from "~/api/queries";
import type { Session, Share, Shares } from "~/api/types";
import { outside } from "~/paths";
import { strings } from "~/strings/en";
import { CopyLink } from "~/ui/CopyLink";
import { Dialog, DialogActions } from "~/ui/Dialog";
import form from "~/ui/Form.module.css";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import classes from "./ShareDialog.module.css";
import { NewKey } from "./NewKey";
import { useShare, useShares, useUnshare } from "./shares";

const words = strings.sharing;
const APP = "app";
const OTHER = "other";
const HOURS = [1, 8, 24];
const FIRST_PORT = 1024;
const LAST_PORT = 65535;
type Mode = Share["mode"];
type Kind = keyof typeof words.kinds;

export default function ShareDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const shares = useShares(session.id);
  return (
    <Dialog opened onClose={onClose} title={words.title(session.name)} closeLabel={strings.dialog.close}>
      {shares.data === undefined ? (
        <div className={classes["loading"]} aria-busy={shares.error === null}>
          {shares.error !== null && <ProblemNote error={shares.error} onRetry={() => void shares.refetch()} />}
        </div>
      ) : (
        <>
          <Current session={session} items={shares.data.items} />
          <NewShare session={session} shares={shares.data} />
        </>
      )}
    </Dialog>
  );
}

function NewShare({ session, shares }: { session: Session; shares: Shares }) {
  const groups = useMe().data?.groups ?? [];
  const listening = shares.ports ? (session.usage?.ports ?? []) : [];
  const [what, setWhat] = useState(shares.app ? APP : listening[0] === undefined ? OTHER : String(listening[0].port));
  const [typed, setTyped] = useState<number | string>("");
  const [people, setPeople] = useState("");
  const [group, setGroup] = useState("");
  const [wanted, setWanted] = useState<Kind>("people");
  const [keyName, setKeyName] = useState("");
  const [hours, setHours] = useState("1");
  const share = useShare(session.id);
  const [chosen, setChosen] = useState<Mode>("look");
  const port = what === APP ? null : Number(what === OTHER ? typed : what);
  const modes = port === null ? shares.modes : [];
  const mode: Mode = modes.includes(chosen) ? chosen : (modes[0] ?? "use");
  const users = people.split(/[\s,;]+/).filter((name) => name !== "");
  // What people may only look at has no key.
  const keys = shares.keys && (port !== null || (modes.length === 1 && mode === "use"));
  const kind: Kind = keys ? wanted : "people";
  const named = kind === "key" ? keyName.trim() !== "" : users.length > 0 || group !== "";
  const complete = (port === null || fits(port)) && named;
  const submit = () => {
    const whom = kind === "key" ? { key: keyName.trim() } : { users, groups: group === "" ? [] : [group] };
    share.mutate(
      { port, mode, ...whom, hours: hours === "" ? null : Number(hours) },
      {
        onSuccess: () => {
          setPeople("");
          setKeyName("");
        },
      },
    );
  };
  const made = share.data?.items.find((item) => item.key !== "");
  return (
    <form
      className={form["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <NativeSelect
        label={words.what}
        {...(shares.reason === "" ? {} : { description: shares.reason })}
        value={what}
        onChange={(event) => setWhat(event.currentTarget.value)}
        data={[
          ...(shares.app ? [{ value: APP, label: session.app_title }] : []),
          ...listening.map((found) => ({ value: String(found.port), label: words.portOf(found.port, found.process) })),
          ...(shares.ports ? [{ value: OTHER, label: words.otherPort }] : []),
        ]}
      />
      {what === OTHER && (
        <NumberInput
          label={strings.ports.number}
          value={typed}
          onChange={setTyped}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          error={typeof typed === "number" && !fits(typed) ? strings.ports.range(FIRST_PORT, LAST_PORT) : undefined}
        />
      )}
      {keys && (
        <NativeSelect
          label={words.whom}
          value={kind}
          onChange={(event) => setWanted(event.currentTarget.value === "key" ? "key" : "people")}
          data={(["people", "key"] as const).map((value) => ({ value, label: words.kinds[value] }))}
        />
      )}
      {kind === "key" ? (
        <TextInput
          label={words.keyName}
          description={words.keyHelp}
          value={keyName}
          maxLength={80}
          onChange={(event) => setKeyName(event.currentTarget.value)}
          autoComplete="off"
        />
      ) : (
        <TextInput
          label={words.people}
          description={words.peopleHelp}
          value={people}
          onChange={(event) => setPeople(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <div className={form["pair"]}>
        {kind === "people" && groups.length > 0 && (
          <NativeSelect
            label={words.group}
            value={group}
            onChange={(event) => setGroup(event.currentTarget.value)}
            data={[{ value: "", label: words.noGroup }, ...groups]}
          />
        )}
        <NativeSelect
          label={words.time}
          value={hours}
          onChange={(event) => setHours(event.currentTarget.value)}
          data={[
            ...HOURS.filter((value) => value <= shares.max_hours).map((value) => ({ value: String(value), label: words.hours(value) })),
            { value: "", label: words.untilEnd(shares.max_hours) },
          ]}
        />
      </div>
      {modes.length > 1 && (
        <NativeSelect
          label={words.mode}
          value={mode}
          onChange={(event) => setChosen(event.currentTarget.value === "use" ? "use" : "look")}
          data={modes.map((value) => ({ value, label: words.modes[value] }))}
        />
      )}
      <p className="quiet small">
        {kind === "key" ? (
          words.withKey
        ) : (
          <>
            {mode === "look" ? words.toLook : modes.length > 1 ? words.withAccount : words.asYou}{" "}
            {port === null ? shares.mode_reason : words.portToUse}
          </>
        )}
      </p>
      {share.error !== null && <ProblemNote error={share.error} />}
      <p role="status" className={classes["done"]}>
        {share.isSuccess && (made === undefined ? words.done : words.made)}
      </p>
      {made !== undefined && <NewKey share={made} />}
      <DialogActions>
        <Button component="a" variant="subtle" href={outside.docs("how-to/share.md")} target="_blank" rel="noopener">
          {strings.ports.docs}
        </Button>
        <Button type="submit" disabled={!complete} loading={share.isPending}>
          {words.share}
        </Button>
      </DialogActions>
    </form>
  );
}

function Current({ session, items }: { session: Session; items: Share[] }) {
  const unshare = useUnshare(session.id);
  if (items.length === 0) return null;
  return (
    <>
      <ul className={classes["list"]} aria-label={words.current}>
        {items.map((share) => (
          <li key={share.id}>
            <span className={classes["who"]}>
              <bdi>{nameOf(share)}</bdi>
              <span className={classes["what"]}>
                {share.port === null ? words.appTo(session.app_title, share.mode) : words.port(share.port)} · <Time at={until(share, session)} as="left" />
              </span>
            </span>
            <CopyLink
              link={share.link}
              text={share.key_name === null ? words.copy : words.copyAddress}
              copied={words.copied}
              label={share.key_name === null ? words.copyOf(share.user ?? share.group ?? "") : words.copyAddressOf(nameOf(share))}
            />
            <Button
              variant="default"
              size="xs"
              aria-label={words.endOf(share.user ?? share.group ?? nameOf(share))}
              loading={unshare.isPending && unshare.variables === share.id}
              onClick={() => unshare.mutate(share.id)}
            >
              {words.end}
            </Button>
          </li>
        ))}
      </ul>
      {unshare.error !== null && <ProblemNote error={unshare.error} />}
    </>
  );
}

const nameOf = (share: Share) => {
  if (share.key_name !== null) return words.keyOf(share.key_name);
  return share.user ?? words.members(share.group ?? "");
};

const until = (share: Share, session: Session) =>
  session.ends_at !== null && session.ends_at < share.ends_at ? session.ends_at : share.ends_at;

const fits = (port: number) => Number.isInteger(port) && port >= FIRST_PORT && port <= LAST_PORT;
