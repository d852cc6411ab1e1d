// Finding text in the lines held: plain, whatever the case.
import { plainText } from "./ansi";

/** Beyond this many lines with a match nobody steps through them one by one. */
export const MATCHES_AT_MOST = 10_000;

/** What a search looks through: lines of which the oldest may have gone, and which may have been begun anew. */
export interface Searched {
  readonly lines: readonly string[];
  readonly gone: number;
  readonly begun: number;
}

/** Finds the lines in which a text stands; of lines that it has seen, only the last one is looked at again. */
export class Finder {
  private of: Searched | null = null;
  private text = "";
  private begun = -1;
  /** Lines looked at, from here to before `next`; all are counted with those that have gone. */
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

/** A text cut where `wanted` begins and ends: every other part is a match. */
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
