import { describe, expect, it } from "vitest";

import { session } from "../../mock/sessions";
import { environments, options } from "../../mock/site";
import { ago } from "../../mock/units";
import { addProgress, doorsChanged, mergeActive, mergeAvailability, mergeEnded, mergeEnvironment, mergeSession } from "./merge";
import type { ProgressEvent, Session, SessionPage } from "./types";

const page = (...items: Session[]): SessionPage => ({ items, next: null, as_of: null });
const old = session({ id: "old", created_at: ago(100) });
const recent = session({ id: "recent", created_at: ago(10) });
const over = (session: typeof old) => ({ ...session, state: "ended" as const, ended_at: ago(0) });
const ids = ({ items }: SessionPage) => items.map(({ id }) => id);

describe("mergeSession", () => {
  it("takes news", () => expect(mergeSession(old, { ...old, node: "node009" }).node).toBe("node009"));
  it("drops news that is older than what is known", () => {
    const dismissed = { ...over(old), revision: 5, name: "dismissed" };
    const undone = { ...over(old), revision: 6, name: "undone" };
    expect(mergeSession(undone, dismissed).name).toBe("undone");
    expect(mergeSession(dismissed, undone).name).toBe("undone");
    expect(mergeEnded([page(undone)], dismissed)[0]?.items[0]?.name).toBe("undone");
    expect(mergeActive(page({ ...old, revision: 2 }), { ...old, revision: 1, name: "before" }).items[0]?.name).toBe(old.name);
  });
  it("lets an ended session stay ended", () => expect(mergeSession(over(old), old).state).toBe("ended"));
});

describe("mergeActive", () => {
  it("changes a session in its place", () => {
    const merged = mergeActive(page(recent, old), { ...old, state: "stopping" });
    expect(ids(merged)).toEqual(["recent", "old"]);
    expect(merged.items[1]?.state).toBe("stopping");
  });
  it("puts a new one by its age", () => {
    expect(ids(mergeActive(page(recent, old), session({ id: "now", created_at: ago(0) })))).toEqual(["now", "recent", "old"]);
    expect(ids(mergeActive(page(recent), old))).toEqual(["recent", "old"]);
  });
  it("drops an ended one", () => expect(ids(mergeActive(page(recent, old), over(recent)))).toEqual(["old"]));
});

describe("mergeEnded", () => {
  it("puts a newly ended one on the first page", () => {
    const merged = mergeEnded([{ ...page(over(old)), next: old.created_at }, page()], over(recent));
    expect(merged.map(ids)).toEqual([["recent", "old"], []]);
  });
  it("puts one that ended after a long life on the page of its age, and on none that is not loaded", () => {
    const first = { ...page(over(recent)), next: recent.created_at };
    expect(mergeEnded([first, page()], over(old)).map(ids)).toEqual([["recent"], ["old"]]);
    expect(mergeEnded([first], over(old)).map(ids)).toEqual([["recent"]]);
    expect(mergeEnded([page(over(old))], over(recent)).map(ids)).toEqual([["recent", "old"]]);
  });
  it("changes a known one where it stands", () => {
    const merged = mergeEnded([{ ...page(over(recent)), next: recent.created_at }, page(over(old))], { ...over(old), name: "renamed" });
    expect(merged[1]?.items[0]?.name).toBe("renamed");
    expect(merged.map(ids)).toEqual([["recent"], ["old"]]);
  });
  it("leaves active ones out", () => expect(mergeEnded([page()], recent).map(ids)).toEqual([[]]));
});

describe("mergeAvailability", () => {
  const news = (change: object = {}) => ({
    as_of: "2026-11-24T12:00:00Z",
    gpus: [],
    partitions: options().partitions.map((partition) => ({ ...partition, available: true, reason: null, ...change })),
  });

  it("keeps what speaks against a partition for me", () => {
    const merged = mergeAvailability(options(), news());
    expect(merged.partitions.find(({ name }) => name === "physics")).toMatchObject({ available: false });
    expect(merged.as_of).toBe("2026-11-24T12:00:00Z");
  });
  it("closes a partition that is closed to all", () => {
    const merged = mergeAvailability(options(), news({ available: false, reason: "It is down." }));
    expect(merged.partitions[0]).toMatchObject({ available: false, reason: "It is down." });
  });
  it("knows when partitions open or close", () => {
    expect(doorsChanged(undefined, news())).toBe(false);
    expect(doorsChanged(news(), news())).toBe(false);
    expect(doorsChanged(news({ available: false, reason: "It is down." }), news())).toBe(true);
  });
});

describe("mergeEnvironment", () => {
  const merged = (state: "installing" | "installed" | "failed") =>
    mergeEnvironment(environments, { name: "jax", state, message: "m", progress: 5 }).find(({ name }) => name === "jax");

  it("follows an installation to its end", () => {
    expect(merged("installing")).toMatchObject({ installed: false, progress: 5, message: "m" });
    expect(merged("installed")).toMatchObject({ installed: true, state: "installed" });
    expect(merged("failed")).toMatchObject({ installed: false, state: "failed" });
  });
  it("leaves a usable one usable while a newer one is installed", () => {
    const [base] = mergeEnvironment(environments, { name: "base", state: "installing", message: "", progress: 1 });
    expect(base?.installed).toBe(true);
  });
});

describe("addProgress", () => {
  const event = (seq: number) => ({ seq, at: ago(0), stage: "queued", state: "queued", message: `m${seq}`, progress: 1 }) as ProgressEvent;
  it("keeps order and counts each event once", () => {
    const events = [1, 3, 2, 3, 1].reduce<readonly ProgressEvent[]>((list, seq) => addProgress(list, event(seq)), []);
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });
});
