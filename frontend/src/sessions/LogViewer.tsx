// The session's log; read when asked for, and by itself only when its app has died.
import { Button } from "@mantine/core";
import { useState } from "react";

import { readLog } from "~/api/queries";
import type { Session } from "~/api/types";
import { OutputPanel } from "~/output/OutputPanel";
import type { OutputSource } from "~/output/reader";
import { strings } from "~/strings/en";
import classes from "./LogViewer.module.css";

const words = strings.session;

export function LogViewer({ session }: { session: Session }) {
  const failed = session.state === "ended" && session.end?.code === "app_failed";
  const [wanted, setWanted] = useState<boolean | null>(null);
  const shown = wanted ?? failed;
  return (
    <section className={`card ${classes["panel"]}`} aria-labelledby="log-title">
      <div className={classes["head"]}>
        <h2 className="section-title" id="log-title">
          {words.log}
        </h2>
        <Button size="xs" variant="default" aria-expanded={shown} onClick={() => setWanted(!shown)}>
          {shown ? words.logHide : words.logShow}
        </Button>
      </div>
      {shown && <OutputPanel source={logOf(session.id)} label={words.log} fileName={`${session.name}.log`} />}
    </section>
  );
}

const logOf = (id: string): OutputSource => ({ key: id, read: (offset, limit) => readLog(id, offset, limit) });
