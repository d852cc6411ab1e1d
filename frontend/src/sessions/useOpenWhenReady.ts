// A session started from this tab opens in it when it is ready, unless the user chooses to stay. With a gallery
// notebook in the page's query, that notebook opens. The choice is kept in the tab's history, so a reload keeps it.
import { useCallback, useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router-dom";

import { readDraft } from "~/api/sessionDraft";
import type { Session } from "~/api/types";
import { labAddress } from "~/api/labAddress";
import { useOpenTemplate } from "~/api/writes";
import { leave } from "~/lib/leave";
import { pages } from "~/paths";

export interface Opening {
  /** The template to open; null for the app itself. */
  template: string | null;
  wanted: boolean;
  setWanted: (wanted: boolean) => void;
  error: Error | null;
}

export function useOpenWhenReady(session: Session): Opening {
  const address = useLocation();
  const navigate = useNavigate();
  const { template, version, open } = readDraft(new URLSearchParams(address.search));
  const wanted = (address.state as { justStarted?: boolean } | null)?.justStarted === true && session.state !== "ended";
  const setWanted = useCallback(
    (justStarted: boolean) => {
      navigate(address, { replace: true, state: { justStarted } });
    },
    [address, navigate],
  );
  const openTemplate = useOpenTemplate();
  const done = useRef(false);

  useEffect(() => {
    if (!wanted || done.current || session.state !== "ready" || session.url === null) return;
    done.current = true;
    // Going back to this page must not redirect again: clear the reason from the URL.
    navigate(pages.session(session.id), { replace: true, state: null });
    if (template === null) leave.to((open !== null && labAddress(session.url, open)) || session.url);
    else {
      const asked = { template, session: session.id, version: version === "new" ? ("new" as const) : ("mine" as const) };
      openTemplate.mutate(asked, { onSuccess: ({ url }) => leave.to(url) });
    }
  }, [wanted, session, template, version, open, navigate, openTemplate]);

  return { template, wanted, setWanted, error: openTemplate.error };
}
