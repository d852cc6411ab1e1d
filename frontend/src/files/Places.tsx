// Home, shared storage and the folders used last, with the space that is left.
import { StarFillIcon, TrashIcon } from "@primer/octicons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";

import { fileReads, type Place } from "~/api/files";
import { gb } from "~/lib/size";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Loaded } from "~/ui/Loaded";
import { UseBar, UseBars } from "~/ui/UseBar";
import { useRecentFolders, useStarred } from "~/ui/files/ownFolders";
import classes from "./Files.module.css";

const words = strings.files.places;
const MIB = 1024 * 1024;

export function Places({ path }: { path: string }) {
  const places = useQuery(fileReads.places);
  const [starred] = useStarred();
  const [used] = useRecentFolders();
  const recent = used.filter((folder) => folder !== path && !starred.includes(folder));
  return (
    <nav className={classes["places"]} aria-label={words.label}>
      <Loaded query={places} height={40}>
        {({ items }) => (
          <UseBars>
            {items.map((place) => (
              <PlaceLine key={place.path} place={place} here={place.path === path} />
            ))}
          </UseBars>
        )}
      </Loaded>
      <p className={classes["recent"]}>
        {starred.map((folder) => (
          <Link key={folder} to={pages.files(folder)} className="mono" aria-current={folder === path ? "page" : undefined}>
            <StarFillIcon size={12} aria-label={words.starred} /> {folder}
          </Link>
        ))}
        {recent.length > 0 && <span className="quiet" title={words.recentKept}>
            {words.recent}
          </span>}
        {recent.map((folder) => (
          <Link key={folder} to={pages.files(folder)} className="mono">
            {folder}
          </Link>
        ))}
        <Link to={pages.bin()}>
          <TrashIcon size={12} /> {words.bin}
        </Link>
      </p>
    </nav>
  );
}

function PlaceLine({ place: { label, path, space, available, reason }, here }: { place: Place; here: boolean }) {
  const name = (
    <Link to={pages.files(path)} aria-current={here ? "page" : undefined}>
      {label}
    </Link>
  );
  if (!available || space === null) return <UseBar name={name} part={0} text={reason} />;
  const text = words.used(gb(space.used / MIB), gb(space.total / MIB));
  return <UseBar name={name} part={space.used / space.total} text={space.quota ? `${text} (${words.quota})` : text} />;
}
