// The form's state is in the page's query: typing changes the state at once and the URL shortly after (browsers limit
// how often it may change); a changed URL changes the state.
import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";

import { readDraft, writeDraft, type Draft } from "~/api/sessionDraft";

const ADDRESS_DELAY_MS = 200;

/** `paused` while the page is about to be left: a late change of the URL would navigate back to it. */
export function useDraft(paused: boolean): [Draft, (change: Partial<Draft>) => void] {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => readDraft(new URLSearchParams(search)));
  const written = useRef(search);

  useEffect(() => {
    if (search === written.current) return;
    written.current = search;
    setDraft(readDraft(new URLSearchParams(search)));
  }, [search]);

  useEffect(() => {
    if (paused) return;
    const query = writeDraft(draft).toString();
    if (query === writeDraft(readDraft(new URLSearchParams(written.current))).toString()) return;
    const timer = setTimeout(() => {
      const next = query === "" ? "" : `?${query}`;
      written.current = next;
      navigate({ pathname, search: next }, { replace: true, preventScrollReset: true });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [draft, navigate, pathname, paused]);

  return [draft, (change) => setDraft((old) => ({ ...old, ...change }))];
}
