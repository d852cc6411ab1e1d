import { expect, it } from "vitest";

import { BLANK } from "~/api/jobTypes";
import { forgetDraft, storeDraft, storedDraft } from "./draft";

const SCRIPT = "#!/bin/bash\n#SBATCH --nodes=2\n\nsrun hostname";

it("stores a draft and forgets it", () => {
  storeDraft({ form: { ...BLANK, name: "train" }, script: SCRIPT, kept: [], from: null });
  expect(storedDraft()).toMatchObject({ form: { name: "train" }, script: SCRIPT });
  forgetDraft();
  expect(storedDraft()).toBeNull();
});

it.each(["{", "[]", '{"form":{}}', "7"])("starts afresh from %j", (text) => {
  localStorage.setItem("dsp.job-draft", text);
  expect(storedDraft()).toBeNull();
});
