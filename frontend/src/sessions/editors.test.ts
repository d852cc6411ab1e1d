import { expect, it } from "vitest";

import { editorLink, hostOf } from "./editors";

it.each([
  ["bert", "bert.portal"],
  ["Große Pläne; rm -rf ~", "gro-e-pl-ne-rm-rf.portal"],
  ["–", "k3f9.portal"],
])("makes the host that ssh knows from the name %s", (name, host) => {
  expect(hostOf({ id: "k3f9", name })).toBe(host);
});

it("links to an editor on the host", () => {
  expect(editorLink("vscode", "bert.portal")).toBe("vscode://vscode-remote/ssh-remote+bert.portal/");
});
