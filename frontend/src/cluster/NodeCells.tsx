// A node's GPUs as cells; a node without GPUs shows its cores as a bar. The text beside them says the same.
import type { CSSProperties } from "react";

import type { ClusterKind, ClusterNode } from "~/api/types";
import cellClasses from "~/ui/GpuCells.module.css";
import { compress } from "~/ui/cells";
import classes from "./NodeCells.module.css";
import { cellsOf } from "./snapshot";

const MOST = 16;

interface NodeCellsProps {
  node: ClusterNode;
  kind: ClusterKind | undefined;
  mine: readonly number[] | undefined;
}

export function NodeCells({ node, kind, mine }: NodeCellsProps) {
  if (node.gpus === "") {
    const used = kind === undefined || kind.cpus === 0 ? 0 : (node.cpus / kind.cpus) * 100;
    return <span className={classes["cores"]} style={{ "--used": `${used}%` } as CSSProperties} aria-hidden="true" />;
  }
  return (
    <span className={classes["cells"]} aria-hidden="true">
      {compress(cellsOf(node, mine), MOST).cells.map((cell, index) => (
        <i key={index} className={cellClasses["cell"]} data-kind={cell.kind} data-alternate={cell.alternate === true || undefined} />
      ))}
    </span>
  );
}
