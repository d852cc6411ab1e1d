// Lines over time, drawn by uPlot in the page's own colours.
import "uplot/dist/uPlot.min.css";

import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import uPlot from "uplot";

import { strings } from "~/strings/en";
import type { Line, Series } from "./series";

export default function Chart({ series }: { series: Series }) {
  const frame = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const size = () => ({ width: element.clientWidth, height: element.clientHeight });
    const plot = new uPlot({ ...options(element, series), ...size() }, [series.times, ...series.lines.map(({ values }) => values)], element);
    const sizes = new ResizeObserver(() => plot.setSize(size()));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      plot.destroy();
    };
  }, [series, scheme]);
  return <div ref={frame} style={{ height: "100%" }} />;
}

function options(element: HTMLElement, { times, lines, unit, most, utc = false, span = spanOf(times) }: Series): Omit<uPlot.Options, "width" | "height"> {
  const colour = reader(element);
  const font = `12px ${getComputedStyle(element).fontFamily}`;
  const axis = { stroke: colour("--dsp-text-2"), font, grid: { stroke: colour("--dsp-line"), width: 1 }, ticks: { show: false } };
  const number = new Intl.NumberFormat(strings.locale, { notation: "compact" });
  return {
    ...(utc ? { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC") } : {}),
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { range: () => span }, y: { range: (_plot, _least, highest) => [0, most ?? Math.max(1, highest * 1.05)] } },
    axes: [
      { ...axis, size: heightOf, values: [[86_400, "{D} {MMM}", ...NO_ROLLOVER], [3600, "{HH}:{mm}", "\n{D} {MMM}", ...REST], [1, "{HH}:{mm}", ...NO_ROLLOVER]] },
      { ...axis, size: 64, values: (_plot, values) => values.map((value) => `${number.format(value)}${unit === "" ? "" : ` ${unit}`}`) },
    ],
    series: [{}, ...lines.map((line) => ({ ...LOOKS[line.kind], stroke: colour(COLOURS[line.kind]), points: { show: lonely(line) } }))],
  };
}

/** A new portal has only a sample or two: show them at the end of half an hour. uPlot would stretch one to years. */
function spanOf(times: number[]): [number, number] {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  return [Math.min(first, last - LEAST_S), last];
}

const LEAST_S = 1800;

/** The height of the time axis: of two lines only where a label has two. */
const heightOf = (_plot: uPlot, labels: string[] | null) => (labels?.some((label) => label.includes("\n")) === true ? 44 : 28);

// uPlot's second label line, where a year, a month, a day … starts: left empty.
const NO_ROLLOVER: (string | number | null)[] = [null, null, null, null, null, null, 1];
const REST: (string | number | null)[] = [null, "\n{D} {MMM}", null, null, null, 1];

const COLOURS: Record<Line["kind"], string> = { first: "--dsp-accent", second: "--dsp-bad", third: "--dsp-good", fourth: "--dsp-wait", total: "--dsp-text-3" };
const LOOKS: Record<Line["kind"], Pick<uPlot.Series, "dash" | "width" | "fill">> = {
  first: { width: 2 },
  second: { width: 2, dash: [6, 4] },
  third: { width: 2, dash: [10, 3] },
  fourth: { width: 2, dash: [3, 3] },
  total: { width: 1.5, dash: [2, 3] },
};

/** A point between two gaps has no line, so it is drawn as a point. */
const lonely = ({ values }: Line) => values.filter((value) => value !== null).length < 2;

/** Colours as the browser resolves them: a canvas supports neither variables nor light-dark(). */
function reader(element: HTMLElement): (name: string) => string {
  return (name) => {
    const probe = document.createElement("i");
    probe.style.color = `var(${name})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
