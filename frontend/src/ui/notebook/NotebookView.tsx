// A read-only notebook: Markdown, code, printed text and plots. Nothing in it is run, and its own HTML is never rendered.
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

import type { PreviewCell } from "~/api/types";
import { strings } from "~/strings/en";
import classes from "./NotebookView.module.css";

const words = strings.templates;
const PLUGINS = [remarkGfm];

export function NotebookView({ cells }: { cells: readonly PreviewCell[] }) {
  const codes = cells.filter(({ kind }) => kind === "code");
  return (
    <div className={`card ${classes["notebook"]}`}>
      {cells.map((cell) =>
        cell.kind === "markdown" ? (
          <div key={cell.id} className={classes["markdown"]}>
            <Markdown remarkPlugins={PLUGINS} components={HEADINGS}>
              {cell.source}
            </Markdown>
          </div>
        ) : (
          <CodeCell key={cell.id} cell={cell} number={codes.indexOf(cell) + 1} />
        ),
      )}
    </div>
  );
}

function CodeCell({ cell, number }: { cell: PreviewCell; number: number }) {
  return (
    <div className={classes["cell"]}>
      {/* Scrolling regions must be reachable by keyboard. */}
      <pre className={classes["code"]} tabIndex={0} role="region" aria-label={words.cell(number)}>
        <code>{cell.source}</code>
      </pre>
      {cell.outputs.map((output, index) =>
        output.png == null ? (
          <pre key={index} className={classes["output"]}>
            {output.text}
          </pre>
        ) : (
          <img key={index} className={classes["plot"]} src={`data:image/png;base64,${output.png}`} alt={words.plot(number)} />
        ),
      )}
    </div>
  );
}

// The page has its own h1, and an h2 for the preview.
const HEADINGS = { h1: "h3", h2: "h3", h3: "h4" } as const;
