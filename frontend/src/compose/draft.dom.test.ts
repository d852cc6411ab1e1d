import { expect, it } from "vitest";

import { BLANK } from "~/api/jobTypes";
import { DRAFT, forgetDraft, storeDraft, storedDraft } from "./draft";

const SCRIPT = "#!/bin/bash\n#SBATCH --nodes=2\n\nsrun hostname";

it("stores a draft and forgets it", () => {
  storeDraft(DRAFT, { form: { ...BLANK, name: "train" }, script: SCRIPT, kept: [], from: null });
  expect(storedDraft(DRAFT)).toMatchObject({ form: { name: "train" }, script: SCRIPT });
  forgetDraft(DRAFT);
  expect(storedDraft(DRAFT)).toBeNull();
});

it.each(["{", "[]", '{"form":{}}', "7"])("starts afresh from %j", (text) => {
  localStorage.setItem(DRAFT, text);
  expect(storedDraft(DRAFT)).toBeNull();
});
