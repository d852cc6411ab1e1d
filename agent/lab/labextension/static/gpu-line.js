// The use of the session's GPUs over its life, as a small line.
import { sessionWords as words } from "./session-words.js";

const [WIDTH, HEIGHT] = [240, 32];
const SVG = "http://www.w3.org/2000/svg";

/** The line of samples `{at, gpu_percent}` every `step` seconds from `from` to `to` (ms); where none was taken, a gap. */
export function pathOf(samples, step, from, to) {
  let last = null;
  return samples
    .filter(({ gpu_percent: percent }) => typeof percent === "number")
    .map(({ at, gpu_percent: percent }) => {
      const time = Date.parse(at);
      const joined = last !== null && time - last <= 2.5 * step * 1000;
      last = time;
      const x = (Math.min(1, Math.max(0, (time - from) / Math.max(1, to - from))) * WIDTH).toFixed(1);
      const y = ((1 - Math.min(100, percent) / 100) * (HEIGHT - 2) + 1).toFixed(1);
      // A sample without a neighbour is a dot: a line of no length with round ends.
      return joined ? `L${x} ${y}` : `M${x} ${y}h0`;
    })
    .join("");
}

/** The mean of the samples in percent; null without any. */
export function meanOf(samples) {
  const known = samples.map(({ gpu_percent: percent }) => percent).filter((percent) => typeof percent === "number");
  return known.length > 0 ? known.reduce((sum, percent) => sum + percent, 0) / known.length : null;
}

/** A picture that says in words what it shows. */
export function gpuLine({ items, step_s: step }, from, to) {
  const svg = document.createElementNS(SVG, "svg");
  const attributes = { class: "portal-line", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  svg.setAttribute("aria-label", words.gpuLine(words.percent(meanOf(items))));
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", pathOf(items, step, from, to));
  svg.append(path);
  return svg;
}
