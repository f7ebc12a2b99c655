// The messages about a server that is not there or does not start, each with buttons for what helps.

import * as vscode from "vscode";
import type { Missing } from "./find";

const INSTALL = "How to Install";
const SETTINGS = "Open Settings";
const RETRY = "Try Again";
const OUTPUT = "Show Output";

export function reportMissing(missing: Missing): void {
  const sentence = missing.settingIsWrong
    ? `The setting gcn-lsp.server.path does not lead to a server. ${missing.looked.join(" ")}`
    : `The gcn-lsp language server was not found. ${missing.looked.join(" ")}`;
  void offer(vscode.window.showWarningMessage(sentence.replaceAll("`", ""), INSTALL, SETTINGS, RETRY));
}

export function reportFailure(command: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  void offer(
    vscode.window.showErrorMessage(`The gcn-lsp server did not start: ${command}: ${reason}`, OUTPUT, SETTINGS, RETRY),
  );
}

const ACTIONS: Readonly<Record<string, () => Thenable<unknown>>> = {
  [INSTALL]: showInstallation,
  [SETTINGS]: () => vscode.commands.executeCommand("workbench.action.openSettings", "gcn-lsp.server.path"),
  [RETRY]: () => vscode.commands.executeCommand("gcn-lsp.restart"),
  [OUTPUT]: () => vscode.commands.executeCommand("gcn-lsp.showOutput"),
};

async function offer(choice: Thenable<string | undefined>): Promise<void> {
  const chosen = await choice;
  if (chosen !== undefined) await ACTIONS[chosen]?.();
}

/** The README beside the extension has the steps; it is there without a network, too. */
async function showInstallation(): Promise<void> {
  const folder = vscode.extensions.getExtension("gcn-lsp.gcn-lsp")?.extensionUri;
  if (!folder) return;
  // Packing the extension changes the case of the name.
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  const readme = names.find((name) => name.toLowerCase() === "readme.md");
  if (readme === undefined) return;
  const uri = vscode.Uri.joinPath(folder, readme).with({ fragment: "installing-the-server" });
  await vscode.commands.executeCommand("markdown.showPreview", uri);
}
