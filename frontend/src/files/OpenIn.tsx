// Opens a notebook or a folder in a session: one whose JupyterLab runs, or a new one.
import { Button, Menu } from "@mantine/core";
import { Link } from "react-router-dom";

import { labAddress } from "~/api/labAddress";
import { useActiveSessions, useOptions } from "~/api/queries";
import { EMPTY, writeDraft } from "~/api/sessionDraft";
import type { App } from "~/api/types";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { AppIcon } from "~/ui/AppIcon";

const words = strings.files.openIn;

export function OpenIn({ path, folder = false }: { path: string; folder?: boolean }) {
  const apps = useOptions().data?.apps.filter(({ available }) => available) ?? [];
  const sessions = useActiveSessions().data?.items ?? [];
  const labs = sessions.flatMap(({ id, name, app, url, state }) => {
    const runs = state === "ready" && url !== null && apps.some((one) => one.name === app && one.kind === "jupyter");
    const href = runs ? labAddress(url, path) : null;
    return href === null ? [] : [{ id, name, href }];
  });
  const fresh = apps.flatMap((app) => {
    const query = startOn(app, path, folder);
    return query === null ? [] : [{ app, to: pages.newSession(query) }];
  });
  if (labs.length + fresh.length === 0) return null;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button size="xs" variant="default">
          {words.label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {labs.length > 0 && <Menu.Label>{words.running}</Menu.Label>}
        {labs.map(({ id, name, href }) => (
          <Menu.Item key={id} component="a" href={href} target="_blank" rel="noopener">
            {name}
          </Menu.Item>
        ))}
        {fresh.length > 0 && <Menu.Label>{words.fresh}</Menu.Label>}
        {fresh.map(({ app: { name, title, icon }, to }) => (
          <Menu.Item key={name} leftSection={<AppIcon name={icon} />} component={Link} to={to}>
            {title}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** The new-session page for an app that opens there; null if it cannot. */
function startOn({ name, kind, options }: App, path: string, folder: boolean): URLSearchParams | null {
  if (kind === "jupyter") return labAddress("", path) === null ? null : writeDraft({ ...EMPTY, app: name, open: path });
  const option = folder ? options.find((one) => one.kind === "folder") : undefined;
  return option === undefined ? null : writeDraft({ ...EMPTY, app: name, options: { [option.name]: path } });
}
