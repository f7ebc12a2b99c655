// A debugging session in a real VS Code: from a kernel to its lanes, with numpy installed on the way.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { session } from "./editor.mjs";

const KERNEL = "scaled.s";
const TEXT = await readFile(new URL("../../../tests/running/kernels/saxpy.s", import.meta.url), "utf8");

let editor;
let page;

const UNWAITED = "unwaited.s";

session({ files: { [KERNEL]: TEXT, [UNWAITED]: TEXT.replace("s_waitcnt vmcnt(0)", "s_nop 0") } }, (started) => {
  editor = started;
  page = started.page;
});

/** Waits until the run is stopped at a line with a text. */
async function stoppedAt(text) {
  const [line] = await editor.find(KERNEL, text);
  await editor.eventually(
    async () => {
      const marks = await page.locator(".margin .debug-top-stack-frame, .cgmr.codicon-debug-stackframe").count();
      return marks > 0 && (await editor.status("status.editor.selection")).startsWith(`Ln ${line},`);
    },
    async () => `the run is not stopped at line ${line}, but at ${await editor.status("status.editor.selection")}`,
  );
}

/** The rows of the list of variables. */
async function variables() {
  return (await page.locator(".debug-variables .monaco-list-row").allInnerTexts()).map((row) =>
    row.replaceAll("\n", " "),
  );
}

test("a click above a kernel asks to install numpy, and starts it on made-up arguments", async () => {
  await editor.open(KERNEL);
  const lens = page.locator(".codelens-decoration a", { hasText: /^debug$/ });
  await lens.waitFor({ timeout: 300_000 });
  await editor.screenshot("debug-lens");
  await lens.click();
  const question = page.locator(".notification-toast", { hasText: "Running kernels needs numpy" });
  await question.waitFor();
  await editor.screenshot("debug-numpy");
  await question.locator(".monaco-button", { hasText: "Install" }).click();
  const started = page.locator(".notification-toast", { hasText: "made-up arguments: x=random:f32:4096" });
  await started.waitFor({ timeout: 300_000 });
  await page.locator(".debug-toolbar").waitFor();
  await stoppedAt("s_load_dwordx4");
  await editor.screenshot("debug-entry");
  await started.locator(".codicon-notifications-clear").click();
});

test("a breakpoint stops the wave, whose registers are listed", async () => {
  await editor.goTo(...(await editor.find(KERNEL, "v_mac_f32", 2)));
  await page.keyboard.press("F9");
  await page.keyboard.press("F5");
  await stoppedAt("v_mac_f32");
  const scope = (name) => page.locator(".debug-variables .monaco-list-row", { hasText: new RegExp(`^${name}`) });
  await editor.eventually(
    async () => {
      // The list is made again a while after the stop, and its first scope is open then.
      const rows = await variables();
      if (rows.some((row) => row.startsWith("s1 "))) {
        await scope("SGPRs").click();
        await page.keyboard.press("ArrowLeft");
      } else if (!rows.some((row) => row.startsWith("v1 "))) {
        await scope("VGPRs").click();
        await page.keyboard.press("ArrowRight");
      }
      await page.waitForTimeout(1000);
      return rows.some((row) => /^v2 = \[0\.\d+f/.test(row));
    },
    async () => `variables: ${await variables()}`,
  );
  await editor.screenshot("debug-breakpoint");
});

test("a hover shows the value of a register", async () => {
  await editor.goTo(...(await editor.find(KERNEL, "v_mac_f32 v3, s8", 15)));
  await editor.run("Debug: Show Hover");
  const hover = page.locator(".debug-hover-widget", { hasText: "0x40000000 = 1073741824 = 2f" });
  await hover.waitFor();
  await editor.screenshot("debug-hover");
  await page.keyboard.press("Escape");
});

test("steps go forwards and back", async () => {
  await page.keyboard.press("F10");
  await stoppedAt("global_store_dword");
  await page.locator(".debug-toolbar .codicon-debug-step-back").click();
  await stoppedAt("v_mac_f32");
});

test("all lanes of a register are shown on a scale of colours", async () => {
  await editor.run("GCN: Show all lanes of a register");
  await page.locator(".quick-input-widget", { hasText: "A register, such as v2" }).waitFor();
  await page.keyboard.type("v2");
  await page.keyboard.press("Enter");
  const lanes = page.frameLocator("iframe.webview").last().frameLocator("iframe").locator("td");
  await editor.eventually(
    async () => (await lanes.count()) === 64,
    async () => `${await lanes.count()} lanes are shown`,
  );
  assert.match(await lanes.first().innerText(), /^0\.\d+$/);
  await editor.screenshot("debug-lanes");
});

test("a run ends", async () => {
  await page.keyboard.press("Shift+F5");
  await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
});

test("a finding is shown to happen, with values", async () => {
  await editor.open(UNWAITED);
  await page.waitForSelector(".squiggly-error", { state: "attached" });
  await editor.goTo(...(await editor.find(UNWAITED, "v3, s8, v2", 1)));
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row", { hasText: "Show it happen" }).waitFor();
  const chosen = page.locator(".action-widget .monaco-list-row.focused");
  await editor.eventually(
    async () => {
      if ((await chosen.innerText()).includes("Show it happen")) return true;
      await page.keyboard.press("ArrowDown");
      return false;
    },
    async () => `the list stands at ${await chosen.innerText()}`,
  );
  await page.keyboard.press("Enter");
  const shown = page.locator(".notification-toast", { hasText: "Shown on made-up arguments of saxpy" });
  await shown.waitFor({ timeout: 300_000 });
  assert.match(await shown.innerText(), /v2\[0\] is 0x0 .* in place of/);
  await editor.screenshot("debug-witness");
});

test("the made-up launch is filled in, and used from then on", async () => {
  await editor.open(KERNEL);
  const lens = page.locator(".codelens-decoration a", { hasText: /^debug$/ });
  await editor.goTo(1, 1);
  await lens.click();
  const offer = page.locator(".notification-toast", { hasText: "made-up arguments" });
  await offer.locator(".monaco-button", { hasText: "Fill In Arguments" }).click();
  await page.waitForSelector('.tab.active[data-resource-name="launch.json"]');
  await editor.eventually(
    async () => /"kernel": "saxpy"[\s\S]*"n": "64"/.test(await editor.text(".vscode/launch.json").catch(() => "")),
    "launch.json has no launch of the kernel",
  );
  await editor.screenshot("debug-launch");
  await page.keyboard.press("Shift+F5");
  await page.locator(".debug-toolbar").waitFor({ state: "hidden" });
  await editor.open(KERNEL);
  await editor.goTo(1, 1);
  await lens.click();
  await page.locator(".debug-toolbar").waitFor();
  await stoppedAt("s_load_dwordx4");
  assert.equal(await offer.count(), 0);
});
