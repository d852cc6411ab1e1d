// The panel above the status bar: where the session runs, what it uses, how long it lasts, and what can be done.
import { gpuLine, meanOf } from "./gpu-line.js";
import { gb, sessionWords as words, span } from "./session-words.js";

/** Names of unsaved files in the question whether to stop. */
const SHOWN = 5;

export class Panel {
  #node = null;
  #facts = null;
  #status = null;
  #choices = null;
  #use = null;

  constructor({ link, button, showDialog, Dialog, unsaved }) {
    this.link = link;
    this.button = button;
    this.showDialog = showDialog;
    this.Dialog = Dialog;
    this.unsaved = unsaved;
  }

  toggle() {
    if (this.#node === null) this.open();
    else this.close();
  }

  open({ extend = false } = {}) {
    if (this.link.session === null || this.link.session.state === "ended") return;
    if (this.#node === null) {
      this.#build();
      void this.#readUse();
    }
    this.update();
    this.#node.querySelector("button").focus();
    if (extend) void this.#offer();
  }

  close() {
    if (this.#node === null) return;
    document.removeEventListener("pointerdown", this.#outside, true);
    const inside = this.#node.contains(document.activeElement);
    this.#node.remove();
    this.#node = null;
    this.button.setAttribute("aria-expanded", "false");
    if (inside) this.button.focus();
  }

  update() {
    if (this.#node === null) return;
    const { session, away } = this.link;
    if (session.state === "ended") return this.close(); // what is said of the end is said elsewhere
    this.#facts.replaceChildren(...factsOf(session, Date.now(), this.#use));
    this.#node.querySelector(".portal-away").textContent = away ? words.away : "";
  }

  #build() {
    const { session, sessionPage } = this.link;
    this.#node = element("div", { className: "portal-session-panel", role: "dialog", "aria-label": words.panel });
    this.#facts = element("dl");
    this.#choices = element("div", { className: "portal-choices", role: "group", "aria-label": words.extendBy });
    this.#status = element("p", { role: "status" });
    const buttons = element("div", { className: "portal-buttons" });
    buttons.append(
      action(words.extend, () => void this.#offer(), "jp-mod-styled jp-mod-accept"),
      ...(this.showDialog ? [action(words.stop, () => void this.stop())] : []), // elsewhere only the session's page stops it
      element("a", { textContent: words.page, href: sessionPage, target: "_blank", rel: "noopener" }),
    );
    const away = element("p", { className: "portal-away" });
    this.#node.append(element("h2", { textContent: session.name }), this.#facts, away, buttons, this.#choices, this.#status);
    this.#node.addEventListener("keydown", (event) => {
      event.stopPropagation(); // Lab's shortcuts are not meant for it
      if (event.key === "Escape") this.close();
      // Only when a person leaves it: JupyterLab moves the focus by itself, too.
      if (event.key === "Tab") setTimeout(() => this.#left());
    });
    document.addEventListener("pointerdown", this.#outside, true);
    // Beside the button: Tab leads from it into the panel. Placed by its own coordinates, since the bar clips.
    document.body.append(this.#node);
    const { right, top, width } = this.button.getBoundingClientRect();
    this.#node.style.right = `${width > 0 ? Math.max(8, innerWidth - right) : 8}px`; // a hidden status bar has no place
    this.#node.style.bottom = `${width > 0 ? innerHeight - top + 4 : 8}px`;
    this.button.setAttribute("aria-expanded", "true");
  }

  /** Ask once for what the GPUs did until now; what is in use at the moment comes with the stream. */
  async #readUse() {
    if (this.link.session.resources.gpus === 0) return;
    const { ok, body } = await this.link.ask("GET", "/usage");
    if (!ok || meanOf(body.items ?? []) === null) return;
    this.#use = body;
    this.update();
  }

  #left() {
    const { activeElement } = document;
    if (this.#node !== null && !this.#node.contains(activeElement) && activeElement !== this.button) this.close();
  }

  #outside = ({ target }) => {
    if (!this.#node.contains(target) && !this.button.contains(target)) this.close();
  };

  /** Show how much time can be added now, and why not more. */
  async #offer() {
    this.#say(words.asking);
    const { ok, body, problem } = await this.link.ask("GET", "/time-limit");
    if (this.#node === null) return;
    if (!ok) return this.#say(problem);
    const offered = body.choices.filter(({ why_not }) => why_not === null);
    const refusals = [...new Set(body.choices.flatMap(({ why_not }) => why_not ?? []))];
    this.#choices.replaceChildren(...offered.map(({ seconds }) => action(words.add(span(seconds)), () => void this.#extend(seconds))));
    this.#say(refusals.join(" "));
    this.#choices.querySelector("button")?.focus();
  }

  async #extend(seconds) {
    this.#busy(true);
    const { ok, problem } = await extend(this.link, seconds);
    if (this.#node === null) return;
    this.#busy(false);
    if (!ok) return this.#say(problem);
    this.#node.querySelector("button").focus();
    this.#choices.replaceChildren();
    this.update();
    this.#say(words.extended(span((Date.parse(this.link.session.ends_at) - Date.now()) / 1000)));
  }

  /** Stop the session, after asking. */
  async stop() {
    const { session } = this.link;
    const names = this.unsaved();
    const { button } = await this.showDialog({
      title: words.stopTitle(session.name),
      body: names.length > 0 ? `${words.unsaved(names.slice(0, SHOWN), names.length - SHOWN)} ${words.stopBody}` : words.stopBody,
      buttons: [this.Dialog.cancelButton({ label: words.keep }), this.Dialog.warnButton({ label: words.stopSure })],
      defaultButton: 0,
    });
    if (!button.accept) return;
    this.open();
    const { ok, problem } = await this.link.ask("DELETE", "");
    if (this.#node !== null) this.#say(ok ? words.stopping : problem);
  }

  #busy(busy) {
    this.#choices.querySelectorAll("button").forEach((one) => (one.disabled = busy));
  }

  #say(text) {
    this.#status.textContent = text;
  }
}

/** Give the session more time; the new end is shown at once, before the stream reports it. */
export async function extend(link, seconds) {
  const answer = await link.ask("PUT", "/time-limit", { walltime_s: link.session.resources.walltime_s + seconds });
  if (answer.ok) {
    link.session = { ...answer.body, usage: answer.body.usage ?? link.session.usage };
    link.changed.emit("session");
  }
  return answer;
}

function factsOf({ node, usage, resources, started_at, ends_at }, now, use) {
  const facts = [];
  if (started_at !== null && ends_at !== null) {
    const whole = resources.walltime_s;
    const part = Math.min(whole, Math.max(0, (now - Date.parse(started_at)) / 1000));
    const clock = new Date(ends_at).toLocaleString([], {
      ...(Date.parse(ends_at) - now > 12 * 3600_000 ? { weekday: "short" } : {}),
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
    facts.push(fact(words.time, `${words.used(span(part), span(whole))}. ${words.ends(clock)}`, part / whole));
  }
  if (node !== null) facts.push(fact(words.node, node));
  const cores = usage?.cpu_percent;
  facts.push(
    typeof cores === "number"
      ? fact(words.cpu, words.cores(Number((cores / 100).toFixed(1)), resources.cpus), cores / 100 / resources.cpus)
      : fact(words.cpu, words.unmeasured),
  );
  facts.push(
    usage?.memory_mib
      ? fact(words.memory, words.of(gb(usage.memory_mib), gb(resources.memory_mib)), usage.memory_mib / resources.memory_mib)
      : fact(words.memory, words.unmeasured),
  );
  for (const one of usage?.gpus ?? []) {
    const parts = [
      typeof one.utilization === "number" ? words.percent(one.utilization) : null,
      one.memory_used_mib !== null && one.memory_total_mib ? words.of(gb(one.memory_used_mib), gb(one.memory_total_mib)) : null,
    ].filter((part) => part !== null);
    const [name, value] = fact(words.gpu(one.index), parts.join(" · ") || words.unmeasured, (one.utilization ?? 0) / 100);
    name.title = one.name ?? "";
    facts.push([name, value]);
  }
  if (use !== null && started_at !== null) {
    const [name, value] = fact(words.gpuUse, words.onAverage(words.percent(meanOf(use.items))));
    value.append(gpuLine(use, Date.parse(started_at), now));
    facts.push([name, value]);
  }
  if (resources.gpus > 0 && !usage?.gpus?.length) facts.push(fact(words.gpus, `${resources.gpus * resources.nodes}`));
  return facts.flat();
}

/** A term and its value; with a part between 0 and 1, a bar below it that repeats what the text says. */
function fact(name, text, part) {
  const value = element("dd", { textContent: text });
  if (part !== undefined) {
    const meter = element("div", { className: "portal-meter", "aria-hidden": "true" });
    const fill = element("div");
    fill.style.width = `${Math.min(100, Math.max(0, part * 100))}%`;
    if (part > 0.9) fill.className = "portal-full";
    meter.append(fill);
    value.append(meter);
  }
  return [element("dt", { textContent: name }), value];
}

export function element(tag, { textContent, className, ...attributes } = {}) {
  const node = document.createElement(tag);
  if (textContent !== undefined) node.textContent = textContent;
  if (className !== undefined) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

function action(label, act, className = "jp-mod-styled") {
  const button = element("button", { textContent: label, className, type: "button" });
  button.addEventListener("click", act);
  return button;
}
