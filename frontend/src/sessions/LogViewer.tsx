// The session's log; loaded on demand, and by itself only if its app has died.
import { Button } from "@mantine/core";
import { useState } from "react";

import { readLog } from "~/api/queries";
import type { Session } from "~/api/types";
import { strings } from "~/strings/en";
import { DetailPanel } from "~/ui/Detail";
import { OutputPanel } from "~/ui/output/OutputPanel";
import type { OutputSource } from "~/ui/output/reader";

const words = strings.session;

export function LogViewer({ session }: { session: Session }) {
  const failed = session.state === "ended" && (session.end?.code === "app_failed" || session.end?.code === "gpu_oom");
  const [wanted, setWanted] = useState<boolean | null>(null);
  const shown = wanted ?? failed;
  return (
    <DetailPanel
      id="log-title"
      title={words.log}
      beside={
        <Button size="xs" variant="default" aria-expanded={shown} onClick={() => setWanted(!shown)}>
          {shown ? words.logHide : words.logShow}
        </Button>
      }
    >
      {shown && <OutputPanel source={logOf(session.id)} label={words.log} fileName={`${session.name}.log`} />}
    </DetailPanel>
  );
}

const logOf = (id: string): OutputSource => ({ key: id, read: (offset, limit) => readLog(id, offset, limit) });
