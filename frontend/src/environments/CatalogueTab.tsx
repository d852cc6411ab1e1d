// Framework images by name and tag; a pull runs as a job, which Images shows.
import { Button, NativeSelect, Skeleton } from "@mantine/core";
import { DownloadIcon } from "@primer/octicons-react";
import { useState } from "react";
import { Link } from "react-router-dom";

import { useAddImage, useCatalogue, useImages } from "~/api/images";
import type { Framework, Image } from "~/api/types";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { FilterField } from "~/ui/FilterField";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./CatalogueTab.module.css";
import { OtherImage } from "./OtherImage";

const words = strings.images.catalogue;

export function CatalogueTab() {
  const { data, error, refetch } = useCatalogue();
  const [text, setText] = useState("");
  if (data === undefined) {
    if (error !== null) return <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />;
    return (
      <div className={classes["grid"]} aria-busy="true">
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <Skeleton key={index} height={148} />
        ))}
      </div>
    );
  }
  const shown = data.items.filter((image) => fits(image, text));
  return (
    <>
      <div className={classes["head"]}>
        <p className="quiet">{words.lead}</p>
        <FilterField label={words.filter} value={text} onChange={setText} />
      </div>
      {shown.length === 0 ? (
        <Empty>
          <p>{data.items.length === 0 ? words.empty : words.none}</p>
        </Empty>
      ) : (
        <ul className={classes["grid"]}>
          {shown.map((framework) => (
            <FrameworkCard key={framework.repository} framework={framework} />
          ))}
        </ul>
      )}
      <OtherImage />
    </>
  );
}

function FrameworkCard({ framework }: { framework: Framework }) {
  const { title, description, repository, tags } = framework;
  const [tag, setTag] = useState(tags[0]?.tag ?? "");
  const reference = `docker://${repository}:${tag}`;
  const known = useImages().data?.items.find((image) => image.reference === reference);
  const add = useAddImage();
  const id = `framework-${framework.framework}`;
  return (
    <li className={`card ${classes["card"]}`} aria-labelledby={id}>
      <h2 className="section-title" id={id}>
        {title}
      </h2>
      <p className={classes["text"]}>{description}</p>
      <p className={classes["repository"]}>{repository}</p>
      <div className={classes["foot"]}>
        <NativeSelect
          aria-label={words.tagOf(title)}
          value={tag}
          onChange={(event) => {
            setTag(event.currentTarget.value);
            add.reset();
          }}
          data={tags.map((tag) => tag.tag)}
        />
        <Button
          variant="default"
          leftSection={<DownloadIcon />}
          loading={add.isPending}
          disabled={isHere(known)}
          aria-label={words.getOf(title, tag)}
          onClick={() => add.mutate({ reference, title: `${title} ${tag}`, scope: "user" })}
        >
          {words.get}
        </Button>
      </div>
      <p className={classes["state"]} role="status">
        {!isHere(known) && tags.find((candidate) => candidate.tag === tag)?.note}
        {isHere(known) && (
          <>
            {known?.state === "pulling" ? words.getting : words.have} · <Link to={pages.images()}>{words.follow}</Link>
          </>
        )}
      </p>
      {add.error !== null && <ProblemNote error={add.error} title={words.failed} />}
    </li>
  );
}

const isHere = (image: Image | undefined) => image?.state === "ready" || image?.state === "pulling";

export function fits({ title, description, repository, tags }: Framework, text: string): boolean {
  const searched = [title, description, repository, ...tags.map(({ tag }) => tag)].join(" ").toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
