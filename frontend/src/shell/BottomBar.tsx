// The navigation on phones: the most used pages, and the rest under More.
import { Menu } from "@mantine/core";
import {
  BeakerIcon,
  KebabHorizontalIcon,
  PlusIcon,
  SearchIcon,
  ServerIcon,
  StackIcon,
  TasklistIcon,
  type Icon,
} from "@primer/octicons-react";
import { Link, useLocation } from "react-router-dom";

import { useMe } from "~/api/queries";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./BottomBar.module.css";
import { currentOf, navPages } from "./NavLinks";

const LINKS: { to: string; title: string; Icon: Icon }[] = [
  { to: pages.sessions(), title: strings.nav.sessions, Icon: StackIcon },
  { to: pages.jobs(), title: strings.nav.jobs, Icon: TasklistIcon },
  { to: pages.templates(), title: strings.nav.templates, Icon: BeakerIcon },
  { to: pages.newSession(), title: strings.nav.newShort, Icon: PlusIcon },
  { to: pages.cluster(), title: strings.nav.cluster, Icon: ServerIcon },
];

export function BottomBar({ onSearch }: { onSearch: () => void }) {
  const { pathname } = useLocation();
  const itself = LINKS.some(({ to }) => to === pathname);
  return (
    <nav className={classes["bar"]} aria-label={strings.nav.bottomLabel}>
      {LINKS.map(({ to, title, Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes["item"] ?? ""}
          aria-current={itself && to !== pathname ? undefined : currentOf(to, pathname)}
        >
          <Icon size={16} />
          <span>{title}</span>
        </Link>
      ))}
      <More onSearch={onSearch} />
    </nav>
  );
}

function More({ onSearch }: { onSearch: () => void }) {
  const admin = useMe().data?.admin ?? false;
  const { pathname } = useLocation();
  const rest = navPages(admin).filter(({ to }) => !LINKS.some((link) => link.to === to));
  return (
    <Menu position="top-end" width={240}>
      <Menu.Target>
        <button type="button" className={classes["item"]} data-current={rest.some(({ to }) => currentOf(to, pathname)) || undefined}>
          <KebabHorizontalIcon size={16} />
          <span>{strings.nav.more}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {rest.map(({ to, title }) => (
          <Menu.Item key={to} component={Link} to={to} aria-current={currentOf(to, pathname)}>
            {title}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item onClick={onSearch} leftSection={<SearchIcon />}>
          {strings.nav.searchHint}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
