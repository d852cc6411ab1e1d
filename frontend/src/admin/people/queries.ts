import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import { Problem } from "~/api/errors";
import { keys } from "~/api/keys";
import type { paths } from "~/api/schema.gen";

type Limits = paths["/admin/limits"]["get"]["responses"][200]["content"]["application/json"];
export type LimitRow = Limits["items"][number];
export type SlurmLimit = paths["/admin/limits/slurm"]["get"]["responses"][200]["content"]["application/json"]["items"][number];
export type LimitAsked = paths["/admin/limits/{kind}/{name}"]["put"]["requestBody"]["content"]["application/json"];
type People = paths["/admin/people"]["get"]["responses"][200]["content"]["application/json"];
type Groups = paths["/admin/groups"]["get"]["responses"][200]["content"]["application/json"];
export type PersonRow = People["items"][number];
export type GroupRow = Groups["items"][number];
export type DirectoryState = People["directory"];
export type Subject = Pick<LimitRow, "kind" | "name">;
/** A page of a list, as the hooks return it. */
export interface Listed<Row> {
  data: { items: Row[]; total: number; directory: DirectoryState } | undefined;
  error: Error | null;
  refetch: () => unknown;
}
export const PAGE = 50;

const key = ["admin", "people"] as const;

export const useLimits = () =>
  useQuery({ queryKey: [...key, "limits"], queryFn: () => answer(() => client.GET("/admin/limits")) });

export const useSlurmLimits = () =>
  useQuery({ queryKey: [...key, "slurm"], queryFn: () => answer(() => client.GET("/admin/limits/slurm")) });

export function usePeople(query: string, offset: number): Listed<PersonRow> {
  return useQuery({
    queryKey: [...key, "people", query, offset],
    queryFn: () => answer(() => client.GET("/admin/people", { params: { query: { query, offset, limit: PAGE } } })),
    placeholderData: keepPreviousData,
  });
}

export function useGroups(query: string, offset: number): Listed<GroupRow> {
  return useQuery({
    queryKey: [...key, "groups", query, offset],
    queryFn: () => answer(() => client.GET("/admin/groups", { params: { query: { query, offset, limit: PAGE } } })),
    placeholderData: keepPreviousData,
  });
}

/** One user of the directory; null disables the query. */
export const usePerson = (username: string | null) =>
  useQuery({
    queryKey: [...key, "person", username],
    queryFn: () => answer(() => client.GET("/admin/people/{username}", { params: { path: { username: username ?? "" } } })),
    enabled: username !== null,
    retry: false,
  });

export function useSetLimit() {
  const reread = useReread();
  return useMutation({
    mutationFn: ({ kind, name, limit, version }: Subject & { limit: LimitAsked; version: number }) =>
      answer(() =>
        client.PUT("/admin/limits/{kind}/{name}", { params: { path: { kind, name }, header: seen(version) }, body: limit }),
      ),
    onSettled: reread,
  });
}

export function useRemoveLimit() {
  const reread = useReread();
  return useMutation({
    mutationFn: ({ kind, name, version }: Subject & { version: number }) =>
      answer(() => client.DELETE("/admin/limits/{kind}/{name}", { params: { path: { kind, name }, header: seen(version) } })),
    onSettled: reread,
  });
}

/** The version of the limit that was shown; 0: none was set. If it has changed since, the portal reports it. */
const seen = (version: number) => ({ "If-Match": `"${version}"` });

/** Whether somebody else changed it first. */
export const isChanged = (error: unknown) => error instanceof Problem && error.code === "changed_meanwhile";

function useReread() {
  const queries = useQueryClient();
  return () =>
    Promise.all([queries.invalidateQueries({ queryKey: key }), queries.invalidateQueries({ queryKey: keys.options })]);
}
