// The state of New job: the form, the script, and how far they agree. Kept in the browser until it is submitted.
import { BLANK, type JobForm } from "~/api/jobTypes";

export interface JobDraft {
  form: JobForm;
  script: string;
  /** Lines of the script that the form cannot show; they stay in it. */
  kept: string[];
  /** The folder to submit from, at which relative paths in the script start. null: the home. */
  from: string | null;
}

export const DRAFT = "dsp.job-draft";

/** The draft kept under this user's key; null if there is none, or this version does not understand it. */
export function storedDraft(key: string): JobDraft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<JobDraft> | null;
    if (typeof draft?.script !== "string" || typeof draft.form !== "object") return null;
    return { form: { ...BLANK, ...draft.form }, script: draft.script, kept: draft.kept ?? [], from: draft.from ?? null };
  } catch {
    return null;
  }
}

export function storeDraft(key: string, draft: JobDraft): void {
  try {
    localStorage.setItem(key, JSON.stringify(draft));
  } catch {
    // Storage is full or disabled: the draft lives as long as the page.
  }
}

export function forgetDraft(key: string): void {
  localStorage.removeItem(key);
}
