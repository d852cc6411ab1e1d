// Fetches a whole file in bounded pieces and offers it as a browser download.
import type { OutputSource } from "./reader";

const PIECE = 1_048_576;

/** Reports progress in percent; throws the Problem of a piece that failed. */
export async function download(source: OutputSource, fileName: string, onProgress: (percent: number) => void): Promise<void> {
  const parts: string[] = [];
  let offset = 0;
  for (;;) {
    const piece = await source.read(offset, PIECE);
    parts.push(piece.text);
    const goesOn = piece.next_offset > offset && piece.next_offset < piece.size;
    offset = piece.next_offset;
    if (!goesOn) break;
    onProgress(Math.floor((offset / piece.size) * 100));
  }
  hand(new Blob(parts, { type: "text/plain;charset=utf-8" }), fileName);
}

function hand(blob: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
