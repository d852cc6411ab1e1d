// Files that are not text and can be viewed: pictures, and the first rows of Parquet files.
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { fileReads } from "~/api/files";
import type { FileEntry } from "~/api/types";
import { Problem } from "~/api/errors";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./Files.module.css";
import { PreviewTable } from "./PreviewTable";
import { ROWS } from "./previews";

const words = strings.files.preview;

/** As a data: URL: it has no origin, so that nothing in it can act as the portal, and an SVG in an image runs nothing. */
export function Picture({ name, src }: { name: string; src: string }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <p className="quiet">{words.brokenPicture}</p>;
  return <img className={classes["picture"]} src={src} alt={strings.files.picture(name)} onError={() => setBroken(true)} />;
}

export function PictureFile({ name, path, type }: { name: string; path: string; type: string }) {
  const { data, error, refetch } = useQuery(fileReads.picture(path, type));
  if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
  return data === undefined ? <Skeleton height={240} /> : <Picture name={name} src={data} />;
}

export function ParquetFile({ entry: { name, size }, path }: { entry: FileEntry; path: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...fileReads.text(path).queryKey.slice(0, 2), "rows"],
    queryFn: async () => {
      const { firstRows, TooMuch } = await import("./parquet");
      return firstRows(size, (start, end) => fileReads.range(path, start, end), ROWS).catch((thrown: unknown) => {
        if (thrown instanceof TooMuch) return "much" as const;
        if (thrown instanceof Problem) throw thrown;
        return "unreadable" as const;
      });
    },
    gcTime: 0,
    retry: false,
  });
  if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={240} />;
  if (typeof data === "string") return <p className="quiet">{words.parquet[data]}</p>;
  return <PreviewTable name={name} head={data.head} rows={data.rows} more={data.count > data.rows.length} />;
}
