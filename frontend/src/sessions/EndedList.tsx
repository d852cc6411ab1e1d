// Ended sessions with how they ended, newest first, and a way to start them again.
import { Button, Skeleton } from "@mantine/core";
import { Link } from "react-router-dom";

import { useEndedSessions } from "~/api/queries";
import type { Session } from "~/api/types";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { StateMark, StateWord } from "~/ui/StateMark";
import { Time } from "~/ui/Time";
import { lookOf } from "~/ui/sessionLook";
import { compactResources } from "~/ui/sessionWords";
import classes from "./EndedList.module.css";
import { StartAgain } from "./StartAgain";
import { matches, standsOnTop } from "./filter";

export function EndedList({ filter }: { filter: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useEndedSessions();
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  const shown = items.filter((session) => !standsOnTop(session) && matches(session, filter));
  if (data !== undefined && items.every(standsOnTop) && !hasNextPage) return null;
  return (
    <section className={classes["section"]} aria-labelledby="ended-title">
      <h2 id="ended-title" className="section-title">
        {strings.sessions.ended}
      </h2>
      {data === undefined && error === null && <Skeleton height={44} mt="xs" />}
      {data === undefined && error !== null && <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />}
      {shown.length > 0 && (
        <ul className={`card ${classes["list"]}`}>
          {shown.map((session) => (
            <EndedRow key={session.id} session={session} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button variant="default" mt="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {strings.sessions.showMore}
        </Button>
      )}
    </section>
  );
}

function EndedRow({ session }: { session: Session }) {
  const look = lookOf(session);
  return (
    <li className={classes["row"]} data-session={session.id}>
      <StateMark look={look} />
      <span className={classes["name"]}>
        <Link to={pages.session(session.id)}>{session.name}</Link>
        <span className={classes["app"]}>{session.app_title}</span>
      </span>
      <span className={classes["how"]} title={session.end?.text ?? ""}>
        <StateWord look={look} />
        {look.tone === "bad" && session.end !== null && <span className={classes["text"]}>{session.end.text}</span>}
      </span>
      <span className={classes["what"]}>{compactResources(session.resources)}</span>
      <span className={classes["when"]}>{session.ended_at !== null && <Time at={session.ended_at} />}</span>
      <StartAgain session={session} compact />
    </li>
  );
}
