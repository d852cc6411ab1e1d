// A main-area tab for one folder: starting, missing or empty, waiting, or TensorBoard itself.
import { nameOf } from "./boards.js";
import { words } from "./words.js";

const LOOK_AGAIN_MS = 4000;

/** Returns the function that opens a folder's tab, or brings it to the front if it is already open. */
export function makeTabs({ app, apputils, ui, widgets, boards, tracker, icon }) {
  function make(folder) {
    const content = new widgets.Widget();
    const tab = new apputils.MainAreaWidget({ content });
    tab.id = `portal-tensorboard-${crypto.randomUUID()}`;
    tab.title.label = nameOf(folder) || words.name;
    tab.title.caption = `${words.name}: ${folder || words.home}`;
    tab.title.icon = icon;
    tab.title.closable = true;
    tab.portalFolder = folder;
    content.addClass("portal-tensorboard");
    content.node.style.overflow = "hidden";
    const view = new View({ tab, content, boards, folder, save: () => void tracker.save(tab) });
    addButtons(tab, view);
    tab.disposed.connect(() => view.stop());
    return { tab, view };
  }

  function addButtons(tab, view) {
    const button = (name, options) => tab.toolbar.addItem(name, new ui.ToolbarButton(options));
    tab.toolbar.addItem("folder", labelOf(widgets, tab.portalFolder || words.home));
    tab.toolbar.addItem("spacer", ui.Toolbar.createSpacerItem());
    button("reload", { icon: ui.refreshIcon, tooltip: words.reload, onClick: () => view.reload() });
    button("browser", { icon: ui.launchIcon, tooltip: words.newTab, onClick: () => view.openOutside() });
    button("shutdown", { icon: ui.closeIcon, tooltip: words.shutDown, onClick: () => void view.shutDown() });
  }

  return async (folder) => {
    const known = tracker.find((tab) => tab.portalFolder === folder);
    if (known) {
      app.shell.activateById(known.id);
      return known;
    }
    const { tab, view } = make(folder);
    app.shell.add(tab, "main");
    app.shell.activateById(tab.id);
    await tracker.add(tab);
    void view.start();
    return tab;
  };
}

function labelOf(widgets, text) {
  const label = new widgets.Widget({ node: document.createElement("span") });
  label.node.textContent = text;
  label.node.style.cssText = "padding: 0 8px; align-self: center; overflow: hidden; text-overflow: ellipsis";
  return label;
}

class View {
  #board = null;
  #timer = 0;
  #stopped = false;

  constructor({ tab, content, boards, folder, save }) {
    this.save = save;
    this.tab = tab;
    this.node = content.node;
    this.boards = boards;
    this.folder = folder;
    boards.changed.connect(this.#onChanged, this);
  }

  async start({ waiting = false } = {}) {
    clearTimeout(this.#timer);
    if (!waiting) this.#say(words.starting(this.folder || words.home), { busy: true });
    const answer = await this.boards.open(this.folder);
    if (this.#stopped) return;
    if (answer.state === "ready") this.#show(answer);
    else if (waiting && isYet(answer)) this.#waitOn(answer);
    else this.#refuse(answer);
  }

  reload() {
    if (this.#board === null) void this.start();
    else this.#show(this.#board);
  }

  openOutside() {
    if (this.#board !== null) window.open(this.#board.url, "_blank", "noopener");
  }

  async shutDown() {
    if (this.#board !== null) await this.boards.close(this.#board.id);
    this.tab.dispose();
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.boards.changed.disconnect(this.#onChanged, this);
  }

  #show(board) {
    this.#board = board;
    const frame = document.createElement("iframe");
    frame.title = `${words.name}: ${board.folder}`;
    frame.src = board.url;
    frame.style.cssText = "border: 0; width: 100%; height: 100%; display: block; background: #fff";
    this.node.replaceChildren(frame);
  }

  /** It may have been shut down in the Running panel or in another browser. */
  #onChanged() {
    if (this.#board === null || this.boards.items.some(({ id }) => id === this.#board.id)) return;
    this.#board = null;
    this.#say(words.ended, { buttons: [[words.again, () => void this.start()]] });
  }

  #refuse(answer) {
    const yet = isYet(answer);
    const button = yet ? [words.wait, () => this.#waitOn(answer)] : [words.again, () => void this.start()];
    this.#say(answer.message, { buttons: [button], other: true });
  }

  #waitOn({ message }) {
    if (this.#timer === 0 || !this.node.querySelector("[data-waiting]")) {
      this.#say(message, { busy: true, more: words.waiting });
      this.node.firstChild.dataset.waiting = "";
    }
    this.#timer = setTimeout(() => void this.start({ waiting: true }), LOOK_AGAIN_MS);
  }

  /** A message in the middle of the tab, with the actions it offers. */
  #say(message, { more = "", busy = false, buttons = [], other = false } = {}) {
    const box = document.createElement("div");
    box.setAttribute("role", "status");
    if (busy) box.setAttribute("aria-busy", "true");
    box.style.cssText = "max-width: 520px; margin: 12vh auto 0; padding: 0 24px; text-align: center; line-height: 1.5";
    box.append(paragraph(message, "font-weight: 600; overflow-wrap: anywhere"));
    if (more !== "") box.append(paragraph(more, "color: var(--jp-ui-font-color2)"));
    if (other) box.append(this.#otherFolder());
    if (buttons.length > 0) box.append(row(buttons.map(([label, act]) => buttonOf(label, act))));
    this.node.replaceChildren(box);
  }

  /** An input for another folder: the launcher starts in the file browser's folder, which may be anywhere. */
  #otherFolder() {
    const form = document.createElement("form");
    const input = document.createElement("input");
    input.className = "jp-mod-styled";
    input.value = this.folder || "~";
    input.setAttribute("aria-label", words.other);
    input.style.cssText = "width: 60%; min-width: 180px; margin-right: 8px";
    form.style.cssText = "display: flex; justify-content: center; margin: 16px 0 8px";
    form.append(input, buttonOf(words.otherOpen));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.folder = this.tab.portalFolder = input.value.trim();
      this.tab.title.label = nameOf(this.folder) || words.name;
      this.tab.title.caption = `${words.name}: ${this.folder || words.home}`;
      this.tab.toolbar.node.querySelector("span").textContent = this.folder;
      this.save();
      void this.start();
    });
    return form;
  }
}

const isYet = ({ state }) => state === "empty" || state === "missing";

function paragraph(text, style) {
  const node = document.createElement("p");
  node.textContent = text;
  node.style.cssText = `margin: 0 0 8px; ${style}`;
  return node;
}

function row(nodes) {
  const node = document.createElement("div");
  node.style.cssText = "display: flex; gap: 8px; justify-content: center; margin-top: 16px";
  node.append(...nodes);
  return node;
}

/** Without an action, the button submits its form. */
function buttonOf(label, act) {
  const node = document.createElement("button");
  node.className = act ? "jp-mod-styled" : "jp-mod-styled jp-mod-accept";
  node.type = act ? "button" : "submit";
  node.textContent = label;
  if (act) node.addEventListener("click", act);
  return node;
}
