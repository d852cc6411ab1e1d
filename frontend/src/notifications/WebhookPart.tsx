// My webhook: its URL goes to the server once and is never shown again.
import { Button, NativeSelect, PasswordInput } from "@mantine/core";
import { useState, type SubmitEvent } from "react";

import { fromThrown } from "~/api/errors";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { Section } from "~/ui/Section";
import { EVENTS, EventBoxes } from "./EventBoxes";
import classes from "./NotificationsPage.module.css";
import { useForgetWebhook, useSetWebhook, useTest, type Notifications, type Shape } from "./queries";

const words = strings.notifications;
const SHAPES: readonly Shape[] = ["slack", "teams", "mattermost", "json"];

export function WebhookPart({ state }: { state: Notifications }) {
  const { webhook } = state;
  if (!webhook.offered) {
    return (
      <Section title={words.webhook}>
        <p className={classes["text"]}>{words.noWebhooks}</p>
      </Section>
    );
  }
  return (
    <Section title={words.webhook}>
      {webhook.host === null ? (
        <p className={classes["text"]}>{words.webhookHint(webhook.hosts)}</p>
      ) : (
        <Stored state={state} host={webhook.host} shape={webhook.shape ?? "json"} />
      )}
      <UrlForm key={webhook.changed_at} state={state} />
    </Section>
  );
}

function Stored({ state, host, shape }: { state: Notifications; host: string; shape: Shape }) {
  const set = useSetWebhook();
  const test = useTest();
  const forget = useForgetWebhook();
  const problem = set.error ?? test.error ?? forget.error;
  return (
    <>
      <p className={classes["text"]}>{words.webhookTo(host, words.shapes[shape])}</p>
      <EventBoxes
        channel={words.webhook}
        state={state}
        chosen={set.isPending ? set.variables.events : state.webhook.events}
        onChange={(events) => set.mutate({ shape, events })}
      />
      <div className={classes["actions"]}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate("webhook")}>
          {words.test}
        </Button>
        <Button variant="default" loading={forget.isPending} onClick={() => forget.mutate()}>
          {words.remove}
        </Button>
      </div>
      {problem !== null && <ProblemNote error={problem} />}
    </>
  );
}

function UrlForm({ state }: { state: Notifications }) {
  const { webhook } = state;
  const set = useSetWebhook();
  const [url, setUrl] = useState("");
  const [shape, setShape] = useState<Shape>(webhook.shape ?? "slack");
  const problem = set.error === null ? null : fromThrown(set.error);
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    set.mutate({ url: url.trim(), shape, events: webhook.host === null ? [...EVENTS] : webhook.events });
  };
  return (
    <form className={classes["form"]} onSubmit={save}>
      <NativeSelect
        label={words.shape}
        value={shape}
        data={SHAPES.map((value) => ({ value, label: words.shapes[value] }))}
        onChange={({ currentTarget }) => setShape(SHAPES.find((shape) => shape === currentTarget.value) ?? shape)}
      />
      <PasswordInput
        label={webhook.host === null ? words.url : words.newUrl}
        className={classes["url"] ?? ""}
        value={url}
        autoComplete="off"
        placeholder="https://"
        error={problem?.message}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Button type="submit" loading={set.isPending} disabled={url.trim() === ""}>
        {words.save}
      </Button>
    </form>
  );
}
