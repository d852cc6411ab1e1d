// Only the visible lines are rendered: all lines have the same height, so the browser draws one screenful.
import type { CSSProperties } from "react";

import { spansOf, type Colour, type Style } from "./ansi";
import classes from "./OutputPanel.module.css";
import type { OutputReader } from "./reader";
import { cutAt } from "./search";
import { LINE_HEIGHT, useTail } from "./useTail";

/** Lines rendered beyond the view, on either side. */
const BEYOND = 12;

interface OutputLinesProps {
  reader: OutputReader;
  label: string;
  wanted: string;
  /** The line to scroll into view, counting removed lines; null for none. */
  target: number | null;
  empty: string;
}

export function OutputLines({ reader, label, wanted, target, empty }: OutputLinesProps) {
  const { buffer } = reader;
  const { box, top, height, onScroll } = useTail(reader, target);
  const count = buffer.lines.length;
  const inView = Math.ceil(height / LINE_HEIGHT);
  const start = reader.atEnd ? count - inView : Math.floor(top / LINE_HEIGHT);
  const first = Math.max(0, start - BEYOND);
  const shown = buffer.lines.slice(first, start + inView + BEYOND);
  const isEmpty = count === 0 || (count === 1 && buffer.lines[0] === "");
  return (
    <div ref={box} className={classes["box"]} role="region" aria-label={label} tabIndex={0} data-still={!reader.grows || undefined} onScroll={onScroll}>
      {isEmpty && <p className={classes["none"]}>{empty}</p>}
      <div style={{ height: count * LINE_HEIGHT }} className={classes["all"]}>
        <pre className={classes["shown"]} style={{ transform: `translateY(${first * LINE_HEIGHT}px)` }}>
          {shown.map((line, index) => (
            <Line
              key={first + index + buffer.gone}
              text={line}
              style={buffer.styleOf(first + index)}
              wanted={wanted}
              isTarget={target === first + index + buffer.gone}
            />
          ))}
        </pre>
      </div>
    </div>
  );
}

interface LineProps {
  text: string;
  style: Style;
  wanted: string;
  isTarget: boolean;
}

export function Line({ text, style, wanted, isTarget }: LineProps) {
  return (
    <div className={classes["line"]} data-target={isTarget || undefined}>
      {spansOf(text, style).map((span, index) => (
        <span key={index} {...look(span.style)}>
          {wanted === "" ? span.text : cutAt(span.text, wanted).map((part, cut) => (cut % 2 === 0 ? part : <mark key={cut}>{part}</mark>))}
        </span>
      ))}
    </div>
  );
}

/** Named colours are the theme's, readable on its background; others are blended towards the text colour. */
function look({ fg, bg, bold, dim, italic, underline, inverse }: Style) {
  const ink = fg === undefined ? undefined : colourOf(fg);
  const css: CSSProperties = {
    ...(ink === undefined ? {} : { color: ink }),
    ...(dim ? { color: "var(--dsp-text-3)" } : {}),
    ...(bg === undefined ? {} : { color: "var(--dsp-text)", backgroundColor: `color-mix(in oklab, ${colourOf(bg)} 22%, var(--dsp-sunken))` }),
    ...(inverse ? { color: "var(--dsp-sunken)", backgroundColor: ink ?? "var(--dsp-text)" } : {}),
    ...(bold ? { fontWeight: 650 } : {}),
    ...(italic ? { fontStyle: "italic" } : {}),
    ...(underline ? { textDecoration: "underline" } : {}),
  };
  return Object.keys(css).length === 0 ? {} : { style: css };
}

function colourOf(colour: Colour): string {
  return typeof colour === "number" ? `var(--ansi-${colour % 8})` : `color-mix(in oklab, ${colour} 45%, var(--dsp-text))`;
}
