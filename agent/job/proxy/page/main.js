// The session's line above the terminal and in other apps' pages: JupyterLab's own parts (the links beside this file),
// in a frame without JupyterLab. `?corner`: no wider than its text.
import { makeBar } from "./bar.js";
import { Endings } from "./endings.js";
import { Link } from "./link.js";
import { Notices } from "./notices.js";
import { STYLE } from "./session-style.js";
import { sessionWords as words } from "./session-words.js";

const CORNER = location.search === "?corner";
const HIDDEN = "portal.bar-hidden";
/** On the left of a line in the corner (bar.css). */
const BORDER_PX = 1;

class Signal {
  #slots = [];

  constructor(sender) {
    this.sender = sender;
  }

  connect(slot) {
    this.#slots.push(slot);
  }

  emit(about) {
    this.#slots.forEach((slot) => slot(this.sender, about));
  }
}

class Widget {
  constructor({ node }) {
    this.node = node;
  }
}

const button = (accept) => ({ label }) => ({ label, accept });
const Dialog = { cancelButton: button(false), okButton: button(true), createButton: button(true), warnButton: button(true) };

/** A row below the line, with buttons; it goes when one is pressed. */
function row({ text, body, role, kind, buttons }) {
  const node = document.createElement("section");
  node.className = `portal-row portal-${kind}`;
  node.setAttribute("role", role);
  const texts = document.createElement("div");
  texts.append(text, ...(body ? [body] : []));
  const choices = document.createElement("div");
  choices.className = "portal-row-buttons";
  for (const { label, act } of buttons) {
    const one = document.createElement("button");
    Object.assign(one, { type: "button", textContent: label });
    one.addEventListener("click", () => {
      node.remove();
      act?.();
    });
    choices.append(one);
  }
  node.append(texts, choices);
  rows.append(node);
  return node;
}

/** JupyterLab's notifications, as rows. */
const Notification = {
  shown: new Map(),
  show(kind, message, { autoClose, actions = [] } = {}) {
    const id = crypto.randomUUID();
    const buttons = [...actions.map(({ label, callback }) => ({ label, act: callback })), { label: words.close }];
    const node = row({ text: message, role: kind === "warning" || kind === "error" ? "alert" : "status", kind, buttons });
    this.shown.set(id, node);
    if (autoClose) setTimeout(() => this.dismiss(id), autoClose);
    return id;
  },
  dismiss(id) {
    this.shown.get(id)?.remove();
    this.shown.delete(id);
  },
  update({ id, message }) {
    const text = this.shown.get(id)?.firstChild;
    if (text) text.textContent = message;
  },
  ...Object.fromEntries(
    ["info", "success", "warning", "error"].map((kind) => [kind, (message, options) => Notification.show(kind, message, options)]),
  ),
};

/** JupyterLab's dialogs, as rows. */
const showDialog = ({ title, body, buttons }) =>
  new Promise((resolve) => {
    const text = Object.assign(document.createElement("strong"), { textContent: title });
    const whole = body?.node ?? Object.assign(document.createElement("p"), { textContent: body });
    const node = row({
      text,
      body: whole,
      role: "alertdialog",
      kind: "dialog",
      buttons: buttons.map((one) => ({ label: one.label, act: () => resolve({ button: one }) })),
    });
    node.setAttribute("aria-label", title);
    node.querySelector("button:last-child").focus();
  });

/** The theme chosen in the portal, where it is on this host; else the system's. */
const chosen = localStorage.getItem("dsp.theme");
document.documentElement.style.colorScheme = chosen === "light" || chosen === "dark" ? chosen : "light dark";
document.documentElement.classList.toggle("portal-corner", CORNER);
document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));

const app = { shell: { widgets: () => [] } };
const link = new Link(
  { baseUrl: new URL(".", location.href).pathname },
  { makeRequest: (address, request) => fetch(address, { credentials: "same-origin", ...request }) },
  Signal,
);
const rows = document.createElement("div");
const line = document.createElement("header");
const { bar } = makeBar({ link, widgets: { Widget }, showDialog: null, Dialog, more: !CORNER });
line.append(bar.node);
if (CORNER) {
  const hide = Object.assign(document.createElement("button"), { type: "button", textContent: "×", title: words.hide });
  hide.setAttribute("aria-label", words.hide);
  hide.className = "portal-hide";
  hide.addEventListener("click", () => {
    sessionStorage.setItem(HIDDEN, "1");
    line.hidden = true;
    fit();
  });
  line.hidden = sessionStorage.getItem(HIDDEN) !== null;
  line.append(hide);
}
document.body.append(line, rows);

/** The frame is as high as what it shows, and in a corner as wide. */
function fit() {
  const { frameElement } = window;
  if (frameElement === null) return;
  const shown = link.session !== null && (!line.hidden || rows.childElementCount > 0);
  const open = rows.childElementCount > 0 || document.querySelector(".portal-session-panel") !== null;
  if (CORNER) {
    // Of the page around it: limited by its own frame, the line would get narrower with each call.
    document.documentElement.style.setProperty("--portal-widest", `${window.parent.innerWidth - BORDER_PX}px`);
    frameElement.style.width = open ? "420px" : `${Math.ceil(line.getBoundingClientRect().width) + BORDER_PX}px`;
  }
  frameElement.style.height = shown ? `${Math.ceil(document.body.getBoundingClientRect().height)}px` : "0";
}
new ResizeObserver(fit).observe(document.body);
new MutationObserver(fit).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });

new Notices({ link, app, Notification, showDialog, Dialog, longest: Infinity });
new Endings({ link, app, widgets: { Widget }, showDialog, Dialog, leave: (address) => window.top.location.assign(address) });
link.changed.connect(fit);
link.start();
