// A log as far as it has been read: one run of text between two offsets.
import type { LogPiece } from "~/api/types";

export interface Log {
  text: string;
  from: number;
  to: number;
  size: number;
}

export const EMPTY_LOG: Log = { text: "", from: 0, to: 0, size: 0 };

/** What follows, or the first piece. A log that has become shorter was begun anew: what was read of it is dropped. */
export function addLater(log: Log, piece: LogPiece): Log {
  const fresh = log.size === 0 || piece.size < log.to || piece.offset !== log.to;
  return {
    text: fresh ? piece.text : log.text + piece.text,
    from: fresh ? piece.offset : log.from,
    to: piece.next_offset,
    size: piece.size,
  };
}

export function addEarlier(log: Log, piece: LogPiece): Log {
  if (piece.next_offset !== log.from) return log;
  return { ...log, text: piece.text + log.text, from: piece.offset };
}
