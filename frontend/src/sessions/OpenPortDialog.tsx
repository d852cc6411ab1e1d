// Opens a port of the session's own programs: those that listen now, or any other by its number.
import { Button, NumberInput } from "@mantine/core";
import { useState } from "react";

import type { Session } from "~/api/types";
import { outside } from "~/paths";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { OutsideButton } from "~/ui/LinkButton";
import classes from "./OpenPortDialog.module.css";

const words = strings.ports;
const LEAST = 1024;
const MOST = 65535;

export default function OpenPortDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const [typed, setTyped] = useState<number | string>("");
  const base = session.ports_url ?? "";
  const listening = session.usage?.ports ?? [];
  const open = () => {
    window.open(`${base}${typed}/`, "_blank", "noopener");
    onClose();
  };
  return (
    <Dialog opened onClose={onClose} title={words.title(session.name)} closeLabel={strings.dialog.close}>
      {listening.length === 0 ? (
        <p className="quiet" role="status" style={{ marginTop: 0 }}>
          {words.none}
        </p>
      ) : (
        <ul className={classes["list"]} aria-label={words.listening}>
          {listening.map(({ port, process }) => (
            <li key={port}>
              <span className={classes["port"]}>{port}</span>
              <span className={classes["process"]}>{process}</span>
              <OutsideButton variant="default" size="xs" href={`${base}${port}/`} aria-label={words.openPort(port)}>
                {words.open}
              </OutsideButton>
            </li>
          ))}
        </ul>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <NumberInput
          label={words.number}
          description={words.help}
          value={typed}
          onChange={setTyped}
          min={LEAST}
          max={MOST}
          clampBehavior="none"
          allowDecimal={false}
          allowNegative={false}
          hideControls
          error={typeof typed === "number" && !fits(typed) ? words.range(LEAST, MOST) : undefined}
        />
        <DialogActions>
          <Button component="a" variant="subtle" href={outside.docs("how-to/apps.md")} target="_blank" rel="noopener">
            {words.docs}
          </Button>
          <Button type="submit" disabled={typeof typed !== "number" || !fits(typed)}>
            {words.open}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

const fits = (port: number) => Number.isInteger(port) && port >= LEAST && port <= MOST;
