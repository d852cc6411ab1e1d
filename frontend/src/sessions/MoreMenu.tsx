// Further actions on an active session: start another one like it, open a port of its programs, share it, open it in an editor on
// the user's own machine.
import { ActionIcon, Menu } from "@mantine/core";
import { BookIcon, DownloadIcon, KebabHorizontalIcon, LinkExternalIcon, PencilIcon, PeopleIcon, SyncIcon, TerminalIcon } from "@primer/octicons-react";
import { Suspense, lazy, useState } from "react";
import { Link } from "react-router-dom";

import { useMe, useSite } from "~/api/queries";
import type { Session } from "~/api/types";
import { outside } from "~/paths";
import { strings } from "~/strings/en";
import { EDITORS, editors, hostOf } from "./editors";
import { useRestart } from "./useRestart";

const ShareDialog = lazy(() => import("./ShareDialog"));
const OpenPortDialog = lazy(() => import("./OpenPortDialog"));

export function MoreMenu({ session }: { session: Session }) {
  const { form, start, starting } = useRestart(session);
  const [openingPort, setOpeningPort] = useState(false);
  const [sharing, setSharing] = useState(false);
  const site = useSite().data;
  const me = useMe().data;
  const mayShare = session.state === "ready" && site?.sharing === true && me?.username === session.owner;
  const hasPorts = session.ports_url !== null && me?.username === session.owner;
  const menu = (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={strings.apps.more(session.name)} loading={starting}>
          <KebabHorizontalIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<SyncIcon />} onClick={start}>
          {strings.apps.restart}
        </Menu.Item>
        <Menu.Item leftSection={<PencilIcon />} component={Link} to={form}>
          {strings.apps.edit}
        </Menu.Item>
        {hasPorts && (
          <Menu.Item leftSection={<LinkExternalIcon />} onClick={() => setOpeningPort(true)}>
            {strings.ports.action}
          </Menu.Item>
        )}
        {mayShare && (
          <Menu.Item leftSection={<PeopleIcon />} onClick={() => setSharing(true)}>
            {strings.sharing.action}
          </Menu.Item>
        )}
        <Editors session={session} />
      </Menu.Dropdown>
    </Menu>
  );
  return (
    <>
      {menu}
      {mayShare && sharing && (
        <Suspense fallback={null}>
          <ShareDialog session={session} onClose={() => setSharing(false)} />
        </Suspense>
      )}
      {hasPorts && openingPort && (
        <Suspense fallback={null}>
          <OpenPortDialog session={session} onClose={() => setOpeningPort(false)} />
        </Suspense>
      )}
    </>
  );
}

/** For the owner's sessions that can be reached over SSH. */
function Editors({ session }: { session: Session }) {
  const site = useSite().data;
  const me = useMe().data;
  if (session.state !== "ready" || site?.ssh !== true || me?.username !== session.owner) return null;
  const host = hostOf(session);
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{strings.editors.setUp}</Menu.Label>
      {EDITORS.map((editor) => (
        <Menu.Item key={editor} leftSection={<TerminalIcon />} component="a" href={editors[editor](host, session.owner)}>
          {strings.editors[editor]}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<BookIcon />} component="a" href={outside.docs("how-to/ssh.md")} target="_blank">
        {strings.editors.firstTime}
      </Menu.Item>
      <Menu.Item leftSection={<DownloadIcon />} component="a" href={outside.laptopProgram()}>
        {strings.editors.download}
      </Menu.Item>
    </>
  );
}
