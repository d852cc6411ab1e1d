import type { JobForm } from "~/api/jobTypes";
import type { Options } from "~/api/types";

/** What every part of the form gets. */
export interface PartProps {
  form: JobForm;
  options: Options | undefined;
  /** Sentences by field, as the API names the fields. */
  problems: Record<string, string>;
  change: (change: Partial<JobForm>) => void;
}

/** An emptied text is no value. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text);
