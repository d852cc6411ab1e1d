// Offers the memory that fits what the last sessions of this app and environment used; never by itself.
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { gb } from "~/lib/size";
import { strings } from "~/strings/en";
import classes from "./FitNote.module.css";
import type { PartProps } from "./part";

export function FitNote({ view, change }: PartProps) {
  const app = view.app?.name;
  const environment = view.environment?.name;
  const { data } = useQuery({
    queryKey: ["last-use", app, environment],
    queryFn: () =>
      answer(() => client.GET("/usage/last", { params: { query: { app: app ?? "", environment: environment ?? "" } } })),
    enabled: app !== undefined && environment !== undefined,
    staleTime: 60_000,
    retry: false,
  });
  const fit = data?.fit ?? null;
  if (fit === null || fit.memory_mib * 2 > view.resources.memory_mib) return null;
  return (
    <p className={classes["note"]}>
      <span>{strings.launch.fit(fit.sessions, gb(fit.peak_mib), gb(view.resources.memory_mib))}</span>
      <Button size="xs" variant="default" onClick={() => change({ memoryMib: fit.memory_mib })}>
        {strings.launch.fitTake(gb(fit.memory_mib))}
      </Button>
    </p>
  );
}
