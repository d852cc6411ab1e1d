// What JupyterLab says of the session, in words and numbers: `node --test`, started by test_lab_script.py.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../../../agent/lab/labextension/static/", import.meta.url);
const { leftOf, partsOf } = await import(new URL("bar.js", folder));
const { Endings, firstStep } = await import(new URL("endings.js", folder));
const { meanOf, pathOf } = await import(new URL("gpu-line.js", folder));
const { isSearchKey } = await import(new URL("commands.js", folder));
const { Notices, openIn, moreMemory, warningDue, warningText } = await import(new URL("notices.js", folder));
const { openLauncher } = await import(new URL("session-plugin.js", folder));
const { defaultsOf, readDefaults } = await import(new URL("settings.js", folder));
const { gb, gpuUse, span } = await import(new URL("session-words.js", folder));

const lineOf = (link, now) => partsOf(link, now).join(" · ");
const NOW = Date.parse("2026-11-24T12:00:00Z");
const SESSION = {
  ends_at: "2026-11-24T13:23:30Z",
  resources: { gpus: 2, nodes: 1, memory_mib: 98_304 },
  usage: { memory_mib: 12_390, gpus: [{ utilization: 90 }, { utilization: 52 }] },
};

test("the bar says time, GPUs with their mean use, and memory", () => {
  assert.equal(lineOf({ session: SESSION, away: false }, NOW), "1 h 23 min left · 2 GPUs 71 % · 12.1 GB of 96 GB");
});

test("the bar leaves out what is not known, and figures that may be old", () => {
  assert.equal(lineOf({ session: SESSION, away: true }, NOW), "1 h 23 min left · 2 GPUs");
  const unmeasured = { ...SESSION, usage: { memory_mib: null, gpus: [{ utilization: null }] } };
  assert.equal(lineOf({ session: unmeasured, away: false }, NOW), "1 h 23 min left · 2 GPUs");
  const noGpus = { ends_at: null, resources: { gpus: 0, nodes: 1, memory_mib: 4096 }, usage: null };
  assert.equal(lineOf({ session: noGpus, away: false }, NOW), "");
});

test("the last two minutes count in seconds, and then time is up", () => {
  const at = (time) => lineOf({ session: { ...SESSION, usage: null, ends_at: time }, away: false }, NOW);
  assert.equal(at("2026-11-24T12:01:05Z"), "1 min left · 2 GPUs");
  assert.equal(at("2026-11-24T12:00:42Z"), "42 s left · 2 GPUs");
  assert.equal(at("2026-11-24T11:59:59Z"), "Time is up · 2 GPUs");
  assert.equal(leftOf({ ends_at: null }, NOW), null);
});

test("sizes read as in the portal", () => {
  const cases = JSON.parse(readFileSync(new URL("../../../../frontend/src/lib/sizes.json", import.meta.url)));
  for (const [mib, text] of Object.entries(cases)) assert.equal(gb(Number(mib)), text);
});

test("durations read as in the portal", () => {
  assert.deepEqual([0, 59.4, 60, 3600, 4980, 90_000, 180_000].map(span), ["0 s", "59 s", "1 min", "1 h", "1 h 23 min", "1 day 1 h", "2 days 2 h"]);
});

test("GPUs that report nothing do not count as idle", () => {
  assert.equal(gpuUse({ gpus: [{ utilization: null }, { utilization: 40 }] }), 40);
  assert.equal(gpuUse({ gpus: [] }), null);
  assert.equal(gpuUse(null), null);
});

test("a warning is due 15, 5 and 1 minutes before the end, and a short session has fewer", () => {
  const due = (left, walltime_s = 3600) =>
    warningDue({ ends_at: new Date(NOW + left * 1000).toISOString(), resources: { walltime_s } }, NOW);
  assert.deepEqual([901, 900, 301, 299, 61, 60, 1, 0, -5].map((left) => due(left)), [null, 900, 900, 300, 300, 60, 60, null, null]);
  assert.deepEqual([590, 290, 50].map((left) => due(left, 600)), [null, 300, 60]);
  assert.equal(warningDue({ ends_at: null, resources: { walltime_s: 3600 } }, NOW), null);
});

test("a warning names what is unsaved and why there is no more time, as far as JupyterLab shows it", () => {
  assert.equal(warningText(290, ["a.ipynb", "b.md"]), "This session ends in 5 min. Unsaved: a.ipynb, b.md.");
  assert.equal(warningText(58, [], "Others wait."), "This session ends in 58 s. Others wait.");
  const many = Array.from({ length: 30 }, (_, number) => `notebook-${number}.ipynb`);
  const text = warningText(290, many, "Others wait.");
  assert.match(text, /^This session ends in 5 min\. Unsaved: notebook-0\.ipynb, .* and 2\d more\. Others wait\.$/);
  assert.ok(text.length <= 140);
  assert.match(warningText(290, ["a".repeat(200)]), /1 file is not saved/);
  assert.equal(warningText(290, [], "x".repeat(200)).length, 140);
});

test("the memory for another try is the portal's", () => {
  assert.deepEqual([1, 8, 48, 64].map((gib) => moreMemory(gib * 1024) / 1024), [2, 16, 64, 96]);
});

test("the key to the portal is taken only where nothing else has used it", () => {
  const none = { key: "k", metaKey: false, ctrlKey: false, altKey: false, shiftKey: false, isComposing: false, defaultPrevented: false };
  const taken = (more, mac = false) => isSearchKey({ ...none, ...more }, mac);
  assert.ok(taken({ ctrlKey: true }));
  assert.ok(taken({ ctrlKey: true, key: "K" }));
  assert.ok(taken({ metaKey: true }, true));
  assert.ok(!taken({ ctrlKey: true }, true)); // deletes to the end of the line in editors on a Mac
  assert.ok(!taken({ metaKey: true }));
  for (const one of ["altKey", "shiftKey", "isComposing", "defaultPrevented"]) assert.ok(!taken({ ctrlKey: true, [one]: true }), one);
  assert.ok(!taken({}));
});

test("what is open is found in JupyterLab 3, too, whose iterators are no JavaScript ones", () => {
  const old = ["a", "b"];
  const shells = [{ widgets: () => ["a", "b"].values() }, { widgets: () => ({ next: () => old.shift() }) }];
  for (const shell of shells) assert.deepEqual(openIn({ shell }), ["a", "b"]);
});

test("the launcher opens at once where JupyterLab would open it later", () => {
  const opened = (address, { empty = true, known = true } = {}) => {
    const executed = [];
    const commands = { hasCommand: () => known, execute: (name) => executed.push(name) };
    openLauncher({ commands, shell: { isEmpty: () => empty } }, new URL(address, "https://hub.example/user/ada/bert/"));
    return executed;
  };
  for (const address of ["lab", "lab/", "lab/workspaces/auto-x"]) {
    assert.deepEqual(opened(address), ["launcher:create"], address);
  }
  for (const address of ["lab/tree/a.ipynb", "lab/workspaces/w/tree/a", "lab?reset", "lab?tensorboard=runs", "doc/tree/a"]) {
    assert.deepEqual(opened(address), [], address);
  }
  assert.deepEqual(opened("lab", { empty: false }), []);
  assert.deepEqual(opened("lab", { known: false }), []);
});

test("an idle session is said once, can be snoozed, and the notice goes when it works again", async () => {
  globalThis.document = { hidden: false };
  const [shown, dismissed, asked] = [[], [], []];
  const Notification = {
    warning: (text, { actions }) => shown.push({ text, actions }) && shown.length,
    dismiss: (id) => dismissed.push(id),
  };
  let hear;
  const link = {
    session: null,
    messages: [],
    here: { session: "abc" },
    sessionPage: "/sessions/abc",
    changed: { connect: (slot) => (hear = () => slot(link, "session")) },
    ask: async (...call) => asked.push(call) && { ok: true },
  };
  new Notices({ link, app: { shell: { widgets: () => [].values() } }, Notification, showDialog: null, Dialog: null });
  const at = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString();
  const idle = { since: at(-120.1), ends_at: at(30.1), snoozes_left: 1, snooze_minutes: 60 };
  const session = { state: "ready", ends_at: null, usage: null, resources: {} };
  for (const now of [idle, idle, null]) {
    link.session = { ...session, idle: now };
    hear();
  }
  assert.equal(shown.length, 1);
  assert.match(shown[0].text, /^Idle for 2 h: no GPU, kernel, terminal or file is in use\. The session will be ended in 30 min\.$/);
  assert.ok(shown[0].text.length <= 140);
  assert.deepEqual(dismissed, [1]);
  assert.equal(shown[0].actions[0].label, "Snooze for 1 h");
  shown[0].actions[0].callback();
  assert.deepEqual(asked, [["POST", "/snooze"]]);
});

test("a kill names the kernel that died, whichever of the two is noticed first", () => {
  const signal = () => {
    const slots = [];
    return { connect: (slot) => void slots.push(slot), emit: (...values) => slots.forEach((slot) => slot(null, ...values)) };
  };
  globalThis.document = { hidden: false };
  for (const first of ["death", "kill"]) {
    const messages = [];
    const sessionContext = { statusChanged: signal(), session: { kernel: { status: "idle" } } };
    const open = [];
    const layoutModified = signal();
    const shell = { layoutModified, widgets: () => open.values() };
    const session = { ends_at: null, resources: { memory_mib: 1024, walltime_s: 3600 }, usage: { memory_kills: 0 } };
    const link = { changed: signal(), session, sessionPage: "/s", messages: [], here: { session: "x" } };
    const Notification = { error: (text) => messages.push(text), update: ({ message }) => messages.push(message) };
    new Notices({ link, app: { shell }, Notification });
    link.changed.emit("session");
    open.push({ sessionContext, title: { label: "Untitled.ipynb" } });
    layoutModified.emit();
    const steps = {
      death: () => {
        sessionContext.session.kernel.status = "autorestarting";
        sessionContext.statusChanged.emit();
        sessionContext.session.kernel.status = "idle";
        sessionContext.statusChanged.emit();
      },
      kill: () => {
        session.usage = { memory_kills: 1, memory_killed_at: new Date().toISOString() };
        link.changed.emit("session");
      },
    };
    steps[first]();
    steps[first === "death" ? "kill" : "death"]();
    // JupyterLab drops an update of a notification that it has not drawn yet.
    assert.equal(messages.length, first === "death" ? 1 : 2, first);
    assert.match(messages.at(-1), /The kernel of Untitled\.ipynb was killed/, first);
  }
});

test("a lost connection waits at the portal until the session has ended, and says so then", { timeout: 5000 }, async () => {
  globalThis.document = { hidden: false, createElement: () => ({ append() {} }) };
  const states = ["ready", "stopping", "ended"];
  globalThis.fetch = async () => ({ ok: true, json: async () => ({ state: states.shift(), end: { text: "Its node failed." } }) });
  const said = await new Promise((resolve) => {
    let lose;
    const link = {
      here: { pages: "https://portal.example", session: "abc", end_key: "key" },
      session: { name: "bert" },
      connected: false,
      finish() {},
      lost: { connect: (slot) => (lose = slot) },
      changed: { connect() {} },
    };
    const Dialog = { cancelButton: (one) => one, okButton: (one) => one, createButton: (one) => one };
    const showDialog = async ({ title }) => resolve(title) ?? { button: {} };
    const app = { shell: { widgets: () => [].values() } };
    new Endings({ link, app, widgets: { Widget: class {} }, showDialog, Dialog, pause: 0 });
    lose();
  });
  assert.equal(said, "bert has ended");
  assert.deepEqual(states, []);
});

test("the first step after an end is the session page\u2019s, and does not end the same way", () => {
  const said = [
    [{ kind: "more_time", walltime_s: 7200 }, "Start again with 2 h", "?again=1"],
    [{ kind: "more_memory", memory_mib: 65_536 }, "Start again with 64 GB", "?again=1"],
    [{ kind: "larger_gpu", gpu_type: "a100", partition: "big" }, "Start again on A100", "?again=1"],
    [{ kind: "other_node", avoid: "node001" }, "Start again on another node", "?again=1"],
    [{ kind: "log" }, "Read the log", "#log"],
    [{ kind: "edit" }, "Edit and start", "?again=1"],
    [{ kind: "same" }, "Start again", "?again=1"],
    [{}, "Start again", "?again=1"],
  ];
  for (const [next, label, where] of said) assert.deepEqual(firstStep(next), [label, where]);
});

test("the GPU line spans the session's life, with gaps where nothing was measured", () => {
  const at = (seconds, gpu_percent) => ({ at: new Date(NOW + seconds * 1000).toISOString(), gpu_percent });
  const samples = [at(0, 0), at(30, 100), at(60, null), at(300, 50)];
  assert.equal(pathOf(samples, 30, NOW, NOW + 600_000), "M0.0 31.0h0L12.0 1.0M120.0 16.0h0");
  assert.equal(meanOf(samples), 50);
  assert.equal(meanOf([at(0, null)]), null);
  assert.equal(pathOf([], 0, NOW, NOW), "");
});

test("a schema's defaults are filled in at every depth, also in what is itself a default", () => {
  const schema = {
    type: "object",
    definitions: { item: { type: "object", properties: { rank: { default: 50 } } } },
    properties: {
      items: { type: "array", default: [{ id: "a" }, { id: "b", rank: 1 }], items: { $ref: "#/definitions/item" } },
      of: { type: "object", default: { some: {} }, patternProperties: { "^s": { $ref: "#/definitions/item" } } },
      all: { default: { more: {} }, additionalProperties: { allOf: [{ properties: { x: { default: null } } }] } },
      nothing: { type: "object", properties: { unseen: { default: 1 } } },
    },
    oneOf: [{ properties: { never: { default: 1 } } }],
  };
  const expected = {
    items: [{ id: "a", rank: 50 }, { id: "b", rank: 1 }],
    of: { some: { rank: 50 } },
    all: { more: { x: null } },
  };
  assert.deepEqual(defaultsOf(schema), expected);
  defaultsOf(schema).items[0].rank = 7;
  assert.deepEqual(defaultsOf(schema), expected);
});

test("what only ajv knows is left to ajv", () => {
  const inside = (part) => defaultsOf({ type: "object", properties: { one: { default: {}, ...part } } });
  assert.equal(defaultsOf({ type: "array" }), null);
  assert.equal(inside({ if: {} }), null);
  assert.equal(inside({ oneOf: [{ type: "null" }, { $ref: "#/definitions/any" }] }), null);
  assert.equal(inside({ $ref: "elsewhere.json" }), null);
  assert.equal(inside({ $ref: "#/definitions/missing" }), null);
  assert.equal(inside({ default: [1], items: [{}] }), null);
  assert.equal(inside({ patternProperties: { "[": {} } }), null);
  assert.equal(defaultsOf({ type: "object", $ref: "#/definitions/loop", definitions: { loop: { $ref: "#/definitions/loop" } } }), null);
});

test("JupyterLab checks what a user has set, and plugins whose schema is not understood", async () => {
  class DefaultSchemaValidator {}
  const checked = [];
  DefaultSchemaValidator.prototype.validateData = function (plugin, populate) {
    checked.push([plugin.id, populate]);
    return ["an error"];
  };
  await readDefaults(async () => ({ DefaultSchemaValidator }));
  const validator = new DefaultSchemaValidator();
  const validate = (plugin, ...rest) => validator.validateData(plugin, ...rest);
  const schema = { type: "object", properties: { size: { default: 3 } } };
  const plain = { id: "plain", raw: "{}", schema, data: "as before" };
  assert.equal(validate(plain, false), null);
  assert.equal(plain.data, "as before");
  assert.equal(validate(plain), null);
  assert.deepEqual(plain.data, { composite: { size: 3 }, user: {} });
  plain.data.composite.size = 4;
  validate(plain);
  assert.equal(plain.data.composite.size, 3);
  assert.deepEqual(validate({ id: "set", raw: '{"size": 4}', schema }), ["an error"]);
  assert.deepEqual(validate({ id: "odd", raw: "{}", schema: { type: "array" } }, false), ["an error"]);
  assert.deepEqual(checked, [["set", true], ["odd", false]]);
});
