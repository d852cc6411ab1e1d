// Who holds what, what holds for each, and the limits of users and groups.
import { Button, Skeleton, Table, TextInput } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";

import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "../ui/Table.module.css";
import { LimitDialog } from "./LimitDialog";
import { Limits } from "./Limits";
import { factsOf } from "./facts";
import { usePeople, usePerson } from "./queries";

const words = strings.admin.people;

export default function PeoplePage() {
  const [params, setParams] = useSearchParams();
  const shown = params.get("person");
  return (
    <Page title={words.title} lead={words.lead} wide actions={<LookUp onPerson={(person) => setParams({ person })} />}>
      {shown !== null && <Person username={shown} onClose={() => setParams({})} />}
      <Everybody onPerson={(person) => setParams({ person })} />
      <Limits />
    </Page>
  );
}

function LookUp({ onPerson }: { onPerson: (username: string) => void }) {
  const [typed, setTyped] = useState("");
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== "") onPerson(typed.trim());
      }}
    >
      <TextInput
        data-filter
        aria-label={words.lookUp}
        placeholder={words.lookUp}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </form>
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
        <p>{words.holds(data.sessions, data.gpus, data.gpu_hours)}</p>
        <p className="quiet">{words.may(factsOf(data.limits))}</p>
      </div>
      <span className={classes["actions"]}>
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

function Everybody({ onPerson }: { onPerson: (username: string) => void }) {
  const { data, error, refetch } = usePeople();
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return <Skeleton height={160} />;
  }
  if (data.items.length === 0) return <Empty>{<p>{words.nobody}</p>}</Empty>;
  return (
    <div className={`card ${classes["frame"]}`} tabIndex={0} role="region" aria-label={words.title}>
      <Table className={classes["table"] ?? ""}>
        <Table.Thead>
          <Table.Tr>
            {[words.who, words.sessionsNow, words.gpusNow, words.hoursMonth].map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.items.map((one) => (
            <Table.Tr key={one.username}>
              <Table.Td>
                <Button size="xs" variant="default" onClick={() => onPerson(one.username)}>
                  {one.username}
                </Button>
              </Table.Td>
              <Table.Td>{one.sessions}</Table.Td>
              <Table.Td>{one.gpus}</Table.Td>
              <Table.Td>{one.gpu_hours}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
