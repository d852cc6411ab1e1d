// The administrators' pages and their navigation.
import { Suspense, useEffect, useRef } from "react";
import { NavLink, Outlet, useLocation } from "react-router-dom";

import { useMe } from "~/api/queries";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { Page } from "~/ui/Page";
import { PageSkeleton } from "~/ui/PageSkeleton";
import classes from "./AdminPages.module.css";

const words = strings.admin;

const PAGES = [
  { to: pages.adminSessions(), title: words.pages.sessions },
  { to: pages.adminNodes(), title: words.pages.nodes },
  { to: pages.adminJobs(), title: words.pages.jobs },
  { to: pages.people(), title: words.pages.people },
  { to: pages.adminUsage(), title: words.pages.usage },
  { to: pages.announcements(), title: words.pages.announcements },
  { to: pages.audit(), title: words.pages.audit },
  { to: pages.health(), title: strings.health.title },
];

export default function AdminPages() {
  const me = useMe().data;
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (!nav.current || !link) return;
    // On a phone the current tab may be off screen. (With scrollIntoView, Tab would start behind it.)
    nav.current.scrollLeft = link.offsetLeft - (nav.current.clientWidth - link.offsetWidth) / 2;
  }, [pathname, me]);
  if (me === undefined) return <PageSkeleton />;
  if (!me.admin) {
    return (
      <Page title={words.title}>
        <Empty>
          <p>{words.forbidden}</p>
        </Empty>
      </Page>
    );
  }
  return (
    <>
      <nav ref={nav} className={classes["nav"]} aria-label={words.nav}>
        {PAGES.map(({ to, title }) => (
          <NavLink key={to} to={to} className={classes["link"] ?? ""}>
            {title}
          </NavLink>
        ))}
      </nav>
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
    </>
  );
}
