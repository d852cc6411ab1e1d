// A report: where its figures come from, the lines over time, and the rows.
import { Skeleton, Table } from "@mantine/core";
import { Suspense, lazy, type ReactNode } from "react";

import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import classes from "./ReportView.module.css";
import { reportLines } from "./lines";
import { hours, keyOf, wait } from "./numbers";
import type { Figures, UsageReport } from "./queries";

const Chart = lazy(() => import("~/cluster/Chart"));
const words = strings.usage;

interface ReportViewProps {
  report: UsageReport | undefined;
  error: Error | null;
  onRetry: () => void;
  /** What stands between the lines and the rows. */
  children?: ReactNode;
}

export function ReportView({ report, error, onRetry, children }: ReportViewProps) {
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
          <strong>{words.failing}.</strong> {words.failingText(new Date(report.source.failing_since).toLocaleString(strings.locale))}
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
    <figure className={`card ${classes["figure"]}`}>
      <h2 className="section-title">{title}</h2>
      <Suspense fallback={<Skeleton className={classes["space"] ?? ""} />}>
        <div className={classes["space"]} aria-hidden="true">
          <Chart series={series} />
        </div>
      </Suspense>
      <figcaption className={classes["caption"]}>
        {series.lines.map(({ name, kind }) => (
          <span key={name}>
            <i data-kind={kind} aria-hidden="true" />
            {name}
          </span>
        ))}
        <span className={classes["summary"]}>
          {words.chartSummary(hours(total.gpu_hours), hours(total.gpu_hours_unused), hours(total.gpu_hours_unknown))}
        </span>
      </figcaption>
    </figure>
  );
}

const HEADS: { title: string; hover?: string }[] = [
  { title: words.heads.jobs },
  { title: words.heads.gpuHours },
  { title: words.heads.unused, hover: words.headTitles.unused },
  { title: words.heads.unknown, hover: words.headTitles.unknown },
  { title: words.heads.cpuHours },
  { title: words.heads.median, hover: words.headTitles.median },
  { title: words.heads.p95, hover: words.headTitles.p95 },
];

function Rows({ report }: { report: UsageReport }) {
  const name = words.bys[report.by];
  return (
    <div className={`card ${classes["frame"]}`} tabIndex={0} role="region" aria-label={`${words.table} ${name.toLowerCase()}`}>
      <Table className={classes["table"] ?? ""}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{name}</Table.Th>
            {HEADS.map(({ title, hover }) => (
              <Table.Th key={title} title={hover}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {report.rows.map((row) => (
            <Row key={row.key} name={keyOf(report.by, row.key)} figures={row} />
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Row name={words.total} figures={report.total} />
        </Table.Tfoot>
      </Table>
    </div>
  );
}

function Row({ name, figures }: { name: string; figures: Figures }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes["key"] ?? ""}>
        {name}
      </Table.Th>
      <Table.Td>{figures.jobs.toLocaleString(strings.locale)}</Table.Td>
      <Table.Td>
        <Split figures={figures} />
      </Table.Td>
      <Table.Td>{hours(figures.gpu_hours_unused)}</Table.Td>
      <Table.Td>{hours(figures.gpu_hours_unknown)}</Table.Td>
      <Table.Td>{hours(figures.cpu_hours)}</Table.Td>
      <Table.Td>{wait(figures.wait_median_s)}</Table.Td>
      <Table.Td>{wait(figures.wait_p95_s)}</Table.Td>
    </Table.Tr>
  );
}

/** GPU-hours with a bar of how they went: used, unused, unknown. The numbers beside say the same. */
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
