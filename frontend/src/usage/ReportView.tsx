// A report: its sources, the lines over time, and the rows.
import { Skeleton, Table } from "@mantine/core";
import type { ReactNode } from "react";

import { hours } from "~/lib/numbers";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { DataTable, NumberCell, type Head } from "~/ui/DataTable";
import { Empty } from "~/ui/Empty";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import { ChartFigure } from "~/ui/chart/ChartFigure";
import classes from "./ReportView.module.css";
import { reportLines } from "./lines";
import { keyOf, wait } from "./numbers";
import type { Figures, UsageReport } from "./queries";

const words = strings.usage;

interface ReportViewProps {
  report: UsageReport | undefined;
  error: Error | null;
  onRetry: () => void;
  /** Content between the lines and the rows. */
  children?: ReactNode;
}

export function ReportView({ report, error, onRetry, children }: ReportViewProps) {
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
      {!nothing && <Rows report={report} />}
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

const FIGURES: Head[] = [
  { title: words.heads.jobs },
  { title: words.heads.gpuHours },
  { title: words.heads.unused, hover: words.headTitles.unused },
  { title: words.heads.unknown, hover: words.headTitles.unknown },
  { title: words.heads.cpuHours },
  { title: words.heads.median, hover: words.headTitles.median },
  { title: words.heads.p95, hover: words.headTitles.p95 },
].map((head) => ({ ...head, number: true }));

function Rows({ report }: { report: UsageReport }) {
  const name = words.bys[report.by];
  return (
    <DataTable label={`${words.table} ${name.toLowerCase()}`} heads={[{ title: name }, ...FIGURES]} foot={<Row name={words.total} figures={report.total} />}>
      {report.rows.map((row) => (
        <Row key={row.key} name={keyOf(report.by, row.key)} figures={row} />
      ))}
    </DataTable>
  );
}

function Row({ name, figures }: { name: string; figures: Figures }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes["key"] ?? ""}>
        {name}
      </Table.Th>
      <NumberCell>{figures.jobs.toLocaleString(strings.locale)}</NumberCell>
      <NumberCell>
        <Split figures={figures} />
      </NumberCell>
      <NumberCell>{hours(figures.gpu_hours_unused)}</NumberCell>
      <NumberCell>{hours(figures.gpu_hours_unknown)}</NumberCell>
      <NumberCell>{hours(figures.cpu_hours)}</NumberCell>
      <NumberCell>{wait(figures.wait_median_s)}</NumberCell>
      <NumberCell>{wait(figures.wait_p95_s)}</NumberCell>
    </Table.Tr>
  );
}

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
