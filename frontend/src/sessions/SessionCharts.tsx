// What a session used during its life, in small charts.
import { Skeleton } from "@mantine/core";

import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { DetailPanel } from "~/ui/Detail";
import { GpuTotals } from "~/ui/GpuTotals";
import { ProblemNote } from "~/ui/ProblemNote";
import { ChartFigure } from "~/ui/chart/ChartFigure";
import classes from "./SessionCharts.module.css";
import { lifeSummary, sessionLines } from "./lifeLines";
import { useSessionUse } from "./queries";

const words = strings.usage.life;

export function SessionCharts({ session }: { session: Session }) {
  const live = session.state === "ready";
  const { data, error, refetch } = useSessionUse(session.id, live);
  return (
    <DetailPanel id="life-title" title={words.title}>
      {data === undefined && error !== null && (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data?.items.length === 0 && <p className="quiet">{live ? words.empty : words.gone}</p>}
      {data !== undefined && data.items.length > 0 && (
        <div className={classes["charts"]}>
          {sessionLines(data).map((series) => (
            <ChartFigure key={series.lines[0]?.name} series={series} height={120} summary={lifeSummary(series)} />
          ))}
        </div>
      )}
      {data !== undefined && <GpuTotals data={data.gpus} power={false} />}
    </DetailPanel>
  );
}
