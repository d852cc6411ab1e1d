/** `1 core`, `2 cores`. The lint rule in `lint/plurals.js` finds texts that count without it. */
export const plural = (count: number | string, singular: string, many = `${singular}s`) => `${count} ${String(count) === "1" ? singular : many}`;
