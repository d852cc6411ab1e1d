import type { Session } from "~/api/types";
import { percent } from "~/lib/numbers";
import { gb, mib } from "~/lib/size";
import { strings } from "~/strings/en";
import { meanGpuUse } from "~/ui/sessionWords";

/** `GPU 71 % · CPU 340 % · 12.1 of 96 GB`, as last reported. */
export function UsageLine({ session }: { session: Session }) {
  const { usage, resources } = session;
  if (usage === null) return null;
  const gpu = meanGpuUse(session);
  return (
    <span>
      {gpu !== null && `GPU ${percent(gpu)} · `}
      {usage.cpu_percent !== null && `CPU ${percent(usage.cpu_percent)} · `}
      {usage.memory_mib !== null && (
        <span title={`${mib(usage.memory_mib)} / ${mib(resources.memory_mib)}`}>
          {strings.size.of(gb(usage.memory_mib), gb(resources.memory_mib))}
        </span>
      )}
    </span>
  );
}
