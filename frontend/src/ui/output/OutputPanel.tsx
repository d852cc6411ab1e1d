// A growing file as a terminal would show it: follow, search, copy, download. Used by jobs and sessions.
import { ActionIcon, Button } from "@mantine/core";
import { CopyIcon, DownloadIcon, MoveToBottomIcon, PauseIcon, PlayIcon, SyncIcon } from "@primer/octicons-react";
import { useState, type ReactNode } from "react";

import { copyText } from "~/lib/clipboard";
import { bytes } from "~/lib/size";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import { OutputLines } from "./OutputLines";
import classes from "./OutputPanel.module.css";
import { SearchBar } from "./SearchBar";
import { plainText } from "./ansi";
import { download } from "./download";
import type { OutputReader, OutputSource } from "./reader";
import { useOutput } from "./useOutput";
import { useSearch } from "./useSearch";

const words = strings.output;

interface OutputPanelProps {
  source: OutputSource;
  label: string;
  /** The file's name when it is downloaded. */
  fileName: string;
  /** Further controls in the bar: which file, which task. */
  choices?: ReactNode;
}

export function OutputPanel({ source, label, fileName, choices }: OutputPanelProps) {
  const reader = useOutput(source);
  const { buffer } = reader;
  const search = useSearch(buffer, reader.version);
  return (
    <div className={classes["panel"]}>
      <div className={classes["bar"]}>
        {choices}
        <SearchBar search={search} onStep={() => reader.stayAtEnd(false)} />
        <Tools reader={reader} source={source} fileName={fileName} onFollow={() => reader.stayAtEnd(true)} />
      </div>
      {reader.problem !== null && (
        <ProblemNote error={reader.problem} title={strings.errors.loading} onRetry={() => void reader.start()} />
      )}
      {buffer.from > 0 && (
        <div>
          <Button size="xs" variant="subtle" loading={reader.earlier} onClick={() => void reader.readEarlier()}>
            {words.earlier}
          </Button>
        </div>
      )}
      {(reader.problem === null || !buffer.empty) && (
        <div className={classes["frame"]}>
          <OutputLines
            reader={reader}
            label={label}
            wanted={search.text}
            target={search.target}
            empty={reader.state === "reading" ? words.states.reading : words.empty}
          />
          {!reader.atEnd && (
            <Button size="xs" className={classes["jump"] ?? ""} leftSection={<MoveToBottomIcon />} onClick={() => reader.stayAtEnd(true)}>
              {words.toEnd}
            </Button>
          )}
        </div>
      )}
      <div className={`${classes["foot"]} quiet small`}>
        <span className={classes["state"]} role="status" data-state={reader.state}>
          {words.states[reader.state]}
        </span>
        <span>
          {buffer.from > 0 ? words.partly(bytes(buffer.to - buffer.from), bytes(buffer.size)) : words.whole(bytes(buffer.size))}
        </span>
      </div>
    </div>
  );
}

interface ToolsProps {
  reader: OutputReader;
  source: OutputSource;
  fileName: string;
  onFollow: () => void;
}

function Tools({ reader, source, fileName, onFollow }: ToolsProps) {
  const [copied, setCopied] = useState(false);
  const [fetched, setFetched] = useState<number | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const copy = async () => {
    await copyText(reader.buffer.lines.map(plainText).join("\n"));
    setCopied(true);
  };
  const fetchAll = async () => {
    setFetched(0);
    setProblem(null);
    try {
      await download(source, fileName, setFetched);
    } catch (thrown) {
      setProblem(thrown);
    }
    setFetched(null);
  };
  const resume = () => {
    onFollow();
    void reader.start();
  };
  return (
    <>
      <div className={`${classes["push"]} ${classes["bar"]}`}>
        <FollowButton reader={reader} onResume={resume} />
        <ActionIcon aria-label={words.copy} title={copied ? words.copied : words.copy} onClick={() => void copy()}>
          <CopyIcon />
        </ActionIcon>
        <ActionIcon
          aria-label={fetched === null ? words.download : words.downloading(fetched)}
          title={fetched === null ? words.download : words.downloading(fetched)}
          loading={fetched !== null}
          onClick={() => void fetchAll()}
        >
          <DownloadIcon />
        </ActionIcon>
      </div>
      {problem !== null && <ProblemNote error={problem} title={words.download} />}
    </>
  );
}

function FollowButton({ reader, onResume }: { reader: OutputReader; onResume: () => void }) {
  const paused = reader.state === "paused";
  const live = reader.state === "following" || reader.state === "lost";
  if (live) {
    return (
      <Button size="xs" variant="default" leftSection={<PauseIcon />} onClick={() => reader.pause()}>
        {words.pause}
      </Button>
    );
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={paused ? <PlayIcon /> : <SyncIcon />}
      loading={reader.state === "reading"}
      onClick={onResume}
    >
      {paused ? words.follow : words.reload}
    </Button>
  );
}
