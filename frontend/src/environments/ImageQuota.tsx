import { Progress } from "@mantine/core";

import type { ImagePage } from "~/api/types";
import { megabytes } from "~/lib/size";
import { strings } from "~/strings/en";
import classes from "./Panel.module.css";

const words = strings.images;

/** Where images are stored and how much space is left: by quota, or by disk. */
export function ImageQuota({ page }: { page: ImagePage }) {
  const { folder, quota } = page;
  return (
    <section className={`card ${classes["panel"]}`} aria-labelledby="room-title">
      <h2 className="section-title" id="room-title">
        {words.quotaLabel}
      </h2>
      <p className="quiet small">{words.folder(folder)}</p>
      {quota !== null && (
        <>
          <Progress
            size="sm"
            value={quota.total_mb === 0 ? 0 : (100 * (quota.total_mb - quota.free_mb)) / quota.total_mb}
            aria-label={words.quotaLabel}
          />
          <p className="small">
            {words.free(megabytes(quota.free_mb))} · {words.quota(megabytes(quota.total_mb - quota.free_mb), megabytes(quota.total_mb))}
          </p>
          <p className="quiet small">{quota.own ? words.ownQuota : words.sharedDisk}</p>
        </>
      )}
    </section>
  );
}
