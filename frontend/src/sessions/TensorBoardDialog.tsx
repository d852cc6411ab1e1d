// TensorBoard on a folder: in a tab of this session's JupyterLab, or as a separate session.
import { Button } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router-dom";

import { useOptions } from "~/api/queries";
import { onFolder, tensorBoardOf } from "~/api/tensorboard";
import type { Session } from "~/api/types";
import { trimmed } from "~/lib/path";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { FolderField } from "~/ui/files/FolderField";
import { useRecentFolders } from "~/ui/files/ownFolders";

const words = strings.apps.tensorboard;

export default function TensorBoardDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const navigate = useNavigate();
  const [recent, remember] = useRecentFolders();
  const [folder, setFolder] = useState(recent[0] ?? "~/");
  const app = tensorBoardOf(useOptions().data?.apps);
  const here = () => {
    remember(trimmed(folder));
    window.open(addressIn(session, trimmed(folder)), "_blank", "noopener");
    onClose();
  };
  return (
    <Dialog opened onClose={onClose} title={words.title} closeLabel={strings.dialog.close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          here();
        }}
      >
        <p className="quiet" style={{ marginTop: 0 }}>
          {words.text(session.name)}
        </p>
        <FolderField inline label={words.folder} value={folder} onChange={setFolder} />
        <DialogActions>
          {app !== undefined && (
            <Button variant="default" title={words.apartHint} onClick={() => navigate(pages.newSession(onFolder(app, trimmed(folder))))}>
              {words.apart}
            </Button>
          )}
          <Button type="submit" disabled={folder.trim() === ""}>
            {words.here}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** The URL of the session's Lab that makes it open TensorBoard on a folder (agent/lab/labextension). */
function addressIn({ url }: Session, folder: string): string {
  return `${url ?? ""}?${new URLSearchParams({ tensorboard: folder }).toString()}`;
}
