// Finding text in the lines held: plain, whatever the case.
import { plainText } from "./ansi";

/** Beyond this many lines with a match nobody steps through them one by one. */
export const MATCHES_AT_MOST = 10_000;

/** The lines in which `text` stands, in order. */
export function find(lines: readonly string[], text: string): number[] {
  const wanted = text.toLowerCase();
  const found: number[] = [];
  if (wanted === "") return found;
  for (let line = 0; line < lines.length && found.length < MATCHES_AT_MOST; line += 1) {
    if (plainText(lines[line] ?? "").toLowerCase().includes(wanted)) found.push(line);
  }
  return found;
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
