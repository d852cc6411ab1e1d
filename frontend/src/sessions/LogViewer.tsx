// The session's log; loaded on demand, and by itself only if its app has died or a link leads to it (`#log`).
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";

import { readLog } from "~/api/queries";
import type { Session } from "~/api/types";
import { keepInView } from "~/lib/keepInView";
import { strings } from "~/strings/en";
import { DetailPanel } from "~/ui/Detail";
import { OutputPanel } from "~/ui/output/OutputPanel";
import type { OutputSource } from "~/ui/output/reader";

const words = strings.session;

export function LogViewer({ session }: { session: Session }) {
  const failed = session.state === "ended" && (session.end?.code === "app_failed" || session.end?.code === "gpu_oom");
  const { hash, key } = useLocation();
  const linked = hash === "#log";
  const [choice, setChoice] = useState<{ key: string; shown: boolean } | null>(null);
  const chosen = linked && choice?.key !== key ? true : choice?.shown; // the link that was followed last counts
  const shown = chosen ?? failed;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!linked || button.current === null) return;
    button.current.focus({ preventScroll: true });
    return keepInView(button.current);
  }, [linked, key]);
  return (
    <DetailPanel
      id="log-title"
      title={words.log}
      beside={
        <Button ref={button} size="xs" variant="default" aria-expanded={shown} onClick={() => setChoice({ key, shown: !shown })}>
          {shown ? words.logHide : words.logShow}
        </Button>
      }
    >
      {shown && <OutputPanel source={logOf(session.id)} label={words.log} fileName={`${session.name}.log`} />}
    </DetailPanel>
  );
}

const logOf = (id: string): OutputSource => ({ key: id, read: (offset, limit) => readLog(id, offset, limit) });
