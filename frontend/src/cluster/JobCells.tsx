// Which of a node's GPUs a job holds: its cells are filled, the others hollow.
import type { ClusterNode } from "~/api/types";
import cellClasses from "~/ui/GpuCells.module.css";
import nodeClasses from "./NodeCells.module.css";

interface JobCellsProps {
  node: Pick<ClusterNode, "gpus">;
  held: readonly number[];
  mine: readonly number[] | undefined;
}

export function JobCells({ node, held, mine }: JobCellsProps) {
  const own = new Set(mine);
  return (
    <span className={nodeClasses["cells"]} aria-hidden="true">
      {Array.from(node.gpus).map((_, index) => (
        <i key={index} className={cellClasses["cell"]} data-kind={!held.includes(index) ? "other" : own.has(index) ? "mine" : "busy"} />
      ))}
    </span>
  );
}
