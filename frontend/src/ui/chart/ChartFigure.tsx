// Lines over time with a legend and a summary sentence. The chart library loads with the first chart.
import { Skeleton } from "@mantine/core";
import { Suspense, lazy } from "react";

import classes from "./ChartFigure.module.css";
import type { Series } from "./series";

const Chart = lazy(() => import("./Chart"));

interface ChartFigureProps {
  series: Series;
  height: number;
  summary: string;
}

export function ChartFigure({ series, height, summary }: ChartFigureProps) {
  return (
    <figure className={classes["figure"]}>
      <Suspense fallback={<Skeleton height={height} />}>
        <div style={{ height }} aria-hidden="true">
          <Chart series={series} />
        </div>
      </Suspense>
      <figcaption className={classes["caption"]}>
        {series.lines.length > 1 &&
          series.lines.map(({ name, kind }) => (
            <span key={name}>
              <i data-kind={kind} aria-hidden="true" />
              {name}
            </span>
          ))}
        <span>{summary}</span>
      </figcaption>
    </figure>
  );
}
