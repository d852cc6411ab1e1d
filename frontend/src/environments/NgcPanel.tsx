// The key for NVIDIA's registry: stored once, replaced, deleted; never shown.
import { Button, PasswordInput, Skeleton } from "@mantine/core";
import { KeyIcon } from "@primer/octicons-react";
import { useState } from "react";

import { Problem, byField } from "~/api/errors";
import { useForgetKey, useNgc, useStoreKey } from "~/api/images";
import type { Ngc } from "~/api/types";
import { strings } from "~/strings/en";
import { Dialog, DialogActions } from "~/ui/Dialog";
import { ProblemNote } from "~/ui/ProblemNote";
import { Time } from "~/ui/Time";
import classes from "./Panel.module.css";

const words = strings.images.ngc;

export function NgcPanel() {
  const { data, error, refetch } = useNgc();
  return (
    <section className={`card ${classes["panel"]}`} aria-labelledby="ngc-title">
      <h2 className="section-title" id="ngc-title">
        <KeyIcon /> {words.title}
      </h2>
      {data !== undefined ? (
        <Key state={data} />
      ) : error !== null ? (
        <ProblemNote error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={72} />
      )}
    </section>
  );
}

function Key({ state }: { state: Ngc }) {
  const [editing, setEditing] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  if (!state.stored || editing) return <KeyForm state={state} onDone={() => setEditing(false)} />;
  return (
    <>
      <p className="small">{words.stored}</p>
      {state.stored_at !== null && (
        <p className="quiet small">
          {words.storedAt} <Time at={state.stored_at} />
        </p>
      )}
      {state.message !== "" && <p className="quiet small">{state.message}</p>}
      <div className={classes["act"]}>
        <Button size="xs" variant="default" onClick={() => setEditing(true)}>
          {words.replace}
        </Button>
        <Button size="xs" variant="default" onClick={() => setForgetting(true)}>
          {words.delete}
        </Button>
      </div>
      {forgetting && <ForgetDialog onClose={() => setForgetting(false)} />}
    </>
  );
}

function KeyForm({ state, onDone }: { state: Ngc; onDone: () => void }) {
  const [key, setKey] = useState("");
  const store = useStoreKey();
  const problem = store.error instanceof Problem ? byField(store.error.fields)["key"] : undefined;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        store.mutate(key.trim(), { onSuccess: onDone });
      }}
    >
      {!state.stored && <p className="quiet small">{words.none}</p>}
      <PasswordInput
        mt="xs"
        label={words.label}
        autoComplete="off"
        error={problem}
        value={key}
        onChange={(event) => setKey(event.currentTarget.value)}
      />
      {store.error !== null && problem === undefined && <ProblemNote error={store.error} title={words.failed} />}
      <div className={classes["act"]} style={{ marginTop: 8 }}>
        <Button type="submit" size="xs" loading={store.isPending} disabled={key.trim().length < SHORTEST}>
          {state.stored ? words.replace : words.store}
        </Button>
        {state.stored && (
          <Button size="xs" variant="default" onClick={onDone}>
            {words.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}

/** As the API requires. */
const SHORTEST = 8;

function ForgetDialog({ onClose }: { onClose: () => void }) {
  const forget = useForgetKey();
  return (
    <Dialog opened onClose={onClose} title={words.deleteTitle} closeLabel={strings.dialog.close}>
      <p style={{ marginTop: 0 }}>{words.deleteText}</p>
      {forget.error !== null && <ProblemNote error={forget.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {words.cancel}
        </Button>
        <Button color="bad" loading={forget.isPending} onClick={() => forget.mutate(undefined, { onSuccess: onClose })}>
          {words.delete}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
