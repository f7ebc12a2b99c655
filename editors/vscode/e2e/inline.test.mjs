// Inline assembly in a C++ source in a real VS Code: findings, hover, completion and a fix in the template of a statement,
// and nothing outside of it. The tests build on each other; each leaves a picture in out/.

import assert from "node:assert/strict";
import { test } from "node:test";
import { session } from "./editor.mjs";

const SOURCE = "inline.cpp";
const HIP = `// gcn-lsp: target=gfx90a
__device__ int scaled(int a, int b) {
  int x;
  asm volatile("v_lshlrev_b32 %0, 4, %1\\n\\tv_add_u32 %0, %0, %2" : "=v"(x) : "v"(a), "v"(b));
  return x;
}
`;
const OTHERS = {
  "generator.py": `# gcn-lsp: target=gfx90a
x = llvm.inline_asm(t, [a, b], "v_lshlrev_b32 $0, 4, $1\\nv_add_u32 $0, $0, $2", "=v,v,v")
`,
  "kernel.cu": HIP,
  "kernel.hip": HIP,
  "kernel.cl": HIP.replace("__device__ ", ""),
};

let editor;
let page;

const LIT = "; RUN: llc -mtriple=amdgcn -mcpu=gfx900 < %s\ndefine void @k() {\n  ret void\n}\n";

session({ files: { ...OTHERS, "lit.ll": LIT } }, (started) => {
  editor = started;
  page = started.page;
});

test("a C++ source with inline assembly has findings and stays C++", async () => {
  await editor.open(SOURCE);
  await page.waitForSelector(".squiggly-warning", { state: "attached", timeout: 300_000 });
  assert.equal(await editor.language(), "C++");
  await page.keyboard.press("Control+Shift+M");
  await editor.eventually(
    async () => (await editor.problems()).some((row) => row.includes("missing-early-clobber")),
    async () => `problems: ${await editor.problems()}`,
  );
  await editor.screenshot("inline findings");
  await page.keyboard.press("Control+Shift+M");
});

test("hover explains an instruction and an operand", async () => {
  await editor.goTo(...(await editor.find(SOURCE, "v_add_u32", 3)));
  await editor.showHover(/v_add_u32/);
  await editor.screenshot("inline hover");
  await page.keyboard.press("Escape");
  await editor.goTo(...(await editor.find(SOURCE, "%[b]", 2)));
  await editor.showHover(/a VGPR/);
  await editor.screenshot("inline operand");
  await page.keyboard.press("Escape");
});

test("completion offers mnemonics in a template", async () => {
  const [line, column] = await editor.find(SOURCE, "v_add_u32", 9);
  await editor.goTo(line, column);
  await page.keyboard.press("Backspace");
  await editor.run("Trigger Suggest");
  await page.locator(".suggest-widget:visible .monaco-list-row", { hasText: "v_add_u32" }).first().waitFor();
  await editor.screenshot("inline completion");
  await page.keyboard.press("Escape");
  await page.keyboard.type("2");
});

test("the quick fix adds the early clobber", async () => {
  await editor.goTo(...(await editor.find(SOURCE, '"=v"', 2)));
  await page.waitForSelector(".squiggly-warning", { state: "attached" });
  await editor.run("Quick Fix...");
  await page.locator(".action-widget:visible", { hasText: "Change to" }).waitFor();
  await editor.screenshot("inline fix");
  await page.keyboard.press("Enter");
  await editor.eventually(
    async () => (await editor.shown()).includes('"=&v"'),
    async () => `shown: ${await editor.shown()}`,
  );
});

test("the instructions are coloured in the string", async () => {
  const colour = (text) =>
    page
      .locator(".editor-group-container.active .view-line span span", { hasText: text })
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  const string = await colour(/^\s*"/);
  for (const text of [/^\s*v_lshlrev_b32\s*$/, /^\s*%0\s*$/]) assert.notEqual(await colour(text), string);
  await editor.screenshot("inline colours");
});

test("formatting stays with C++'s own extension", async () => {
  await editor.run("Format Document");
  await page.locator(".monaco-dialog-box", { hasText: "no formatter for 'cpp'" }).waitFor();
});

for (const name of Object.keys(OTHERS)) {
  test(`${name} has findings and colours too`, async () => {
    await editor.open(name);
    await page.waitForSelector(".editor-group-container.active .squiggly-warning", { state: "attached" });
    await editor.screenshot(`inline ${name}`);
  });
}

test("LLVM's own language stays what it is, though its first line names a target", async () => {
  await editor.open("lit.ll");
  assert.equal(await editor.language(), "Plain Text");
});
