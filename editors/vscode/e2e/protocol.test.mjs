// What VS Code asks a server for besides the usual: declarations, places that are typed together, suggestions in the
// line, files that follow a renamed one, and findings in files that are not open.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { session } from "./editor.mjs";

const KERNEL = "declared.s";
const SEQUENCE = "sequence.s";
const NAMED = "named.s";
const ENCODED = "encoded.s";
const TEXT = `// gcn-lsp: target=gfx90a
.include "sizes.inc"
copy:
  v_mov_b32 v1, size
  s_branch copy
.rodata
.amdhsa_kernel copy
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 8
.end_amdhsa_kernel
`;

let editor;
let page;

const settings = {
  "gcn-lsp.inlineCompletion": true,
  "gcn-lsp.workspaceDiagnostics": true,
  "editor.linkedEditing": true,
  "files.refactoring.autoSave": true,
  "explorer.confirmDragAndDrop": false,
};
const files = {
  [KERNEL]: TEXT,
  "sizes.inc": ".set size, 1\n",
  [SEQUENCE]: "// gcn-lsp: target=gfx90a\n  v_mov_b32 v0, s4\n  v_mov_b32 v1, s5\n  v_mov_b32 v2, s6\n",
  [NAMED]: "// gcn-lsp: target=gfx90a\nk:\n  v_mov_b32 v7, s4\n  v_add_f32 v8, v7, v7\n",
  [ENCODED]: "// gcn-lsp: target=gfx90a\n  s_nop 1\n",
  "never-opened.s": "// gcn-lsp: target=gfx90a\n  v_mov_b33 v0, v1\n",
};

/** A text that the server derives from a file, opened by its address as any link or command may. */
const keys = (workspace) => [
  { key: "ctrl+alt+8", command: "vscode.open", args: `gcn-lsp-encoded:${workspace}/${ENCODED}` },
];

session({ settings, keys, files }, async (started) => {
  editor = started;
  page = started.page;
  await editor.open(KERNEL);
  // Setting the server up takes the longest.
  await page.locator('.statusbar-item[id*="gcn-lsp.target"]', { hasText: "gfx90a" }).waitFor({ timeout: 600_000 });
});

test("a label and its kernel lead to each other", async () => {
  await editor.goTo(7, 17);
  await editor.run("Go to Implementations");
  await editor.isAtLine(3);
  await editor.run("Go to Declaration");
  await editor.isAtLine(7);
});

test("what names a label is typed with it", async () => {
  await editor.goTo(3, 5);
  await page.waitForTimeout(3000); // the places that were linked before are still marked until then
  await page.waitForSelector(".linked-editing-decoration", { state: "attached" });
  await page.keyboard.type("_all");
  await editor.saved(KERNEL, /copy_all:\n(.*\n)* {2}s_branch copy_all\n(.*\n)*\.amdhsa_kernel copy_all\n/);
  await editor.screenshot("linked-editing");
});

test("the next line of a sequence is shown before it is typed", async () => {
  await editor.open(SEQUENCE);
  await editor.goTo(4, 80);
  await page.keyboard.press("Enter");
  const ghost = page.locator(
    ".editor-group-container.active .ghost-text-decoration, .ghost-text, .ghost-text-decoration",
  );
  await ghost.first().waitFor();
  await editor.screenshot("inline-completion");
  await page.keyboard.press("Tab");
  await editor.saved(SEQUENCE, /\n {2}v_mov_b32 v2, s6\n {2}v_mov_b32 v3, s7\n?/);
});

test("a new symbol is named in the box for a new name", async () => {
  await editor.open(NAMED);
  await page.locator(".editor-group-container.active .codelens-decoration", { hasText: "graph" }).waitFor();
  await editor.goTo(3, 14);
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row.focused", { hasText: "Introduce a symbol for v7" }).waitFor();
  await page.keyboard.press("Enter");
  const box = page.locator(".rename-box input.rename-input");
  await box.waitFor();
  await editor.screenshot("rename-new-symbol");
  await box.fill("sum");
  await page.keyboard.press("Enter");
  await box.waitFor({ state: "hidden" });
  await editor.saved(NAMED, /\.set sum, 7\n(.*\n)* {2}v_mov_b32 v\[sum\], s4\n {2}v_add_f32 v8, v\[sum\], v\[sum\]\n/);
});

test("a derived text is read from the server and follows its file", async () => {
  await editor.open(ENCODED);
  await page.keyboard.press("Control+Alt+8");
  const bytes = page.locator(".editor-group-container.active .view-line", { hasText: "s_nop" });
  const shown = async (text) =>
    editor.eventually(
      async () => (await bytes.first().innerText()).replaceAll("\u00a0", " ").includes(text),
      async () => `shown is ${await bytes.first().innerText()}`,
    );
  await shown("bf800001");
  await writeFile(path.join(editor.workspace, ENCODED), files[ENCODED].replace("s_nop 1", "s_nop 2"));
  await shown("bf800002");
  await editor.screenshot("text-document-content");
});

test("findings in a file that was never opened are listed", async () => {
  await page.keyboard.press("Control+Shift+M");
  await editor.eventually(
    async () => (await editor.problems()).some((row) => row.includes("v_mov_b33")),
    async () => `problems: ${await editor.problems()}`,
  );
  await editor.screenshot("workspace-diagnostics");
  await page.keyboard.press("Control+Shift+M");
});

test("an include follows the file that is renamed", async () => {
  await page.locator('.explorer-folders-view .monaco-list-row[aria-label^="sizes.inc"]').click();
  await page.keyboard.press("F2");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("numbers.inc");
  await page.keyboard.press("Enter");
  await page.locator(".monaco-dialog-box .monaco-button", { hasText: "OK" }).click(); // to make these changes
  await editor.eventually(
    async () => (await editor.text(KERNEL)).includes('.include "numbers.inc"'),
    async () => `the kernel is ${await editor.text(KERNEL)}`,
  );
  assert.match(await editor.text("numbers.inc"), /size/);
});
