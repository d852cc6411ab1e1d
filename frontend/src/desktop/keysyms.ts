// X keysyms for what an on-screen keyboard enters (X Window System Protocol, appendix A).

export const BACKSPACE = 0xff08;
export const RETURN = 0xff0d;

/** The keysym of each character: Latin-1's are its own, others are the code point with a flag. */
export function keysyms(text: string): number[] {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === "\n") return RETURN;
    return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) ? code : 0x01000000 | code;
  });
}
