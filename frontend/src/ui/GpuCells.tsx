// The signature element: GPUs as cells. Each kind means the same everywhere: top bar, form, session, node.
import type { CSSProperties } from "react";

import { strings } from "~/strings/en";
import classes from "./GpuCells.module.css";
import { compress, type Cell } from "./cells";

interface GpuCellsProps {
  cells: readonly Cell[];
  /** The row in words: its name for screen readers and its tooltip. */
  label: string;
  /** More GPUs than this share cells. */
  most?: number;
}

export function GpuCells({ cells, label, most = 16 }: GpuCellsProps) {
  const shown = compress(cells, most);
  const text = shown.each > 1 ? `${label} (${strings.cells.several(shown.each)})` : label;
  if (shown.cells.length === 0) return null;
  return (
    <span className={classes["row"]} role="img" aria-label={text} title={text}>
      {shown.cells.map((cell, index) => (
        <i
          key={index}
          className={classes["cell"]}
          data-kind={cell.kind}
          data-alternate={cell.alternate === true || undefined}
          {...(cell.use == null ? {} : { "data-use": "", style: { "--use": `${cell.use}%` } as CSSProperties })}
        />
      ))}
    </span>
  );
}
