// What an open page says once its session has ended. The server is gone then, so it asks the portal, with the key that
// the session had for this; everything here was loaded before.
import { unsavedIn } from "./notices.js";
import { gb, sessionWords as words, span } from "./session-words.js";

/** Between two questions, for a portal that answers at once. */
const PAUSE_MS = 1000;

export class Endings {
  #asking = null;
  #waiting = false;
  #told = false;
  #toldAway = false;

  constructor({ link, app, widgets, showDialog, Dialog, leave = (address) => location.assign(address), pause = PAUSE_MS }) {
    Object.assign(this, { link, app, widgets, showDialog, Dialog, leave, pause });
    link.lost.connect(() => void this.#wait());
    link.changed.connect(() => {
      if (link.connected) this.#toldAway = false;
    });
  }

  /** Say how the session ended or, if it did not, that it cannot be reached: JupyterLab calls it when a request fails. */
  async explain() {
    const state = await this.#ask();
    if (state === "ended" || this.link.connected || this.#toldAway) return;
    this.#toldAway = true;
    await this.#show(words.unreachableTitle, [state === null ? words.bothAway : words.unreachableText], [
      [words.page, this.link.sessionPage],
    ]);
  }

  /** Until the stream is back, wait at the portal for the end: its answer comes with the end, or after a while. */
  async #wait() {
    if (this.#waiting) return;
    this.#waiting = true;
    while (!this.#told && !this.link.connected && !document.hidden && (await this.#ask()) !== null) {
      await new Promise((resolve) => setTimeout(resolve, this.pause));
    }
    this.#waiting = false;
  }

  /** The session's state as the portal knows it, null if it does not answer. Says so if the session has ended. */
  #ask() {
    this.#asking ??= this.#read().finally(() => (this.#asking = null));
    return this.#asking;
  }

  async #read() {
    const { here } = this.link;
    if (here === null || !here.end_key) return null;
    try {
      const address = `${here.pages}/ends/${here.session}?key=${here.end_key}`;
      const response = await fetch(address, { credentials: "omit", cache: "no-store" });
      if (!response.ok) return null;
      const { state, end } = await response.json();
      if (state === "ended") this.#tell(end);
      return state;
    } catch {
      return null;
    }
  }

  #tell(end) {
    if (this.#told) return;
    this.#told = true;
    this.link.finish();
    const unsaved = unsavedIn(this.app);
    const lines = [
      [end?.text, end?.advice].filter(Boolean).join(" "),
      unsaved.length > 0 ? words.stillHere(unsaved.join(", ")) : words.savedStay,
    ];
    const [label, where] = firstStep(end?.next ?? {});
    void this.#show(words.endedTitle(this.link.session?.name), lines, [
      [words.page, this.link.sessionPage],
      [label, this.link.sessionPage + where],
    ]);
  }

  /** A dialog with these lines and ways out; the last one is the main one. */
  async #show(title, lines, ways) {
    const node = document.createElement("div");
    node.append(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
    const body = new this.widgets.Widget({ node });
    const { button } = await this.showDialog({
      title,
      body,
      buttons: [
        this.Dialog.cancelButton({ label: words.stay }),
        ...ways.map(([label], index) =>
          index === ways.length - 1 ? this.Dialog.okButton({ label }) : this.Dialog.createButton({ label, accept: false }),
        ),
      ],
    });
    const way = ways.find(([label]) => label === button.label);
    if (way === undefined) return;
    // A page whose server is gone is of use only for what it holds unsaved.
    if (this.#told && unsavedIn(this.app).length === 0) this.leave(way[1]);
    else window.open(way[1], "_blank", "noopener");
  }
}

/** What to do first after this end, as the session's page says it, and where below that page it leads. */
export function firstStep({ kind, walltime_s: seconds, memory_mib: memory, gpu_type: gpu }) {
  const form = "?again=1";
  if (kind === "more_time") return [words.againWith(span(seconds)), form];
  if (kind === "more_memory") return [words.againWith(gb(memory)), form];
  if (kind === "larger_gpu") return [words.againOn(gpu.toUpperCase()), form];
  if (kind === "other_node") return [words.againElsewhere, form];
  if (kind === "log") return [words.readLog, "#log"];
  if (kind === "edit") return [words.editAndStart, form];
  return [words.again, form];
}
