// A code object in a real VS Code: it opens as assembly with findings, becomes a text that can be edited, and is written
// back. The tests build on each other; each leaves a picture in out/.

import assert from "node:assert/strict";
import { access, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { inflateSync } from "node:zlib";
import { session } from "./editor.mjs";

/** A linked object for gfx900 of one kernel: s_load_dword s0, then v_mov_b32 v0, s0 without a wait, s_endpgm. */
const OBJECT = [
  "eNqtVL9Lw1AQvveS/rTUaAdFl4qOEhwcdAuIIuiiuEtsSlu0TWkjWCgaNwdXR/Ef8H+wo6PgP+Di7qKb1qS5S/OetlroQfLlXe7L",
  "u/vy7i42d7c4Y4YCgSnwAgz6ZiA+YcAy931rkPDuaUhB3POpkTgZr5iISfQz5A2yDhcRtD4vFiQaWE5ETQwXeH6uGvK0RRHrGP6W",
  "EXn8nzxCqm//1bHUEfYjzfc8XhzGZ/53p5X4D338PaaUGLhc/F8scs0FLpeBlvfXeeOm/Xl796yg/BzE3EMr2PVW76YfWyPm62rD",
  "3xtwD9cepsakDwfewYdzgMsH0v4Ri5rA9SxiDPEAi0/jOov4/tW1ezrjezrjq3xAArpTPHNAt1q1ptMIsFUFvVQ71ctmswx6o3jS",
  "sA/rpmVVaqVegFmtFEBvlj2CYx55EbZlOuZ49JjEmrmkA+E29OtikfNO+sx410e3a4dty0Vcks5MUtp/HjXmkm6EeYmvSpiQzib9",
  "J8LsL/0RtQ30EZ/6Q+4TeT6C1D9hD+fCwSrOpQEJrCCXxls4NxRxbqiSfvTdBfQR30W+iw43M7z+9QhX6Et07vyh3zd8mE2E",
].join("");

let editor;
let page;

session({}, async (started) => {
  editor = started;
  page = started.page;
  const object = inflateSync(Buffer.from(OBJECT, "base64"));
  for (const name of ["kernel.co", "relocatable.o"]) await writeFile(path.join(editor.workspace, name), object);
});

test("a code object opens as assembly with findings", async () => {
  await editor.open("kernel.co");
  await editor.eventually(
    async () => (await editor.shown()).includes("s_load_dword"),
    async () => `shown: ${await editor.shown()}`,
  );
  assert.equal(await editor.language(), "AMD GPU assembly");
  await page.waitForSelector(".squiggly-error", { state: "attached", timeout: 300_000 });
  await editor.screenshot("object");
});

test("its kernel is in the outline and the path above the text, addresses and bytes are after the lines", async () => {
  await editor.eventually(
    async () => /s_endpgm[^\n]*0x130c: BF810000/.test(await editor.shown()),
    async () => `shown: ${await editor.shown()}`,
  );
  await editor.run("Explorer: Focus on Outline View");
  await page.locator(".outline-pane .monaco-list-row", { hasText: "copy" }).first().waitFor();
  await page.locator(".editor-group-container.active .view-line", { hasText: "s_endpgm" }).click();
  await page.locator(".breadcrumbs-below-tabs .monaco-breadcrumb-item", { hasText: "kernel.co" }).waitFor();
  await page.locator(".breadcrumbs-below-tabs .monaco-breadcrumb-item", { hasText: "copy" }).waitFor();
  await editor.screenshot("object outline");
});

test("it becomes a text beside it", async () => {
  await editor.run("GCN: Edit code object as assembly");
  await page.waitForSelector('.tab.active[data-resource-name="kernel.co.s"]');
  await access(path.join(editor.workspace, "kernel.co.s"));
  await editor.screenshot("object text");
});

test("an edited text is written into a copy of the object", async () => {
  const [line] = await editor.find("kernel.co.s", "\ts_endpgm");
  await editor.goTo(line, 1);
  await page.keyboard.type("    s_waitcnt lgkmcnt(0)\n");
  await editor.run("GCN: Write assembly back into code object");
  await editor.choose();
  await page.locator(".notification-toast", { hasText: "Wrote kernel.edited.co" }).waitFor();
  await access(path.join(editor.workspace, "kernel.edited.co"));
  await editor.screenshot("object written");
});

test("an object with a name of any machine's opens as assembly on request", async () => {
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "relocatable.o" }).dblclick();
  await page.waitForSelector(".tab.active[data-resource-name='relocatable.o']");
  await editor.run("View: Reopen Editor With...");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "AMD GPU code" }).click();
  await editor.eventually(
    async () => (await editor.shown()).includes("s_load_dword"),
    async () => `shown: ${await editor.shown()}`,
  );
  await editor.screenshot("object on request");
});

test("two objects are compared as assembly", async () => {
  await editor.open("kernel.co");
  await editor.eventually(
    async () => (await editor.shown()).includes("s_load_dword"),
    async () => `shown: ${await editor.shown()}`,
  );
  await editor.run("GCN: Compare with another code object");
  await editor.choose(path.join(editor.workspace, "kernel.edited.co"));
  await page.waitForSelector(".monaco-diff-editor .line-insert", { state: "attached" });
  await page.locator(".tab.active", { hasText: "kernel.co ↔ kernel.edited.co" }).waitFor();
  await editor.screenshot("objects compared");
});

test("a bundle leads to all objects in it", async () => {
  const object = inflateSync(Buffer.from(OBJECT, "base64"));
  await writeFile(path.join(editor.workspace, "two.hipfb"), bundle(["first", object], ["second", object]));
  await editor.open("two.hipfb");
  await editor.eventually(
    async () => (await editor.shown()).includes("s_load_dword"),
    async () => `shown: ${await editor.shown()}`,
  );
  await editor.run("GCN: Show what else the code object holds");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "second" }).waitFor();
  await editor.screenshot("objects in a bundle");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "second" }).click();
  await page.waitForSelector('.tab.active[data-resource-name="two.hipfb(second)"]');
  await page.waitForSelector(".editor-instance .squiggly-error", { state: "attached" });
  assert.equal(await editor.language(), "AMD GPU assembly");
  await editor.screenshot("second object in a bundle");
});

/** `__CLANG_OFFLOAD_BUNDLE__`: names, each with a code object. */
function bundle(...entries) {
  const magic = Buffer.from("__CLANG_OFFLOAD_BUNDLE__");
  const names = entries.map(([name]) => Buffer.from(name));
  const count = Buffer.alloc(8);
  count.writeBigUInt64LE(BigInt(entries.length));
  let start = names.reduce((size, name) => size + 24 + name.length, magic.length + 8);
  const heads = entries.map(([, object], index) => {
    const head = Buffer.alloc(24);
    for (const [at, value] of [start, object.length, names[index].length].entries())
      head.writeBigUInt64LE(BigInt(value), 8 * at);
    start += object.length;
    return Buffer.concat([head, names[index]]);
  });
  return Buffer.concat([magic, count, ...heads, ...entries.map(([, object]) => object)]);
}
