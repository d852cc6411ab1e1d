// What a session used during its life, in small charts over all of it.
import { Skeleton } from "@mantine/core";
import { useMemo } from "react";

import type { Session } from "~/api/types";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { DetailPanel } from "~/ui/Detail";
import { GpuTotals } from "~/ui/GpuTotals";
import { ProblemNote } from "~/ui/ProblemNote";
import { ChartFigure } from "~/ui/chart/ChartFigure";
import classes from "./SessionCharts.module.css";
import { lifeOf, lifeSummary, sessionLines } from "./lifeLines";
import { useSessionUse } from "./queries";

const words = strings.usage.life;

export function SessionCharts({ session }: { session: Session }) {
  const live = session.state === "ready";
  const { data, error, refetch } = useSessionUse(session.id, live);
  const now = useNow(60);
  const { started_at, ended_at } = session;
  const lines = useMemo(() => (data === undefined ? [] : sessionLines(data, lifeOf(started_at, ended_at, now))), [data, started_at, ended_at, now]);
  if (!live && data?.items.length === 0) return null;
  return (
    <DetailPanel id="life-title" title={words.title}>
      {data === undefined && error !== null && (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data?.items.length === 0 && <p className="quiet">{words.empty}</p>}
      {lines.length > 0 && (
        <div className={classes["charts"]}>
          {lines.map((series) => (
            <ChartFigure key={series.lines[0]?.name} series={series} height={120} summary={lifeSummary(series)} />
          ))}
        </div>
      )}
      {data !== undefined && <GpuTotals data={data.gpus} power={false} problems={!live} />}
    </DetailPanel>
  );
}
