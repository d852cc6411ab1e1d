// My files without a session. Folder, order, filter and the open file are in the URL.
import { Button, Skeleton, Switch } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { Navigate, useBlocker, type Location } from "react-router-dom";

import { fileReads } from "~/api/files";
import type { FileEntry } from "~/api/types";
import { inside } from "~/lib/path";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { FilterField } from "~/ui/FilterField";
import { Page } from "~/ui/Page";
import { ProblemNote } from "~/ui/ProblemNote";
import { useRecentFolders } from "~/ui/files/ownFolders";
import { useAddress, useSettled } from "~/ui/useAddress";
import { FilePanel } from "./FilePanel";
import classes from "./Files.module.css";
import { Folder } from "./Folder";
import { ModeDialog } from "./ModeDialog";
import { PathBar } from "./PathBar";
import { Places } from "./Places";
import { ADDRESS, FILTER_AT_MOST, nameOf, parentOf, viewOf } from "./folder";
import { useActs } from "./useActs";

const words = strings.files;
const WIDE = "(min-width: 1000px)";

export default function FilesPage() {
  const [address, change] = useAddress(ADDRESS);
  const wide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const acts = useActs();
  const [dirty, setDirty] = useState(false);
  const [mode, setMode] = useState<FileEntry | null>(null);
  const { path, file } = address;
  const q = useSettled(address.q);
  const list = useInfiniteQuery(fileReads.folder(viewOf(address, q)));
  const rows = useMemo(() => list.data?.pages.flatMap(({ entries }) => entries) ?? [], [list.data]);
  const folder = list.data?.pages[0];
  const listed = folder?.kind === "folder";
  const [, remember] = useRecentFolders();
  useEffect(() => {
    if (listed && path !== "~") remember(path);
  }, [listed, path, remember]);
  const leaving = useBlocker(({ currentLocation, nextLocation }) => dirty && fileAt(currentLocation) !== fileAt(nextLocation));
  const go = (to: string) => change({ path: to, q: "", file: "" }, true);
  const entry = rows.find(({ name }) => name === file);
  if (folder?.kind === "file") return <Navigate to={`${pages.files(parentOf(path))}&file=${encodeURIComponent(nameOf(path))}`} replace />;
  return (
    <Page
      title={words.title}
      actions={<FilterField label={words.filter} maxLength={FILTER_AT_MOST} value={address.q} onChange={(value) => change({ q: value })} />}
    >
      <Places path={path} />
      <div className={classes["bar"]}>
        <PathBar key={path} path={path} onGo={go} />
        <Switch
          className={classes["push"] ?? ""}
          label={words.hidden}
          checked={address.hidden === "yes"}
          onChange={({ currentTarget }) => change({ hidden: currentTarget.checked ? "yes" : "" })}
        />
      </div>
      {list.error !== null && <ProblemNote error={list.error} title={strings.errors.loading} onRetry={() => void list.refetch()} />}
      {folder === undefined && list.error === null && <Waiting />}
      {folder?.kind === "missing" && (
        <Empty title={words.missing}>
          <p>{words.missingHint}</p>
        </Empty>
      )}
      {folder?.kind === "folder" && (
        <div className={classes["columns"]} data-panel={entry !== undefined || undefined}>
          <div hidden={entry !== undefined && !wide}>
            <Folder
              key={path}
              path={path}
              folder={folder}
              rows={rows}
              sort={address.sort}
              onSort={(sort) => change({ sort: sort as (typeof ADDRESS)["sort"][number] })}
              opened={file}
              onOpen={(opened) => (opened.kind === "folder" ? go(inside(path, opened.name)) : change({ file: opened.name }, true))}
              onUp={go}
              onMode={setMode}
              acts={acts}
            />
            {rows.length === 0 && <Empty>{q === "" ? words.emptyFolder : words.noMatch(q)}</Empty>}
            <p className="quiet small" role="status">
              {rows.length > 0 && words.count(rows.length, folder.total)}
            </p>
            {list.hasNextPage && (
              <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {words.more}
              </Button>
            )}
          </div>
          {entry !== undefined && (
            <FilePanel
              key={`${path}/${entry.name}`}
              entry={entry}
              path={inside(path, entry.name)}
              realPath={inside(folder.real_path, entry.name)}
              onClose={() => change({ file: "" }, true)}
              onMode={() => setMode(entry)}
              onDirty={setDirty}
            />
          )}
        </div>
      )}
      {leaving.state === "blocked" && (
        <Dialog opened title={words.editor.discardTitle} closeLabel={strings.dialog.close} onClose={() => leaving.reset()}>
          <p>{words.editor.discard}</p>
          <DialogActions>
            <Button variant="default" data-autofocus onClick={() => leaving.reset()}>
              {words.editor.stay}
            </Button>
            <Button color="red" onClick={() => leaving.proceed()}>
              {words.editor.doDiscard}
            </Button>
          </DialogActions>
        </Dialog>
      )}
      {mode !== null && <ModeDialog entry={mode} path={inside(path, mode.name)} onClose={() => setMode(null)} />}
    </Page>
  );
}

/** What of a location says which file is open. */
function fileAt({ pathname, search }: Location): string {
  const params = new URLSearchParams(search);
  return [pathname, params.get("path"), params.get("file")].join(" ");
}

function Waiting() {
  return (
    <div className="card" role="status" aria-label={words.loading} style={{ padding: "var(--dsp-3) var(--dsp-4)" }}>
      {[0, 1, 2, 3].map((index) => (
        <Skeleton key={index} height={14} width={`${60 - index * 8}%`} my="md" />
      ))}
    </div>
  );
}
