// The presets' data: read once, and again after each change.
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import { answer, client } from "~/api/client";
import type { SessionAsked } from "~/api/types";

const presets = queryOptions({ queryKey: ["presets"], queryFn: () => answer(() => client.GET("/presets")) });

export const usePresets = () => useQuery(presets);

export const useSavePreset = () => useChange((body: { name: string; request: SessionAsked }) => answer(() => client.POST("/presets", { body })));

export const useRenamePreset = () =>
  useChange(({ id, name }: { id: number; name: string }) =>
    answer(() => client.PUT("/presets/{preset_id}", { params: { path: { preset_id: id } }, body: { name } })),
  );

export const useDeletePreset = () =>
  useChange((id: number) => answer(() => client.DELETE("/presets/{preset_id}", { params: { path: { preset_id: id } } })));

function useChange<Asked, Answer>(mutationFn: (asked: Asked) => Promise<Answer>) {
  const queries = useQueryClient();
  return useMutation({ mutationFn, onSettled: () => queries.invalidateQueries(presets) });
}
