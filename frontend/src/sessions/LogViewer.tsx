// The session's log from its end backwards; read when asked for, never by itself.
import { Button } from "@mantine/core";
import { SyncIcon } from "@primer/octicons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

import { LOG_PIECE, readLog } from "~/api/queries";
import type { Session } from "~/api/types";
import { bytes } from "~/lib/size";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./LogViewer.module.css";
import { EMPTY_LOG, addEarlier, addLater, type Log } from "./log";

const words = strings.session;

export function LogViewer({ session }: { session: Session }) {
  const failed = session.state === "ended" && session.end?.code === "app_failed";
  const [shown, setShown] = useState(failed);
  return (
    <section className={`card ${classes["panel"]}`} aria-labelledby="log-title">
      <div className={classes["head"]}>
        <h2 className="section-title" id="log-title">
          {words.log}
        </h2>
        <Button size="xs" variant="default" aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? words.logHide : words.logShow}
        </Button>
      </div>
      {shown && <LogText id={session.id} />}
    </section>
  );
}

function LogText({ id }: { id: string }) {
  const [log, setLog] = useState<Log>(EMPTY_LOG);
  const box = useRef<HTMLPreElement>(null);
  const later = useMutation({
    mutationFn: () => (log.size === 0 ? readLog(id, -LOG_PIECE) : readLog(id, log.to)),
    onSuccess: (piece) => setLog((old) => addLater(old, piece)),
  });
  const earlier = useMutation({
    mutationFn: () => readLog(id, Math.max(0, log.from - LOG_PIECE), Math.min(LOG_PIECE, log.from)),
    onSuccess: (piece) => setLog((old) => addEarlier(old, piece)),
  });

  const readNow = later.mutate;
  useEffect(() => readNow(), [readNow]);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [log.to]);

  const error = later.error ?? earlier.error;
  return (
    <>
      {error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => readNow()} />}
      {log.from > 0 && (
        <Button size="xs" variant="subtle" loading={earlier.isPending} onClick={() => earlier.mutate()}>
          {words.logEarlier}
        </Button>
      )}
      <pre ref={box} className={classes["text"]} tabIndex={0} aria-label={words.log}>
        {log.text === "" && !later.isPending ? words.logEmpty : log.text}
      </pre>
      <div className={classes["foot"]}>
        <Button size="xs" variant="default" leftSection={<SyncIcon />} loading={later.isPending} onClick={() => readNow()}>
          {words.logReload}
        </Button>
        <span className="quiet small">{words.logSize(bytes(log.size))}</span>
      </div>
    </>
  );
}
