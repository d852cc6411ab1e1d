// Uploads that ended with their page. The browser forgets the files then, so the user chooses each again.
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";

import { useMe } from "~/api/queries";
import { bytes } from "~/lib/size";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import classes from "./Files.module.css";
import { nameOf, parentOf } from "./folder";
import { discard, unfinished, type Unfinished, type UploadItem } from "./uploads";

const words = strings.files.unfinished;

interface UnfinishedUploadsProps {
  active: readonly UploadItem[];
  onContinue: (file: File, path: string) => void;
}

export function UnfinishedUploads({ active, onContinue }: UnfinishedUploadsProps) {
  const [known, setKnown] = useState<Unfinished[]>([]);
  const owner = useMe().data?.username;
  useEffect(() => {
    if (owner !== undefined) void unfinished(owner).then(setKnown);
  }, [active.length, owner]);
  const left = known.filter(({ path }) => !active.some((item) => item.path === path));
  if (left.length === 0) return null;
  return (
    <section className={`card ${classes["uploads"]}`} aria-label={words.label}>
      <strong>{words.label}</strong>
      <p className="quiet small">{words.hint}</p>
      <ul>
        {left.map((one) => (
          <Line
            key={one.key}
            upload={one}
            onContinue={(file) => onContinue(file, one.path)}
            onDiscard={() => void discard(one).then(() => setKnown((now) => now.filter(({ key }) => key !== one.key)))}
          />
        ))}
      </ul>
    </section>
  );
}

interface LineProps {
  upload: Unfinished;
  onContinue: (file: File) => void;
  onDiscard: () => void;
}

function Line({ upload: { path, size }, onContinue, onDiscard }: LineProps) {
  const input = useRef<HTMLInputElement>(null);
  const [other, setOther] = useState(false);
  const name = nameOf(path);
  const folder = parentOf(path);
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    setOther(file.name !== name || file.size !== size);
    if (file.name === name && file.size === size) onContinue(file);
  };
  return (
    <li className={classes["upload"]}>
      <span className={classes["uploadName"]}>{name}</span>
      <span className="quiet small">
        {bytes(size)} · <Link to={pages.files(folder)}>{folder}</Link>
      </span>
      <input ref={input} type="file" hidden aria-label={words.choose(name)} onChange={({ currentTarget }) => take(currentTarget.files?.[0])} />
      <Button size="xs" variant="default" aria-label={words.choose(name)} onClick={() => input.current?.click()}>
        {words.chooseFile}
      </Button>
      <Button size="xs" variant="subtle" aria-label={words.discard(name)} onClick={onDiscard}>
        {words.discardShort}
      </Button>
      <span className="small" role="alert">
        {other && words.other(name, bytes(size))}
      </span>
    </li>
  );
}
