// A report: its sources, the lines over time, and the rows.
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";

import { hours } from "~/lib/numbers";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { energy, weight } from "~/ui/GpuTotals";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import { ChartFigure } from "~/ui/chart/ChartFigure";
import { DataTable, type Column } from "~/ui/table/DataTable";
import classes from "./ReportView.module.css";
import { reportLines } from "./lines";
import { keyOf, wait } from "./numbers";
import type { Figures, UsageReport } from "./queries";

const words = strings.usage;

interface ReportViewProps {
  report: UsageReport | undefined;
  error: Error | null;
  onRetry: () => void;
  /** The order of the rows, as the URL has it. */
  sort: string;
  onSort: (sort: string) => void;
  /** Content between the lines and the rows. */
  children?: ReactNode;
}

export function ReportView({ report, error, onRetry, sort, onSort, children }: ReportViewProps) {
  const now = useNow(60);
  if (report === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={onRetry} />;
    return (
      <div className={classes["stack"]} aria-busy="true">
        <Skeleton height={220} />
        <Skeleton height={200} />
      </div>
    );
  }
  const nothing = report.rows.length === 0;
  return (
    <div className={classes["stack"]}>
      {report.source.failing_since !== null && (
        <p className={classes["stale"]} role="status">
          <strong>{words.failing}.</strong> {words.failingText(clock(report.source.failing_since, now))}
        </p>
      )}
      {nothing ? (
        <Empty>
          <p>{words.nothing}</p>
        </Empty>
      ) : (
        <Lines report={report} />
      )}
      {children}
      {!nothing && (
        <DataTable
          label={`${words.table} ${words.bys[report.by].toLowerCase()}`}
          rows={report.rows}
          idOf={({ key }) => key}
          columns={columnsOf(report)}
          sort={sort}
          onSort={onSort}
        />
      )}
      <Source report={report} />
    </div>
  );
}

function Lines({ report }: { report: UsageReport }) {
  const series = reportLines(report);
  const { total } = report;
  const title = words.chart(total.gpu_hours > 0, words.steps[report.step]);
  return (
    <section className={`card ${classes["lines"]}`} aria-label={title}>
      <h2 className="section-title">{title}</h2>
      <ChartFigure
        series={series}
        height={180}
        summary={words.chartSummary(hours(total.gpu_hours), hours(total.gpu_hours_unused), hours(total.gpu_hours_unknown))}
      />
    </section>
  );
}

const columnsOf = ({ by, total }: UsageReport): Column<UsageReport["rows"][number]>[] => {
  const figure = (
    id: keyof typeof words.heads,
    value: (figures: Figures) => number | null,
    show: (figures: Figures) => ReactNode,
    hover?: string,
  ) => ({
    id,
    header: words.heads[id],
    value,
    cell: show,
    footer: show(total),
    kind: "number" as const,
    downFirst: true,
    ...(hover !== undefined && { hover }),
  });
  return [
    { id: "key", header: words.bys[by], value: ({ key }) => key, cell: ({ key }) => <span className={classes["key"]}>{keyOf(by, key)}</span>, footer: words.total },
    figure("jobs", ({ jobs }) => jobs, ({ jobs }) => jobs.toLocaleString(strings.locale)),
    figure("gpuHours", (figures) => figures.gpu_hours, (figures) => <Split figures={figures} />),
    figure("unused", (figures) => figures.gpu_hours_unused, (figures) => hours(figures.gpu_hours_unused), words.headTitles.unused),
    figure("unknown", (figures) => figures.gpu_hours_unknown, (figures) => hours(figures.gpu_hours_unknown), words.headTitles.unknown),
    figure("cpuHours", (figures) => figures.cpu_hours, (figures) => hours(figures.cpu_hours)),
    ...(total.energy_kwh > 0 ? [figure("energy", (figures) => figures.energy_kwh, (figures) => energy(figures.energy_kwh * 1000), words.headTitles.energy)] : []),
    ...(total.co2_kg !== null && total.energy_kwh > 0
      ? [figure("co2", (figures) => figures.co2_kg, (figures) => weight((figures.co2_kg ?? 0) * 1000), words.headTitles.co2)]
      : []),
    figure("median", (figures) => figures.wait_median_s, (figures) => wait(figures.wait_median_s), words.headTitles.median),
    figure("p95", (figures) => figures.wait_p95_s, (figures) => wait(figures.wait_p95_s), words.headTitles.p95),
  ];
};

/** GPU-hours with a bar of how they split: used, unused, unknown. The numbers beside it say the same. */
function Split({ figures }: { figures: Figures }) {
  const part = (value: number) => ({ width: `${figures.gpu_hours === 0 ? 0 : (100 * value) / figures.gpu_hours}%` });
  return (
    <span className={classes["split"]}>
      {hours(figures.gpu_hours)}
      <span className={classes["track"]} aria-hidden="true">
        <i data-kind="used" style={part(figures.gpu_hours_used)} />
        <i data-kind="unused" style={part(figures.gpu_hours_unused)} />
      </span>
    </span>
  );
}

function Source({ report }: { report: UsageReport }) {
  const { source } = report;
  const first = source.since === null ? null : source.since.slice(0, 10);
  return (
    <p className={`quiet ${classes["source"]}`}>
      {source.text}{" "}
      {source.read_to !== null && (
        <>
          {words.readTo} <Time at={source.read_to} />.{" "}
        </>
      )}
      {first !== null && first > report.first && `${words.since(first)} `}
      {words.utc} {report.by === "group" && words.groupsNote} {report.more > 0 && words.more(report.more)}
    </p>
  );
}
