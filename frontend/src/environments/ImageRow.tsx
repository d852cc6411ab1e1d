// One image: what it is, its state, its actions.
import { ActionIcon, Button, Progress } from "@mantine/core";
import { TrashIcon, XIcon } from "@primer/octicons-react";
import { useState } from "react";

import { fromThrown } from "~/api/errors";
import { useAddImage, useRemoveImage } from "~/api/images";
import type { Image } from "~/api/types";
import { megabytes } from "~/lib/size";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { PageButton } from "~/ui/LinkButton";
import { StateMark, StateWord } from "~/ui/StateMark";
import { Told } from "~/ui/Told";
import type { Look } from "~/ui/look";
import classes from "./ImageRow.module.css";
import { RemoveDialog } from "./RemoveDialog";
import { shortReference } from "./words";

const words = strings.images;

const LOOKS: Record<Image["state"], Pick<Look, "shape" | "tone">> = {
  ready: { shape: "full", tone: "good" },
  pulling: { shape: "half", tone: "wait" },
  failed: { shape: "cross", tone: "bad" },
  missing: { shape: "dotted", tone: "bad" },
};

export function ImageRow({ image }: { image: Image }) {
  const { title, reference, path, state, progress, message, size_mb: size, digest } = image;
  const look = { ...LOOKS[state], word: words.states[state] };
  return (
    <li className={classes["row"]}>
      <div className={classes["what"]}>
        <h3 className={classes["title"]}>{title}</h3>
        <p className={classes["text"]}>{reference === null ? path : shortReference(reference)}</p>
        {digest !== null && (
          <p className={classes["text"]} title={digest}>
            {words.digest(digest.replace(/^(sha256:.{12}).*$/, "$1…"))}
          </p>
        )}
      </div>
      <div className={classes["state"]}>
        <span className={classes["mark"]}>
          <StateMark look={look} />
          <StateWord look={look} />
          {size !== null && <span className="quiet small">{megabytes(size)}</span>}
        </span>
        {state === "pulling" && (
          <Progress.Root size="sm" className={classes["progress"] ?? ""}>
            <Progress.Section value={progress} animated aria-label={words.progressOf(title)} />
          </Progress.Root>
        )}
        {message !== "" && state !== "ready" && (
          <p className={classes["message"]} role={state === "pulling" ? "status" : undefined}>
            <Told text={message} />
          </p>
        )}
      </div>
      <Actions image={image} />
    </li>
  );
}

function Actions({ image }: { image: Image }) {
  const { id, title, state, environment, reference, mine, scope } = image;
  const [asking, setAsking] = useState(false);
  const add = useAddImage();
  const remove = useRemoveImage();
  const problem = add.error ?? remove.error;
  const again = () => {
    if (reference !== null) add.mutate({ reference, title, scope });
  };
  return (
    <div className={classes["act"]}>
      {environment !== null && (
        <PageButton to={pages.newSession(new URLSearchParams({ environment }))} variant="default" size="xs">
          {words.use}
        </PageButton>
      )}
      {(state === "failed" || state === "missing") && reference !== null && mine && (
        <Button size="xs" variant="default" loading={add.isPending} onClick={again} aria-label={words.retryOf(title)}>
          {words.retry}
        </Button>
      )}
      {mine && state === "pulling" && (
        <Button
          size="xs"
          variant="default"
          leftSection={<XIcon />}
          loading={remove.isPending}
          aria-label={words.cancelOf(title)}
          onClick={() => remove.mutate(id)}
        >
          {words.cancel}
        </Button>
      )}
      {mine && state !== "pulling" && (
        <ActionIcon aria-label={words.removeOf(title)} title={words.remove} onClick={() => setAsking(true)}>
          <TrashIcon />
        </ActionIcon>
      )}
      {problem !== null && (
        <p className={classes["problem"]} role="alert">
          <Told text={`${fromThrown(problem).message} ${fromThrown(problem).hint ?? ""}`} />
        </p>
      )}
      {asking && (
        <RemoveDialog
          image={image}
          busy={remove.isPending}
          onRemove={() => remove.mutate(id, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
