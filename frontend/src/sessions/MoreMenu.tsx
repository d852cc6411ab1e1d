// Further actions on an active session: start another one like it.
import { ActionIcon, Menu } from "@mantine/core";
import { KebabHorizontalIcon, PencilIcon, SyncIcon } from "@primer/octicons-react";
import { Link } from "react-router-dom";

import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { useRestart } from "./useRestart";

export function MoreMenu({ session }: { session: Session }) {
  const { form, start, starting } = useRestart(session);
  return (
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
      </Menu.Dropdown>
    </Menu>
  );
}
