import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";

import { strings } from "~/strings/en";
import { ProblemNote } from "./ProblemNote";

interface LoadedProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** The skeleton's height. */
  height: number;
  children: (data: T) => ReactNode;
}

/** What a query has brought; until then a skeleton, or what went wrong with a way to try again. */
export function Loaded<T>({ query: { data, error, refetch }, height, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
  return <Skeleton height={height} />;
}
