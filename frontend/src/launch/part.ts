import type { Draft } from "~/api/sessionDraft";
import type { Options } from "~/api/types";
import type { View } from "./view";

/** The props of every section of the form. */
export interface PartProps {
  draft: Draft;
  options: Options;
  view: View;
  /** Messages by field, as the API names the fields. */
  problems: Record<string, string>;
  /** Warnings by field; they do not block the request. */
  warnings: Record<string, string>;
  change: (change: Partial<Draft>) => void;
}
