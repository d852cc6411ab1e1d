import { NavLink } from "react-router-dom";

import { pages } from "~/paths";
import { strings } from "~/strings/en";

/** The pages of the main navigation, for someone. */
export function NavLinks({ admin, className }: { admin: boolean; className: string }) {
  return (
    <>
      {navPages(admin).map(({ to, title }) => (
        <NavLink key={to} to={to} end={to !== pages.sessions()} className={className}>
          {title}
        </NavLink>
      ))}
    </>
  );
}

export function navPages(admin: boolean): { to: string; title: string }[] {
  const everyone = [
    { to: pages.sessions(), title: strings.nav.sessions },
    { to: pages.jobs(), title: strings.nav.jobs },
    { to: pages.templates(), title: strings.nav.templates },
    { to: pages.cluster(), title: strings.nav.cluster },
    { to: pages.apps(), title: strings.apps.catalogue.title },
    { to: pages.environments(), title: strings.nav.environments },
  ];
  return admin ? [...everyone, { to: pages.admin(), title: strings.nav.admin }] : everyone;
}
