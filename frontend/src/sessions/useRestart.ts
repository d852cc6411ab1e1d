// A session as it was, once more: the same request; after running out of memory, with more of it.
import { useNavigate } from "react-router-dom";

import { Problem } from "~/api/errors";
import { useOptions } from "~/api/queries";
import type { Session } from "~/api/types";
import { useStartSession } from "~/api/writes";
import { askOf, draftOf, moreMemory, writeDraft } from "~/launch/draft";
import { pages } from "~/paths";

export interface Restart {
  /** Memory (MiB) that it gets more than it had; null when it gets the same. */
  moreMib: number | null;
  /** The form, filled as the session was. */
  form: string;
  start: () => void;
  starting: boolean;
  error: Error | null;
}

export function useRestart(session: Session): Restart {
  const navigate = useNavigate();
  const options = useOptions().data;
  const start = useStartSession();
  const moreMib = session.end?.code === "oom" ? moreMemory(session.resources.memory_mib) : null;
  const draft = draftOf(session, options);
  if (moreMib !== null) draft.memoryMib = moreMib;
  const form = pages.newSession(writeDraft(draft));
  return {
    moreMib,
    form,
    starting: start.isPending,
    error: start.error,
    start: () => {
      if (options === undefined) {
        navigate(form);
        return;
      }
      start.mutate(askOf(draft, options, Date.now()), {
        onSuccess: ({ id }) => navigate(pages.session(id), { state: { justStarted: true } }),
        // What is wrong with it stands in the form, beside its field.
        onError: (error) => {
          if (error instanceof Problem && error.kind === "refused") navigate(form);
        },
      });
    },
  };
}
