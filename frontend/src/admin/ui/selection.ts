// Which rows of a table are selected, by name.
import { useState } from "react";

export interface Selection {
  has: (name: string) => boolean;
  set: (names: readonly string[], on: boolean) => void;
  clear: () => void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return {
    has: (name) => chosen.has(name),
    set: (names, on) =>
      setChosen((old) => {
        const next = new Set(old);
        for (const name of names) {
          if (on) next.add(name);
          else next.delete(name);
        }
        return next;
      }),
    clear: () => setChosen(new Set()),
  };
}
