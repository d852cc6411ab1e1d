// One session: starting, in use, or ended.
import { Navigate, useParams, useSearchParams } from "react-router-dom";

import { useSession } from "~/api/queries";
import type { Session } from "~/api/types";
import { useProgress } from "~/live/useProgress";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { DetailAway, DetailColumns, DetailPanel, DetailTitle } from "~/ui/Detail";
import { Page } from "~/ui/Page";
import { SessionFacts } from "~/ui/SessionFacts";
import { SessionUsage } from "~/ui/SessionUsage";
import { StateMark, StateWord } from "~/ui/StateMark";
import { lookOf } from "~/ui/sessionLook";
import { environmentOf } from "~/ui/sessionWords";
import { EndPanel } from "./EndPanel";
import { LogViewer } from "./LogViewer";
import { MemoryNote } from "./MemoryNote";
import { SessionActions } from "./SessionActions";
import { SessionCharts } from "./SessionCharts";
import classes from "./SessionPage.module.css";
import { Stages } from "./Stages";
import { WaitingPanel } from "./WaitingPanel";
import { useOpenWhenReady } from "./useOpenWhenReady";
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
      <DetailColumns side={<SessionFacts session={session} />}>
        {session.state === "ended" && <EndPanel session={session} />}
        {session.state === "ready" && <MemoryNote session={session} />}
        {session.state === "ready" && <SessionUsage session={session} />}
        {session.ready_at !== null && <SessionCharts session={session} />}
        <DetailPanel id="stages-title" title={strings.session.stages}>
          <Stages session={session} events={events} />
          {lost && session.state !== "ended" && <p className="quiet small">{strings.session.eventsLost}</p>}
          <WaitingPanel session={session} opening={opening} />
        </DetailPanel>
        <LogViewer session={session} />
      </DetailColumns>
    </Page>
  );
}
