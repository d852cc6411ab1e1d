// All users of the directory: what they hold and may use; details of one user; the limits of users and groups.
import { Button, Skeleton } from "@mantine/core";
import { useState } from "react";

import { strings } from "~/strings/en";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import listClasses from "~/ui/table/List.module.css";
import { useAddress } from "~/ui/useAddress";
import { LimitDialog } from "./LimitDialog";
import { Limits } from "./Limits";
import { Filters, Lists, VIEWS, type ListsProps } from "./Lists";
import classes from "./PeoplePage.module.css";
import { SlurmLimits } from "./SlurmLimits";
import { factsOf, hoursOf } from "./facts";
import { usePerson } from "./queries";

const words = strings.admin.people;
const ADDRESS = { view: VIEWS, q: "", offset: "0", person: "" };

export default function PeoplePage() {
  const [{ view, q, offset, person }, change] = useAddress(ADDRESS);
  const lists: ListsProps = { view, q, offset: Math.max(0, Number(offset) || 0), change: ({ offset: at = Number(offset), ...next }) => change({ ...next, offset: `${at}` }) };
  return (
    <Page title={words.title} lead={words.lead} actions={<Filters {...lists} />}>
      {person !== "" && <Person username={person} onClose={() => change({ person: "" })} />}
      <Lists {...lists} />
      <Limits />
      <SlurmLimits />
    </Page>
  );
}

function Person({ username, onClose }: { username: string; onClose: () => void }) {
  const { data, error, refetch } = usePerson(username);
  const [limiting, setLimiting] = useState(false);
  if (error !== null) return <ProblemNote error={error} title={username} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={96} mb="md" />;
  return (
    <section className={`card ${classes["person"]}`} aria-label={data.username}>
      <div>
        <h2 className="section-title">{words.person(data.display_name, data.username)}</h2>
        <p>{[...(data.admin ? [words.administrator] : []), ...(data.allowed ? [] : [words.notAllowed]), data.mail].filter((part) => part !== "").join(" · ")}</p>
        <p className="quiet">{words.groups(data.groups)}</p>
        <p>{words.holds(data.sessions, data.gpus, hoursOf(data))}</p>
        <p className="quiet">{words.may(factsOf(data.limits))}</p>
        {data.pools.map((pool) => (
          <p key={pool.group} className="quiet">
            {words.pool(pool.group, factsOf({ max_gpus: pool.max_gpus, max_gpu_hours: pool.max_gpu_hours }), pool.gpus, hoursOf(pool))}
          </p>
        ))}
      </div>
      <span className={listClasses["actions"]}>
        <Button size="xs" variant="default" onClick={() => setLimiting(true)}>
          {words.limitThis}
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          {strings.dialog.close}
        </Button>
      </span>
      {limiting && <LimitDialog subject={{ kind: "user", name: data.username }} onClose={() => setLimiting(false)} />}
    </section>
  );
}
