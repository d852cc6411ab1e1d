// My batch jobs, pending, running and ended; filter, order, scope and the open job are in the URL.
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { PlusIcon } from "@primer/octicons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";

import type { JobsFilter } from "~/api/jobKeys";
import { jobReads } from "~/api/jobs";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { FilterField } from "~/ui/FilterField";
import { PageButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { PartLinks } from "~/ui/PartLinks";
import { BulkBar } from "./BulkBar";
import { JobPanel } from "./JobPanel";
import { JobsList } from "./JobsList";
import classes from "./JobsPage.module.css";
import { Submissions } from "./Submissions";
import type { Target } from "./actions";
import { SCOPES, addressOf, scopeOf } from "./scopes";
import { readOrder, writeOrder } from "./sort";
import { useSelection } from "./useSelection";

const words = strings.jobs;
const TYPING_PAUSE_MS = 250;
const WIDE = "(min-width: 1000px)";

export default function JobsPage() {
  const [params, setParams] = useSearchParams();
  const selection = useSelection();
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const scope = scopeOf(params);
  const typed = params.get("q") ?? "";
  const [query] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const filter = { scope, query: query.trim() };
  const targets = useAsTheyAre(selection.targets, filter);
  const opened = wide ? params.get("job") : null;
  const change = (name: string, value: string, push = false) => {
    const next = new URLSearchParams(params);
    if (value === "") next.delete(name);
    else next.set(name, value);
    setParams(next, { replace: !push, preventScrollReset: true });
  };
  return (
    <Page
      title={words.title}
      wide
      actions={
        <>
          <FilterField className={classes["filter"]} label={words.filter} value={typed} onChange={(text) => change("q", text)} />
          <PageButton to={pages.newJob()} leftSection={<PlusIcon />}>
            {words.newJob}
          </PageButton>
        </>
      }
    >
      <Submissions />
      <PartLinks
        label={words.scopes.label}
        parts={SCOPES.map((one) => ({ to: addressOf(one, params), title: words.scopes[one], here: one === scope }))}
      />
      <div className={classes["columns"]} data-panel={opened !== null || undefined}>
        <JobsList
          filter={filter}
          order={readOrder(params.get("sort"))}
          onOrder={(order) => change("sort", writeOrder(order))}
          selection={selection}
          opened={opened}
          {...(wide ? { onOpen: (id: string) => change("job", id, true) } : {})}
        />
        {opened !== null && <JobPanel key={opened} id={opened} onClose={() => change("job", "")} />}
      </div>
      {selection.targets.length > 0 && <BulkBar selection={selection} targets={targets} />}
    </Page>
  );
}

/** The selected jobs in their current state: one that waited when selected may be running now. */
function useAsTheyAre(selected: readonly Target[], filter: JobsFilter): readonly Target[] {
  const { data } = useInfiniteQuery(jobReads.list(filter));
  const rows = new Map(data?.pages.flatMap(({ items }) => items).map((row) => [row.id, row]));
  return selected.map((target) => rows.get(target.id) ?? target);
}
