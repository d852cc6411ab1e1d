// What I am notified about: in this browser, by mail, by webhook; and the log of what was sent.
import { Button, Skeleton } from "@mantine/core";
import { BellIcon } from "@primer/octicons-react";
import { useState } from "react";

import { askForNotices, noticesWanted, permission } from "~/live/notices";
import { strings } from "~/strings/en";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { Section } from "~/ui/Section";
import { EventBoxes } from "./EventBoxes";
import { Log } from "./Log";
import classes from "./NotificationsPage.module.css";
import { useNotifications, useSetMail, useTest, type Notifications } from "./queries";
import { WebhookPart } from "./WebhookPart";

const words = strings.notifications;

export default function NotificationsPage() {
  const { data, error, refetch } = useNotifications();
  return (
    <Page title={words.title} lead={words.lead}>
      <div className={classes["stack"]}>
        <BrowserPart />
        {data === undefined && error !== null && (
          <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
        )}
        {data === undefined && error === null && <Skeleton height={240} />}
        {data !== undefined && (
          <>
            <MailPart state={data} />
            <WebhookPart state={data} />
            <Log />
          </>
        )}
      </div>
    </Page>
  );
}

function BrowserPart() {
  const [state, setState] = useState<"on" | ReturnType<typeof permission>>(() => (noticesWanted() ? "on" : permission()));
  const ask = async () => setState((await askForNotices()) ? "on" : "denied");
  const asks = state === "ask" || state === "granted";
  return (
    <Section title={words.browser}>
      <p className={classes["text"]}>{asks ? words.browserHint : words.browserStates[state]}</p>
      {asks && (
        <div>
          <Button variant="default" leftSection={<BellIcon />} onClick={() => void ask()}>
            {words.browserAsk}
          </Button>
        </div>
      )}
    </Section>
  );
}

function MailPart({ state }: { state: Notifications }) {
  const set = useSetMail();
  const test = useTest();
  const { mail } = state;
  if (!mail.offered) {
    return (
      <Section title={words.mail}>
        <p className={classes["text"]}>{words.noMail}</p>
      </Section>
    );
  }
  const problem = set.error ?? test.error;
  return (
    <Section title={words.mail}>
      <p className={classes["text"]}>{mail.why_not ?? words.mailTo(mail.address ?? "")}</p>
      <EventBoxes
        channel={words.mail}
        state={state}
        chosen={set.isPending ? set.variables : mail.events}
        onChange={(events) => set.mutate(events)}
      />
      <div>
        <Button variant="default" loading={test.isPending} disabled={mail.why_not !== null} onClick={() => test.mutate("mail")}>
          {words.test}
        </Button>
      </div>
      {problem !== null && <ProblemNote error={problem} />}
    </Section>
  );
}
