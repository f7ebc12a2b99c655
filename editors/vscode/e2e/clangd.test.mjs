// A HIP source with inline assembly that clangd's extension serves too: each answers in its own part, and formatting and
// C++'s colours stay clangd's. $CLANGD_VSIX is that extension, $CLANGD the server; without the first the tests are
// skipped. The tests build on each other; each leaves a picture in out/.

import assert from "node:assert/strict";
import { test } from "node:test";
import { session } from "./editor.mjs";

const { CLANGD_VSIX, CLANGD = "/usr/bin/clangd-22" } = process.env;
const skip = CLANGD_VSIX ? false : "clangd's extension is not given (CLANGD_VSIX)";
const SOURCE = "beside.cpp";
const TEXT = `\
// gcn-lsp: target=gfx90a
__attribute__((device)) int   scaled(int first, int second) {
  int x;
  asm volatile("v_lshlrev_b32 %0, 4, %[first]\\n\\t"
               "v_add_u32 %0, %0, %[b]"
               : "=v"(x)
               : [first] "v"(first), [b] "v"(second));
  return x + undeclared;
}
`;
const FLAGS = ["-x", "hip", "--cuda-device-only", "--offload-arch=gfx90a", "-nogpuinc", "-nogpulib"];

let editor;
let page;

const OPTIONS = {
  extensions: [CLANGD_VSIX],
  settings: { "clangd.path": CLANGD, "clangd.checkUpdates": false },
  files: { [SOURCE]: TEXT, "compile_flags.txt": FLAGS.join("\n") },
};
session(skip ? undefined : OPTIONS, (started) => {
  editor = started;
  page = started.page;
});

/** What a hover shows at a text of the source. */
async function hover(text, offset) {
  await editor.goTo(...(await editor.find(SOURCE, text, offset)));
  await editor.run("Show or Focus Hover");
  await page.locator(".monaco-hover:visible").first().waitFor();
  return async (part) =>
    editor.eventually(
      async () => (await editor.hover()).includes(part),
      async () => `hover: ${await editor.hover()}`,
    );
}

test("both servers report", { skip }, async () => {
  await editor.open(SOURCE);
  await page.keyboard.press("Control+Shift+M");
  await editor.eventually(
    async () => {
      const rows = (await editor.problems()).join("\n");
      return rows.includes("missing-early-clobber") && rows.includes("undeclared");
    },
    async () => `problems: ${await editor.problems()}`,
  );
  await editor.screenshot("clangd findings");
  await page.keyboard.press("Control+Shift+M");
});

test("hover in the template and in the code", { skip }, async () => {
  await (await hover("v_add_u32", 3))("Adds two 32-bit integers");
  await editor.screenshot("clangd hover template");
  await page.keyboard.press("Escape");
  await (await hover("scaled", 2))("int scaled(");
  await editor.screenshot("clangd hover code");
});

test("completion in the template is of assembly alone", { skip }, async () => {
  await editor.goTo(...(await editor.find(SOURCE, "v_add_u32", 9)));
  await page.keyboard.press("Backspace");
  await editor.run("Trigger Suggest");
  const rows = page.locator(".suggest-widget:visible .monaco-list-row");
  await rows.filter({ hasText: "v_add_u32" }).first().waitFor();
  for (const row of await rows.allInnerTexts()) assert.match(row, /^v_/);
  await editor.screenshot("clangd completion");
  await page.keyboard.press("Escape");
  await page.keyboard.type("2");
  await editor.saved(SOURCE, /v_add_u32/);
});

test("rename of an operand and of a variable", { skip }, async () => {
  const rename = async (text, offset, name) => {
    await editor.goTo(...(await editor.find(SOURCE, text, offset)));
    await page.keyboard.press("F2");
    const input = page.locator(".rename-box:visible input");
    await input.fill(name);
    await input.press("Enter");
    await editor.saved(SOURCE, new RegExp(name));
  };
  await rename("%[b]", 2, "addend");
  assert.match(await editor.text(SOURCE), /%\[addend\]".*\[addend\] "v"\(second\)/s);
  await rename("first, int", 1, "input");
  const text = await editor.text(SOURCE);
  assert.match(text, /%\[first\].*\[first\] "v"\(input\)/s);
});

test("clangd formats the source, and the template stays", { skip }, async () => {
  await editor.run("Format Document");
  await editor.saved(SOURCE, /int scaled\(int input/);
  assert.match(await editor.text(SOURCE), /"v_add_u32 %0, %0, %\[addend\]"/);
});

test("the instructions are coloured in the string", { skip }, async () => {
  await editor.goTo(1, 1);
  const colour = (text) =>
    page
      .locator(".editor-group-container.active .view-line span span", { hasText: text })
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  const string = await colour(/^\s*"/);
  for (const text of [/^\s*v_add_u32\s*$/, /^\s*%0\s*$/]) assert.notEqual(await colour(text), string);
  await editor.screenshot("clangd colours");
});
