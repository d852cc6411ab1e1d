// Finds text in the buffered lines: literal, ignoring case.
import { plainText } from "./ansi";

/** Nobody steps through more matching lines than this one by one. */
export const MATCHES_AT_MOST = 10_000;

/** What a search covers: lines whose oldest may be gone, in a buffer that may have been restarted. */
export interface Searched {
  readonly lines: readonly string[];
  readonly gone: number;
  readonly begun: number;
}

/** Finds the lines that contain a text; of lines already searched, only the last is searched again. */
export class Finder {
  private of: Searched | null = null;
  private text = "";
  private begun = -1;
  /** Lines searched, from here to before `next`; both count removed lines. */
  private first = 0;
  private next = 0;
  private found: number[] = [];

  find(all: Searched, text: string): readonly number[] {
    const { lines, gone, begun } = all;
    if (all !== this.of || text !== this.text || begun !== this.begun || gone < this.first) {
      this.of = all;
      this.text = text;
      this.begun = begun;
      this.next = gone;
      this.found = [];
    }
    this.first = gone;
    const from = Math.max(gone, this.next);
    this.found = this.found.filter((line) => line >= gone && line < from);
    const wanted = text.toLowerCase();
    if (wanted === "") return this.found;
    const end = gone + lines.length;
    let line = from;
    for (; line < end && this.found.length < MATCHES_AT_MOST; line += 1) {
      if (plainText(lines[line - gone] ?? "").toLowerCase().includes(wanted)) this.found.push(line);
    }
    this.next = Math.min(line, end - 1);
    return this.found;
  }
}

/** A text split at the boundaries of `wanted`: every other part is a match. */
export function cutAt(text: string, wanted: string): string[] {
  if (wanted === "") return [text];
  const parts: string[] = [];
  const lower = text.toLowerCase();
  let at = 0;
  for (let next = lower.indexOf(wanted.toLowerCase()); next >= 0; next = lower.indexOf(wanted.toLowerCase(), at)) {
    parts.push(text.slice(at, next), text.slice(next, next + wanted.length));
    at = next + wanted.length;
  }
  return [...parts, text.slice(at)];
}
