// One action on selected sessions of any user: names their owners, and shows the reason for each failure.
import { Button, Switch, TextInput, Textarea } from "@mantine/core";
import { useState } from "react";

import classes from "~/ui/Form.module.css";
import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { useSessionsAction, type Action, type Asked, type SessionResult } from "./queries";

const words = strings.adminSessions;
const SHOWN = 8;

type Target = Pick<Session, "id" | "name" | "owner">;

interface SessionsActionDialogProps {
  action: Action;
  sessions: readonly Target[];
  /** All succeeded; with their number. */
  onDone: (count: number) => void;
  onClose: () => void;
}

export function SessionsActionDialog({ action, sessions, onDone, onClose }: SessionsActionDialogProps) {
  const act = useSessionsAction();
  const [hits] = useState(sessions);
  const [failed, setFailed] = useState<readonly SessionResult[]>([]);
  const [text, setText] = useState("");
  const [hours, setHours] = useState("2");
  const [beyond, setBeyond] = useState(false);
  // "Try again" repeats only what failed.
  const targets = failed.length === 0 ? hits : hits.filter(({ id }) => failed.some((failure) => failure.id === id));
  const submit = () => {
    const ids = targets.map(({ id }) => id);
    act.mutate(askedOf(action, ids, { text, hours, beyond }), {
      onSuccess: ({ results }) => {
        const not = results.filter(({ ok }) => !ok);
        setFailed(not);
        if (not.length === 0) {
          onDone(hits.length);
          onClose();
        }
      },
    });
  };
  return (
    <Dialog opened onClose={onClose} title={words.titles[action](hits.length)} closeLabel={strings.dialog.close}>
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Affected sessions={targets} />
        <p className="quiet">{words.texts[action]}</p>
        {action === "message" && (
          <Textarea
            label={words.text}
            required
            maxLength={500}
            rows={3}
            data-autofocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value.replace(/[\r\n]+/g, " "))}
          />
        )}
        {action === "extend" && (
          <>
            <TextInput
              type="number"
              label={words.hours}
              min={0.25}
              step={0.25}
              max={744}
              required
              data-autofocus
              value={hours}
              onChange={(event) => setHours(event.currentTarget.value)}
            />
            <Switch label={words.beyond} checked={beyond} onChange={(event) => setBeyond(event.currentTarget.checked)} />
          </>
        )}
        <Failed hits={hits} failed={failed} />
        {act.error !== null && <ProblemNote error={act.error} title={words.failed} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {failed.length > 0 ? strings.dialog.close : words.keep}
          </Button>
          <Button type="submit" {...(action === "stop" ? { color: "bad" } : {})} loading={act.isPending}>
            {words.do[action]}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function askedOf(action: Action, sessions: string[], { text, hours, beyond }: { text: string; hours: string; beyond: boolean }): Asked {
  if (action === "message") return { action, sessions, text };
  if (action === "extend") return { action, sessions, seconds: Math.round(Number(hours) * 60) * 60, beyond_limits: beyond };
  return { action, sessions };
}

function Affected({ sessions }: { sessions: readonly Target[] }) {
  const people = [...new Set(sessions.map(({ owner }) => owner))].sort();
  return (
    <div className={classes["affected"]}>
      <p>{words.affected(people)}</p>
      <ul>
        {sessions.slice(0, SHOWN).map(({ id, owner, name }) => (
          <li key={id}>
            <bdi>{words.one(owner, name)}</bdi>
          </li>
        ))}
      </ul>
      {sessions.length > SHOWN && <p className="quiet">{words.moreOf(sessions.length - SHOWN)}</p>}
    </div>
  );
}

function Failed({ hits, failed }: { hits: readonly Target[]; failed: readonly SessionResult[] }) {
  if (failed.length === 0) return null;
  const nameOf = (id: string) => hits.find((hit) => hit.id === id)?.name ?? id;
  return (
    <div role="alert" className={classes["affected"]}>
      <p>{words.failedTitle(hits.length - failed.length, failed.length)}</p>
      <ul>
        {failed.map(({ id, message }) => (
          <li key={id}>{words.failedOne(nameOf(id), message)}</li>
        ))}
      </ul>
    </div>
  );
}
