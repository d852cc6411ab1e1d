import type { Draft } from "~/api/sessionDraft";
import type { Options } from "~/api/types";
import type { View } from "./view";

/** What every section of the form gets. */
export interface PartProps {
  draft: Draft;
  options: Options;
  view: View;
  /** Sentences by field, as the API names the fields. */
  problems: Record<string, string>;
  /** What had better be looked at, by field; nothing is refused for it. */
  warnings: Record<string, string>;
  change: (change: Partial<Draft>) => void;
}
