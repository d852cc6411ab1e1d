// Form and script as two sides of one job: when one is edited, the other follows a moment later, composed or parsed by
// the portal. If one cannot follow, it says so, and nothing that was typed is lost.
import { useEffect, useRef, useState } from "react";

import { fromThrown, type FieldProblem } from "~/api/errors";
import { composeScript, parseScript } from "~/api/jobs";
import { BLANK, type JobForm } from "~/api/jobTypes";
import { storeDraft, type JobDraft } from "./draft";

const FORM_PAUSE_MS = 250;
const SCRIPT_PAUSE_MS = 500;

export type Side = "form" | "script";

export interface Composer extends JobDraft {
  /** The side that has yet to follow the other. */
  pending: Side | null;
  /** Why it cannot. */
  stuck: { side: Side; message: string; fields: FieldProblem[] } | null;
  changeForm: (change: Partial<JobForm>) => void;
  changeScript: (script: string) => void;
  /** Starts over with another job; with a form alone, the script follows, and vice versa. */
  begin: (from: Partial<JobDraft>) => void;
  /** The script with the latest form input; throws the Problem of a form that yields no script. */
  settled: () => Promise<string>;
}

/** `key` is where the browser keeps the draft. */
export function useComposer(first: Partial<JobDraft>, key: string): Composer {
  const [draft, setDraft] = useState<JobDraft>({ form: BLANK, script: "", kept: [], from: null, ...first });
  const [pending, setPending] = useState(followerOf(first));
  const [stuck, setStuck] = useState<Composer["stuck"]>(null);
  const edits = useRef(0);

  useEffect(() => storeDraft(key, draft), [key, draft]);

  useEffect(() => {
    if (pending === null) return;
    const edit = edits.current;
    const timer = setTimeout(() => void follow(), pending === "script" ? FORM_PAUSE_MS : SCRIPT_PAUSE_MS);
    return () => clearTimeout(timer);

    async function follow() {
      try {
        const change = pending === "script" ? await scriptOf(draft) : await formOf(draft);
        if (edit !== edits.current) return;
        setDraft((old) => ({ ...old, ...change }));
        setStuck(null);
      } catch (thrown) {
        if (edit !== edits.current || pending === null) return;
        const { message, fields } = fromThrown(thrown);
        setStuck({ side: pending, message, fields });
      }
      setPending(null);
    }
  }, [draft, pending]);

  const edit = (change: (old: JobDraft) => JobDraft, follows: Side | null) => {
    edits.current += 1;
    setDraft(change);
    setPending(follows);
  };
  return {
    ...draft,
    pending,
    stuck,
    changeForm: (change) => edit((old) => ({ ...old, form: { ...old.form, ...change } }), "script"),
    changeScript: (script) => edit((old) => ({ ...old, script }), "form"),
    begin: (from) => {
      setStuck(null);
      edit((old) => ({ ...old, kept: [], from: null, ...from }), followerOf(from));
    },
    settled: async () => {
      if (pending !== "script") return draft.script;
      const { script } = await scriptOf(draft);
      edit((old) => ({ ...old, script }), null);
      return script;
    },
  };
}

/** The side that is missing. */
function followerOf({ form, script }: Partial<JobDraft>): Side | null {
  if (script === undefined || (script === "" && form !== undefined)) return "script";
  return form === undefined ? "form" : null;
}

async function scriptOf({ form, kept }: JobDraft): Promise<Pick<JobDraft, "script">> {
  const { script } = await composeScript(form, kept);
  return { script };
}

async function formOf({ script }: JobDraft): Promise<Pick<JobDraft, "form" | "kept">> {
  const { form, kept } = await parseScript(script);
  return { form, kept };
}
