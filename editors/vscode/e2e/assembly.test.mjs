// A source with its assembly beside it, and a file behind the C preprocessor, in a real VS Code. Each test leaves a
// picture in out/.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { after, afterEach, before, test } from "node:test";
import { start } from "./editor.mjs";

const CLANG = "clang-22";
const SOURCE = `kernel void scale(global float *x, float by) {
  int i = __builtin_amdgcn_workitem_id_x();
  x[i] = x[i] * by;
}
`;
const PREPROCESSED = `// gcn-lsp: target=gfx90a
#define ACC v3
#define MOVE(to, from) v_mov_b32 to, from
#define WIDE 0
kernel:
  MOVE(ACC, v0)
#if WIDE
  v_mov_b64 v[0:1], v[2:3]
#endif
  v_add_f32 v1, ACC
  s_endpgm
`;
const skip = spawnSync(CLANG, ["--version"]).error ? `${CLANG} is not installed` : false;

let editor;
let page;

before(async () => {
  editor = await start();
  page = editor.page;
  const arguments_ = [CLANG, "-x", "cl", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-O2"];
  const entry = { directory: editor.workspace, file: "scale.cl", arguments: [...arguments_, "-c", "scale.cl"] };
  await writeFile(path.join(editor.workspace, "scale.cl"), SOURCE);
  await writeFile(path.join(editor.workspace, "compile_commands.json"), JSON.stringify([entry]));
  await writeFile(path.join(editor.workspace, "macros.S"), PREPROCESSED);
});

afterEach(async (context) => {
  if (context.error) await editor?.screenshot(`failed ${context.name}`);
  await page?.keyboard.press("Escape");
});

after(() => editor?.close());

test("a preprocessed file has its findings at what is written, and inactive lines faded", async () => {
  await editor.open("macros.S");
  await page.waitForSelector(".squiggly-error", { state: "attached", timeout: 300_000 });
  await page.waitForSelector(".squiggly-inline-unnecessary", { state: "attached" });
  await page.keyboard.press("Control+Shift+M");
  await editor.eventually(
    async () => (await editor.problems()).some((row) => /v_add_f32.*wrong-operand-count/.test(row)),
    async () => `problems: ${await editor.problems()}`,
  );
  await page.keyboard.press("Control+Shift+M");
  await editor.goTo(...(await editor.find("macros.S", "ACC, v0", 1)));
  await editor.showHover(/#define ACC v3/);
  assert.match(await editor.hover(), /Here it expands to v3/);
  await editor.screenshot("preprocessed");
  await page.keyboard.press("Escape");
});

test("the assembly of a source is beside it, and the cursor is followed both ways", { skip }, async () => {
  await editor.open("scale.cl");
  await editor.run("GCN: Show assembly");
  const tab = page.locator(".tab", { hasText: "scale.cl.s" });
  await tab.waitFor();
  await editor.goTo(3, 3);
  const marked = page.locator(".editor-group-container:not(.active) .view-overlays [class*='ced-']");
  await editor.eventually(async () => (await marked.count()) > 0, "no line of the assembly is marked");
  await editor.screenshot("assembly");
  const text = await page.locator(".editor-group-container:not(.active) .view-lines").innerText();
  assert.match(text.replaceAll("\u00a0", " "), /v_mul_f32_e32/);
});

test("a saved source is compiled again", { skip }, async () => {
  await editor.goTo(3, 15);
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.type("+");
  await editor.saved("scale.cl", /x\[i\] \+ by/);
  const lines = page.locator(".editor-group-container:not(.active) .view-lines");
  await editor.eventually(
    async () => /v_add_f32/.test((await lines.innerText()).replaceAll("\u00a0", " ")),
    async () => `the assembly is still ${await lines.innerText()}`,
  );
  await editor.screenshot("assembly-after-save");
});

test("the source of a code object is beside it, and the cursor is followed", { skip }, async () => {
  const options = ["-x", "cl", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx90a", "-nogpulib", "-O2", "-g", "-c"];
  const made = spawnSync(CLANG, [...options, "scale.cl", "-o", "scale.hsaco"], { cwd: editor.workspace });
  assert.equal(made.status, 0, String(made.stderr));
  await editor.open("scale.hsaco");
  await editor.eventually(
    async () => (await editor.shown()).includes("global_store_dword"),
    async () => `shown: ${await editor.shown()}`,
  );
  await editor.run("GCN: Show source beside code object");
  const source = page.locator(".editor-group-container:not(.active)");
  await source.locator(".tab.active", { hasText: "scale.cl" }).waitFor({ timeout: 60_000 });
  // The line of the source that is marked, by its place in the view; "" without one.
  const marked = async () => {
    const [top] = await source.locator(".view-overlays > div:has([class*='ced-'])").evaluateAll(tops);
    const [text = ""] = await source
      .locator(`.view-line[style*="top: ${top}px"], .view-line[style*="top:${top}px"]`)
      .allInnerTexts();
    return text.replaceAll("\u00a0", " ").trim();
  };
  const tops = (rows) => rows.map((row) => Number.parseFloat(row.style.top));
  await editor.eventually(
    async () => (await marked()).startsWith("int i ="),
    async () => `at first ${await marked()} is marked`,
  );
  const at = (await editor.shown()).split("\n").findIndex((line) => line.includes("v_add_f32"));
  await editor.goTo(at + 1, 1);
  await editor.eventually(
    async () => (await marked()).startsWith("x[i] ="),
    async () => `at v_add_f32 ${await marked()} is marked`,
  );
  await editor.screenshot("object-with-source");
});
