// What the node cells mean. Each differs in shape, not in colour alone.
import cellClasses from "~/ui/GpuCells.module.css";
import { strings } from "~/strings/en";
import classes from "./NodeCells.module.css";

const words = strings.cluster.legend;
const KINDS = ["free", "busy", "mine", "shared", "reserved", "drained", "down"] as const;

/** `shared`: whether any GPU is shared in parts, which few sites do. */
export function CellLegend({ shared }: { shared: boolean }) {
  return (
    <ul className={classes["legend"]} aria-label={words.label}>
      {KINDS.filter((kind) => kind !== "shared" || shared).map((kind) => (
        <li key={kind}>
          <i className={cellClasses["cell"]} data-kind={kind} aria-hidden="true" /> {words[kind]}
        </li>
      ))}
    </ul>
  );
}
