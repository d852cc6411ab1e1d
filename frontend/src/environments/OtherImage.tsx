// Pulls any other registry image by its reference.
import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router-dom";

import { Problem, byField } from "~/api/errors";
import { useAddImage } from "~/api/images";
import { pages } from "~/paths";
import { strings } from "~/strings/en";
import { ProblemNote } from "~/ui/ProblemNote";
import classes from "./CatalogueTab.module.css";

const words = strings.images.catalogue;

export function OtherImage() {
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const add = useAddImage();
  // A missing key is not the reference's fault; the hint says where keys are stored.
  const wrong = add.error instanceof Problem && add.error.code !== "key_refused" ? add.error.fields : [];
  const problem = byField(wrong)["reference"];
  const text = typed.trim();
  const reference = text.includes("://") ? text : `docker://${text}`;
  return (
    <form
      className={`card ${classes["other"]}`}
      aria-labelledby="other-image"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ reference, scope: "user" }, { onSuccess: () => navigate(pages.images()) });
      }}
    >
      <div>
        <h2 className="section-title" id="other-image">
          {words.other}
        </h2>
        <p className={classes["text"]}>{words.otherText}</p>
      </div>
      <div className={classes["foot"]}>
        <TextInput
          className={classes["reference"] ?? ""}
          aria-label={words.reference}
          placeholder={words.referenceHint}
          autoComplete="off"
          spellCheck={false}
          error={problem}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" loading={add.isPending} disabled={text === ""}>
          {words.get}
        </Button>
      </div>
      {add.error !== null && problem === undefined && <ProblemNote error={add.error} title={words.failed} />}
    </form>
  );
}
