// The images a session can run in: mine and the site's, the space left, and the key for NVIDIA's registry.
import { Button, Skeleton } from "@mantine/core";
import { FileIcon } from "@primer/octicons-react";
import { useState } from "react";

import { useImages } from "~/api/images";
import type { Image, ImagePage } from "~/api/types";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { Empty } from "~/ui/Empty";
import { PageButton } from "~/ui/LinkButton";
import { ProblemNote } from "~/ui/ProblemNote";
import { ImageQuota } from "./ImageQuota";
import { ImageRow } from "./ImageRow";
import classes from "./ImagesTab.module.css";
import { NgcPanel } from "./NgcPanel";
import { RegisterDialog } from "./RegisterDialog";

const words = strings.images;

export function ImagesTab() {
  const { data, error, refetch } = useImages();
  const [registering, setRegistering] = useState(false);
  return (
    <div className={classes["columns"]}>
      <div className={classes["main"]}>
        <div className={classes["head"]}>
          <p className="quiet">{words.lead}</p>
          <div className={classes["actions"]}>
            <Button variant="default" leftSection={<FileIcon />} onClick={() => setRegistering(true)}>
              {words.register.open}
            </Button>
          </div>
        </div>
        {data !== undefined ? (
          <Lists page={data} />
        ) : error !== null ? (
          <ProblemNote error={error} title={strings.errors.loading} onRetry={() => void refetch()} />
        ) : (
          <div aria-busy="true">
            <Skeleton height={64} mb="xs" />
            <Skeleton height={64} />
          </div>
        )}
      </div>
      <aside className={classes["aside"]} aria-label={words.quotaLabel}>
        {data !== undefined && <ImageQuota page={data} />}
        <NgcPanel />
      </aside>
      {registering && <RegisterDialog forAll={data?.site_folder != null} onClose={() => setRegistering(false)} />}
    </div>
  );
}

function Lists({ page }: { page: ImagePage }) {
  const mine = page.items.filter(({ scope }) => scope === "user");
  const site = page.items.filter(({ scope }) => scope === "site");
  return (
    <>
      <ImageList title={words.mine} images={mine}>
        <Empty title={words.none}>
          <p>{words.noneText}</p>
          <PageButton to={pages.imageCatalogue()} variant="default" mt="sm">
            {words.toCatalogue}
          </PageButton>
        </Empty>
      </ImageList>
      {site.length > 0 && <ImageList title={words.site} images={site} />}
    </>
  );
}

function ImageList({ title, images, children }: { title: string; images: Image[]; children?: React.ReactNode }) {
  return (
    <section className={classes["section"]} aria-label={title}>
      <h2 className="section-title">{title}</h2>
      {images.length === 0 ? (
        children
      ) : (
        <ul className={`card ${classes["list"]}`}>
          {images.map((image) => (
            <ImageRow key={image.id} image={image} />
          ))}
        </ul>
      )}
    </section>
  );
}
