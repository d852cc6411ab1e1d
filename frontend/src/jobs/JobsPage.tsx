// My batch jobs, pending, running and ended; filter, order, scope and the open job are in the URL.
import { useMediaQuery } from "@mantine/hooks";
import { PlusIcon } from "@primer/octicons-react";
import { useInfiniteQuery } from "@tanstack/react-query";

import type { JobsFilter } from "~/api/jobKeys";
import { jobReads } from "~/api/jobs";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { FilterField } from "~/ui/FilterField";
import { PageButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { PartLinks } from "~/ui/PartLinks";
import { useSelection } from "~/ui/table/useSelection";
import { useAddress, useSettled } from "~/ui/useAddress";
import { BulkBar } from "./BulkBar";
import { JobPanel } from "./JobPanel";
import { JobsList } from "./JobsList";
import classes from "./JobsPage.module.css";
import { Submissions } from "./Submissions";
import type { Target } from "./actions";
import { ADDRESS, SCOPES, addressOf } from "./address";

const words = strings.jobs;
const WIDE = "(min-width: 1000px)";
const idOf = ({ id }: Target) => id;

export default function JobsPage() {
  const [params, change] = useAddress(ADDRESS);
  const selection = useSelection(idOf);
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const filter = { scope: params.state, query: useSettled(params.q).trim() };
  const targets = useAsTheyAre(selection.chosen, filter);
  const opened = wide ? params.job : "";
  return (
    <Page
      title={words.title}
      actions={
        <>
          <FilterField className={classes["filter"]} label={words.filter} value={params.q} onChange={(q) => change({ q })} />
          <PageButton to={pages.newJob()} leftSection={<PlusIcon />}>
            {words.newJob}
          </PageButton>
        </>
      }
    >
      <Submissions />
      <PartLinks
        label={words.scopes.label}
        parts={SCOPES.map((state) => ({ to: addressOf({ ...params, state }), title: words.scopes[state], here: state === params.state }))}
      />
      <div className={classes["columns"]} data-panel={opened !== "" || undefined}>
        <JobsList
          filter={filter}
          sort={params.sort}
          onSort={(sort) => change({ sort })}
          selection={selection}
          opened={opened}
          {...(wide && { onOpen: (job: string) => change({ job }, true) })}
        />
        {opened !== "" && <JobPanel key={opened} id={opened} onClose={() => change({ job: "" })} />}
      </div>
      {selection.chosen.length > 0 && <BulkBar selection={selection} targets={targets} />}
    </Page>
  );
}

/** The selected jobs in their current state: one that waited when selected may be running now. */
function useAsTheyAre(selected: readonly Target[], filter: JobsFilter): readonly Target[] {
  const { data } = useInfiniteQuery(jobReads.list(filter));
  const rows = new Map(data?.pages.flatMap(({ items }) => items).map((row) => [row.id, row]));
  return selected.map((target) => rows.get(target.id) ?? target);
}
