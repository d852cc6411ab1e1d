// A text as what it is: notebook, table, coloured log. The notebook's view loads when it is needed.
import { Skeleton } from "@mantine/core";
import { Suspense, lazy, useMemo } from "react";

import { strings } from "~/strings/en";
import { OutputBuffer } from "~/ui/output/buffer";
import { Line } from "~/ui/output/OutputLines";
import output from "~/ui/output/OutputPanel.module.css";
import { Picture } from "./Binary";
import classes from "./Files.module.css";
import { PreviewTable } from "./PreviewTable";
import { ROWS, cellsOf, rowsOf, type View } from "./previews";

const NotebookView = lazy(async () => ({ default: (await import("~/ui/notebook/NotebookView")).NotebookView }));
const words = strings.files.preview;
const LINES = 2000;

export function Preview({ view, name, text }: { view: View; name: string; text: string }) {
  if (view === "notebook") return <Notebook text={text} />;
  if (view === "picture") return <Picture name={name} src={`data:image/svg+xml,${encodeURIComponent(text)}`} />;
  return view === "table" ? <Rows name={name} text={text} /> : <Log name={name} text={text} />;
}

function Notebook({ text }: { text: string }) {
  const cells = useMemo(() => cellsOf(text, words.html), [text]);
  if (cells === null) return <p className="quiet">{words.invalid}</p>;
  if (cells.length === 0) return <p className="quiet">{words.emptyNotebook}</p>;
  return (
    <Suspense fallback={<Skeleton height={240} />}>
      <NotebookView cells={cells} />
    </Suspense>
  );
}

function Rows({ name, text }: { name: string; text: string }) {
  const [head = [], ...rows] = useMemo(() => rowsOf(text, /\.tsv$/i.test(name) ? "\t" : ",", ROWS + 2), [name, text]);
  return <PreviewTable name={name} head={head} rows={rows.slice(0, ROWS)} more={rows.length > ROWS} />;
}

function Log({ name, text }: { name: string; text: string }) {
  const buffer = useMemo(() => {
    const made = new OutputBuffer();
    made.append({ text, offset: 0, next_offset: text.length, size: text.length }, String);
    return made;
  }, [text]);
  const first = Math.max(0, buffer.lines.length - LINES);
  return (
    <div className={output["panel"]}>
      {first > 0 && <p className="quiet small">{words.lines(LINES)}</p>}
      <pre className={`${output["box"]} ${classes["log"]}`} tabIndex={0} role="region" aria-label={words.log(name)}>
        {buffer.lines.slice(first).map((line, at) => (
          <Line key={at} text={line} style={buffer.styleOf(first + at)} wanted="" isTarget={false} />
        ))}
      </pre>
    </div>
  );
}
