// Invented files, modules and images of alice, in the API's shapes.
import type { Files, Module, Offer } from "../src/api/types";
import { environments, options } from "./site";
import { ago } from "./units";

const TREE: Record<string, string[]> = {
  "~": [".cache/", "data/", "runs/", "work/", "notes.txt"],
  "~/data": ["mnist/"],
  "~/data/mnist": [],
  "/scratch": ["shared/"],
  "~/runs": ["bert/", "resnet/", "readme.md"],
  "~/runs/bert": ["events.out.tfevents.1700000000"],
  "~/runs/resnet": [],
  "~/work": ["notes.txt", "results.ipynb", "run.log", "scores.csv", "train.sh"],
};

export function listFiles(path: string): Files {
  const folder = path.length > 1 ? path.replace(/\/$/, "") : path;
  const names = TREE[folder];
  const kind = names === undefined ? "missing" : "folder";
  const entries = (names ?? []).map((name) => ({
    name: name.replace("/", ""),
    kind: name.endsWith("/") ? ("folder" as const) : ("file" as const),
    size: 4096,
    modified: ago(86_400),
    link: false,
    mode: name.endsWith("/") ? "rwxr-xr-x" : "rw-r--r--",
    owner: "alice",
    group: "alice",
    readable: true,
    writable: true,
  }));
  return {
    path,
    real_path: path.replace("~", "/home/alice"),
    kind,
    entries,
    total: entries.length,
    truncated: false,
    writable: true,
    mode: "rwxr-xr-x",
    owner: "alice",
    group: "alice",
    shared_with: "",
    size: 0,
    modified: null,
  };
}

export function removeFile(path: string): void {
  const [folder, name] = apart(path);
  TREE[folder] = (TREE[folder] ?? []).filter((entry) => entry !== name);
}

export function moveFile(path: string, name: string): void {
  const [folder, before] = apart(path);
  TREE[folder] = (TREE[folder] ?? []).map((entry) => (entry === before ? name : entry));
}

const apart = (path: string): [string, string] => [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];

/** Something writes a file; returns what takes it away again. */
export function writeFile(folder: string, name: string): () => void {
  const before = TREE[folder] ?? [];
  TREE[folder] = [...before, name];
  return () => void (TREE[folder] = before);
}

/** Whether a folder of the tree has event files at any depth. */
export function holdsEvents(folder: string): boolean {
  return Object.entries(TREE).some(
    ([path, names]) => `${path}/`.startsWith(`${folder}/`) && names.some((name) => name.includes("tfevents")),
  );
}

export const modules: Module[] = [
  { name: "cuda", versions: ["12.6", "12.4", "11.8"], default: "12.4", description: "NVIDIA CUDA toolkit" },
  { name: "gcc", versions: ["13.2", "12.3"], default: "13.2", description: "GNU compilers" },
  { name: "shared/digits", versions: ["6.1.1"], default: "6.1.1", description: "NVIDIA DIGITS with Caffe" },
];

const folderOf = (name: string) => `/cluster/environments/${name}`;

/** The apps of the form, as the catalogue has them. */
export const offers = (): Offer[] =>
  options().apps.map((app) => ({
    name: app.name,
    title: app.title,
    description: app.description,
    icon: app.icon,
    group: app.group,
    kind: app.kind,
    origin: "portal",
    program: app.available ? "" : "digits-devserver",
    network: app.name !== "tensorboard",
    sources: environments
      .filter(({ name }) => app.environments.includes(name))
      .map(({ name, title, version, installed }) => ({
        environment: name,
        title,
        version,
        kind: "path",
        own: false,
        where: folderOf(name),
        reason: installed ? null : `${title} is not installed yet.`,
      })),
    available: app.available,
    reason: app.reason,
    remedy: app.available ? null : `Name an environment that has it: [apps.${app.name}] environments = ["…"].`,
  }));
