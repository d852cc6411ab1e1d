import { expect, it } from "vitest";

import { editors, hostOf } from "./editors";

it.each([
  ["bert", "bert.portal"],
  ["Große Pläne; rm -rf ~", "gro-e-pl-ne-rm-rf.portal"],
  ["–", "k3f9.portal"],
])("makes the host that ssh knows from the name %s", (name, host) => {
  expect(hostOf({ id: "k3f9", name })).toBe(host);
});

it("links to editors on the host", () => {
  expect(Object.values(editors).map((link) => link("bert.portal", "alice"))).toEqual([
    "vscode://vscode-remote/ssh-remote+bert.portal/",
    "cursor://vscode-remote/ssh-remote+bert.portal/",
    "zed://ssh/bert.portal",
    "jetbrains-gateway://connect#type=ssh&host=bert.portal&port=22&user=alice",
  ]);
});
