// The current actions on a session. Stopping a running one asks first; cancelling a waiting one loses nothing.
import { Button } from "@mantine/core";
import { GraphIcon } from "@primer/octicons-react";
import { Suspense, lazy, useState } from "react";

import { fromThrown } from "~/api/errors";
import { useOptions } from "~/api/queries";
import type { Session } from "~/api/types";
import { useStopSession } from "~/api/writes";
import { strings } from "~/strings/en";
import { OutsideButton } from "~/ui/LinkButton";
import { isWaiting } from "~/ui/sessionLook";
import { MoreMenu } from "./MoreMenu";
import { StopDialog } from "./StopDialog";
import { TimeButton } from "./TimeButton";

const ChangeDialog = lazy(() => import("./ChangeDialog"));
const TensorBoardDialog = lazy(() => import("./TensorBoardDialog"));

export function SessionActions({ session, className }: { session: Session; className?: string }) {
  const [asking, setAsking] = useState(false);
  const stop = useStopSession();
  const stopping = session.state === "stopping" || stop.isPending;
  const end = () => stop.mutate(session.id, { onSettled: () => setAsking(false) });
  return (
    <div className={className}>
      {session.state === "ready" && session.url !== null && (
        <OutsideButton href={session.url}>{strings.sessions.open}</OutsideButton>
      )}
      {session.state === "ready" && <TimeButton session={session} />}
      {session.state === "ready" && <TensorBoardButton session={session} />}
      {session.state === "queued" && session.job_id !== null && <ChangeButton session={session} />}
      {isWaiting(session) && (
        <Button variant="default" loading={stop.isPending} onClick={end}>
          {strings.sessions.cancel}
        </Button>
      )}
      {(session.state === "ready" || session.state === "stopping") && (
        <Button variant="default" disabled={stopping} onClick={() => setAsking(true)}>
          {stopping ? strings.sessions.stopping : strings.sessions.stop}
        </Button>
      )}
      {session.state !== "ended" && session.state !== "stopping" && <MoreMenu session={session} />}
      {stop.error !== null && (
        <span role="alert" className="small" style={{ color: "var(--dsp-bad)", flexBasis: "100%" }}>
          {strings.errors.stopFailed}: {fromThrown(stop.error).message}
        </span>
      )}
      <StopDialog session={session} opened={asking} busy={stop.isPending} onStop={end} onClose={() => setAsking(false)} />
    </div>
  );
}

function ChangeButton({ session }: { session: Session }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {strings.sessionChange.action}
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <ChangeDialog session={session} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

/** JupyterLab opens TensorBoard inside its session; other apps get a separate session. */
function TensorBoardButton({ session }: { session: Session }) {
  const [asking, setAsking] = useState(false);
  const app = useOptions().data?.apps.find(({ name }) => name === session.app);
  if (app?.kind !== "jupyter" || session.url === null) return null;
  return (
    <>
      <Button variant="default" leftSection={<GraphIcon />} onClick={() => setAsking(true)}>
        {strings.apps.tensorboard.action}
      </Button>
      {asking && (
        <Suspense fallback={null}>
          <TensorBoardDialog session={session} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
