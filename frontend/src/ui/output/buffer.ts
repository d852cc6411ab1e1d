// The buffered lines of a growing file: a bounded run between two offsets. New text is appended, earlier text
// prepended; over the limit, the oldest lines are removed and can be read again.
import { PLAIN, styleAfter, type Style } from "./ansi";

export interface Piece {
  text: string;
  /** Offsets in bytes: where the piece begins and ends, and how large the file is. */
  offset: number;
  next_offset: number;
  size: number;
}

/** A line with a known start in the file. */
interface Mark {
  line: number;
  offset: number;
}

export const LINES_AT_MOST = 60_000;
export const CHARACTERS_AT_MOST = 12_000_000;
// A line without an end (binary data, a progress bar) is cut beyond the length anybody reads.
const LINE_AT_MOST = 20_000;
// Trimming goes down to this fraction of the limit, so that it is rare and cheap.
const KEPT = 0.8;

export class OutputBuffer {
  /** The last one may still grow. */
  readonly lines: string[] = [];
  /** The style at the start of each line. */
  private readonly styles: Style[] = [];
  private marks: Mark[] = [];
  private characters = 0;
  /** Offsets of the buffered part, and the file's known size. */
  from = 0;
  to = 0;
  size = 0;
  /** Lines removed from the start minus lines prepended: a view keeps its position by this. */
  gone = 0;
  /** How often the file was restarted. */
  begun = 0;

  constructor(
    private readonly linesAtMost = LINES_AT_MOST,
    private readonly charactersAtMost = CHARACTERS_AT_MOST,
  ) {}

  get empty(): boolean {
    return this.lines.length === 0;
  }

  get full(): boolean {
    return this.lines.length > this.linesAtMost || this.characters > this.charactersAtMost;
  }

  styleOf(line: number): Style {
    return this.styles[line] ?? PLAIN;
  }

  /**
   * Appends what follows, or the first piece. If the file became shorter it was restarted, and the buffer is cleared.
   * Skipped bytes are replaced by a line of `gap`.
   */
  append(piece: Piece, gap: (bytes: number) => string): void {
    if (piece.size < this.to) this.clear();
    if (this.empty) this.from = piece.offset;
    else if (piece.offset < this.to) return;
    else if (piece.offset > this.to) this.add(`\n${gap(piece.offset - this.to)}\n`);
    this.mark(piece);
    this.add(piece.text);
    this.to = piece.next_offset;
    this.size = piece.size;
  }

  /** Prepends what ends right before the first line: overlapping text is cut, anything else is ignored. */
  prepend(whole: Piece): void {
    const piece = cutTo(whole, this.from);
    if (this.empty || piece.next_offset !== this.from || piece.text === "") return;
    const earlier = new OutputBuffer(Infinity, Infinity);
    earlier.append(piece, String);
    const last = earlier.lines.length - 1;
    earlier.lines[last] = grown(earlier.lines[last] ?? "", this.lines[0] ?? "");
    replaceStart(this.lines, 1, earlier.lines);
    replaceStart(this.styles, 1, earlier.styles);
    this.marks = [...earlier.marks, ...this.marks.filter(({ line }) => line > 0).map((mark) => ({ ...mark, line: mark.line + last }))];
    this.characters += piece.text.length;
    this.from = piece.offset;
    this.gone -= last;
  }

  /** Removes the oldest lines if there are too many. */
  trim(): void {
    if (!this.full) return;
    const lines = this.lines.length - this.linesAtMost * KEPT;
    const characters = this.characters - this.charactersAtMost * KEPT;
    let seen = 0;
    let line = 0;
    const cut = this.marks.find((mark) => {
      for (; line < mark.line; line += 1) seen += this.lines[line]?.length ?? 0;
      return mark.line >= lines && seen >= characters;
    });
    if (cut === undefined) return;
    replaceStart(this.lines, cut.line, []);
    replaceStart(this.styles, cut.line, []);
    this.marks = this.marks.filter((mark) => mark.line >= cut.line).map((mark) => ({ ...mark, line: mark.line - cut.line }));
    this.characters -= seen;
    this.gone += cut.line;
    this.from = cut.offset;
  }

  private clear(): void {
    this.lines.length = this.styles.length = this.marks.length = 0;
    this.from = this.to = this.size = this.characters = this.gone = 0;
    this.begun += 1;
  }

  /** Records the offset of the first line that starts in this piece. */
  private mark({ text, offset }: Piece): void {
    if (this.empty) this.marks.push({ line: 0, offset });
    const end = text.indexOf("\n");
    if (end < 0) return;
    const line = Math.max(this.lines.length, 1);
    this.marks.push({ line, offset: offset + bytesOf(text.slice(0, end + 1)) });
  }

  private add(text: string): void {
    const [first = "", ...rest] = text.split("\n");
    if (this.empty) {
      this.lines.push("");
      this.styles.push(PLAIN);
    }
    const last = this.lines.length - 1;
    this.lines[last] = grown(this.lines[last] ?? "", first);
    for (const line of rest) {
      const before = this.lines.length - 1;
      this.styles.push(styleAfter(this.lines[before] ?? "", this.styleOf(before)));
      this.lines.push(line.length > LINE_AT_MOST ? grown("", line) : line);
    }
    this.characters += text.length;
  }
}

/** A line with text appended; of a progress bar, what was written last. */
function grown(line: string, more: string): string {
  const whole = line + more;
  if (whole.length <= LINE_AT_MOST) return whole;
  return whole.slice(whole.lastIndexOf("\r", whole.length - 2) + 1).slice(0, LINE_AT_MOST);
}

function cutTo(piece: Piece, end: number): Piece {
  if (piece.next_offset <= end || piece.offset >= end) return piece;
  const bytes = new TextEncoder().encode(piece.text).slice(0, end - piece.offset);
  return { ...piece, text: new TextDecoder().decode(bytes), next_offset: end };
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Array.splice(0, …) for more values than a call may have arguments. */
function replaceStart<T>(array: T[], count: number, by: readonly T[]): void {
  const whole = by.concat(array.slice(count));
  array.length = 0;
  for (const value of whole) array.push(value);
}
