import { Link, useLocation } from "react-router-dom";

import { pages } from "~/paths";
import { strings } from "~/strings/en";

/** The pages of a user's main navigation. */
export function NavLinks({ admin, className }: { admin: boolean; className: string }) {
  const { pathname } = useLocation();
  return (
    <>
      {navPages(admin).map(({ to, title }) => (
        <Link key={to} to={to} className={className} aria-current={currentOf(to, pathname)}>
          {title}
        </Link>
      ))}
    </>
  );
}

/** A link's aria-current if `pathname` is that page, or one below it. */
export function currentOf(to: string, pathname: string): "page" | "true" | undefined {
  if (pathname === to) return "page";
  const section = to === pages.sessions() ? "/sessions" : to;
  return pathname.startsWith(`${section}/`) ? "true" : undefined;
}

export function navPages(admin: boolean): { to: string; title: string }[] {
  const everyone = [
    { to: pages.sessions(), title: strings.nav.sessions },
    { to: pages.jobs(), title: strings.nav.jobs },
    { to: pages.files(), title: strings.files.title },
    { to: pages.templates(), title: strings.nav.templates },
    { to: pages.cluster(), title: strings.nav.cluster },
    { to: pages.apps(), title: strings.apps.catalogue.title },
    { to: pages.environments(), title: strings.nav.environments },
  ];
  return admin ? [...everyone, { to: pages.admin(), title: strings.nav.admin }] : everyone;
}
