// Creates or edits an announcement, with the banner itself as preview.
import { Button, Switch, TextInput, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";

import { byField, fromThrown } from "~/api/errors";
import { useOptions } from "~/api/queries";
import { useNow } from "~/lib/useNow";
import { strings } from "~/strings/en";
import { AnnouncementBanner } from "~/ui/AnnouncementBanner";
import { Choice } from "~/ui/Choice";
import { ProblemNote } from "~/ui/ProblemNote";
import { Field, Section } from "~/ui/Section";
import { Affected } from "./Affected";
import classes from "./AnnouncementForm.module.css";
import { CloseDialog } from "./CloseDialog";
import { askedOf, draftOf, EMPTY, type AnnouncementDraft } from "./draft";
import { useSaveAnnouncement, type AnnouncementRow } from "./queries";

const words = strings.admin.announcements;
const TYPING_PAUSE_MS = 300;

interface AnnouncementFormProps {
  /** The one to edit; null creates a new one. */
  row: AnnouncementRow | null;
  onDone: () => void;
}

export function AnnouncementForm({ row, onDone }: AnnouncementFormProps) {
  const [draft, setDraft] = useState(row === null ? EMPTY : draftOf(row));
  const save = useSaveAnnouncement(row?.id ?? null);
  const problems = save.error === null ? {} : byField(fromThrown(save.error).fields);
  const [asking, setAsking] = useState(false);
  const asked = askedOf(draft);
  const send = () => save.mutate(asked, { onSuccess: onDone, onError: () => setAsking(false) });
  const change = (next: Partial<AnnouncementDraft>) => setDraft((old) => ({ ...old, ...next }));
  return (
    <Section title={row === null ? words.makeTitle : words.changeTitle}>
      <form
        className={classes["form"]}
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.kind === "maintenance") setAsking(true);
          else send();
        }}
      >
        <Field label={words.kind}>
          <div className={classes["chips"]}>
            {(["notice", "maintenance"] as const).map((kind) => (
              <Choice key={kind} name="kind" value={kind} checked={draft.kind === kind} onChoose={() => change({ kind })}>
                {words[kind]}
              </Choice>
            ))}
          </div>
        </Field>
        <Textarea
          label={words.text}
          description={words.textHint}
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={problems["text"]}
          required
          maxLength={500}
          rows={2}
          data-autofocus
          value={draft.text}
          onChange={(event) => change({ text: event.currentTarget.value.replace(/[\r\n]+/g, " ") })}
        />
        <Times draft={draft} problems={problems} change={change} />
        <Partitions draft={draft} problem={problems["partitions"]} change={change} />
        <Switch
          label={words.onLogin}
          checked={draft.onLogin}
          onChange={(event) => change({ onLogin: event.currentTarget.checked })}
        />
        <Preview draft={draft} />
        {save.error !== null && <ProblemNote error={save.error} title={words.failed} />}
        <div className={classes["actions"]}>
          <Button variant="default" onClick={onDone}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {row === null ? words.announce : words.save}
          </Button>
        </div>
        {asking && <CloseDialog asked={asked} saving={save.isPending} onConfirm={send} onClose={() => setAsking(false)} />}
      </form>
    </Section>
  );
}

interface PartProps {
  draft: AnnouncementDraft;
  change: (next: Partial<AnnouncementDraft>) => void;
}

function Times({ draft, problems, change }: PartProps & { problems: Record<string, string> }) {
  const maintenance = draft.kind === "maintenance";
  const order: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];
  return (
    <div className={classes["times"]}>
      {maintenance && (
        <TextInput
          type="datetime-local"
          label={words.starts}
          description={words.startsHint}
          inputWrapperOrder={order}
          error={problems["starts_at"]}
          required
          value={draft.starts}
          onChange={(event) => change({ starts: event.currentTarget.value })}
        />
      )}
      <TextInput
        type="datetime-local"
        label={maintenance ? words.ends : words.noticeUntil}
        {...(maintenance ? {} : { description: words.noticeUntilHint })}
        inputWrapperOrder={order}
        error={problems["ends_at"]}
        required={maintenance}
        value={draft.ends}
        onChange={(event) => change({ ends: event.currentTarget.value })}
      />
      <TextInput
        type="datetime-local"
        label={words.shownFrom}
        description={words.shownFromHint}
        inputWrapperOrder={order}
        error={problems["shown_from"]}
        value={draft.shownFrom}
        onChange={(event) => change({ shownFrom: event.currentTarget.value })}
      />
    </div>
  );
}

function Partitions({ draft, problem, change }: PartProps & { problem: string | undefined }) {
  const known = useOptions().data?.partitions.map(({ name }) => name) ?? [];
  const names = [...new Set([...known, ...draft.partitions])];
  const toggle = (name: string, on: boolean) =>
    change({ partitions: on ? [...draft.partitions, name] : draft.partitions.filter((partition) => partition !== name) });
  return (
    <Field label={words.partitions} hint={words.partitionsHint} problem={problem}>
      <div className={classes["checks"]}>
        {names.map((name) => (
          <label key={name} className={classes["check"]}>
            <input
              type="checkbox"
              checked={draft.partitions.includes(name)}
              onChange={(event) => toggle(name, event.currentTarget.checked)}
            />
            {name}
          </label>
        ))}
      </div>
    </Field>
  );
}

function Preview({ draft }: { draft: AnnouncementDraft }) {
  const now = useNow(10);
  const asked = askedOf(draft);
  const planned = draft.kind === "maintenance" && draft.text !== "" && draft.starts !== "" && draft.ends > draft.starts;
  const [settled] = useDebouncedValue(asked, TYPING_PAUSE_MS);
  return (
    <Field label={words.preview}>
      <div className={classes["preview"]}>
        {draft.text.trim() === "" ? (
          <p className="quiet">{words.previewEmpty}</p>
        ) : (
          <AnnouncementBanner
            announcement={{
              kind: draft.kind,
              text: draft.text,
              partitions: draft.partitions,
              starts_at: asked.starts_at ?? null,
              ends_at: asked.ends_at ?? null,
            }}
            now={now}
          />
        )}
      </div>
      {planned && <Affected asked={settled} />}
    </Field>
  );
}
