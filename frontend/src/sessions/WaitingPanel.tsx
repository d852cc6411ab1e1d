// Below the stages of a starting session: what happens when it is ready, and that nobody has to wait for it.
import { Button, Switch } from "@mantine/core";
import { BellIcon } from "@primer/octicons-react";
import { useState } from "react";

import type { Session } from "~/api/types";
import { askForNotices, noticesWanted, permission } from "~/live/notices";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { isWaiting } from "~/ui/sessionLook";
import classes from "./WaitingPanel.module.css";
import type { Opening } from "./useOpenWhenReady";

export function WaitingPanel({ session, opening }: { session: Session; opening: Opening }) {
  if (opening.error !== null) return <ProblemNote error={opening.error} />;
  if (session.state === "ready" && opening.wanted) {
    return <p className={classes["opening"]}>{strings.session.opening(session.app_title)}</p>;
  }
  if (!isWaiting(session)) return null;
  return (
    <div className={classes["waiting"]}>
      <Switch
        label={strings.session.autoOpen(session.app_title)}
        checked={opening.wanted}
        onChange={(event) => opening.setWanted(event.currentTarget.checked)}
      />
      {opening.template !== null && <p className={classes["promise"]}>{strings.session.templateNext}</p>}
      <p className={classes["promise"]}>{strings.session.closeTab}</p>
      <NotifyControl />
    </div>
  );
}

function NotifyControl() {
  const [state, setState] = useState(() => (noticesWanted() ? "on" : permission()));
  if (state === "unsupported") return null;
  if (state === "on") return <p className={classes["promise"]}>{strings.session.notifyOn}</p>;
  if (state === "denied") return <p className={classes["promise"]}>{strings.session.notifyDenied}</p>;
  const ask = async () => setState((await askForNotices()) ? "on" : "denied");
  return (
    <Button size="xs" variant="default" leftSection={<BellIcon />} onClick={() => void ask()}>
      {strings.session.notify}
    </Button>
  );
}
