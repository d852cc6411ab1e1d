// The portal's health. Updates come through the page's one stream; nothing polls.
import { useQuery } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { change } from "~/api/inFlight";
import type { paths } from "~/api/schema.gen";
import { useInterest } from "~/live/interest";
import { onNews } from "~/live/news";

export type Health = paths["/admin/health"]["get"]["responses"][200]["content"]["application/json"];
export type Part = Health["parts"][number];

const key = ["admin", "health"] as const;

export function useHealth() {
  useInterest("health");
  return useQuery({ queryKey: key, queryFn: () => answer(() => client.GET("/admin/health")) });
}

onNews("health", (queries, health: Health) => change(queries, key, () => health));
