import type { Template } from "~/api/types";

export interface GalleryFilter {
  q: string;
  framework: string | null;
  task: string | null;
}

/** The filter values, in the gallery's own order. */
export function choicesOf(templates: readonly Template[], by: "framework" | "task"): string[] {
  return [...new Set(templates.map((template) => template[by]))];
}

export function shownOf(templates: readonly Template[], { q, framework, task }: GalleryFilter): Template[] {
  const words = q.toLowerCase().split(/\s+/);
  return templates.filter((template) => {
    const text = [template.title, template.framework, template.description, template.task].join(" ").toLowerCase();
    return (
      (framework === null || template.framework === framework) &&
      (task === null || template.task === task) &&
      words.every((word) => text.includes(word))
    );
  });
}

/** Those that run here, those that lack something, and those of old frameworks that lack something. */
export function partsOf(templates: readonly Template[]): Record<"here" | "lacking" | "old", Template[]> {
  const missing = templates.filter(({ available }) => !available);
  return {
    here: templates.filter(({ available }) => available),
    lacking: missing.filter(({ old }) => !old),
    old: missing.filter(({ old }) => old),
  };
}
