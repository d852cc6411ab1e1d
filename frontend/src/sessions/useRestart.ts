// A session as it was, once more: the same request; after running out of memory, with more of it.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";

import { Problem } from "~/api/errors";
import { reads, useOptions } from "~/api/queries";
import { askOf, draftOf, moreMemory, writeDraft } from "~/api/sessionDraft";
import type { Options, Session } from "~/api/types";
import { useStartSession } from "~/api/writes";
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
  const queries = useQueryClient();
  const options = useOptions().data;
  const [asking, setAsking] = useState(false);
  const start = useStartSession();
  const moreMib = session.end?.code === "oom" ? moreMemory(session.resources.memory_mib) : null;
  const draftWith = (known: Options | undefined) => {
    const draft = draftOf(session, known);
    return moreMib === null ? draft : { ...draft, memoryMib: moreMib };
  };
  const form = pages.newSession(writeDraft(draftWith(options)));
  const again = (known: Options) =>
    start.mutate(askOf(draftWith(known), known, Date.now()), {
      onSuccess: ({ id }) => navigate(pages.session(id), { state: { justStarted: true } }),
      // What is wrong with it stands in the form, beside its field.
      onError: (error) => {
        if (error instanceof Problem && error.kind === "refused") navigate(form);
      },
    });
  return {
    moreMib,
    form,
    starting: asking || start.isPending,
    error: start.error,
    start: () => {
      setAsking(true);
      queries
        .query({ ...reads.options, staleTime: "static" })
        .then(again, () => navigate(form))
        .finally(() => setAsking(false));
    },
  };
}
