// Sentences about a session that more than one page shows.
import type { Resources, Session } from "~/api/types";
import { gb } from "~/lib/size";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { siteWords } from "./siteAsked";

/** `2 × V100 · 16 cores · 96 GB`. */
export function compactResources(resources: Resources): string {
  const words = strings.resources;
  const each = words.compact(
    words.gpus(resources.gpus, resources.gpu_type, resources.shards, resources.mps_percent),
    words.cores(resources.cpus),
    gb(resources.memory_mib),
  );
  return resources.nodes > 1 ? `${words.nodes(resources.nodes)} × (${each})` : each;
}

/** `2 × V100, 16 cores, 96 GB for 8 h on sxm2`: the portal's own summary, shown until its check returns. */
export function summaryOf(resources: Resources): string {
  return strings.resources.summary({
    nodes: resources.nodes,
    gpus: strings.resources.gpus(resources.gpus, resources.gpu_type, resources.shards, resources.mps_percent),
    cores: strings.resources.cores(resources.cpus),
    memory: gb(resources.memory_mib),
    more: siteWords(resources),
    time: span(resources.walltime_s),
    partition: resources.partition,
  });
}

/** `PyTorch 2.13`: a session's environment with its version; an image by the reference under which it can be found. */
export function environmentOf(session: Session): string {
  const { environment_title: title, environment_version: version, image } = session;
  const named = version === null || title.endsWith(version) ? title : `${title} ${version}`;
  const reference = image?.reference?.replace(/^docker:\/\//, "");
  return reference === undefined || named.includes(reference) ? named : `${named} · ${reference}`;
}

/** A session's mean GPU use in percent; null if none has been reported. */
export function meanGpuUse({ usage }: Pick<Session, "usage">): number | null {
  const known = (usage?.gpus ?? []).map((gpu) => gpu.utilization).filter((value) => value != null);
  return known.length === 0 ? null : Math.round(known.reduce((sum, value) => sum + value, 0) / known.length);
}
