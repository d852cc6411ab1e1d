// "9 of 16 GPUs free" for the whole cluster, live; mine are highlighted. Leads to Cluster.
import { Link } from "react-router-dom";

import { useActiveSessions, useOptions, useSite } from "~/api/queries";
import type { ClusterGpus } from "~/api/types";
import { clock } from "~/lib/time";
import { useNow } from "~/lib/useNow";
import { pages } from "~/paths";
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
  if (pool.total === 0 && options.as_of !== null) return null;
  const stale = slurm?.state === "down" && options.as_of !== null;
  const mine = heldGpus(sessions);
  const label = poolLabel(pool, mine);
  return (
    <Link
      to={pages.cluster()}
      className={classes["availability"]}
      data-stale={stale || undefined}
      {...(pool.total > 0 && { "aria-label": label })}
    >
      {pool.total === 0 ? (
        <span>{strings.nav.freeUnknown}</span>
      ) : (
        <>
          <span>
            <strong>{strings.nav.free(pool.free, pool.total)}</strong> {strings.nav.gpusFree}
            {stale && <span className={classes["asof"]}> {strings.live.asOf(clock(options.as_of ?? "", now))}</span>}
          </span>
          <span className={classes["cells"]}>
            <GpuCells cells={poolCells(pool, mine)} label={label} />
          </span>
        </>
      )}
    </Link>
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
