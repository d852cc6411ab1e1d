import { Switch } from "@mantine/core";

import { strings } from "~/strings/en";
import classes from "./NotificationsPage.module.css";
import type { Happening, Notifications } from "./queries";

const words = strings.notifications;
export const EVENTS: readonly Happening[] = ["ready", "ending_soon", "ended_badly", "idle", "message"];

interface EventBoxesProps {
  /** The channel's name, for screen readers. */
  channel: string;
  state: Notifications;
  chosen: readonly Happening[];
  onChange: (events: Happening[]) => void;
}

/** One switch for each event that a channel can carry. */
export function EventBoxes({ channel, state, chosen, onChange }: EventBoxesProps) {
  return (
    <fieldset className={classes["events"]}>
      <legend className={classes["legend"]}>{words.tellMe(channel)}</legend>
      {EVENTS.map((event) => (
        <Switch
          key={event}
          label={words.events[event]}
          description={words.eventHints(state.ending_minutes, state.idle_minutes)[event]}
          checked={chosen.includes(event)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(EVENTS.filter((value) => (value === event ? checked : chosen.includes(value))))
          }
        />
      ))}
    </fieldset>
  );
}
