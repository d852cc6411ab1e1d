// What a running session really uses, as its agent last reported.
import type { Session } from "~/api/types";
import { gb, mib } from "~/lib/size";
import { strings } from "~/strings/en";
import { DetailPanel } from "./Detail";
import { GpuUse } from "./GpuUse";
import { Time } from "./Time";
import { UseBar, UseBars } from "./UseBar";

const words = strings.session;

export function SessionUsage({ session }: { session: Session }) {
  const { usage, resources } = session;
  return (
    <DetailPanel
      id="usage-title"
      title={words.usage}
      beside={
        usage !== null && (
          <span className="quiet">
            <Time at={usage.at} />
          </span>
        )
      }
    >
      {usage === null ? (
        <p className="quiet">{words.usageNone}</p>
      ) : (
        <UseBars>
          {usage.cpu_percent !== null && (
            <UseBar
              name={words.cpu}
              part={usage.cpu_percent / (resources.cpus * 100)}
              text={strings.resources.coresUsed((usage.cpu_percent / 100).toFixed(1), resources.cpus)}
            />
          )}
          {usage.memory_mib !== null && (
            <UseBar
              name={words.memory}
              part={usage.memory_mib / resources.memory_mib}
              text={strings.size.of(gb(usage.memory_mib), gb(resources.memory_mib))}
              title={`${mib(usage.memory_mib)} / ${mib(resources.memory_mib)}`}
            />
          )}
          <GpuUse gpus={usage.gpus} problems={usage.gpu_problems ?? []} />
          {usage.gpus.length === 0 && resources.gpus > 0 && <p className="quiet">{words.gpuUnknown}</p>}
        </UseBars>
      )}
    </DetailPanel>
  );
}
