// The frame of the app: bars, banners, keys, and the page's one live stream.
import { Suspense, lazy, useEffect, useRef, useState } from "react";
import { Outlet, useLocation, useNavigate } from "react-router-dom";

import { useLive } from "~/live/useLive";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { PageSkeleton } from "~/ui/PageSkeleton";
import { Announcer } from "./Announcer";
import { Banners } from "./Banners";
import { BottomBar } from "./BottomBar";
import { ExpiredDialog } from "./ExpiredDialog";
import { NoticeWatch } from "./NoticeWatch";
import classes from "./Shell.module.css";
import { TopBar } from "./TopBar";
import { useKeys } from "./useKeys";

const Palette = lazy(() => import("./Palette"));
const KeysHelp = lazy(() => import("./KeysHelp"));

export function Shell() {
  useLive();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  // `?palette`: how ⌘K in a session's JupyterLab leads here.
  const asked = new URLSearchParams(search).has("palette");
  const [palette, setPalette] = useState<"never" | "open" | "closed">(asked ? "open" : "never");
  useEffect(() => {
    if (asked) navigate(pathname, { replace: true });
  }, [asked, navigate, pathname]);
  const [keys, setKeys] = useState<"never" | "open" | "closed">("never");
  useKeys({
    n: () => navigate(pages.newSession()),
    b: () => navigate(pages.newJob()),
    "/": focusFilter,
    "?": () => setKeys("open"),
    palette: () => setPalette("open"),
  });
  const main = useFocusOnNewPage();
  return (
    <div className={classes["shell"]}>
      <a className={classes["skip"]} href="#main">
        {strings.skipToContent}
      </a>
      <TopBar onSearch={() => setPalette("open")} onKeys={() => setKeys("open")} />
      <Banners />
      <main id="main" ref={main} tabIndex={-1} className={classes["main"]}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <BottomBar onSearch={() => setPalette("open")} />
      <ExpiredDialog />
      <NoticeWatch />
      <Announcer />
      <Suspense fallback={null}>
        {palette !== "never" && <Palette opened={palette === "open"} onClose={() => setPalette("closed")} />}
        {keys !== "never" && <KeysHelp opened={keys === "open"} onClose={() => setKeys("closed")} />}
      </Suspense>
    </div>
  );
}

function focusFilter(): void {
  document.querySelector<HTMLElement>("[data-filter]")?.focus();
}

/** After navigation, reading and tabbing start at the top of the new page. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [pathname]);
  return main;
}
