// The portal's health. The page's one stream brings the news; nothing polls.
import { useQuery, type QueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import type { paths } from "~/api/schema.gen";
import { useInterest } from "~/live/interest";

export type Health = paths["/admin/health"]["get"]["responses"][200]["content"]["application/json"];
export type Part = Health["parts"][number];

const key = ["admin", "health"] as const;

export function useHealth() {
  useInterest("health");
  return useQuery({ queryKey: key, queryFn: () => answer(() => client.GET("/admin/health")) });
}

/** Where the page was never opened, news of it are not kept. */
export function putHealth(queries: QueryClient, health: Health): void {
  queries.setQueryData<Health>(key, (old) => (old === undefined ? undefined : health));
}
