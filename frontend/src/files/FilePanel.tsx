// A file beside its folder: what it is, what can be done with it, and its contents.
import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { XIcon } from "@primer/octicons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { fileReads, type TextFile } from "~/api/files";
import { onFolder, tensorBoardOf } from "~/api/tensorboard";
import { useOptions } from "~/api/queries";
import type { FileEntry } from "~/api/types";
import { bytes } from "~/lib/size";
import { fileLink, pages, transfers } from "~/paths";
import { strings } from "~/strings/en";
import { CopyLink } from "~/ui/CopyLink";
import { OutsideButton, PageButton } from "~/ui/LinkButton";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import { ParquetFile, PictureFile } from "./Binary";
import classes from "./Files.module.css";
import { OpenIn } from "./OpenIn";
import { Preview } from "./Previews";
import { TextEditor } from "./TextEditor";
import { parentOf } from "./folder";
import { pictureType, viewOfFile } from "./previews";

const words = strings.files.panel;
const TEXT_AT_MOST = 500_000;
const PICTURE_AT_MOST = 20_000_000;

interface FilePanelProps {
  entry: FileEntry;
  path: string;
  /** Absolute, links followed. */
  realPath: string;
  onClose: () => void;
  onMode: () => void;
  onDirty: (dirty: boolean) => void;
}

export function FilePanel({ entry, path, realPath, onClose, onMode, onDirty }: FilePanelProps) {
  const { name, kind, size, modified, owner, mode } = entry;
  return (
    <aside className={`card ${classes["panel"]}`} aria-label={name}>
      <div className={classes["bar"]}>
        <h2 className={classes["title"]}>{name}</h2>
        <ActionIcon aria-label={words.close} onClick={onClose}>
          <XIcon />
        </ActionIcon>
      </div>
      <p className="quiet small">
        {kind === "file" && `${bytes(size)} · `}
        {modified !== null && (
          <>
            <Time at={modified} /> ·{" "}
          </>
        )}
        {owner} · <span className="mono">{mode}</span>
      </p>
      <div className={classes["bar"]}>
        {kind === "file" && (
          <OutsideButton size="xs" variant="default" sameTab href={transfers.content(path)}>
            {strings.files.download}
          </OutsideButton>
        )}
        <Uses name={name} path={path} />
        <CopyLink link={fileLink(realPath)} text={words.copyLink} copied={words.copiedLink} />
        <Button size="xs" variant="default" onClick={onMode}>
          {words.change}
        </Button>
      </div>
      {kind === "file" ? <Contents entry={entry} path={path} onDirty={onDirty} /> : <p className="quiet">{words.noPreview}</p>}
    </aside>
  );
}

/** Where a file of this kind can be used. */
function Uses({ name, path }: { name: string; path: string }) {
  const tensorboard = tensorBoardOf(useOptions().data?.apps);
  if (/\.(sh|sbatch|slurm|job)$/.test(name)) {
    return (
      <PageButton size="xs" variant="default" to={pages.newJob(new URLSearchParams({ script: path }))}>
        {words.newJob}
      </PageButton>
    );
  }
  if (/\.ipynb$/i.test(name)) return <OpenIn path={path} />;
  if (name.includes("tfevents") && tensorboard !== undefined) {
    return (
      <PageButton size="xs" variant="default" to={pages.newSession(onFolder(tensorboard, parentOf(path)))}>
        {words.tensorboard}
      </PageButton>
    );
  }
  return null;
}

function Contents({ entry, path, onDirty }: Pick<FilePanelProps, "entry" | "path" | "onDirty">) {
  const picture = pictureType(entry.name);
  const parquet = /\.(parquet|pq)$/i.test(entry.name);
  const shown = entry.readable && entry.size <= TEXT_AT_MOST && !/tfevents/.test(entry.name) && picture === null && !parquet;
  const { data, error, refetch } = useQuery({ ...fileReads.text(path), enabled: shown });
  if (!entry.readable) return <p className="quiet">{words.notReadable}</p>;
  if (/tfevents/.test(entry.name)) return <p className="quiet">{words.noPreview}</p>;
  if (parquet) return <ParquetFile entry={entry} path={path} />;
  if (picture !== null) {
    return entry.size > PICTURE_AT_MOST ? <p className="quiet">{words.pictureTooLarge}</p> : <PictureFile name={entry.name} path={path} type={picture} />;
  }
  if (!shown) return <p className="quiet">{words.tooLarge}</p>;
  if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  return <TextViews key={path} file={data} entry={entry} onDirty={onDirty} />;
}

/** A preview where there is one, and the editor. */
function TextViews({ file, entry: { name, writable }, onDirty }: { file: TextFile; entry: FileEntry; onDirty: (dirty: boolean) => void }) {
  const view = viewOfFile(name, file.text);
  const [source, setSource] = useState(view === "text");
  const [opened, setOpened] = useState(source);
  const queries = useQueryClient();
  const [taken, setTaken] = useState(0);
  const take = (newer: TextFile) => {
    queries.setQueryData(fileReads.text(file.path).queryKey, newer);
    setTaken(taken + 1);
  };
  const toggle = () => {
    setSource(!source);
    setOpened(true);
  };
  return (
    <>
      {view !== "text" && (
        <div>
          <Button size="xs" variant="default" aria-pressed={source} onClick={toggle}>
            {words.source}
          </Button>
        </div>
      )}
      {!source && <Preview view={view} name={name} text={file.text} />}
      {/* Once opened it stays: what was typed is kept while the preview is looked at. */}
      {opened && (
        <div hidden={!source}>
          <TextEditor key={taken} file={file} writable={writable} onDirty={onDirty} onTake={take} />
        </div>
      )}
    </>
  );
}
