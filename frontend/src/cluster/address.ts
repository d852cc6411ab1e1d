// The page's state is in the URL: it can be shared, and Back works.
import { useSearchParams } from "react-router-dom";

import type { QueueAsked } from "./api";
import type { NodeFilter } from "./snapshot";

export type View = "tiles" | "table" | "queue";

export interface Address {
  view: View;
  q: string;
  sort: string;
  partition: string;
  gpu: string;
  state: string;
  feature: string;
  jobs: QueueAsked["state"];
  mine: boolean;
  page: number;
  node: string | null;
  job: number | null;
}

const VIEWS: readonly View[] = ["tiles", "table", "queue"];
const STATES: readonly QueueAsked["state"][] = ["active", "running", "waiting", "ended"];

export function read(params: URLSearchParams): Address {
  const text = (name: string) => params.get(name) ?? "";
  return {
    view: VIEWS.find((view) => view === text("view")) ?? "tiles",
    q: text("q"),
    sort: text("sort"),
    partition: text("partition"),
    gpu: text("gpu"),
    state: text("state"),
    feature: text("feature"),
    jobs: STATES.find((state) => state === text("jobs")) ?? "active",
    mine: params.has("mine"),
    page: Math.max(1, Math.floor(Number(text("page"))) || 1),
    node: params.get("node"),
    job: /^\d{1,15}$/.test(text("job")) ? Number(text("job")) : null,
  };
}

export function write(address: Address): URLSearchParams {
  const { view, jobs, mine, page, node, job, ...texts } = address;
  const kept = Object.entries(texts).filter(([, value]) => value !== "");
  if (view !== "tiles") kept.push(["view", view]);
  if (jobs !== "active") kept.push(["jobs", jobs]);
  if (mine) kept.push(["mine", ""]);
  if (page > 1) kept.push(["page", `${page}`]);
  if (node !== null) kept.push(["node", node]);
  if (job !== null) kept.push(["job", `${job}`]);
  return new URLSearchParams(kept);
}

export type Change = (change: Partial<Address>) => void;

/** The URL state and its setters. Filters replace the history entry; another view or a panel pushes one. */
export function useAddress(): [Address, Change] {
  const [params, setParams] = useSearchParams();
  const change: Change = (news) => {
    const filters = !("view" in news || "node" in news || "job" in news);
    setParams((old) => write({ ...read(old), ...(filters && !("page" in news) ? { page: 1 } : {}), ...news }), {
      replace: filters,
      preventScrollReset: true,
    });
  };
  return [read(params), change];
}

export const nodeFilter = ({ q, partition, gpu, state, feature }: Address): NodeFilter => ({
  text: q,
  partition,
  gpuType: gpu,
  state,
  feature,
});

export const queueAsked = ({ q, partition, gpu, jobs, mine, page }: Address): QueueAsked => ({
  text: q,
  partition,
  gpuType: gpu,
  state: jobs,
  mine,
  page,
});
