// Changes a reservation's times, nodes, users and accounts; sends only what differs.
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";

import { byField, fromThrown } from "~/api/errors";
import { toLocalInput } from "~/lib/time";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import classes from "~/ui/Form.module.css";
import { ProblemNote } from "~/ui/ProblemNote";
import { useChangeReservation, type Reservation, type ReservationChange } from "~/ui/operate/nodes";
import { list } from "./ReserveDialog";

const words = strings.admin.reservations;
const ORDER: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

interface Draft {
  starts: string;
  ends: string;
  nodes: string;
  users: string;
  accounts: string;
}

export function ChangeReservationDialog({ reservation, onClose }: { reservation: Reservation; onClose: () => void }) {
  const { name, state } = reservation;
  const change = useChangeReservation(name);
  const [before] = useState(() => draftOf(reservation));
  const [draft, setDraft] = useState(before);
  const problems = change.error === null ? {} : byField(fromThrown(change.error).fields);
  const asked = changesOf(before, draft);
  const started = state === "ACTIVE";
  const field = (key: keyof Draft) => ({
    value: draft[key],
    inputWrapperOrder: ORDER,
    autoComplete: "off",
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setDraft((old) => ({ ...old, [key]: value }));
    },
  });
  return (
    <Dialog opened onClose={onClose} title={words.changeTitle(name)} closeLabel={strings.dialog.close}>
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate(asked, { onSuccess: onClose });
        }}
      >
        <div className={classes["pair"]}>
          <TextInput
            type="datetime-local"
            label={words.starts}
            description={started ? words.startedHint : undefined}
            disabled={started}
            required
            error={problems["starts_at"]}
            {...field("starts")}
          />
          <TextInput type="datetime-local" label={words.ends} required error={problems["ends_at"]} data-autofocus {...field("ends")} />
        </div>
        <TextInput label={words.nodes} description={words.nodesHint} required error={problems["nodes"]} {...field("nodes")} />
        <div className={classes["pair"]}>
          <TextInput label={words.users} description={words.whomHint} error={problems["users"]} {...field("users")} />
          <TextInput label={words.accounts} error={problems["accounts"]} {...field("accounts")} />
        </div>
        {change.error !== null && <ProblemNote error={change.error} title={words.changeFailed} />}
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={change.isPending} disabled={Object.keys(asked).length === 0}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const draftOf = ({ starts_at, ends_at, node_names, users, accounts }: Reservation): Draft => ({
  starts: starts_at === null ? "" : toLocalInput(new Date(starts_at)),
  ends: ends_at === null ? "" : toLocalInput(new Date(ends_at)),
  nodes: node_names.join(", "),
  users: users.join(", "),
  accounts: accounts.join(", "),
});

function changesOf(before: Draft, now: Draft): ReservationChange {
  const differs = (key: keyof Draft) => before[key] !== now[key];
  return {
    ...(differs("starts") && { starts_at: new Date(now.starts).toISOString() }),
    ...(differs("ends") && { ends_at: new Date(now.ends).toISOString() }),
    ...(differs("nodes") && { nodes: list(now.nodes) }),
    ...(differs("users") && { users: list(now.users) }),
    ...(differs("accounts") && { accounts: list(now.accounts) }),
  };
}
