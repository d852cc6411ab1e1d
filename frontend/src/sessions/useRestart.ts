// Starts a session again so that it does not end in the same way: the portal says what should differ.
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router-dom";

import { Problem } from "~/api/errors";
import { reads, useOptions } from "~/api/queries";
import { askOf, basisOf, draftOf, writeDraft, type Draft } from "~/api/sessionDraft";
import type { NextStart, Options, Session } from "~/api/types";
import { useStartSession } from "~/api/writes";
import { pages } from "~/paths";

export interface Restart {
  next: NextStart;
  /** The form, filled in as the session was, with what should differ. */
  form: string;
  start: () => void;
  starting: boolean;
  error: Error | null;
}

const SAME: NextStart = { kind: "same" };

/** For a session that runs on after losing a process to memory: a third more in steps of 16 GB, at most twice as much. */
function moreMemory({ resources }: Session): NextStart {
  const step = 16 * 1024;
  const more = Math.min(2 * resources.memory_mib, Math.ceil((resources.memory_mib * 4) / 3 / step) * step);
  return { kind: "more_memory", memory_mib: more };
}

export function useRestart(session: Session): Restart {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const options = useOptions().data;
  const [asking, setAsking] = useState(false);
  const start = useStartSession();
  const next = session.end?.next ?? (session.usage?.memory_kills ? moreMemory(session) : SAME);
  const draftWith = (known: Options | undefined) => changed(draftOf(session, known), next);
  const form = pages.newSession(writeDraft(draftWith(options)));
  const again = (known: Options) =>
    start.mutate(
      { ...askOf(draftWith(known), known, Date.now()), ...basisOf(session) },
      {
        onSuccess: ({ id }) => navigate(pages.session(id), { state: { justStarted: true } }),
        // The form shows what is wrong, beside each field.
        onError: (error) => {
          if (error instanceof Problem && error.kind === "refused") navigate(form);
        },
      },
    );
  return {
    next,
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

function changed(draft: Draft, next: NextStart): Draft {
  return {
    ...draft,
    ...(next.walltime_s == null ? {} : { time: { kind: "for", seconds: next.walltime_s } }),
    ...(next.memory_mib == null ? {} : { memoryMib: next.memory_mib }),
    ...(next.gpu_type == null ? {} : { gpuType: next.gpu_type }),
    ...(next.partition == null ? {} : { partition: next.partition }),
    avoid: next.avoid ?? null,
  };
}
