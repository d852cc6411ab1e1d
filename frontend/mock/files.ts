// alice's invented files as they change: a bin, texts with versions, refusals in the portal's words.
import type { BinItem, Operation, TextFile, TextToSave } from "../src/api/files";
import { json, refuse, type Route } from "./answers";
import { SCRIPT } from "./jobs";
import { ago } from "./units";
import { listFiles, moveFile, removeFile, writeFile } from "./software";

const NOTEBOOK = JSON.stringify({
  nbformat: 4,
  cells: [
    { cell_type: "markdown", source: ["# Results\n", "<script>document.title = 'run'</script>"] },
    { cell_type: "code", source: "print(1)", outputs: [{ output_type: "stream", text: ["1\n"] }] },
    { cell_type: "code", source: "table", outputs: [{ output_type: "display_data", data: { "text/html": "<script>document.title = 'run'</script>" } }] },
  ],
});
const TEXTS: Record<string, string> = {
  "train.sh": SCRIPT,
  "results.ipynb": NOTEBOOK,
  "scores.csv": 'name,score\n"Doe, Jane",3\n',
  "run.log": "\u001b[31mfailed\u001b[0m\n",
};

/** Paths as of a person: each world has bins and versions of its own. */
export function fileRoutes(): Route[] {
  let bin: BinItem[] = [];
  const saved = new Map<string, TextFile>();
  const read = (path: string): TextFile => {
    const text = TEXTS[path.slice(path.lastIndexOf("/") + 1)] ?? "one\n";
    return saved.get(path) ?? { path, text, size: text.length, version: "1", encoding: "utf-8", line_end: "lf" };
  };
  const save = (asked: TextToSave) => {
    const before = read(asked.path);
    if (asked.version !== null && asked.version !== before.version) return refuse(412, "changed_meanwhile", "The file was changed.", "Read it again.");
    const version = String(Number(before.version) + 1);
    saved.set(asked.path, { ...before, text: asked.text, version });
    return json({ path: asked.path, version, size: asked.text.length });
  };
  const remove = ({ paths }: { paths: string[] }) => {
    for (const path of paths) {
      removeFile(path);
      bin = [{ id: path, name: path.slice(path.lastIndexOf("/") + 1), path, removed: "2026-11-25T12:00:00", kind: "file", size: 4096 }, ...bin];
    }
    return json({ done: paths.map((path) => ({ path, now: path })), failed: [], operation: null });
  };
  const restore = ({ ids }: { ids: string[] }) => {
    ids.forEach((id) => writeFile(id.slice(0, id.lastIndexOf("/")), id.slice(id.lastIndexOf("/") + 1)));
    bin = bin.filter(({ id }) => !ids.includes(id));
    return json({ done: ids.map((id) => ({ path: id, now: id })), failed: [], operation: null });
  };
  let operations: Operation[] = [];
  const begin = async (kind: Operation["kind"], request: Request) => {
    const { paths, ids, target } = (await request.json()) as { paths?: string[]; ids?: string[]; target?: string };
    const asked = paths ?? ids ?? [];
    const made = operation({ id: `operation${operations.length}`, state: "waiting", kind, count: asked.length, first: asked[0] ?? "", target: target ?? "" });
    operations = [made, ...operations];
    return json(made, 202);
  };
  return [
    ["GET", /^files\/operations$/, () => json({ items: operations })],
    ["POST", /^files\/copies$/, (request) => begin("copy", request)],
    ["POST", /^files\/delete$/, (request) => begin("delete", request)],
    ["POST", /^files\/bin\/empty$/, (request) => begin("empty", request)],
    ["DELETE", /^files\/operations\/([^/]+)$/, (_request, [id]) => {
      operations = operations.filter((item) => item.id !== id);
      return new Response(null, { status: 204 });
    }],
    ["GET", /^files$/, (request) => json(listFiles(new URL(request.url).searchParams.get("path") ?? "~"))],
    ["GET", /^files\/places$/, () => json({ items: PLACES })],
    ["GET", /^files\/bin$/, () => json({ items: bin, truncated: false })],
    ["GET", /^files\/text$/, (request) => json(read(new URL(request.url).searchParams.get("path") ?? ""))],
    ["PUT", /^files\/text$/, async (request) => save((await request.json()) as TextToSave)],
    ["POST", /^files\/remove$/, async (request) => remove((await request.json()) as { paths: string[] })],
    ["POST", /^files\/restore$/, async (request) => restore((await request.json()) as { ids: string[] })],
    ["POST", /^files\/rename$/, async (request) => renamed((await request.json()) as { path: string; name: string })],
    ["POST", /^files\/mode$/, () => new Response(null, { status: 204 })],
  ];
}

export const operation = (over: Partial<Operation>): Operation => ({
  id: "operation0",
  kind: "copy",
  count: 1,
  first: "~/work/scores.csv",
  target: "~/runs",
  state: "running",
  cancelling: false,
  stalled: false,
  entries_done: 0,
  bytes_done: 0,
  entries_total: null,
  bytes_total: null,
  current: "",
  began: ago(2),
  updated: ago(1),
  ended: null,
  done_count: 0,
  failed_count: 0,
  left_count: 0,
  failed: [],
  left: [],
  message: "",
  ...over,
});

const PLACES = [
  { label: "Home", path: "~", space: { used: 40 * 2 ** 30, total: 100 * 2 ** 30, free: 60 * 2 ** 30, quota: true }, available: true, reason: "" },
  { label: "Scratch", path: "/scratch", space: null, available: false, reason: "It does not answer." },
];

function renamed({ path, name }: { path: string; name: string }): Response {
  moveFile(path, name);
  return new Response(null, { status: 204 });
}
