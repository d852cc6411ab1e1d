// The status bar's item: time left and use. It opens the panel.
import { Panel, element } from "./panel.js";
import { gb, gpuUse, sessionWords as words, span } from "./session-words.js";

/** The item as a Lumino widget: a button that says how much time is left and what is used; with `more`, also where. */
export function makeBar({ link, widgets, showDialog, Dialog, unsaved, more = false }) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "portal-session-bar";
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  const bar = new widgets.Widget({ node: button });
  const panel = new Panel({ link, button, showDialog, Dialog, unsaved });
  button.addEventListener("click", () => panel.toggle());
  let timer = 0;
  const show = () => {
    clearTimeout(timer);
    const { session } = link;
    if (session === null) return;
    const left = leftOf(session, Date.now());
    const parts = partsOf(link, Date.now(), more);
    const text = parts.join(" · ");
    if (button.textContent !== text) {
      // On a phone, the line shows the first two (session-style.js).
      button.replaceChildren(...parts.map((part, index) => element("span", { textContent: index > 0 ? ` · ${part}` : part })));
      button.setAttribute("aria-label", `${words.bar}: ${text}`);
      button.title = words.about;
    }
    button.classList.toggle("portal-soon", left !== null && left < 300 && session.state !== "ended");
    panel.update();
    timer = setTimeout(show, left !== null && left < 120 ? 1000 : 15_000);
  };
  link.changed.connect(show);
  return { bar, panel };
}

/** Seconds until the session ends; null if it has no end yet. */
export const leftOf = ({ ends_at }, now) => (ends_at === null ? null : (Date.parse(ends_at) - now) / 1000);

/** `1 h 23 min left`, `2 GPUs 71 %`, `12.1 of 96 GB`; without figures that are not known. */
export function partsOf({ session, away }, now, more = false) {
  const { usage, resources } = session;
  if (session.state === "ended") return [words.ended];
  const left = leftOf(session, now);
  const gpus = resources.gpus * resources.nodes;
  const use = away ? null : gpuUse(usage);
  const cores = away ? null : usage?.cpu_percent;
  return [
    left === null ? null : left <= 0 ? words.over : words.left(span(left < 120 ? left : Math.floor(left / 60) * 60)),
    gpus > 0 ? words.gpuCount(gpus) + (use === null ? "" : ` ${words.percent(use)}`) : null,
    more && typeof cores === "number" ? words.cores(Number((cores / 100).toFixed(1)), resources.cpus) : null,
    !away && usage?.memory_mib ? words.of(gb(usage.memory_mib), gb(resources.memory_mib)) : null,
    more ? session.node : null,
  ].filter(Boolean);
}
