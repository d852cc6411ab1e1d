// The navigation at phone width: the pages used most, and the rest under More.
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
import { Link, NavLink, useLocation } from "react-router-dom";

import { useMe } from "~/api/queries";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./BottomBar.module.css";
import { navPages } from "./NavLinks";

const LINKS: { to: string; title: string; Icon: Icon; end: boolean }[] = [
  { to: pages.sessions(), title: strings.nav.sessions, Icon: StackIcon, end: true },
  { to: pages.jobs(), title: strings.nav.jobs, Icon: TasklistIcon, end: false },
  { to: pages.templates(), title: strings.nav.templates, Icon: BeakerIcon, end: false },
  { to: pages.newSession(), title: strings.nav.newShort, Icon: PlusIcon, end: false },
  { to: pages.cluster(), title: strings.nav.cluster, Icon: ServerIcon, end: false },
];

export function BottomBar({ onSearch }: { onSearch: () => void }) {
  return (
    <nav className={classes["bar"]} aria-label={strings.nav.bottomLabel}>
      {LINKS.map(({ to, title, Icon, end }) => (
        <NavLink key={to} to={to} end={end} className={classes["item"] ?? ""}>
          <Icon size={16} />
          <span>{title}</span>
        </NavLink>
      ))}
      <More onSearch={onSearch} />
    </nav>
  );
}

function More({ onSearch }: { onSearch: () => void }) {
  const admin = useMe().data?.admin ?? false;
  const { pathname } = useLocation();
  const rest = navPages(admin).filter(({ to }) => !LINKS.some((link) => link.to === to));
  const isHere = (to: string) => pathname === to || pathname.startsWith(`${to}/`);
  return (
    <Menu position="top-end" width={240}>
      <Menu.Target>
        <button type="button" className={classes["item"]} data-current={rest.some(({ to }) => isHere(to)) || undefined}>
          <KebabHorizontalIcon size={16} />
          <span>{strings.nav.more}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {rest.map(({ to, title }) => (
          <Menu.Item key={to} component={Link} to={to} aria-current={isHere(to) ? "page" : undefined}>
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
