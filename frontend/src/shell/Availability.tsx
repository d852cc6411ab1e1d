// "GPUs free 9/16" for the whole cluster, live; mine are highlighted.
import { useActiveSessions, useOptions, useSite } from "~/api/queries";
import type { ClusterGpus } from "~/api/types";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { GpuCells } from "~/ui/GpuCells";
import { heldGpus, poolCells, poolLabel, type Pool } from "~/ui/cells";
import classes from "./Availability.module.css";

export function Availability() {
  const options = useOptions().data;
  const sessions = useActiveSessions().data?.items ?? [];
  const slurm = useSite().data?.slurm;
  const now = useNow(60);
  if (options === undefined) return <span className={classes["availability"]} aria-hidden="true" />;
  const pool = wholeCluster(options.gpus);
  if (pool.total === 0) return null;
  const stale = slurm?.state === "down" && options.as_of !== null;
  const mine = heldGpus(sessions);
  return (
    <span className={classes["availability"]} data-stale={stale || undefined}>
      <span>
        <span className={classes["words"]}>{strings.nav.gpusFree} </span>
        <strong>
          {pool.free}/{pool.total}
        </strong>
        {stale && <span className={classes["asof"]}> {strings.live.asOf(clock(options.as_of ?? "", now))}</span>}
      </span>
      <GpuCells cells={poolCells(pool, mine)} label={poolLabel(pool, mine)} />
    </span>
  );
}

export function wholeCluster(gpus: readonly ClusterGpus[]): Pool {
  return gpus.reduce(
    (sum, pool) => ({
      total: sum.total + pool.total,
      free: sum.free + pool.free,
      reserved: sum.reserved + pool.reserved,
      down: sum.down + pool.down,
    }),
    { total: 0, free: 0, reserved: 0, down: 0 },
  );
}
