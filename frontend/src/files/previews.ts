// What a text is shown as: a notebook's cells, a table's rows, a log's lines. Nothing of it is run or rendered as HTML.
import type { PreviewCell } from "~/api/types";

export type View = "notebook" | "picture" | "table" | "log" | "text";

export const ROWS = 200;

export function viewOfFile(name: string, text: string): View {
  if (/\.ipynb$/i.test(name)) return "notebook";
  if (/\.svg$/i.test(name)) return "picture";
  if (/\.(csv|tsv)$/i.test(name)) return "table";
  return text.includes("\u001b[") ? "log" : "text";
}

const PICTURES: Record<string, string> = { png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp" };

/** The type of a picture that is no text; null for everything else. */
export const pictureType = (name: string): string | null => PICTURES[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? null;

/** The first rows of a CSV or TSV text (RFC 4180: a quoted value may hold commas, doubled quotes and line ends). */
export function rowsOf(text: string, separator: string, most = ROWS + 1): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length && rows.length < most) {
    let value = "";
    if (text[at] === '"') {
      for (at += 1; at < text.length; at += 1) {
        if (text[at] === '"' && text[at + 1] !== '"') break;
        if (text[at] === '"') at += 1;
        value += text.charAt(at);
      }
      at += 1;
    }
    const start = at;
    while (at < text.length && text[at] !== separator && text[at] !== "\n") at += 1;
    row.push(value + text.slice(start, at).replace(/\r$/, ""));
    if (text[at] !== separator) {
      rows.push(row);
      row = [];
    } else if (at + 1 === text.length) row.push("");
    at += 1;
  }
  if (row.length > 0 && rows.length < most) rows.push(row);
  return rows;
}

/** The cells of a notebook of format 4; null for anything else. Of rich outputs PNG and text are kept. */
export function cellsOf(text: string, html: string): PreviewCell[] | null {
  try {
    const { cells } = record(JSON.parse(text));
    return Array.isArray(cells) ? cells.map((cell, at) => cellOf(record(cell), at, html)) : null;
  } catch {
    return null;
  }
}

function cellOf({ cell_type, source, outputs }: Record<string, unknown>, at: number, html: string): PreviewCell {
  const code = cell_type === "code";
  return {
    id: String(at),
    kind: cell_type === "markdown" ? "markdown" : "code",
    source: joined(source),
    outputs: code && Array.isArray(outputs) ? outputs.map((output) => outputOf(record(output), html)) : [],
  };
}

function outputOf(output: Record<string, unknown>, html: string): PreviewCell["outputs"][number] {
  if (Array.isArray(output["traceback"])) return printed(output["traceback"].join("\n"));
  const data = record(output["data"] ?? {});
  const png = joined(data["image/png"]).replace(/\s/g, "");
  if (png !== "") return { kind: "picture", text: "", png };
  const plain = joined(output["text"] ?? data["text/plain"]);
  return printed(plain === "" && "text/html" in data ? html : plain);
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new TypeError("not an object");
  return value as Record<string, unknown>;
}

const joined = (value: unknown): string => (Array.isArray(value) ? value.join("") : typeof value === "string" ? value : "");

/** Without the escape sequences that colour it. */
const printed = (text: string): PreviewCell["outputs"][number] => ({
  kind: "text",
  // oxlint-disable-next-line no-control-regex
  text: text.replace(/\u001b\[[0-9;]*m/g, ""),
});
