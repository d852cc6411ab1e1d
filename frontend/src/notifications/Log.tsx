// The latest messages on all channels, and how each went.
import { Skeleton } from "@mantine/core";
import { Link } from "react-router-dom";

import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { Section } from "~/ui/Section";
import { Time } from "~/ui/Time";
import classes from "./NotificationsPage.module.css";
import { useDeliveries, type Delivery } from "./queries";

const words = strings.notifications;

export function Log() {
  const { data, error, refetch } = useDeliveries();
  return (
    <Section title={words.log}>
      {data === undefined && error === null && <Skeleton height={80} />}
      {data === undefined && error !== null && (
        <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
      )}
      {data?.items.length === 0 && <p className={classes["text"]}>{words.logEmpty}</p>}
      {data !== undefined && data.items.length > 0 && (
        <ul className={classes["log"]}>
          {data.items.map((delivery) => (
            <Line key={delivery.id} delivery={delivery} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function Line({ delivery: { title, session_id, channel, state, attempts, at, next_at, result } }: { delivery: Delivery }) {
  return (
    <li className={classes["line"]}>
      <span className={classes["state"]} data-state={state}>
        {words.states[state]}
      </span>
      <div className={classes["what"]}>
        {session_id === null ? title : <Link to={pages.session(session_id)}>{title}</Link>}
        <p className={classes["facts"]}>
          {words.channels[channel]} · <Time at={at} />
          {attempts > 1 && ` · ${words.attempts(attempts)}`}
          {next_at !== null && (
            <>
              {" · "}
              {words.again} <Time at={next_at} />
            </>
          )}
        </p>
        {result !== "" && <p className={classes["facts"]}>{result}</p>}
      </div>
    </li>
  );
}
