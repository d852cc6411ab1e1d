// How many GPUs, of which type, how many are free now, and what comes with them.
import { Button } from "@mantine/core";
import { LinkIcon, UnlinkIcon } from "@primer/octicons-react";

import type { GpuPool, Policy } from "~/api/types";
import { strings } from "~/strings/en";
import { Choice } from "~/ui/Choice";
import { GpuCells } from "~/ui/GpuCells";
import { Memory } from "~/ui/Memory";
import { Field, marked } from "~/ui/Section";
import { Stepper } from "~/ui/Stepper";
import { poolCells, poolLabel, type Pool } from "~/ui/cells";
import classes from "./GpuField.module.css";
import type { PartProps } from "./part";
import { gpuTypeLabel } from "./gpuType";
import { whyFollows } from "./view";

const words = strings.launch;

export function GpuField(props: PartProps) {
  const { draft, options, view, problems, change } = props;
  const { gpus, nodes } = view.resources;
  const partition = view.partition?.name ?? "";
  const missing = view.partition === undefined ? words.noPartition(draft.partition ?? "") : null;
  const types = view.partition?.gpus ?? [];
  const choosesType = types.length > 1 && (gpus > 0 || view.resources.shards + view.resources.mps_percent > 0);
  const most = mostGpus(view.mostGpus, options.policy);
  const limited = most < view.mostGpus;
  const limit = missing ?? (limited ? gpuLimit(options.policy) : words.nodeLimit(view.mostGpus, partition));
  return (
    <>
      <Field
        label={nodes > 1 ? `${words.gpus} ${words.perNode}` : words.gpus}
        hint={missing ?? (view.mostGpus === 0 ? words.noGpus(partition) : `${gpuLimit(options.policy)} ${words.nodeLimit(view.mostGpus, partition)}`)}
        problem={problems["gpus"] ?? (choosesType ? undefined : problems["gpu_memory_gb"])}
      >
        <div className={classes["line"]}>
          <Stepper
            label={words.gpus}
            value={gpus}
            most={most}
            fewer={words.fewerGpus}
            more={words.moreGpus}
            moreRefused={limit}
            invalid={problems["gpus"] !== undefined}
            onChange={(value) => change({ gpus: value, ...(value > 0 ? { shards: null, mps: null } : {}) })}
          />
          {view.pool !== undefined && !choosesType && (
            <>
              {types.length === 1 && types[0] !== undefined && <span>{gpuTypeLabel(types[0])}</span>}
              <Free pool={view.pool} wanted={gpus * nodes} />
            </>
          )}
        </div>
      </Field>
      {choosesType && (
        <Field label={words.gpuType} problem={problems["gpu_type"] ?? problems["gpu_memory_gb"]}>
          <div className={classes["types"]}>
            <Choice name="gpu_type" value="" look="row" checked={draft.gpuType === null} onChoose={() => change({ gpuType: null })}>
              <span className={classes["type"]}>{draft.gpuMemoryGb === null ? words.anyType : words.anyWithMemory(draft.gpuMemoryGb)}</span>
              {view.anyPool !== undefined && <Free pool={view.anyPool} wanted={draft.gpuType === null ? gpus * nodes : 0} />}
            </Choice>
            {types.map((pool) => (
              <Choice
                key={pool.type}
                name="gpu_type"
                value={pool.type}
                look="row"
                checked={draft.gpuType === pool.type}
                onChoose={() => change({ gpuType: pool.type, gpuMemoryGb: null })}
              >
                <span className={classes["type"]}>{gpuTypeLabel(pool)}</span>
                <Free pool={pool} wanted={draft.gpuType === pool.type ? gpus * nodes : 0} />
              </Choice>
            ))}
          </div>
        </Field>
      )}
      <Follows {...props} />
    </>
  );
}

/** `V100, 16 GB or more`: types of a name are sold with several. A GPU without a type has no name. */

/** GPUs of a pool as cells, with the requested ones among the free ones, and the count in words. */
function Free({ pool, wanted }: { pool: Pool & Pick<GpuPool, "most_free_on_a_node">; wanted: number }) {
  return (
    <span className={classes["free"]}>
      <GpuCells cells={poolCells(pool, wanted, true)} label={poolLabel(pool, 0)} most={24} />
      <span>
        {words.freeNow(pool.free, pool.total)}
        {pool.free > pool.most_free_on_a_node && `, ${words.mostOnNode(pool.most_free_on_a_node)}`}
        {pool.reserved > 0 && `, ${strings.cells.reserved(pool.reserved)}`}
      </span>
    </span>
  );
}

/** Cores and memory: linked to the GPUs, or set by hand under Advanced. */
function Follows({ options, view, problems, change }: PartProps) {
  const { cpus, memory_mib } = view.resources;
  return (
    <div className={classes["follows"]} {...marked(view.linked ? (problems["cpus"] ?? problems["memory_mib"]) : undefined)}>
      <p>
        {view.linked ? <LinkIcon className={classes["link"] ?? ""} /> : <UnlinkIcon className={classes["link"] ?? ""} />}
        <strong>
          {strings.resources.cores(cpus)}, <Memory mib={memory_mib} />
        </strong>{" "}
        <span className="quiet">{view.linked ? whyFollows(view, options.policy) : words.unlinked}</span>
      </p>
      {view.linked ? (
        <Button variant="subtle" size="xs" onClick={() => change({ cpus, memoryMib: memory_mib })}>
          {words.unlink}
        </Button>
      ) : (
        <Button variant="subtle" size="xs" onClick={() => change({ cpus: null, memoryMib: null })}>
          {words.linkAgain}
        </Button>
      )}
    </div>
  );
}

function mostGpus(onNode: number, policy: Policy): number {
  return Math.min(onNode, Math.max(0, policy.max_gpus - policy.gpus_in_use));
}

function gpuLimit({ max_gpus, gpus_in_use }: Policy): string {
  if (gpus_in_use >= max_gpus) return words.gpuLimitReached(max_gpus);
  return words.gpuLimit(max_gpus, gpus_in_use);
}
