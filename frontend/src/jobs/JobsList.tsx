// The list when loading, empty, filled or failed; a banner above every page reports stale data.
import { Button, Skeleton } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "react-router-dom";

import type { JobsFilter } from "~/api/jobKeys";
import { jobReads } from "~/api/jobs";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { PageButton } from "~/ui/LinkButton";
import { ProblemNote } from "~/ui/ProblemNote";
import { JobTable, type JobTableProps } from "./JobTable";
import { JobsAnnouncer } from "./JobsAnnouncer";

const words = strings.jobs;

type JobsListProps = Omit<JobTableProps, "rows"> & { filter: JobsFilter };

export function JobsList({ filter, ...table }: JobsListProps) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(jobReads.list(filter));
  // Of equal ones the newest comes first.
  const rows = useMemo(() => data?.pages.flatMap((page) => page.items).sort((a, b) => Number(b.id) - Number(a.id)), [data]);
  if (rows === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <ListSkeleton />;
  }
  return (
    <div>
      <JobsAnnouncer rows={rows} />
      {rows.length === 0 ? <NoJobs filter={filter} /> : <JobTable rows={rows} {...table} />}
      {hasNextPage && (
        <Button variant="default" mt="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.older}
        </Button>
      )}
    </div>
  );
}

function NoJobs({ filter: { scope, query } }: { filter: JobsFilter }) {
  if (query !== "") {
    return (
      <Empty>
        <p>{words.filterNone(query)}</p>
      </Empty>
    );
  }
  if (scope === "ended") {
    return (
      <Empty>
        <p>{words.emptyEnded}</p>
      </Empty>
    );
  }
  return (
    <Empty title={words.emptyActive}>
      <p>{words.emptyText}</p>
      <PageButton to={pages.newJob()} mt="md">
        {words.newJob}
      </PageButton>
      {scope === "active" && (
        <p style={{ marginTop: "var(--dsp-3)" }}>
          <Link to={pages.jobs(new URLSearchParams({ state: "ended" }))}>{words.emptySeeEnded}</Link>
        </p>
      )}
    </Empty>
  );
}

function ListSkeleton() {
  return (
    <div className="card" role="status" aria-label={words.loading} style={{ padding: "var(--dsp-3) var(--dsp-4)" }}>
      {[0, 1, 2, 3].map((index) => (
        <div key={index} style={{ padding: "var(--dsp-2) 0" }}>
          <Skeleton height={14} width="40%" my={3} />
          <Skeleton height={12} width="64%" my={4} />
        </div>
      ))}
    </div>
  );
}
