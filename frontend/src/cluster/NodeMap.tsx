// Every node as a tile, in groups. Only visible rows are rendered; the arrow keys reach all of them.
import { useCallback, useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";

import type { ClusterKind, ClusterNode } from "~/api/types";
import { strings } from "~/strings/en";
import { HoverCard, type Pointed } from "./HoverCard";
import classes from "./NodeMap.module.css";
import { NodeTile } from "./NodeTile";
import { moved, rowsOf } from "./mapRows";
import { freeOf, type Group, type Mine } from "./snapshot";
import { useWindowed } from "./useWindowed";

const words = strings.cluster;
const POINT_AFTER_MS = 150;

interface NodeMapProps {
  groups: Group[];
  kinds: readonly ClusterKind[];
  mine: Mine;
  /** The heading of a group without a name. */
  noName: string;
  opened: string | null;
  onOpen: (name: string) => void;
}

export function NodeMap({ groups, kinds, mine, noName, opened, onOpen }: NodeMapProps) {
  const { frame, width, range } = useWindowed();
  const layout = useMemo(() => rowsOf(groups, width), [groups, width]);
  const { from, to } = range(layout.tops);
  const places = usePlaces(to - from);
  const [active, setActive] = useState(0);
  const focus = useRef(false);
  const [pointed, point] = usePointed();

  useEffect(() => {
    // A tile scrolled out of view is reused for another node, which must not inherit the focus.
    const focused = document.activeElement;
    if (focused instanceof HTMLElement && frame.current?.contains(focused) === true && focused.dataset["index"] !== String(active) && !focus.current) focused.blur();
    if (!focus.current) return;
    const tile = frame.current?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    if (tile == null) return;
    focus.current = false;
    tile.focus({ preventScroll: true });
  });

  const onKey = (event: KeyboardEvent) => {
    const next = moved(event.key, active, layout);
    if (next === null) return;
    event.preventDefault();
    focus.current = true;
    setActive(next);
    showRow(frame.current, layout.tops[layout.rowOf[next] ?? 0] ?? 0);
  };

  const rows = layout.rows.slice(from, from + places);
  const drawn = rows.flatMap((row) => (row.kind === "tiles" ? row.indices : []));
  const stop = drawn.includes(active) ? active : drawn[0];
  return (
    // The tiles inside are the focusable elements; their key events bubble up to the frame.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={frame} className={classes["map"]} style={{ height: layout.height }} onKeyDown={onKey} onPointerLeave={() => point(null)}>
      {rows.map((row, index) => {
        const top = layout.tops[from + index] ?? 0;
        if (row.kind === "head") return <GroupHead key={`head ${row.group.name}`} group={row.group} noName={noName} top={top} />;
        return (
          // Keys are positions, not nodes: a row or tile that scrolls into view reuses the elements of one that left.
          <div key={(from + index) % places} className={classes["row"]} style={{ transform: `translateY(${top}px)`, gridTemplateColumns: `repeat(${layout.columns}, minmax(0, 1fr))` }}>
            {row.indices.map((at, column) => {
              const node = layout.nodes[at] as ClusterNode;
              return (
                <NodeTile
                  key={column}
                  node={node}
                  kind={kinds[node.kind]}
                  mine={mine[node.name]}
                  index={at}
                  stop={at === stop}
                  opened={node.name === opened}
                  described={pointed?.name === node.name}
                  onOpen={onOpen}
                  onPoint={point}
                  onActive={setActive}
                />
              );
            })}
          </div>
        );
      })}
      {pointed !== null && <HoverCard pointed={pointed} mine={mine[pointed.name]} />}
    </div>
  );
}

/**
 * The constant number of rendered rows, so that each row that scrolls into view reuses the elements of one that left.
 */
function usePlaces(drawn: number): number {
  const [most, setMost] = useState(drawn);
  if (drawn > most) setMost(drawn);
  return Math.max(most, drawn);
}

function GroupHead({ group, noName, top }: { group: Group; noName: string; top: number }) {
  const total = group.nodes.reduce((sum, node) => sum + node.gpus.length, 0);
  const free = group.nodes.reduce((sum, node) => sum + freeOf(node), 0);
  return (
    <h2 className={classes["head"]} style={{ transform: `translateY(${top}px)` }}>
      {words.group(group.name === "" ? noName : group.name, group.nodes.length, free, total)}
    </h2>
  );
}

/** Scrolls a row into view, below the top bar and above the bottom bar. */
function showRow(frame: HTMLElement | null, top: number): void {
  if (frame === null) return;
  const at = frame.getBoundingClientRect().top + top;
  if (at < 96) window.scrollBy({ top: at - 96 });
  else if (at > window.innerHeight - 140) window.scrollBy({ top: at - window.innerHeight + 140 });
}

/** The hovered or focused tile: at once with the keyboard, after a moment with the mouse. */
function usePointed(): [Pointed | null, (next: Pointed | null, atOnce?: boolean) => void] {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const point = useCallback((next: Pointed | null, atOnce = false) => {
    clearTimeout(timer.current);
    if (next === null || atOnce) setPointed(next);
    else timer.current = setTimeout(() => setPointed(next), POINT_AFTER_MS);
  }, []);
  useEffect(() => {
    const away = () => point(null);
    const onKey = (event: globalThis.KeyboardEvent) => event.key === "Escape" && away();
    window.addEventListener("scroll", away, { passive: true });
    document.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("scroll", away);
      document.removeEventListener("keydown", onKey);
    };
  }, [point]);
  return [pointed, point];
}
