import { ActionIcon } from "@mantine/core";
import { SearchIcon } from "@primer/octicons-react";
import { Link } from "react-router-dom";

import { useMe, useSite } from "~/api/queries";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Availability } from "./Availability";
import { NavLinks } from "./NavLinks";
import { ThemeMenu } from "./ThemeMenu";
import classes from "./TopBar.module.css";
import { UserMenu } from "./UserMenu";

interface TopBarProps {
  onSearch: () => void;
  onKeys: () => void;
}

export function TopBar({ onSearch, onKeys }: TopBarProps) {
  const site = useSite().data;
  const me = useMe().data;
  return (
    <header className={classes["bar"]}>
      <Link to={pages.sessions()} className={classes["brand"]} aria-label={site?.name ?? strings.siteFallback}>
        <Mark />
        <span className={classes["name"]}>{site?.name ?? strings.siteFallback}</span>
      </Link>
      <nav className={classes["nav"]} aria-label={strings.nav.label}>
        <NavLinks admin={me?.admin ?? false} className={classes["link"] ?? ""} />
      </nav>
      <div className={classes["right"]}>
        <Availability />
        <ActionIcon className={classes["search"] ?? ""} onClick={onSearch} aria-label={strings.nav.searchHint} title={`${strings.nav.searchHint} (Ctrl K)`}>
          <SearchIcon />
        </ActionIcon>
        <ThemeMenu />
        <UserMenu onKeys={onKeys} />
      </div>
    </header>
  );
}

/** Two GPUs in use and a free one. */
function Mark() {
  return (
    <svg className={classes["mark"]} viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <rect x="2" y="3" width="4" height="14" rx="1" />
      <rect x="8" y="3" width="4" height="14" rx="1" />
      <rect x="14.5" y="3.5" width="3" height="13" rx=".75" fill="none" stroke="currentColor" />
    </svg>
  );
}
