// Terminal colours (SGR escape sequences) as spans of text. Nothing here makes HTML: a span is text and a style, and
// every other control character is dropped, so that a job's output cannot affect the page.

/** 0–15: the terminal's own colours; `#rrggbb`: any other. */
export type Colour = number | string;

export interface Style {
  fg?: Colour;
  bg?: Colour;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  inverse?: true;
}

export interface Span {
  text: string;
  style: Style;
}

export const PLAIN: Style = {};

const ESCAPE = "\u001b";
// CSI … letter; OSC … BEL or ST; a lone escape with one character; control characters that must not reach the page (tab
// stays).
const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it is about
  /\u001b\[([0-9;:?<=>]*)([ -/]*)([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[@-Z\\-_]?|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** What remains of a line with carriage returns: as on a terminal, later text overwrites. */
export function lastWritten(line: string): string {
  const end = line.endsWith("\r") ? line.length - 1 : line.length;
  const start = line.lastIndexOf("\r", end - 1);
  return start < 0 && end === line.length ? line : line.slice(start + 1, end);
}

/** The line without any escape sequence or control character. */
export function plainText(line: string): string {
  return lastWritten(line).replace(SEQUENCE, "");
}

/** The style at the end of a line that starts in `style`. The same object if the line changes nothing. */
export function styleAfter(line: string, style: Style): Style {
  if (!line.includes(ESCAPE)) return style;
  let now = style;
  for (const match of line.matchAll(SEQUENCE)) now = applied(match, now);
  return now;
}

/** A line as spans; it starts in `style`. */
export function spansOf(line: string, style: Style): Span[] {
  const shown = lastWritten(line);
  const start = line.length === shown.length ? style : styleAfter(line.slice(0, line.indexOf(shown)), style);
  const spans: Span[] = [];
  let now = start;
  let at = 0;
  const put = (text: string) => {
    if (text === "") return;
    const last = spans.at(-1);
    if (last !== undefined && last.style === now) last.text += text;
    else spans.push({ text, style: now });
  };
  for (const match of shown.matchAll(SEQUENCE)) {
    put(shown.slice(at, match.index));
    at = match.index + match[0].length;
    now = applied(match, now);
  }
  put(shown.slice(at));
  return spans;
}

function applied(match: RegExpMatchArray, style: Style): Style {
  const [, parameters, , final] = match;
  return final === "m" ? sgr((parameters ?? "").split(/[;:]/).map(Number), style) : style;
}

/** Select Graphic Rendition, ECMA-48 8.3.117, with the colours of xterm. */
function sgr(codes: number[], style: Style): Style {
  let now: Style = { ...style };
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 0) now = {};
    else if (code === 38 || code === 48) {
      const { colour, used } = extended(codes, index + 1);
      index += used;
      if (colour !== null) now[code === 38 ? "fg" : "bg"] = colour;
    } else now = simple(code, now);
  }
  return now;
}

function simple(code: number, style: Style): Style {
  const set = FLAGS[code];
  if (set !== undefined) return { ...style, [set]: true };
  if (code >= 30 && code <= 37) return { ...style, fg: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, fg: code - 90 + 8 };
  if (code >= 40 && code <= 47) return { ...style, bg: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, bg: code - 100 + 8 };
  return without(style, ENDS[code] ?? []);
}

const FLAGS: Partial<Record<number, "bold" | "dim" | "italic" | "underline" | "inverse">> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
};

const ENDS: Partial<Record<number, (keyof Style)[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  39: ["fg"],
  49: ["bg"],
};

function without(style: Style, gone: readonly (keyof Style)[]): Style {
  if (gone.length === 0) return style;
  return Object.fromEntries(Object.entries(style).filter(([name]) => !gone.includes(name as keyof Style)));
}

/** Parses `5;n` or `2;r;g;b` after 38 or 48, and returns how many codes it consumed. */
function extended(codes: number[], at: number): { colour: Colour | null; used: number } {
  if (codes[at] === 5) return { colour: indexed(codes[at + 1]), used: 2 };
  if (codes[at] === 2) return { colour: rgb(codes.slice(at + 1, at + 4)), used: 4 };
  return { colour: null, used: codes.length };
}

function indexed(index: number | undefined): Colour | null {
  if (index === undefined || !Number.isInteger(index) || index < 0 || index > 255) return null;
  if (index < 16) return index;
  if (index >= 232) return rgb([8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10]);
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return rgb([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function rgb(parts: number[]): string | null {
  if (parts.length < 3 || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255)) return null;
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
