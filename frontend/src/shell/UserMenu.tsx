import { Button, Menu } from "@mantine/core";
import {
  BellIcon,
  BookIcon,
  CodeIcon,
  CommandPaletteIcon,
  GraphIcon,
  KeyIcon,
  PersonIcon,
  QuestionIcon,
  SignOutIcon,
  TriangleDownIcon,
} from "@primer/octicons-react";
import { Link } from "react-router-dom";

import { logOut } from "~/api/logOut";
import { useMe, useSite } from "~/api/queries";
import { outside, pages } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./UserMenu.module.css";

export function UserMenu({ onKeys }: { onKeys: () => void }) {
  const me = useMe().data;
  const support = useSite().data?.support ?? "";
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={classes["button"] ?? ""}
          aria-label={strings.nav.user(me?.username ?? "")}
          rightSection={<TriangleDownIcon />}
        >
          <PersonIcon className={classes["icon"] ?? ""} />
          <span className={classes["name"]}>{me?.username}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {me !== undefined && (
          <Menu.Label>
            <span className={classes["who"]}>{me.display_name || me.username}</span>
            {me.admin && strings.nav.administrator}
          </Menu.Label>
        )}
        <Menu.Item component={Link} to={pages.usage()} leftSection={<GraphIcon />}>
          {strings.usage.nav}
        </Menu.Item>
        <Menu.Item component={Link} to={pages.notifications()} leftSection={<BellIcon />}>
          {strings.notifications.nav}
        </Menu.Item>
        <Menu.Item component="a" href={outside.tokens()} leftSection={<KeyIcon />}>
          {strings.nav.tokens}
        </Menu.Item>
        <Menu.Item component="a" href={outside.docs("README.md")} leftSection={<BookIcon />}>
          {strings.nav.docs}
        </Menu.Item>
        <Menu.Item component="a" href={outside.apiDocs()} leftSection={<CodeIcon />}>
          {strings.nav.apiDocs}
        </Menu.Item>
        <Menu.Item onClick={onKeys} leftSection={<CommandPaletteIcon />}>
          {strings.nav.keys}
        </Menu.Item>
        {support !== "" && (
          <Menu.Item component="a" href={supportLink(support)} leftSection={<QuestionIcon />}>
            {strings.nav.support}
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item onClick={() => void logOut()} leftSection={<SignOutIcon />}>
          {strings.nav.logout}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function supportLink(support: string): string {
  return support.includes("@") && !support.includes(":") ? `mailto:${support}` : support;
}
