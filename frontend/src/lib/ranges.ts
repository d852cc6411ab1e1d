// Task numbers as Slurm writes them: `0-9,12,20-30:5`.

const TASKS_AT_MOST = 20_000;

/** The numbers in a range, in order; null if it is not a range. */
export function numbersOf(range: string): number[] | null {
  const numbers = new Set<number>();
  for (const part of range.replaceAll(/\s/g, "").replace(/%\d+$/, "").split(",")) {
    const [, first, last, step] = /^(\d{1,7})(?:-(\d{1,7})(?::(\d{1,5}))?)?$/.exec(part) ?? [];
    if (first === undefined) return null;
    const [from, to, by] = [Number(first), Number(last ?? first), Number(step ?? 1)];
    if (to < from || by < 1 || (to - from) / by > TASKS_AT_MOST) return null;
    for (let number = from; number <= to; number += by) numbers.add(number);
    if (numbers.size > TASKS_AT_MOST) return null;
  }
  return [...numbers].sort((a, b) => a - b);
}
