import { useQuery, keepPreviousData } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import type { paths } from "~/api/schema.gen";

type Body<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { "application/json": infer T } } } } } ? T : never;
export type UsageReport = Body<"/admin/usage">;
export type MyUsage = Body<"/usage">;
export type UsageRow = UsageReport["rows"][number];
export type Figures = UsageReport["total"];
export type By = UsageReport["by"];
export type MyBy = NonNullable<NonNullable<paths["/usage"]["get"]["parameters"]["query"]>["by"]>;

/** A range of days (UTC), both included, as ISO dates. */
export interface Range {
  from: string;
  to: string;
}

/** Old numbers stay while new ones load, so that nothing jumps. */
const calm = { placeholderData: keepPreviousData, staleTime: 30_000 };

export const useMyUsage = (by: MyBy, range: Range) =>
  useQuery({
    ...calm,
    queryKey: ["usage", "mine", by, range],
    queryFn: () => answer(() => client.GET("/usage", { params: { query: { by, ...range } } })),
  });

export const useUsage = (by: By, range: Range, user: string) =>
  useQuery({
    ...calm,
    queryKey: ["usage", "all", by, range, user],
    queryFn: () => answer(() => client.GET("/admin/usage", { params: { query: { by, user, ...range } } })),
  });
