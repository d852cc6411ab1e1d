// What New job can begin with: nothing, a preset, a job of mine, a script from elsewhere.
import { BLANK, type Correction, type JobAgain, type JobForm, type JobPreset } from "~/api/jobTypes";
import type { Options } from "~/api/types";
import { typedOf } from "~/lib/path";
import { strings } from "~/strings/en";
import type { JobDraft } from "./draft";

export interface Beginning {
  /** A form alone: the script follows. A script alone: the form follows. */
  draft: Partial<JobDraft>;
  /** What it began with, in words; null for nothing or a kept draft. */
  from: string | null;
  corrections: Correction[];
  /** What it may lack here. */
  caution?: string | null;
}

export const NOTHING: Beginning = { draft: { form: BLANK }, from: null, corrections: [] };

export const ofPreset = ({ form, title, caution }: JobPreset): Beginning => ({ draft: { form }, from: strings.compose.preset(title), corrections: [], caution });

export const ofPasted = (script: string): Beginning => ({ draft: { script }, from: strings.compose.pasted, corrections: [] });

/** A script counts its paths from the folder it is in. */
export const ofFile = (path: string, script: string): Beginning => ({
  draft: { script, from: typedOf(path).folder },
  from: path,
  corrections: [],
});

export const ofJob = (id: string, { form, script, kept, workdir, corrections }: JobAgain): Beginning => ({
  draft: { form, script, kept, from: workdir },
  from: strings.compose.again(id),
  corrections,
});

/** What was not submitted the first time. */
export const ofSubmission = ({ form, script, kept, workdir }: JobAgain): Beginning => ({
  draft: { form, script, kept, from: workdir },
  from: strings.compose.unsent,
  corrections: [],
});

/** A form that leaves the choice of the partition to the site gets the site's own. */
export function completed({ form, ...rest }: Partial<JobDraft>, options: Options): Partial<JobDraft> {
  if (form === undefined || rest.script !== undefined) return form === undefined ? rest : { form, ...rest };
  return { ...rest, form: { ...form, partition: form.partition ?? usualPartition(options) } };
}

function usualPartition({ partitions, defaults }: Options): JobForm["partition"] {
  return defaults.resources?.partition ?? partitions.find((one) => one.default)?.name ?? null;
}
