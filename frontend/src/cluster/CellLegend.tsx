// What the node cells mean. Each differs in shape, not in colour alone.
import cellClasses from "~/ui/GpuCells.module.css";
import { strings } from "~/strings/en";
import classes from "./NodeCells.module.css";

const words = strings.cluster.legend;
const KINDS = ["free", "busy", "mine", "reserved", "drained", "down"] as const;

export function CellLegend() {
  return (
    <ul className={classes["legend"]} aria-label={words.label}>
      {KINDS.map((kind) => (
        <li key={kind}>
          <i className={cellClasses["cell"]} data-kind={kind} aria-hidden="true" /> {words[kind]}
        </li>
      ))}
    </ul>
  );
}
