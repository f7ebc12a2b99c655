// The messages about a missing server or one that does not start, each with buttons for remedies.

import * as vscode from "vscode";
import type { Missing } from "./find";
import { OLDEST, type Unfit } from "./python";

const INSTALL = "How to Install";
const SETTINGS = "Open Settings";
const RETRY = "Try Again";
const OUTPUT = "Show Output";
const DOWNLOAD = "Get Python";
const CHOOSE = "Choose Python…";
const AGAIN = "Set Up Again";
const KERNEL = "New Kernel";

const DOWNLOADS = "https://www.python.org/downloads/";

export function reportMissing(missing: Missing): void {
  const sentence = missing.settingIsWrong
    ? `The setting gcn-lsp.server.path does not lead to a server. ${missing.looked.join(" ")}`
    : `The gcn-lsp language server was not found. ${missing.looked.join(" ")}`;
  void offer(vscode.window.showWarningMessage(plain(sentence), INSTALL, SETTINGS, RETRY));
}

/** No Python was found that can make the server's environment. */
export function reportUnfitPython(unfit: Unfit): void {
  const seen = unfit.looked.join(" ");
  const wanted = `Python ${OLDEST.join(".")} or newer`;
  const sentences: Record<Unfit["kind"], string> = {
    "no-python": `gcn-lsp needs ${wanted} to run, and found none. ${seen}`,
    "no-venv": `gcn-lsp cannot make its environment. ${seen} On Debian and Ubuntu, "sudo apt install python3-venv" helps.`,
    setting: `The setting gcn-lsp.server.python is not ${wanted} with the module venv. ${seen}`,
  };
  const buttons = unfit.kind === "no-python" ? [DOWNLOAD, CHOOSE, RETRY] : [CHOOSE, SETTINGS, RETRY];
  void offer(vscode.window.showErrorMessage(plain(sentences[unfit.kind]), ...buttons));
}

/** A command needs a kernel, and none is open. */
export function reportNoKernel(): void {
  void offer(vscode.window.showInformationMessage("Open a kernel first: this depends on its target.", KERNEL));
}

export function reportFailedSetUp(reason: string): void {
  void offer(
    vscode.window.showErrorMessage(`The gcn-lsp server could not be set up: ${reason}`, OUTPUT, CHOOSE, RETRY),
  );
}

export function reportFailure(command: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  const sentence = `The gcn-lsp server did not start: ${command}: ${reason}`;
  void offer(vscode.window.showErrorMessage(sentence, OUTPUT, SETTINGS, AGAIN));
}

const ACTIONS: Readonly<Record<string, () => Thenable<unknown>>> = {
  [INSTALL]: showInstallation,
  [SETTINGS]: () => vscode.commands.executeCommand("workbench.action.openSettings", "gcn-lsp.server"),
  [RETRY]: () => vscode.commands.executeCommand("gcn-lsp.restart"),
  [OUTPUT]: () => vscode.commands.executeCommand("gcn-lsp.showOutput"),
  [DOWNLOAD]: () => vscode.env.openExternal(vscode.Uri.parse(DOWNLOADS)),
  [CHOOSE]: choosePython,
  [KERNEL]: () => vscode.commands.executeCommand("gcn-lsp.newKernel"),
  [AGAIN]: () => vscode.commands.executeCommand("gcn-lsp.setUpServer"),
};

async function offer(choice: Thenable<string | undefined>): Promise<void> {
  const chosen = await choice;
  if (chosen !== undefined) await ACTIONS[chosen]?.();
}

/** Paths are in backticks, which a message shows literally. */
function plain(sentence: string): string {
  return sentence.replaceAll("`", "").trimEnd();
}

/** The change of the setting starts the server again. */
async function choosePython(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({ title: "The Python that runs gcn-lsp", openLabel: "Use" });
  const file = chosen?.[0]?.fsPath;
  if (file === undefined) return;
  const configuration = vscode.workspace.getConfiguration("gcn-lsp");
  await configuration.update("server.python", file, vscode.ConfigurationTarget.Global);
}

/** The README in the extension has the steps; it needs no network. */
async function showInstallation(): Promise<void> {
  const folder = vscode.extensions.getExtension("gcn-lsp.gcn-lsp")?.extensionUri;
  if (!folder) return;
  // Packing the extension changes the case of the name.
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  const readme = names.find((name) => name.toLowerCase() === "readme.md");
  if (readme === undefined) return;
  const uri = vscode.Uri.joinPath(folder, readme).with({ fragment: "the-server" });
  await vscode.commands.executeCommand("markdown.showPreview", uri);
}
