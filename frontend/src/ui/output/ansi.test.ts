import { expect, it } from "vitest";

import { PLAIN, lastWritten, plainText, spansOf, styleAfter } from "./ansi";

const E = "\u001b";

it("gives text without sequences as one plain span", () => {
  expect(spansOf("loss 0.41", PLAIN)).toEqual([{ text: "loss 0.41", style: {} }]);
});

it("keeps colours, bold and their ends", () => {
  expect(spansOf(`${E}[1;31merror${E}[0m: done`, PLAIN)).toEqual([
    { text: "error", style: { bold: true, fg: 1 } },
    { text: ": done", style: {} },
  ]);
  expect(spansOf(`${E}[94mbright${E}[39m${E}[7minverse${E}[27m.`, PLAIN).map(({ style }) => style)).toEqual([
    { fg: 12 },
    { inverse: true },
    {},
  ]);
});

it("knows the 256 colours and true colour, and drops what is none", () => {
  const colour = (codes: string) => spansOf(`${E}[${codes}mx`, PLAIN)[0]?.style.fg;
  expect(colour("38;5;9")).toBe(9);
  expect(colour("38;5;196")).toBe("#ff0000");
  expect(colour("38;5;244")).toBe("#808080");
  expect(colour("38;2;1;2;255")).toBe("#0102ff");
  expect(colour("38;2;999;0;0")).toBeUndefined();
  expect(colour("38;5")).toBeUndefined();
});

it("carries a style over to the next line", () => {
  const after = styleAfter(`${E}[32mgreen begins`, PLAIN);
  expect(after).toEqual({ fg: 2 });
  expect(spansOf("goes on", after)).toEqual([{ text: "goes on", style: { fg: 2 } }]);
  expect(styleAfter("no sequence", after)).toBe(after);
});

it("drops every other sequence and control character", () => {
  const hostile = `a${E}[2Jb${E}]8;;javascript:alert(1)${E}\\c${E}]0;title\u0007d${E}[?25le\u0000\u0008f${E}`;
  expect(spansOf(hostile, PLAIN).map(({ text }) => text).join("")).toBe("abcdef");
  expect(plainText(hostile)).toBe("abcdef");
});

it("leaves markup as the text it is", () => {
  expect(plainText("<img src=x onerror=alert(1)>")).toBe("<img src=x onerror=alert(1)>");
});

it("shows of a progress bar what was written last", () => {
  expect(lastWritten("10 %\r50 %\r100 %")).toBe("100 %");
  expect(lastWritten("100 %\r")).toBe("100 %");
  expect(lastWritten("plain")).toBe("plain");
  expect(spansOf(`${E}[33m10 %\r50 %`, PLAIN)).toEqual([{ text: "50 %", style: { fg: 3 } }]);
});
