import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";

import { Problem } from "~/api/errors";
import { strings } from "~/strings/en";
import { Empty } from "./Empty";
import { ProblemNote } from "./ProblemNote";

interface LoadedProps<T> {
  query: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** The skeleton's height. */
  height: number;
  /** What to say if what was asked for does not exist. */
  missing?: string;
  children: (data: T) => ReactNode;
}

/** What a query has brought; until then a skeleton, or what went wrong with a way to try again. */
export function Loaded<T>({ query: { data, error, refetch }, height, missing, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  if (missing !== undefined && error instanceof Problem && error.kind === "missing")
    return (
      <Empty>
        <p>{missing}</p>
      </Empty>
    );
  if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
  return <Skeleton height={height} />;
}
