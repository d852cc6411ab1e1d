// The Cluster page: totals, nodes as tiles or as a table, the queue, and details in a side panel.
import { Skeleton } from "@mantine/core";
import { useCallback } from "react";

import { useSite } from "~/api/queries";
import type { ClusterSnapshot } from "~/api/types";
import { clock, relative } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { CellLegend } from "./CellLegend";
import classes from "./ClusterPage.module.css";
import { Filters } from "./Filters";
import { HistoryPanel } from "./HistoryPanel";
import { JobPanel } from "./JobPanel";
import { NodeMap } from "./NodeMap";
import { NodePanel } from "./NodePanel";
import { NodeTable } from "./NodeTable";
import { QueueView } from "./QueueView";
import { Totals } from "./Totals";
import { ViewSwitch } from "./ViewSwitch";
import { nodeFilter, useAddress, type Address, type Change } from "./address";
import { SHARED, filtered, groupsOf, totalsOf, type Mine } from "./snapshot";
import { useSnapshot, type Live } from "./useSnapshot";

const words = strings.cluster;

export default function ClusterPage() {
  const live = useSnapshot();
  const [address, change] = useAddress();
  const { node, job } = address;
  const close = useCallback(() => change({ node: null, job: null }), [change]);
  return (
    <Page title={words.title} lead={<Age live={live} />} actions={<ViewSwitch view={address.view} change={change} />}>
      <Body live={live} address={address} change={change} />
      {node !== null && <NodePanel key={node} name={node} snapshot={live.snapshot} mine={live.mine} onClose={close} onJob={(id) => change({ job: id, node: null })} />}
      {job !== null && <JobPanel key={job} id={job} onClose={close} onNode={(name) => change({ node: name, job: null })} />}
    </Page>
  );
}

/** The age of the data, and a plain message if it cannot be refreshed. */
function Age({ live: { asOf, lostSince } }: { live: Live }) {
  const slurm = useSite().data?.slurm;
  const now = useNow(5);
  if (slurm?.state === "down") {
    return <span className={classes["stale"]}>{words.stale(clock(asOf ?? slurm.since ?? new Date(now).toISOString(), now))}</span>;
  }
  if (lostSince !== null) return <span className={classes["stale"]}>{words.notLive(clock(new Date(lostSince).toISOString(), now))}</span>;
  if (asOf === null) return <span>{words.loading}</span>;
  return <span>{words.live(relative(asOf, now))}</span>;
}

function Body({ live, address, change }: { live: Live; address: Address; change: Change }) {
  const { snapshot, mine, error, retry } = live;
  if (snapshot === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={retry} />;
    return (
      <div aria-busy="true" aria-label={words.loading} className={classes["skeletons"]}>
        <Skeleton height={92} />
        <Skeleton height={40} />
        <Skeleton height={320} />
      </div>
    );
  }
  return <Full snapshot={snapshot} mine={mine} address={address} change={change} />;
}

interface FullProps {
  snapshot: ClusterSnapshot;
  mine: Mine;
  address: Address;
  change: Change;
}

function Full({ snapshot, mine, address, change }: FullProps) {
  const { view } = address;
  const nodes = filtered(snapshot, view === "queue" ? { ...nodeFilter(address), text: "" } : nodeFilter(address), mine);
  const all = nodes.length === snapshot.nodes.length;
  const open = (name: string) => change({ node: name, job: null });
  return (
    <>
      <Totals totals={totalsOf(nodes, snapshot.kinds, mine)} title={all ? words.totals.title : words.totals.filtered} />
      <HistoryPanel />
      <Filters snapshot={snapshot} address={address} change={change} shown={nodes.length} />
      {view !== "queue" && nodes.length > 0 && <CellLegend shared={nodes.some(({ gpus }) => gpus.includes(SHARED))} />}
      {view === "queue" ? (
        <QueueView address={address} change={change} queue={snapshot.queue} />
      ) : nodes.length === 0 ? (
        <Empty>
          <p>{snapshot.nodes.length === 0 ? words.empty : words.none}</p>
        </Empty>
      ) : view === "table" ? (
        <NodeTable nodes={nodes} kinds={snapshot.kinds} mine={mine} onOpen={open} opened={address.node} sort={address.sort} onSort={(sort) => change({ sort })} />
      ) : (
        <NodeMap
          groups={groupsOf(snapshot, nodes)}
          kinds={snapshot.kinds}
          mine={mine}
          noName={snapshot.group_by === "rack" ? words.noRack : words.noPartition}
          onOpen={open}
          opened={address.node}
        />
      )}
    </>
  );
}
