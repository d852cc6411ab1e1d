// One session: on its way, in use, or ended.
import { Skeleton } from "@mantine/core";
import { useParams } from "react-router-dom";

import { Problem } from "~/api/errors";
import { useSession } from "~/api/queries";
import type { Session } from "~/api/types";
import { useProgress } from "~/live/useProgress";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { SessionCharts } from "~/usage/SessionCharts";
import { Empty } from "~/ui/Empty";
import { PageButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { EndPanel } from "./EndPanel";
import { Facts } from "./Facts";
import { LogViewer } from "./LogViewer";
import { SessionActions } from "./SessionActions";
import classes from "./SessionPage.module.css";
import { Stages } from "./Stages";
import { StateMark, StateWord } from "./StateMark";
import { UsagePanel } from "./UsagePanel";
import { WaitingPanel } from "./WaitingPanel";
import { lookOf } from "./state";
import { environmentOf } from "./words";
import { useOpenWhenReady } from "./useOpenWhenReady";

export default function SessionPage() {
  const { id = "" } = useParams();
  const { data: session, error, refetch } = useSession(id);
  if (session !== undefined) return <Loaded key={id} session={session} />;
  if (error instanceof Problem && error.kind === "missing") return <Missing />;
  return (
    <Page title={strings.sessions.title}>
      {error !== null ? (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      ) : (
        <div className={classes["columns"]} aria-busy="true">
          <Skeleton height={260} />
          <Skeleton height={260} />
        </div>
      )}
    </Page>
  );
}

function Loaded({ session }: { session: Session }) {
  const { events, lost } = useProgress(session.id);
  const opening = useOpenWhenReady(session);
  const look = lookOf(session);
  return (
    <Page
      tab={session.name}
      title={
        <span className={classes["title"]}>
          {session.name}
          <span className={classes["state"]} role="status">
            <StateMark look={look} />
            <StateWord look={look} />
          </span>
        </span>
      }
      lead={`${session.app_title} · ${environmentOf(session)}`}
      actions={<SessionActions session={session} className={classes["actions"] ?? ""} />}
    >
      <div className={classes["columns"]}>
        <div className={classes["main"]}>
          {session.state === "ended" && <EndPanel session={session} />}
          {session.state === "ready" && <UsagePanel session={session} />}
          {session.ready_at !== null && <SessionCharts session={session} />}
          <section className={`card ${classes["panel"]}`} aria-labelledby="stages-title">
            <h2 className="section-title" id="stages-title">
              {strings.session.stages}
            </h2>
            <Stages session={session} events={events} />
            {lost && session.state !== "ended" && <p className="quiet small">{strings.session.eventsLost}</p>}
            <WaitingPanel session={session} opening={opening} />
          </section>
          <LogViewer session={session} />
        </div>
        <Facts session={session} />
      </div>
    </Page>
  );
}

function Missing() {
  return (
    <Page title={strings.session.notFoundTitle}>
      <Empty>
        <p>{strings.session.notFoundText}</p>
        <PageButton to={pages.sessions()} variant="default" mt="md">
          {strings.session.toSessions}
        </PageButton>
      </Empty>
    </Page>
  );
}
