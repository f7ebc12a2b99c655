// Without Python, the message says so, and a button leads to one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { start } from "./editor.mjs";

test("without a Python a message with buttons says what to do", async () => {
  // VSCODE_CLI keeps the editor from asking a login shell for the PATH.
  const editor = await start({ environment: { PATH: "/nonexistent", VSCODE_CLI: "1" } });
  try {
    await editor.open("saxpy.s");
    const message = editor.page.locator(".notification-toast", { hasText: "gcn-lsp needs Python 3.10 or newer" });
    await message.waitFor();
    const buttons = await message.locator(".monaco-button").allInnerTexts();
    assert.deepEqual(buttons, ["Get Python", "Choose Python…", "Try Again"]);
    await editor.screenshot("python-missing");
  } finally {
    await editor.close();
  }
});
