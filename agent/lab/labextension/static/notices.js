// Notifications about the session: its end comes near, a process was killed for memory, an administrator writes.
import { leftOf } from "./bar.js";
import { extend } from "./panel.js";
import { gb, sessionWords as words, span } from "./session-words.js";

/** Seconds before the end. */
export const WARN_S = [900, 300, 60];
/** JupyterLab cuts longer messages off. */
const LONGEST = 140;
/** A kill that is older when the page opens is no news. */
const NEWS_MS = 120_000;
/** How far apart the report of a kill and Jupyter's notice that a kernel is gone may be. */
const KERNEL_MS = 15_000;

/** The warning that is due, in seconds before the end; null before the first. A short session has fewer. */
export function warningDue({ ends_at, resources }, now) {
  const left = leftOf({ ends_at }, now);
  if (left === null || left <= 0) return null;
  return WARN_S.filter((before) => left <= before && before < resources.walltime_s).at(-1) ?? null;
}

/** What a warning says, no longer than JupyterLab shows: names of files give way to their number. */
export function warningText(left, unsaved, whyNot = "") {
  const start = words.endsIn(span(left < 90 ? left : Math.round(left / 60) * 60));
  const say = (names) => [start, names, whyNot].filter(Boolean).join(" ");
  for (let shown = unsaved.length; shown > 0; shown -= 1) {
    const text = say(words.unsaved(unsaved.slice(0, shown), unsaved.length - shown));
    if (text.length <= LONGEST) return text;
  }
  const counted = say(unsaved.length > 0 ? words.unsavedCount(unsaved.length) : "");
  return counted.length <= LONGEST ? counted : `${counted.slice(0, LONGEST - 1)}…`;
}

/** The memory for another try: a third more in steps of 16 GB, at most twice as much; as in the portal. */
export const moreMemory = (mib) => Math.min(2 * mib, Math.ceil((mib * 4) / 3 / 16_384) * 16_384);

export class Notices {
  #warned = "";
  #warning = null;
  #timer = 0;
  #idle = null;
  #idleAbout = "";
  #kills = null;
  #killed = null;
  #dead = null;
  #watched = new WeakSet();
  #shown = new Map();

  constructor({ link, app, Notification, showDialog, Dialog, longest = LONGEST }) {
    Object.assign(this, { link, app, Notification, showDialog, Dialog, longest });
    link.changed.connect((_, kind) => {
      if (kind === "session") {
        this.#lookAtTime();
        this.#lookAtIdle();
        this.#lookAtMemory();
      }
      if (kind === "messages") this.#lookAtMessages();
    });
    app.shell.layoutModified?.connect(() => this.#watchKernels());
    this.#watchKernels();
  }

  #open = (label, path, displayType = "default") => ({
    label,
    displayType,
    callback: () => void window.open(path, "_blank", "noopener"),
  });

  #lookAtTime() {
    clearTimeout(this.#timer);
    const { session } = this.link;
    const left = leftOf(session, Date.now());
    const due = session.state === "ready" ? warningDue(session, Date.now()) : null;
    if (this.#warning !== null && (due === null || this.#warned !== `${session.ends_at} ${due}`)) {
      this.Notification.dismiss(this.#warning);
      this.#warning = null;
    }
    if (due !== null && !document.hidden && this.#warned !== `${session.ends_at} ${due}`) {
      this.#warned = `${session.ends_at} ${due}`;
      void this.#warn();
    }
    const next = left === null ? undefined : WARN_S.find((before) => before < left);
    if (next !== undefined) this.#timer = setTimeout(() => this.#lookAtTime(), Math.min((left - next) * 1000 + 50, 2 ** 31 - 1));
  }

  async #warn() {
    const about = this.#warned;
    const { ok, body } = await this.link.ask("GET", "/time-limit");
    if (about !== this.#warned) return;
    const choices = ok ? body.choices : [];
    const offered = choices.filter(({ why_not }) => why_not === null).map(({ seconds }) => seconds);
    const seconds = offered.filter((one) => one <= 3600).at(-1) ?? offered[0];
    const whyNot = seconds === undefined ? (choices.find(({ why_not }) => why_not !== null)?.why_not ?? "") : "";
    const left = leftOf(this.link.session, Date.now());
    this.#warning = this.Notification.warning(warningText(left, unsavedIn(this.app), whyNot), {
      autoClose: false,
      actions: [
        ...(seconds === undefined
          ? []
          : [{ label: words.extendNow(span(seconds)), displayType: "accent", callback: () => void this.#extend(seconds) }]),
        this.#open(words.page, this.link.sessionPage),
      ],
    });
  }

  /** Show a notice while the session is idle. */
  #lookAtIdle() {
    const { idle = null } = this.link.session;
    const about = idle === null ? "" : `${idle.since} ${idle.ends_at}`;
    if (about === this.#idleAbout || (document.hidden && about !== "")) return;
    this.#idleAbout = about;
    if (this.#idle !== null) this.Notification.dismiss(this.#idle);
    this.#idle = null;
    if (idle === null) return;
    const seconds = (at) => Math.abs(Date.parse(at) - Date.now()) / 1000;
    const text = words.idle(span(seconds(idle.since)));
    this.#idle = this.Notification.warning(idle.ends_at === null ? text : words.idleEnds(text, span(seconds(idle.ends_at))), {
      autoClose: false,
      actions: [
        ...(idle.snoozes_left > 0
          ? [{ label: words.snooze(span(idle.snooze_minutes * 60)), displayType: "accent", callback: () => void this.#snooze() }]
          : []),
        this.#open(words.page, this.link.sessionPage),
      ],
    });
  }

  async #snooze() {
    const { ok, problem } = await this.link.ask("POST", "/snooze");
    if (!ok) this.Notification.error(problem, { autoClose: false, actions: [this.#open(words.page, this.link.sessionPage)] });
  }

  async #extend(seconds) {
    const { ok, problem } = await extend(this.link, seconds);
    const left = () => span(leftOf(this.link.session, Date.now()));
    if (ok) this.Notification.success(words.extended(left()), { autoClose: 8000 });
    else this.Notification.error(problem, { autoClose: false, actions: [this.#open(words.page, this.link.sessionPage)] });
  }

  #lookAtMemory() {
    const { usage, resources } = this.link.session;
    const kills = usage?.memory_kills;
    if (kills === null || kills === undefined) return;
    const before = this.#kills ?? (Date.now() - Date.parse(usage.memory_killed_at) < NEWS_MS ? 0 : kills);
    this.#kills = kills;
    if (kills <= before) return;
    const [had, more] = [gb(resources.memory_mib), gb(moreMemory(resources.memory_mib))];
    // Known at once if its death was noticed first: JupyterLab drops an update of a notification it has not drawn yet.
    const dead = this.#dead !== null && Date.now() - this.#dead.at <= KERNEL_MS ? this.#dead : null;
    const killed = dead === null ? words.someProcess : words.kernelOf(dead.name);
    const id = this.Notification.error(words.outOfMemory(had, killed), {
      autoClose: false,
      actions: [
        this.#open(words.againWith(more), `${this.link.sessionPage}?again=1`, "accent"),
        this.#open(words.page, this.link.sessionPage),
      ],
    });
    this.#killed = dead === null ? { id, had, at: Date.now() } : null;
    this.#dead = null;
  }

  /** Note when Jupyter finds the kernel of an open document dead. */
  #watchKernels() {
    for (const { sessionContext, title } of openIn(this.app)) {
      if (!sessionContext || this.#watched.has(sessionContext)) continue;
      this.#watched.add(sessionContext);
      sessionContext.statusChanged.connect(() => {
        if (!["autorestarting", "dead"].includes(sessionContext.session?.kernel?.status)) return;
        this.#dead = { name: title.label, at: Date.now() };
        this.#nameKernel();
      });
    }
  }

  /** Name the kernel in a notice of a kill that was reported before its death was noticed. */
  #nameKernel() {
    const [dead, killed] = [this.#dead, this.#killed];
    if (killed === null || dead.at - killed.at > KERNEL_MS) return;
    this.#dead = this.#killed = null;
    this.Notification.update({ id: killed.id, message: words.outOfMemory(killed.had, words.kernelOf(dead.name)) });
  }

  /** Show what is unread, and take away what was read elsewhere. */
  #lookAtMessages() {
    const unread = this.link.messages.filter(({ session_id: about }) => about === null || about === this.link.here.session);
    const ids = unread.map(({ id }) => id);
    for (const [id, notification] of this.#shown) {
      if (ids.includes(id)) continue;
      this.Notification.dismiss(notification);
      this.#shown.delete(id);
    }
    for (const message of unread) {
      if (!this.#shown.has(message.id)) this.#shown.set(message.id, this.#showMessage(message));
    }
  }

  #showMessage({ id, author, text }) {
    const message = words.message(author, text);
    const read = () => void this.link.ask("DELETE", `/messages/${id}`);
    const whole = async () => {
      await this.showDialog({ title: words.messageFrom(author), body: text, buttons: [this.Dialog.okButton({ label: words.close })] });
      read();
    };
    return this.Notification.info(message.length <= this.longest ? message : `${message.slice(0, this.longest - 1)}…`, {
      autoClose: false,
      actions:
        message.length <= this.longest
          ? [{ label: words.markRead, callback: read }]
          : [{ label: words.readAll, displayType: "accent", callback: () => void whole() }],
    });
  }
}

/** What is open in the main area. JupyterLab 3 has iterators of its own. */
export function openIn({ shell }) {
  const found = shell.widgets("main");
  if (Symbol.iterator in found) return [...found];
  const all = [];
  for (let one = found.next(); one !== undefined; one = found.next()) all.push(one);
  return all;
}

/** The names of open documents with changes that are not saved. */
export function unsavedIn(app) {
  const names = openIn(app).filter(({ context }) => context?.model?.dirty).map(({ title }) => title.label);
  return [...new Set(names)];
}
