// Home: my running, waiting and ended sessions.
import { PlusIcon } from "@primer/octicons-react";
import { useSearchParams } from "react-router-dom";

import { useActiveSessions, useEndedSessions } from "~/api/queries";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { PageButton } from "~/ui/LinkButton";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { EndedBadly } from "./EndedBadly";
import { EndedList } from "./EndedList";
import { FirstSteps } from "./FirstSteps";
import { SessionCard } from "./SessionCard";
import { SharedWithMe } from "./SharedWithMe";
import { CardSkeletons } from "./CardSkeletons";
import { matches } from "./filter";
import classes from "./SessionsPage.module.css";

export function SessionsPage() {
  const active = useActiveSessions();
  // Loaded together but shown after the active ones, so that nothing below them moves.
  useEndedSessions();
  const [params, setParams] = useSearchParams();
  const filter = params.get("q") ?? "";
  const setFilter = (text: string) => setParams(text === "" ? {} : { q: text }, { replace: true });
  return (
    <Page
      title={strings.sessions.title}
      actions={
        <>
          <FilterField className={classes["filter"]} label={strings.sessions.filter} value={filter} onChange={setFilter} />
          <PageButton to={pages.newSession()} leftSection={<PlusIcon />}>
            {strings.nav.newSession}
          </PageButton>
        </>
      }
    >
      <EndedBadly />
      <ActiveSessions filter={filter} />
      {!active.isPending && <SharedWithMe />}
      {!active.isPending && <EndedList filter={filter} />}
    </Page>
  );
}

function ActiveSessions({ filter }: { filter: string }) {
  const { data, error, refetch } = useActiveSessions();
  if (data === undefined) {
    if (error === null) return <CardSkeletons />;
    return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
  }
  if (data.items.length === 0) return <FirstSteps />;
  const shown = data.items.filter((session) => matches(session, filter));
  if (shown.length === 0) {
    return (
      <Empty>
        <p>{strings.sessions.filterNone(filter)}</p>
      </Empty>
    );
  }
  return (
    <section aria-label={strings.sessions.running} className={classes["list"]}>
      {shown.map((session) => (
        <SessionCard key={session.id} session={session} />
      ))}
    </section>
  );
}
