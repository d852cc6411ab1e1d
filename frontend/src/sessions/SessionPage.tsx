// One session: starting, in use, or ended.
import { useState } from "react";
import { Navigate, useParams, useSearchParams } from "react-router-dom";

import { useOptions, useSession } from "~/api/queries";
import type { ProgressEvent, Session } from "~/api/types";
import { useLabFiles } from "~/api/useLabFiles";
import { span } from "~/lib/time";
import { useProgress } from "~/live/useProgress";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { DetailAway, DetailColumns, DetailPanel, DetailTitle } from "~/ui/Detail";
import { FoldedSection } from "~/ui/FoldedSection";
import { Page } from "~/ui/Page";
import { SessionFacts } from "~/ui/SessionFacts";
import { SessionUsage } from "~/ui/SessionUsage";
import { StateMark, StateWord } from "~/ui/StateMark";
import { TimeBar } from "~/ui/TimeBar";
import { lookOf } from "~/ui/sessionLook";
import { environmentOf } from "~/ui/sessionWords";
import { EndPanel } from "./EndPanel";
import { IdleNote } from "./IdleNote";
import { LogViewer } from "./LogViewer";
import { MemoryNote } from "./MemoryNote";
import { SessionActions } from "./SessionActions";
import { SessionCharts } from "./SessionCharts";
import classes from "./SessionPage.module.css";
import { Stages } from "./Stages";
import { WaitingPanel } from "./WaitingPanel";
import { useOpenWhenReady, type Opening } from "./useOpenWhenReady";
import { useRestart } from "./useRestart";

const MISSING = {
  title: strings.session.notFoundTitle,
  text: strings.session.notFoundText,
  back: strings.session.toSessions,
  to: pages.sessions(),
};

export default function SessionPage() {
  const { id = "" } = useParams();
  const { data: session, error, refetch } = useSession(id);
  if (session !== undefined) return <Loaded key={id} session={session} />;
  return <DetailAway error={error} onRetry={() => void refetch()} title={strings.sessions.title} missing={MISSING} />;
}

function Loaded({ session }: { session: Session }) {
  const { events, lost } = useProgress(session.id);
  const opening = useOpenWhenReady(session);
  const app = useOptions().data?.apps.find(({ name }) => name === session.app);
  useLabFiles(session.state === "ended" ? undefined : app, session.environment);
  const look = lookOf(session);
  const { form } = useRestart(session);
  const [query] = useSearchParams();
  if (query.has("again")) return <Navigate to={form} replace />; // how JupyterLab leads here
  return (
    <Page
      tab={session.name}
      title={
        <DetailTitle name={session.name}>
          <StateMark look={look} />
          <StateWord look={look} />
        </DetailTitle>
      }
      lead={`${session.app_title} · ${environmentOf(session)}`}
      actions={<SessionActions session={session} className={classes["actions"] ?? ""} />}
    >
      {session.state === "ready" && session.started_at !== null && (
        <section className={`card ${classes["time"]}`} aria-label={strings.session.time}>
          <TimeBar large startedAt={session.started_at} endsAt={session.ends_at} limitS={session.resources.walltime_s} />
        </section>
      )}
      <DetailColumns side={<SessionFacts session={session} />}>
        {session.state === "ended" && <EndPanel session={session} />}
        {session.state === "ready" && <IdleNote session={session} />}
        {session.state === "ready" && <MemoryNote session={session} />}
        {session.state === "ready" && <SessionUsage session={session} />}
        {session.ready_at !== null && <SessionCharts session={session} />}
        <Progress session={session} events={events} lost={lost} opening={opening} />
        <LogViewer session={session} />
      </DetailColumns>
    </Page>
  );
}

interface ProgressProps {
  session: Session;
  events: readonly ProgressEvent[];
  lost: boolean;
  opening: Opening;
}

/** The stages of the start; folded to a line once they have passed. */
function Progress({ session, events, lost, opening }: ProgressProps) {
  const [open, setOpen] = useState(false);
  const stages = <Stages session={session} events={events} />;
  const { created_at, ready_at } = session;
  if (ready_at !== null && opening.error === null && !opening.wanted) {
    const took = strings.session.readyAfter(span((Date.parse(ready_at) - Date.parse(created_at)) / 1000));
    return (
      <FoldedSection small title={strings.session.stages} lists={took} open={open} onToggle={() => setOpen(!open)}>
        <div className={classes["stages"]}>{stages}</div>
      </FoldedSection>
    );
  }
  return (
    <DetailPanel id="stages-title" title={strings.session.stages}>
      {stages}
      {lost && session.state !== "ended" && <p className="quiet small">{strings.session.eventsLost}</p>}
      <WaitingPanel session={session} opening={opening} />
    </DetailPanel>
  );
}
