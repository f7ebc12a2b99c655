import assert from "node:assert/strict";
import { test } from "node:test";
import { inTime } from "../src/in-time";

const later = <T>(value: T, milliseconds: number) =>
  new Promise<T>((resolve) => setTimeout(() => resolve(value), milliseconds));

test("an answer that is there is given", async () => {
  assert.equal(await inTime("list", 1000), "list");
  assert.equal(await inTime(later("list", 1), 60_000), "list");
});

test("an answer that comes late is none", async () => {
  assert.equal(await inTime(later("list", 1000), 1), undefined);
});

test("an answer that fails fails", async () => {
  await assert.rejects(inTime(Promise.reject(new Error("gone")), 1000), /gone/);
});
