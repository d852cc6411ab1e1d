// Invented images, their catalogue and the registry's key; a pull goes on by itself.
import type { Framework, Image, ImageAsked, ImageEvent, Ngc } from "../src/api/types";
import { ago } from "./units";

const image = (change: Partial<Image> & Pick<Image, "id" | "title">): Image => ({
  reference: null,
  path: `/home/alice/images/${change.id}.sif`,
  scope: "user",
  state: "ready",
  progress: 100,
  message: "",
  size_mb: 8200,
  digest: null,
  job_id: null,
  environment: `image-${change.id}`,
  mine: true,
  ...change,
});

export const catalogue: Framework[] = [
  {
    framework: "pytorch",
    title: "PyTorch",
    description: "PyTorch as NVIDIA builds and tests it.",
    repository: "nvcr.io/nvidia/pytorch",
    tags: [
      { tag: "24.05-py3", note: "Python 3.10, CUDA 12.4" },
      { tag: "23.02-py3", note: "Python 3.8, CUDA 12.0" },
    ],
  },
  {
    framework: "caffe",
    title: "Caffe",
    description: "The framework of DIGITS. No longer developed.",
    repository: "nvcr.io/nvidia/caffe",
    tags: [{ tag: "20.03-py3", note: "last" }],
  },
];

export class Images {
  items: Image[] = [
    image({
      id: "pt2405",
      title: "PyTorch 24.05-py3",
      reference: "docker://nvcr.io/nvidia/pytorch:24.05-py3",
      digest: `sha256:${"4f".repeat(32)}`,
    }),
    image({ id: "broken", title: "Torch", state: "failed", environment: null, size_mb: null, message: "The registry has no such tag.", reference: "docker://nvcr.io/nvidia/torch:1" }),
    image({ id: "rstudio", title: "R 4.5", scope: "site", mine: false, path: "/shared/images/r.sif", size_mb: 900 }),
  ];
  key: Ngc = { stored: false, stored_at: null, message: "" };
  private count = 0;

  constructor(private readonly tell: (news: ImageEvent) => void) {}

  add({ reference = null, path = null, title }: ImageAsked): Image {
    this.count += 1;
    const id = `new${this.count}`;
    const name = title ?? (reference ?? path ?? "").split("/").at(-1) ?? id;
    const pulled = { state: "pulling" as const, progress: 0, environment: null, size_mb: null, job_id: 4800 };
    const added = image({ id, title: name, reference, ...(path === null ? pulled : { path }) });
    this.items = [added, ...this.items.filter((item) => reference === null || item.reference !== reference)];
    if (reference !== null) [20, 60, 100].forEach((progress) => setTimeout(() => this.step(id, progress), progress * 30));
    return added;
  }

  remove(id: string): void {
    this.items = this.items.filter((item) => item.id !== id);
  }

  store(key: string): Ngc {
    if (key !== "") this.key = { stored: true, stored_at: ago(0), message: "" };
    return this.key;
  }

  forget(): void {
    this.key = { stored: false, stored_at: null, message: "" };
  }

  private step(id: string, progress: number): void {
    const over = progress === 100;
    const state = over ? ("ready" as const) : ("pulling" as const);
    this.items = this.items.map((item) =>
      item.id === id ? { ...item, progress, state, environment: over ? `image-${id}` : null, size_mb: over ? 8200 : null } : item,
    );
    this.tell({ id, progress, state, message: over ? "" : "Pulling the image." });
  }
}
