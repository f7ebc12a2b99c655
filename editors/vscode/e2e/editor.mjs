// Starts a real VS Code (code-server) with our extension installed, and drives it in a browser without a screen.
//
// $CODE_SERVER is the folder of the package code-server, $CHROMIUM the browser. Nothing of the user's is touched: the
// editor's data is in a separate folder, and the workspace is a copy.

import { spawn, spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, afterEach, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const EXTENSION = path.join(HERE, "..", "gcn-lsp.vsix");
const SCREENSHOTS = path.join(HERE, "out");
const CODE_SERVER = process.env.CODE_SERVER ?? path.join(HERE, "out", "code-server", "node_modules", "code-server");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const BROWSER_ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const PATIENCE = Number(process.env.PATIENCE ?? 60_000);
/** Setting up the server's environment on a busy machine takes the longest of what is waited for. */
const SETUP = 5 * PATIENCE;

/**
 * An editor with the workspace open. `environment` replaces variables of the editor's process; `extensions` are other
 * ones to install, `settings` and `keys` (of a workspace's path) the user's, `files` further texts of the workspace by name.
 */
export async function start({
  environment = {},
  size = { width: 1280, height: 800 },
  extensions = [],
  settings = {},
  keys = () => [],
  files = {},
} = {}) {
  const home = await mkdtemp(path.join(tmpdir(), "gcn-lsp-e2e-"));
  const workspace = path.join(home, "kernels");
  await cp(path.join(HERE, "workspace"), workspace, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(workspace, name), text);
  await mkdir(path.join(home, "data", "User"), { recursive: true });
  await writeFile(path.join(home, "data", "User", "settings.json"), JSON.stringify(settings));
  await writeFile(path.join(home, "data", "User", "keybindings.json"), JSON.stringify(keys(workspace)));
  await mkdir(SCREENSHOTS, { recursive: true });
  const folders = ["--user-data-dir", path.join(home, "data"), "--extensions-dir", path.join(home, "extensions")];
  const entry = path.join(CODE_SERVER, "out", "node", "entry.js");
  for (const extension of [EXTENSION, ...extensions]) {
    const installed = spawnSync(process.execPath, [entry, ...folders, "--install-extension", extension], {
      encoding: "utf8",
    });
    if (installed.status !== 0)
      throw new Error(`${extension} was not installed: ${installed.stdout}${installed.stderr}`);
  }
  const port = await freePort();
  const flags = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`];
  const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
  // Left over from the user's own session, these would lead the editor to another one's data.
  const { VSCODE_IPC_HOOK_CLI: _ipc, PYTHONPATH: _path, VIRTUAL_ENV: _venv, ...ours } = process.env;
  const server = spawn(process.execPath, [entry, ...folders, ...flags, ...quiet], {
    env: { ...ours, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let log = "";
  const hear = (text) => {
    log += text;
  };
  for (const stream of [server.stdout, server.stderr]) stream.on("data", hear);
  await until(
    () => log.includes("HTTP server listening"),
    () => `code-server did not start: ${log}`,
  );
  const context = await chromium.launchPersistentContext(path.join(home, "browser"), {
    executablePath: CHROMIUM,
    args: BROWSER_ARGUMENTS,
    viewport: size,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  page.setDefaultTimeout(PATIENCE);
  await page.goto(`http://127.0.0.1:${port}/?folder=${workspace}`);
  await page.waitForSelector(".monaco-workbench .explorer-folders-view");
  const close = async () => {
    await context.close();
    server.kill();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return new Editor(page, workspace, close);
}

/**
 * One editor for all tests of a file, which build on each other: `started` gets it before the first one. A failed test
 * leaves a picture; the next begins without open menus. options: as of `start`; without any, nothing is started.
 */
export function session(options, started) {
  let editor;
  before(async () => {
    if (!options) return;
    editor = await start(options);
    await started(editor);
  });
  afterEach(async (context) => {
    if (context.error) await editor?.screenshot(`failed ${context.name}`);
    await editor?.page.keyboard.press("Escape");
  });
  after(() => editor?.close());
}

export class Editor {
  constructor(page, workspace, close) {
    this.page = page;
    this.workspace = workspace;
    this.close = close;
  }

  /** Opens a file of the workspace and waits until its text is there. */
  async open(name) {
    await this.palette(name, "Control+P");
    await this.page.waitForSelector(`.tab.active[data-resource-name="${name}"]`);
    // The text of a code object comes from the server, whose environment the first file sets up.
    await this.page.waitForSelector(".editor-group-container.active .view-line", { timeout: SETUP });
  }

  /** Runs a command by its title. */
  async run(title) {
    await this.palette(title, "F1");
  }

  /** Opens a quick input with a key, types, and takes the first entry that has the text. */
  async palette(text, key) {
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
    // A window that has just opened may not hear a key yet, or look through its files before it has found any.
    await this.eventually(
      async () => {
        await this.page.keyboard.press("Escape");
        await this.page.keyboard.press(key);
        await this.page.waitForTimeout(300);
        await this.page.keyboard.type(text, { delay: 10 });
        return row.waitFor({ timeout: 3000 }).then(
          () => true,
          () => false,
        );
      },
      () => `nothing called ${text} is offered`,
    );
    await row.click();
    // What the entry opens may be a quick input too: what is typed next is for that one.
    await row.waitFor({ state: "hidden" });
    await this.page.mouse.move(24, 500); // where nothing answers to a pointer that rests
  }

  /** Answers the dialog that asks for a file with a path, or with the one that it proposes. */
  async choose(file) {
    const input = this.page.locator(".quick-input-widget input.input");
    await input.waitFor();
    // While the dialog reads a folder it neither keeps what is typed nor hears the key.
    await this.eventually(
      async () => {
        if (!(await input.isVisible())) return true;
        if (file !== undefined) await input.fill(file);
        await this.page.keyboard.press("Enter");
        return input.waitFor({ state: "hidden", timeout: 1000 }).then(
          () => true,
          () => false,
        );
      },
      async () => `the dialog keeps asking, with ${await input.inputValue()}`,
    );
  }

  /** Puts the cursor at a line and a column, both from 1. */
  async goTo(line, column) {
    await this.page.keyboard.press("Control+G");
    const input = this.page.locator(".quick-input-widget input.input");
    await input.waitFor();
    await input.fill(`:${line}:${column}`);
    await this.page.keyboard.press("Enter");
    await input.waitFor({ state: "hidden" });
  }

  /** Waits until the cursor is on a line, from 1. */
  async isAtLine(line) {
    const at = () => this.status("status.editor.selection");
    await this.eventually(
      async () => (await at()).startsWith(`Ln ${line},`),
      async () => `the cursor is at ${await at()}`,
    );
  }

  /** Where a text begins in a file of the workspace as it is on the disk: line and column, both from 1. */
  async find(name, text, offset = 0) {
    const before = (await this.text(name)).split(text)[0];
    const lines = before.split("\n");
    return [lines.length, lines.at(-1).length + 1 + offset];
  }

  /** A file of the workspace as it is on the disk. */
  text(name) {
    return readFile(path.join(this.workspace, name), "utf8");
  }

  /** Saves the file in front and waits until what is on the disk matches. */
  async saved(name, pattern) {
    await this.page.keyboard.press("Control+S");
    await this.eventually(
      async () => pattern.test(await this.text(name)),
      async () => `${pattern} is not in ${await this.text(name)}`,
    );
  }

  /** What the editor in front shows: the visible lines with what is shown between the text. */
  async shown() {
    const lines = await this.page.locator(".editor-group-container.active .view-line").allInnerTexts();
    return lines.join("\n").replaceAll("\u00a0", " ");
  }

  /** The findings of the Problems panel, a line each. */
  async problems() {
    return (await this.page.locator(".markers-panel .monaco-list-row").allInnerTexts()).map((row) =>
      row.replaceAll("\n", " "),
    );
  }

  /** The text of an item of the status bar, "" where it is not shown. Asked at once: the item may go at any time. */
  async status(id) {
    const [text = ""] = await this.page.locator(`.statusbar-item[id*="${id}"]`).allInnerTexts();
    return text.trim();
  }

  /** What the hover says, "" while none is shown. */
  async hover() {
    const [text = ""] = await this.page.locator(".monaco-hover-content:visible").allInnerTexts();
    return text;
  }

  /** Shows the hover at the cursor. It is asked for again: it goes when the view scrolls, as when lenses arrive above. */
  async showHover(pattern) {
    await this.eventually(
      async () => {
        await this.run("Show or Focus Hover");
        const end = Date.now() + 5000;
        while (!pattern.test(await this.hover()) && Date.now() < end) await this.page.waitForTimeout(100);
        return pattern.test(await this.hover());
      },
      async () => `the hover says "${await this.hover()}"`,
    );
  }

  /** The language of the file in front, as the status bar names it. */
  language() {
    return this.status("status.editor.mode");
  }

  /** Keeps a picture of the window, or of a part of it. */
  async screenshot(name, clip) {
    await this.page.waitForTimeout(300); // what fades in has done so
    await this.page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), ...(clip && { clip }) });
  }

  /** Waits until a condition holds; the message says what was seen in place of it. */
  async eventually(condition, message) {
    await until(condition, message);
  }
}

async function until(condition, message) {
  const end = Date.now() + PATIENCE;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(typeof message === "function" ? await message() : message);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
