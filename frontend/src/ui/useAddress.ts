// A page's state in its URL: it can be shared, and Back works. A value equal to its own default is left out.
import { useDebouncedValue } from "@mantine/hooks";
import { useSearchParams } from "react-router-dom";

/** By name: the default of any text, or the values it may have with the default first. */
type Spec = Record<string, string | readonly string[]>;
export type Address<S extends Spec> = { [Name in keyof S]: S[Name] extends readonly string[] ? S[Name][number] : string };
export type Change<S extends Spec> = (next: Partial<Address<S>>, push?: boolean) => void;

const TYPING_PAUSE_MS = 250;
/** The filter is `q`; old links say `query` or `filter`. */
const FORMER_NAMES: Record<string, readonly string[]> = { q: ["query", "filter"] };

/** The address and what changes it, in place of the history's entry unless it is pushed; `spec` must not change. */
export function useAddress<const S extends Spec>(spec: S): [Address<S>, Change<S>] {
  const [params, setParams] = useSearchParams();
  const address = read(spec, params);
  const change: Change<S> = (next, push = false) =>
    setParams(write(spec, { ...address, ...next }), { replace: !push, preventScrollReset: true });
  return [address, change];
}

export function read<const S extends Spec>(spec: S, params: URLSearchParams): Address<S> {
  const values = Object.entries(spec).map(([name, allowed]) => {
    const given = [name, ...(FORMER_NAMES[name] ?? [])].map((known) => params.get(known)).find((value) => value !== null);
    const value = given ?? defaultOf(allowed);
    return [name, typeof allowed === "string" || allowed.includes(value) ? value : defaultOf(allowed)];
  });
  return Object.fromEntries(values) as Address<S>;
}

export const write = <const S extends Spec>(spec: S, address: Address<S>): [string, string][] =>
  Object.entries(spec).flatMap(([name, allowed]) => (address[name] === defaultOf(allowed) ? [] : [[name, address[name] ?? ""]]));

const defaultOf = (allowed: string | readonly string[]): string => (typeof allowed === "string" ? allowed : (allowed[0] ?? ""));

/** A value that is typed, once the typing pauses. */
export const useSettled = <T>(value: T): T => useDebouncedValue(value, TYPING_PAUSE_MS)[0];
