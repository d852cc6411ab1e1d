// Starts a session again: the same request, or with more memory after running out of it.
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
  /** The additional memory (MiB); null if it gets the same. */
  moreMib: number | null;
  /** The form, filled in as the session was. */
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
      // The form shows what is wrong, beside each field.
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
