// What a session used over its life, in small charts.
import { Skeleton } from "@mantine/core";
import { Suspense, lazy } from "react";

import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./SessionCharts.module.css";
import { lifeSummary, sessionLines } from "./lines";
import { useSessionUse } from "./queries";

const Chart = lazy(() => import("~/cluster/Chart"));
const words = strings.usage.life;

export function SessionCharts({ session }: { session: Session }) {
  const live = session.state === "ready";
  const { data, error, refetch } = useSessionUse(session.id, live);
  return (
    <section className={`card ${classes["panel"]}`} aria-labelledby="life-title">
      <h2 className="section-title" id="life-title">
        {words.title}
      </h2>
      {data === undefined && error !== null && (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Skeleton height={120} />}
      {data?.items.length === 0 && <p className={`quiet ${classes["none"]}`}>{live ? words.empty : words.gone}</p>}
      {data !== undefined && data.items.length > 0 && (
        <div className={classes["charts"]}>
          {sessionLines(data).map((series) => (
            <figure key={series.lines[0]?.name} className={classes["figure"]}>
              <Suspense fallback={<Skeleton className={classes["space"] ?? ""} />}>
                <div className={classes["space"]} aria-hidden="true">
                  <Chart series={series} />
                </div>
              </Suspense>
              <figcaption className="quiet small">{lifeSummary(series)}</figcaption>
            </figure>
          ))}
        </div>
      )}
    </section>
  );
}
