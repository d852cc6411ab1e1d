// What New job can start from: nothing, a preset, one of my jobs, a script from elsewhere.
import { BLANK, type Correction, type JobAgain, type JobForm, type JobPreset } from "~/api/jobTypes";
import type { Options } from "~/api/types";
import { typedOf } from "~/lib/path";
import { strings } from "~/strings/en";
import type { JobDraft } from "./draft";

export interface Beginning {
  /** A form alone: the script follows. A script alone: the form follows. */
  draft: Partial<JobDraft>;
  /** What it was started from, in words; null for nothing or a kept draft. */
  from: string | null;
  corrections: Correction[];
  /** What may be missing on this site. */
  caution?: string | null;
}

export const NOTHING: Beginning = { draft: { form: BLANK }, from: null, corrections: [] };

export const ofPreset = ({ form, title, caution }: JobPreset): Beginning => ({ draft: { form }, from: strings.compose.preset(title), corrections: [], caution });

/** `preset` for a person's own notebook, in the environment where it was open. */
export function ofNotebook(preset: JobPreset, { path, environment, gpus }: { path: string; environment: string | null; gpus: number }): Beginning {
  const file = path.slice(path.lastIndexOf("/") + 1);
  const env = preset.form.env.map((variable) => ({ ...variable, value: variable.name === "NOTEBOOK" ? path : variable.name === "PARAMETERS" ? "{}" : variable.value }));
  const form = { ...preset.form, name: file.replace(/\.ipynb$/, "") || preset.form.name, env, environment, gpus_per_node: gpus };
  return { ...ofPreset({ ...preset, form }), from: file };
}

export const ofPasted = (script: string): Beginning => ({ draft: { script }, from: strings.compose.pasted, corrections: [] });

/** Relative paths in a script start at the script's folder. */
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

/** A submission that failed the first time. */
export const ofSubmission = ({ form, script, kept, workdir }: JobAgain): Beginning => ({
  draft: { form, script, kept, from: workdir },
  from: strings.compose.unsent,
  corrections: [],
});

/** Fills in the site's own partition if the form leaves the choice to the site. */
export function completed({ form, ...rest }: Partial<JobDraft>, options: Options): Partial<JobDraft> {
  if (form === undefined || rest.script !== undefined) return form === undefined ? rest : { form, ...rest };
  return { ...rest, form: { ...form, partition: form.partition ?? usualPartition(options) } };
}

function usualPartition({ partitions, defaults }: Options): JobForm["partition"] {
  return defaults.resources?.partition ?? partitions.find((partition) => partition.default)?.name ?? null;
}
