// The navigation at phone width.
import { BeakerIcon, PlusIcon, SearchIcon, ServerIcon, StackIcon, TasklistIcon, type Icon } from "@primer/octicons-react";
import { NavLink } from "react-router-dom";

import { pages } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./BottomBar.module.css";

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
      <button type="button" className={classes["item"]} onClick={onSearch}>
        <SearchIcon size={16} />
        <span>{strings.nav.search}</span>
      </button>
    </nav>
  );
}
