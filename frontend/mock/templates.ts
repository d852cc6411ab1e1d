// Invented templates, and a person's copies of them.
import type { PreviewCell, Template } from "../src/api/types";
import type { CellChange, Copy } from "../src/templates/copies";
import { environments } from "./site";

export const templates: Template[] = [
  template("sklearn-digits", "scikit-learn", "Handwritten digits with a support vector machine", "Loads the digits, trains, prints accuracy and a confusion matrix.", "Classification", "base", 0, 0.3),
  template("pytorch-digits", "PyTorch", "Handwritten digits with a small network", "A training loop to read and change: data, model, loss, accuracy for each epoch.", "Classification", "pytorch", 1, 1.5),
  template("tensorflow-digits", "TensorFlow", "Handwritten digits with Keras", "The same task in Keras, with TensorBoard beside it.", "Classification", "tensorflow", 1, 2),
  template("pytorch-ddp", "PyTorch", "Training on several GPUs of a node", "DistributedDataParallel from a notebook, with what to change for two nodes.", "Distributed training", "pytorch", 2, 4),
  template("jax-regression", "JAX", "Regression with automatic differentiation", "grad, jit and vmap on a problem small enough to see through.", "Regression", "jax", 1, 1),
  {
    ...template("torch7-digits", "Torch 7", "Handwritten digits with Torch 7", "The forerunner of PyTorch, in Lua.", "Classification", "torch7", 1, 1),
    image: "nvcr.io/nvidia/torch:18.08-py2",
    old: true,
    tested: "",
    not_run: "no registry was in reach.",
  },
];

export const previewCells: PreviewCell[] = [
  { id: "title", kind: "markdown", source: "# Digits\n\nWhat it **shows**. <script>alert(1)</script>", outputs: [] },
  {
    id: "train",
    kind: "code",
    source: "print(accuracy)",
    outputs: [
      { kind: "text", text: "0.98\n", png: null },
      { kind: "picture", text: "", png: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" },
    ],
  },
];

export const copies: Copy[] = templates.map(({ id }, at) => ({ id, state: at === 1 ? "outdated" : at === 2 ? "changed" : "same" }));

export const differentCells: CellChange[] = [
  { change: "same", kind: "markdown", lines: [{ change: "same", text: "# Digits" }] },
  { change: "same", kind: "code", lines: [{ change: "same", text: "import torch" }] },
  {
    change: "changed",
    kind: "code",
    lines: [
      { change: "same", text: "epochs = 3" },
      { change: "mine", text: "rate = 0.5" },
      { change: "new", text: "rate = 0.001  # with a schedule, so that the last epochs settle and the accuracy does not jump about" },
    ],
  },
  { change: "mine", kind: "code", lines: [{ change: "mine", text: "print('a cell of my own')" }] },
  { change: "new", kind: "markdown", lines: [{ change: "new", text: "Now save the model." }] },
];

function template(
  id: string,
  framework: string,
  title: string,
  description: string,
  task: string,
  environment_: string,
  gpus_: number,
  minutes_cpu: number,
): Template {
  const known = environments.find(({ name }) => name === environment_);
  return {
    id,
    framework,
    versions: "",
    title,
    description,
    task,
    environment: environment_ === "base" ? null : environment_,
    environment_title: environment_ === "base" ? null : (known?.title ?? null),
    available: known?.installed ?? false,
    data: "Handwritten digits, 8 × 8 pixels",
    has_outputs: false,
    gpus: gpus_,
    file: `${id}.ipynb`,
    minutes_cpu,
    minutes_gpu: null,
    tested: "2026-11-20",
    image: "",
    old: false,
    not_run: "",
  };
}
