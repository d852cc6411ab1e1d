// Browser notifications: ready, ended, about to end. Permission is requested when the user first has a reason to want
// one.
import type { Session } from "~/api/types";
import { relative } from "~/lib/time";
import { strings } from "~/strings/en";

const WANTED = "dsp.notices";
const SOON_S = 10 * 60;

export interface Notice {
  tag: string;
  title: string;
  body: string;
}

type Permission = "ask" | "granted" | "denied" | "unsupported";

export function permission(): Permission {
  if (typeof Notification === "undefined" || !window.isSecureContext) return "unsupported";
  return Notification.permission === "default" ? "ask" : Notification.permission;
}

export function noticesWanted(): boolean {
  return permission() === "granted" && localStorage.getItem(WANTED) === "yes";
}

export async function askForNotices(): Promise<boolean> {
  const granted = (await Notification.requestPermission()) === "granted";
  if (granted) localStorage.setItem(WANTED, "yes");
  return granted;
}

/** The notice for a session's change; null if it deserves none, as with the user's own actions. */
export function noticeOf(before: Session | undefined, after: Session): Notice | null {
  if (before === undefined || before.state === after.state) return null;
  if (after.state === "ready") {
    const body = strings.notify.readyBody(after.app_title, after.node);
    return { tag: `${after.id}-ready`, title: strings.notify.ready(after.name), body };
  }
  if (after.state === "ended" && before.state !== "stopping" && after.end?.code !== "stopped") {
    return { tag: `${after.id}-ended`, title: strings.notify.ended(after.name), body: after.end?.text ?? "" };
  }
  return null;
}

/** Whether a session is about to reach its time limit. */
export function endsSoon({ state, ends_at }: Session, now: number): boolean {
  if (state !== "ready" || ends_at === null) return false;
  const rest = (Date.parse(ends_at) - now) / 1000;
  return rest > 0 && rest <= SOON_S;
}

export function soonNotice(session: Session, now: number): Notice | null {
  if (!endsSoon(session, now) || session.ends_at === null) return null;
  const title = strings.notify.soon(session.name, relative(session.ends_at, now));
  return { tag: `${session.id}-soon`, title, body: strings.notify.soonBody };
}

export function tellOfSession(before: Session | undefined, after: Session): void {
  showNotice(noticeOf(before, after));
}

const announced = new Set<string>();

export function tellOfSoon(sessions: readonly Session[], now: number): void {
  for (const session of sessions) {
    const notice = soonNotice(session, now);
    if (notice === null || announced.has(notice.tag)) continue;
    announced.add(notice.tag);
    showNotice(notice);
  }
}

/** Shows a notice, unless the page is visible or notices are off. */
export function showNotice(notice: Notice | null): void {
  if (notice === null || !document.hidden || !noticesWanted()) return;
  const shown = new Notification(notice.title, { body: notice.body, tag: notice.tag });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}
