import type { JobForm } from "~/api/jobTypes";
import type { Options } from "~/api/types";

/** The props of every part of the form. */
export interface PartProps {
  form: JobForm;
  options: Options | undefined;
  /** Messages by field, as the API names the fields. */
  problems: Record<string, string>;
  change: (change: Partial<JobForm>) => void;
}

/** A cleared text counts as null. */
export const orNull = (text: string): string | null => (text.trim() === "" ? null : text);
