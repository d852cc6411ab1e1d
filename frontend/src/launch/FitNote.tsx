// Offers the memory that would fit, going by the last similar sessions; it changes nothing by itself.
import { useQuery } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import { Offer } from "~/ui/Offer";
import type { PartProps } from "./part";

const words = strings.launch;

export function FitNote({ draft: { template, preset }, view, change }: PartProps) {
  const app = view.app?.name;
  const environment = view.environment?.name;
  const { data } = useQuery({
    queryKey: ["last-use", app, environment, template, preset],
    queryFn: () =>
      answer(() => client.GET("/usage/last", { params: { query: { app: app ?? "", environment: environment ?? "", template, preset } } })),
    enabled: app !== undefined && environment !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  const fit = data?.fit ?? null;
  if (fit === null || fit.memory_mib * 2 > view.resources.memory_mib) return null;
  return (
    <Offer
      why={words.fit(fit.sessions, words.fitBy[fit.by], gb(fit.peak_mib), gb(view.resources.memory_mib))}
      take={words.fitTake(gb(fit.memory_mib))}
      onTake={() => change({ memoryMib: fit.memory_mib })}
    />
  );
}
