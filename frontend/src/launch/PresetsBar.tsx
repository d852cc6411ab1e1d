// Where the form may start from: the last session's choice, named presets; and its link, to hand on.
import { Button } from "@mantine/core";
import { BookmarkIcon, HistoryIcon, LinkIcon } from "@primer/octicons-react";
import { useState } from "react";

import { useActiveSessions, useEndedSessions } from "~/api/queries";
import { draftOf, draftOfAsked, writeDraft, type Draft } from "~/api/sessionDraft";
import type { Options, Preset, Session, SessionAsked } from "~/api/types";
import { copyText } from "~/lib/clipboard";
import { strings } from "~/strings/en";
import classes from "./PresetsBar.module.css";
import { PresetsDialog } from "./PresetsDialog";
import { usePresets } from "./presets";

const words = strings.launch.presets;

interface PresetsBarProps {
  draft: Draft;
  options: Options;
  asked: SessionAsked;
  onChoose: (draft: Draft) => void;
}

export function PresetsBar({ draft, options, asked, onChoose }: PresetsBarProps) {
  const presets = usePresets().data?.items ?? [];
  const last = useLastSession();
  const [managing, setManaging] = useState(false);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const query = writeDraft({ ...draft, preset: null, avoid: null }).toString();
    await copyText(`${window.location.origin}${window.location.pathname}${query === "" ? "" : `?${query}`}`);
    setCopied(true);
  };
  return (
    <div className={classes["bar"]} role="group" aria-label={words.label}>
      {last !== undefined && (
        <Button variant="default" size="xs" leftSection={<HistoryIcon />} onClick={() => onChoose({ ...draftOf(last, options), name: "" })}>
          {words.last(last.app_title, strings.resources.gpus(last.resources.gpus * last.resources.nodes, last.resources.gpu_type))}
        </Button>
      )}
      {presets.map((preset: Preset) => (
        <Button
          key={preset.id ?? `site ${preset.name}`}
          variant="default"
          size="xs"
          leftSection={<BookmarkIcon />}
          title={preset.id === null ? words.shared : undefined}
          onClick={() => onChoose({ ...draftOfAsked(preset.request), preset: preset.name })}
        >
          {preset.name}
        </Button>
      ))}
      <span className={classes["acts"]}>
        <Button variant="subtle" size="xs" onClick={() => setManaging(true)}>
          {words.manage}
        </Button>
        <Button variant="subtle" size="xs" leftSection={<LinkIcon />} onClick={() => void copy()} onBlur={() => setCopied(false)}>
          {words.copy}
        </Button>
        <span role="status" className="quiet small">
          {copied && words.copied}
        </span>
      </span>
      <PresetsDialog opened={managing} own={presets.filter(({ id }) => id !== null)} asked={asked} onClose={() => setManaging(false)} />
    </div>
  );
}

/** The session that was requested last, whether it runs or has ended. */
function useLastSession(): Session | undefined {
  const active = useActiveSessions().data?.items ?? [];
  const ended = useEndedSessions().data?.pages[0]?.items ?? [];
  return [...active, ...ended].sort((session, other) => other.created_at.localeCompare(session.created_at))[0];
}
