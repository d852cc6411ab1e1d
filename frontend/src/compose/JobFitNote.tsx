// Offers the memory and time that would fit, going by the last jobs of the same name.
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";

import { BLANK } from "~/api/jobTypes";
import { jobReads } from "~/api/jobs";
import { gb } from "~/lib/size";
import { span } from "~/lib/time";
import { strings } from "~/strings/en";
import { Offer } from "~/ui/Offer";
import type { PartProps } from "./part";

const words = strings.compose;
const TYPING_PAUSE_MS = 400;

export function JobFitNote({ form, change }: PartProps) {
  const [name] = useDebouncedValue(form.name.trim(), TYPING_PAUSE_MS);
  // Jobs with the form's own name have nothing else in common.
  const comparable = name !== "" && name !== BLANK.name && form.nodes === 1 && (form.tasks_per_node ?? 1) === 1;
  const { data } = useQuery({ ...jobReads.lastUse(name), enabled: comparable });
  const fit = comparable ? (data?.fit ?? null) : null;
  if (fit === null) return null;
  const { peak_mib: peak, memory_mib: memory, longest_s: longest, walltime_s: walltime } = fit;
  const { memory_mib_per_node: askedMemory, walltime_s: askedTime } = form;
  return (
    <>
      {peak !== null && memory !== null && askedMemory !== null && memory * 2 <= askedMemory && (
        <Offer
          why={words.fitMemory(fit.jobs, name, gb(peak), gb(askedMemory))}
          take={words.fitTake(gb(memory))}
          onTake={() => change({ memory_mib_per_node: memory })}
        />
      )}
      {longest !== null && walltime !== null && askedTime !== null && walltime * 2 <= askedTime && (
        <Offer
          why={words.fitTime(fit.jobs, name, span(longest), span(askedTime))}
          take={words.fitTake(span(walltime))}
          onTake={() => change({ walltime_s: walltime })}
        />
      )}
    </>
  );
}
