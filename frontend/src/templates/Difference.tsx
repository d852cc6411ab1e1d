// Two versions of a notebook in one view: cells in order, equal ones folded, lines that only one version has marked by
// sign, word and colour.
import { Skeleton, VisuallyHidden } from "@mantine/core";

import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./Difference.module.css";
import { useDifference, type CellChange } from "./copies";
import { runsOf } from "./runs";

const words = strings.copies;
const SIGNS = { same: " ", mine: "−", new: "+" } as const;

export function Difference({ id }: { id: string }) {
  const { data, error, refetch } = useDifference(id);
  if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={160} />;
  if (data.cells.every(({ change }) => change === "same")) return <p className="quiet">{words.same}</p>;
  return (
    <section aria-label={words.difference} className={classes["difference"]}>
      <p className="quiet small">{words.legend}</p>
      {runsOf(data.cells).map((run) =>
        run.same ? (
          <details key={run.at} className={classes["folded"]}>
            <summary>{words.folded(run.cells.length)}</summary>
            {run.cells.map((cell, index) => (
              <CellView key={index} cell={cell} />
            ))}
          </details>
        ) : (
          run.cells.map((cell, index) => <CellView key={`${run.at}-${index}`} cell={cell} />)
        ),
      )}
    </section>
  );
}

function CellView({ cell }: { cell: CellChange }) {
  const label = words.ofCell(words.cell[cell.change], words.kinds[cell.kind] ?? cell.kind);
  return (
    <figure className={classes["cell"]} data-kind={cell.kind}>
      <figcaption>{label}</figcaption>
      {/* Scrolling regions must be reachable by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {cell.lines.length === 0 && <span className={classes["line"]}>{words.noText}</span>}
        {cell.lines.map((line, index) => (
          <span key={index} className={classes["line"]} data-change={line.change}>
            <span aria-hidden="true" className={classes["sign"]}>
              {SIGNS[line.change]}
            </span>
            {line.change !== "same" && <VisuallyHidden>{words.line[line.change]}: </VisuallyHidden>}
            {line.text}
            {"\n"}
          </span>
        ))}
      </pre>
    </figure>
  );
}
