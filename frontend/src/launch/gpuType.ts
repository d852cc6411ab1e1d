// Names a GPU type for the form: MIG instances by their memory, other GPUs by the least memory they are sold with.
import type { GpuPool } from "~/api/types";
import { strings } from "~/strings/en";

const words = strings.launch;
const MIG = /^(?:nvidia[_-])?(.*?)[_.-]?[1-7]g\.(\d{1,3})gb\b/i;

export function gpuTypeLabel({ type, memory_gb }: Pick<GpuPool, "type" | "memory_gb">): string {
  const [, gpu = "", gb] = MIG.exec(type) ?? [];
  if (gb !== undefined) return words.migInstance(Number(gb), gpu.split(/[_-]/)[0]?.toUpperCase() ?? "", type);
  return memory_gb == null ? type.toUpperCase() : words.typeWithMemory(type.toUpperCase(), memory_gb);
}
