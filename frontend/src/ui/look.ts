// How a state looks: a shape, a tone, and the word that is always beside them.
export type Tone = "idle" | "wait" | "good" | "bad";
export type Shape = "quarter" | "half" | "most" | "full" | "dotted" | "square" | "check" | "cross" | "clock";

export interface Look {
  shape: Shape;
  tone: Tone;
  word: string;
}
