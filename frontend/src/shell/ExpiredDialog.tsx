import { Button } from "@mantine/core";

import { leave } from "~/lib/leave";
import { useLiveStatus } from "~/live/status";
import { outside } from "~/paths";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";

/** The login expired while the page was in use: nothing is discarded, and logging in returns here. */
export function ExpiredDialog() {
  const { expired } = useLiveStatus();
  const login = () => leave.to(outside.login(location.pathname + location.search));
  return (
    <Dialog opened={expired} onClose={login} title={strings.live.expiredTitle}>
      <p style={{ marginTop: 0 }}>{strings.live.expired}</p>
      <DialogActions>
        <Button onClick={login} data-autofocus>
          {strings.live.login}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
