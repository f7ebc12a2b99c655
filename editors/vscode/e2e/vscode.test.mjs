// The extension in a real VS Code, from installing it to everything that a user sees of it. Run by `npm run e2e`.
// The tests build on each other, as a session does; each leaves a picture in out/.

import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { session } from "./editor.mjs";

const KERNEL = "saxpy.s";
/** Production kernels, where they are. */
const CORPUS = fileURLToPath(new URL("../../../../shared/corpus/tensile", import.meta.url));

let editor;
let page;

session({}, (started) => {
  editor = started;
  page = started.page;
});

test("the first kernel sets the server up, and its findings are underlined", async () => {
  await editor.open(KERNEL);
  assert.equal(await editor.language(), "AMD GPU assembly");
  const began = Date.now();
  await page.waitForSelector(".squiggly-error", { state: "attached", timeout: 300_000 });
  console.log(`set up and first findings: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  await page.keyboard.press("Control+Shift+M");
  await editor.eventually(
    async () => (await editor.problems()).some((row) => row.includes("misaligned-register")),
    async () => `problems: ${await editor.problems()}`,
  );
  const problems = (await editor.problems()).join("\n");
  assert.match(problems, /s\[9:10\].*misaligned-register/);
  assert.match(problems, /amdhsa_accum_ofset.*descriptor-field/);
  await editor.screenshot("findings");
  await page.keyboard.press("Control+Shift+M");
});

test("the status bar shows the target, and why", async () => {
  await editor.eventually(async () => (await editor.status("gcn-lsp.target")).includes("gfx90a"), "no target is shown");
  await page.locator('.statusbar-item[id*="gcn-lsp.target"]').hover();
  const why = page.locator(".monaco-hover:visible", { hasText: ".amdgcn_target" });
  await why.waitFor();
  await editor.screenshot("target");
  await page.mouse.move(600, 300);
});

test("the settings have groups, and offer the names of targets", async () => {
  await editor.run("Preferences: Open Settings (UI)");
  const search = page.locator(".settings-editor .suggest-input-container .monaco-editor").first();
  await search.click();
  await page.keyboard.type("@ext:gcn-lsp.gcn-lsp");
  await page.locator(".settings-toc-entry", { hasText: "Target and build" }).waitFor();
  await page.keyboard.press("Escape");
  await editor.screenshot("settings");
  await editor.run("View: Close Editor");
  await editor.open(KERNEL);
});

test("hover explains an instruction with the registers of this line", async () => {
  await editor.goTo(...(await editor.find(KERNEL, "v_fma_f32", 3)));
  await editor.showHover(/v_fma_f32/);
  assert.match(await editor.hover(), /v5[\s\S]*s8/);
  await editor.screenshot("hover");
  await page.keyboard.press("Escape");
});

test("inlay hints show the registers of computed indices", async () => {
  await editor.eventually(
    async () => /v\[v_index\+1\]\s*v1/.test(await editor.shown()),
    async () => `no inlay in: ${await editor.shown()}`,
  );
  await editor.screenshot("inlays");
});

test("completion offers what the target has", async () => {
  const [line] = await editor.find(KERNEL, "    s_endpgm");
  await editor.goTo(line, 1);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type("    v_mfma_f32_32");
  await page.keyboard.press("Control+Space");
  const row = page.locator(".suggest-widget .monaco-list-row", { hasText: "v_mfma_f32_32x32x8f16" }).first();
  await row.waitFor();
  await page.waitForTimeout(500); // the page of the entry in front
  await editor.screenshot("completion");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+K"); // the whole line
  await editor.saved(KERNEL, /next\n {4}s_endpgm\n\n\.section/);
});

test("a quick fix corrects a misspelt field", async () => {
  await editor.goTo(...(await editor.find(KERNEL, "amdhsa_accum_ofset", 2)));
  await page.keyboard.press("Control+.");
  const action = page.locator(".action-widget .monaco-list-row", { hasText: ".amdhsa_accum_offset" }).first();
  await action.waitFor();
  await editor.screenshot("quick-fix");
  await page.keyboard.press("Enter"); // the certain fix is first
  await editor.eventually(async () => !(await editor.shown()).includes("ofset"), "the fix was not applied");
  await editor.saved(KERNEL, /\n {4}\.amdhsa_accum_offset 8\n/);
});

test("the outline has the kernel, its macro and its descriptor", async () => {
  await page.keyboard.press("Control+Shift+O");
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await rows.filter({ hasText: "saxpy" }).first().waitFor();
  assert.match((await rows.allInnerTexts()).join("\n"), /element_address/);
  await editor.screenshot("outline");
  await page.keyboard.press("Escape");
});

test("the lens of a kernel opens the report, whose lines lead back", async () => {
  await editor.goTo(1, 1);
  const lens = page.locator(".codelens-decoration a", { hasText: "waves/SIMD" });
  await lens.waitFor();
  await lens.click();
  const report = page.frameLocator("iframe.webview").last().frameLocator("iframe");
  const [line] = await editor.find(KERNEL, "s_waitcnt lgkmcnt(0)");
  const link = report.locator(`a.line[data-line="${line}"]`).first();
  await link.waitFor();
  await editor.screenshot("report");
  await link.click();
  await editor.isAtLine(line);
  await editor.run("View: Close Editors in Other Groups");
});

test("the bytes of each instruction open beside it", async () => {
  await editor.open(KERNEL);
  await editor.run("GCN: Show encoding");
  const listing = page.locator(".editor-group-container .view-lines", { hasText: "bf810000" }).last();
  await listing.waitFor(); // s_endpgm
  await editor.screenshot("encoding");
  await editor.run("View: Close Editors in Other Groups");
});

test("the expansion of a macro opens beside it", async () => {
  await editor.goTo(...(await editor.find(KERNEL, "element_address s_x")));
  await editor.run("GCN: Show expansion");
  await page.waitForSelector('.tab.active[data-resource-name*="expanded"], .tab[data-resource-name*="expanded"]');
  const expansion = page.locator(".editor-group-container .view-lines", { hasText: "v_add_co_u32" }).last();
  await editor.eventually(
    async () => (await expansion.innerText()).replaceAll("\u00a0", " ").includes("v_add_co_u32 v2, vcc, s4, v2"),
    async () => `the expansion is ${await expansion.innerText()}`,
  );
  const colour = (text) => expansion.locator(`span[class*="mtk"]:text-is("${text}")`).first().getAttribute("class");
  await editor.eventually(async () => (await colour("s4")) !== (await colour("v2")), "scalars and vectors look alike");
  await editor.screenshot("expansion");
  await editor.run("View: Close All Editors in Group").catch(() => undefined);
});

test("rename changes a symbol everywhere", async () => {
  await editor.open(KERNEL);
  await editor.goTo(...(await editor.find(KERNEL, "v_address", 2)));
  await page.keyboard.press("F2");
  const input = page.locator(".rename-box input");
  await input.waitFor();
  await editor.screenshot("rename");
  await input.fill("v_pointer");
  await page.keyboard.press("Enter");
  await editor.saved(KERNEL, /global_store_dword v\[v_pointer:v_pointer\+1\], v\[v_y\], off/);
  assert.doesNotMatch(await editor.text(KERNEL), /v_address/);
});

test("the control flow opens beside it, and a click goes to the line", async () => {
  await editor.goTo(...(await editor.find(KERNEL, "s_waitcnt lgkmcnt(0)")));
  await editor.run("GCN: Show control flow");
  const drawing = page.frameLocator("iframe.webview").frameLocator("iframe");
  const store = drawing.locator(".block text", { hasText: "global_store_dword" });
  await store.waitFor();
  assert.equal(await drawing.locator(".block").count(), 5);
  assert.equal(await drawing.locator(".edge[marker-end='url(#back)']").count(), 1);
  await drawing.locator(".block.here").waitFor();
  await editor.screenshot("control-flow");
  await store.click();
  const [line] = await editor.find(KERNEL, "global_store_dword");
  await editor.isAtLine(line);
});

test("the control flow is gone through by keyboard, with names for a screen reader", async () => {
  const drawing = page.frameLocator("iframe.webview").frameLocator("iframe");
  const blocks = drawing.locator(".block");
  assert.match((await blocks.first().getAttribute("aria-label")) ?? "", /saxpy.*instructions, lines \d+ to \d+/);
  await drawing.getByLabel("Find an instruction").focus();
  await page.keyboard.press("Tab"); // Save SVG
  await page.keyboard.press("Tab");
  assert.equal(await drawing.locator(".block:focus").count(), 1);
  await page.keyboard.press("ArrowDown");
  const label = await drawing.locator(".block:focus").getAttribute("aria-label");
  await editor.screenshot("control-flow-keyboard");
  await page.keyboard.press("Enter");
  await editor.isAtLine(Number(/lines (\d+)/.exec(label)[1]));
});

test("the control flow is searched, fitted and saved, and survives a reload", async () => {
  const drawing = page.frameLocator("iframe.webview").frameLocator("iframe");
  await drawing.locator("header input").fill("v_fma");
  await drawing.locator(".block .found.current", { hasText: "v_fma_f32" }).waitFor();
  await drawing.locator("button", { hasText: "Fit" }).click();
  const size = await drawing.locator("main svg").boundingBox();
  assert.ok(size !== null && size.height < 800);
  await editor.screenshot("control-flow-search");
  await drawing.locator("button", { hasText: "Save SVG" }).click();
  await page.locator(".quick-input-widget .monaco-button", { hasText: "OK" }).click();
  await editor.eventually(
    async () => /<style[\s\S]*v_fma_f32/.test(await editor.text("saxpy.svg").catch(() => "")),
    "the drawing was not saved",
  );
  // In the list of files it would come before the kernel, by whose name it begins.
  await rm(path.join(editor.workspace, "saxpy.svg"));
  await Promise.all([page.waitForEvent("load"), editor.run("Developer: Reload Window")]);
  await drawing.locator(".block").first().waitFor();
  assert.equal(await drawing.locator(".block").count(), 5);
});

test("another target is picked for the file, in its text", async () => {
  await editor.open(KERNEL);
  await page.locator('.statusbar-item[id*="gcn-lsp.target"]').click();
  const input = page.locator(".quick-input-widget input.input");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "gfx950" }).waitFor();
  await input.pressSequentially("gfx942");
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "gfx942" }).first();
  await row.waitFor();
  await editor.screenshot("pick-target");
  await row.click();
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "This file, in its text" }).click();
  await editor.saved(KERNEL, /^\.amdgcn_target "amdgcn-amd-amdhsa--gfx942"$/m);
  await editor.eventually(
    async () => (await editor.status("gcn-lsp.target")).includes("gfx942"),
    "the old target is shown",
  );
  await page.keyboard.press("Control+Z");
});

test("the page of a rule opens beside the kernel", async () => {
  await editor.run("GCN: Explain a mnemonic or a rule");
  const input = page.locator(".quick-input-widget input.input");
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await rows.first().waitFor();
  await input.fill("two 32-bit floats");
  await rows.filter({ hasText: "v_fma_f32" }).first().waitFor();
  await editor.screenshot("explain-list");
  await input.fill("misaligned-register");
  await rows.filter({ hasText: "misaligned-register" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForSelector(
    '.tab[data-resource-name*="misaligned-register"], .tab[aria-label*="misaligned-register"]',
  );
  await page.waitForTimeout(1500); // the preview draws its page
  await editor.screenshot("explain");
});

test("a missing wait is reported, and a quick fix adds it", async () => {
  await editor.open(KERNEL);
  const [line] = await editor.find(KERNEL, "    s_waitcnt vmcnt(0)");
  await editor.goTo(line, 1);
  await editor.run("Delete Line");
  await page.keyboard.press("Control+Shift+M");
  await editor.eventually(
    async () => (await editor.problems()).some((row) => row.includes("missing-wait")),
    async () => `problems: ${await editor.problems()}`,
  );
  await editor.goTo(line, 8);
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row", { hasText: "Wait for vmcnt(0)" }).first().waitFor();
  await editor.screenshot("missing-wait");
  await page.keyboard.press("Enter");
  await editor.saved(KERNEL, /\n {4}s_waitcnt vmcnt\(0\)\n {4}v_fma_f32/);
  await page.keyboard.press("Control+Shift+M");
});

test("a wait that nothing needs goes when waits are reinserted", async () => {
  await editor.open(KERNEL);
  const [line] = await editor.find(KERNEL, "next:");
  await editor.goTo(line, 1);
  await page.keyboard.type("    s_waitcnt vmcnt(0)\n");
  await editor.saved(KERNEL, /s11, 4\n +s_waitcnt vmcnt\(0\)\n+ *next:/);
  await editor.run("GCN: Reinsert waits");
  const message = page.locator(".notification-toast", { hasText: /2 removed, 1 added/ });
  await message.waitFor();
  await editor.screenshot("reinsert-waits");
  await page
    .locator(
      '.editor-actions a[aria-label^="GCN: Apply these waits"], .editor-actions a[aria-label^="Apply these waits"]',
    )
    .first()
    .click();
  await editor.saved(KERNEL, /s11, 4\n+ *next:/);
  assert.match(await editor.text(KERNEL), /s_waitcnt lgkmcnt\(0\)/);
});

test("a new kernel is for the target that is picked, and has no finding", async () => {
  await editor.run("GCN: New kernel");
  const input = page.locator(".quick-input-widget input.input");
  const rows = page.locator(".quick-input-list .monaco-list-row");
  await rows.filter({ hasText: "gfx942" }).first().waitFor();
  assert.equal(await rows.filter({ hasText: "gfx1310" }).count(), 0, "what nobody has comes first");
  await editor.screenshot("new-kernel-targets");
  // What is printed on the box: the editor's own search would find the 9070 XT first.
  await input.pressSequentially("7900");
  await rows.filter({ hasText: "gfx942" }).waitFor({ state: "detached" });
  assert.match(await rows.first().innerText(), /^\s*gfx1100/);
  await editor.screenshot("new-kernel-7900");
  await page.keyboard.press("Enter");
  await editor.eventually(
    async () => (await editor.shown()).includes(".amdhsa_wavefront_size32 1"),
    async () => `the kernel is ${await editor.shown()}`,
  );
  await page.keyboard.press("Escape");
  await editor.eventually(
    async () => (await editor.status("gcn-lsp.target")).includes("gfx1100"),
    "no target is shown",
  );
  await editor.screenshot("new-kernel");
  await editor.run("File: Revert File").catch(() => undefined);
  await editor.run("View: Close All Editors");
  const discard = page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" });
  await discard.click({ timeout: 3000 }).catch(() => undefined);
});

test("a production kernel opens without an error, and its control flow is drawn", async (context) => {
  const kernel = (await readdir(CORPUS).catch(() => [])).find((name) => name.startsWith("DGEMM"));
  if (kernel === undefined) return context.skip("the folder shared is not beside the checkout");
  const text = await readFile(path.join(CORPUS, kernel), "utf8");
  await writeFile(path.join(editor.workspace, "dgemm.s"), text);
  await editor.run("View: Close All Editors");
  await editor.open("dgemm.s");
  await editor.eventually(async () => (await editor.status("gcn-lsp.target")).includes("gfx90a"), "no target is shown");
  const first = text.slice(0, text.search(/^[ \t]*v_mfma/m)).split("\n").length;
  await editor.goTo(first, 3);
  await editor.showHover(/v_mfma/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+M");
  await page.waitForTimeout(1000); // what is found later than the first findings is there
  const errors = page.locator(".markers-panel .monaco-list-row", { hasText: "dgemm.s" });
  assert.deepEqual(await errors.allInnerTexts(), []);
  await editor.screenshot("production");
  await page.keyboard.press("Control+Shift+M");
  await editor.goTo(1, 1);
  await editor.run("GCN: Show control flow");
  const drawing = page.frameLocator("iframe.webview").last().frameLocator("iframe");
  await drawing.locator(".block").first().waitFor();
  assert.ok((await drawing.locator(".block").count()) > 20);
  let entry = null; // also for a moment while the drawing is made again
  await editor.eventually(
    async () => {
      entry = await drawing.locator(".block").first().boundingBox();
      return entry !== null && entry.x > 0 && entry.x < 1280;
    },
    () => `the first block is at ${entry?.x}`,
  );
  await editor.screenshot("production-flow-entry");
  await page.keyboard.press("Control+1");
  await editor.goTo(first, 3);
  const here = drawing.locator(".block.here");
  await here.waitFor();
  const isInView = async () => {
    const place = await here.boundingBox();
    return place !== null && place.y < 800 && place.y + place.height > 0 && place.x < 1280;
  };
  await editor.eventually(isInView, "the block with the cursor is not in view");
  await editor.screenshot("production-flow");
});

test("a button of the problems lists what is in kernels that are not open", async () => {
  const kernel = "; gcn-lsp: target=gfx90a\n.globl unopened\nunopened:\n  v_mov_b33 v0, v1\n  s_endpgm\n";
  await mkdir(path.join(editor.workspace, "more"), { recursive: true });
  await writeFile(path.join(editor.workspace, "more", "unopened.s"), kernel);
  await editor.run("View: Close All Editors");
  await page.keyboard.press("Control+Shift+M");
  await page
    .locator(
      '.pane-header .action-label[aria-label*="Check all kernels"], .panel .action-label[aria-label*="Check all kernels"]',
    )
    .first()
    .click();
  await page.locator(".notification-list-item-message", { hasText: /files checked: [1-9]/ }).waitFor();
  await editor.eventually(
    async () => (await editor.problems()).some((row) => row.includes("unopened.s")),
    async () => `problems: ${await editor.problems()}`,
  );
  assert.match((await editor.problems()).join("\n"), /v_mov_b33.*unknown-mnemonic/);
  await editor.screenshot("all-kernels");
  await editor.open("unopened.s");
  await page.waitForSelector(".squiggly-error", { state: "attached" });
  const listed = () => editor.problems().then((rows) => rows.filter((row) => row.includes("v_mov_b33")).length);
  await editor.eventually(async () => (await listed()) === 1, "a finding is listed twice, or not at all");
  await editor.run("View: Close All Editors");
  await editor.eventually(async () => (await listed()) === 1, "the findings of a closed kernel are gone");
  await page.keyboard.press("Control+Shift+M");
});

test("assembly for other processors and C++ tables are left alone", async () => {
  for (const name of ["x86.s", "arm64.S", "arrays.inc"]) {
    await editor.open(name);
    await editor.eventually(
      async () => (await editor.language()) !== "AMD GPU assembly",
      async () => `${name} is ${await editor.language()}`,
    );
    await editor.eventually(async () => (await editor.status("gcn-lsp.target")) === "", `${name} has a target`);
  }
  await editor.screenshot("x86");
});
