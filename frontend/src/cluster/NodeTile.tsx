// One node: its name, its state, and its GPUs as cells. Clicking it opens its details.
import { memo } from "react";

import type { ClusterKind, ClusterNode } from "~/api/types";
import { NodeCells } from "./NodeCells";
import type { Pointed } from "./HoverCard";
import classes from "./NodeMap.module.css";
import { nodeLabel, standing } from "./words";

/** The characters of name and word that fit side by side in the narrowest tile. */
const FITS = 16;

interface NodeTileProps {
  node: ClusterNode;
  kind: ClusterKind | undefined;
  mine: readonly number[] | undefined;
  index: number;
  /** Whether Tab stops here. */
  stop: boolean;
  opened: boolean;
  described: boolean;
  onOpen: (name: string) => void;
  onPoint: (pointed: Pointed | null, atOnce?: boolean) => void;
  onActive: (index: number) => void;
}

export const NodeTile = memo(function NodeTile({ node, kind, mine, index, stop, opened, described, onOpen, onPoint, onActive }: NodeTileProps) {
  const word = standing(node, kind);
  const pointed = (element: HTMLElement): Pointed => ({ name: node.name, box: element.getBoundingClientRect() });
  return (
    <button
      type="button"
      className={classes["tile"]}
      data-index={index}
      data-state={node.state}
      data-mine={mine !== undefined || undefined}
      data-opened={opened || undefined}
      tabIndex={stop ? 0 : -1}
      aria-label={`${node.name} ${word} ${nodeLabel(node, kind, mine?.length ?? 0)}`}
      aria-describedby={described ? "node-card" : undefined}
      onClick={() => onOpen(node.name)}
      onPointerEnter={(event) => event.pointerType === "mouse" && onPoint(pointed(event.currentTarget))}
      onFocus={(event) => {
        onActive(index);
        if (event.currentTarget.matches(":focus-visible")) onPoint(pointed(event.currentTarget), true);
      }}
      onBlur={() => onPoint(null)}
    >
      <span className={classes["line"]}>
        <span className={classes["name"]} data-long={node.name.length + word.length > FITS || undefined}>
          {node.name}
        </span>{" "}
        <span className={classes["word"]}>{word}</span>
      </span>
      <NodeCells node={node} kind={kind} mine={mine} />
    </button>
  );
});
