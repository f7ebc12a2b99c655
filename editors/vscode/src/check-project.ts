// Checks every kernel of the workspace, also those that are not open: the command "Check all kernels". Its findings are
// in the list of problems.

import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { type Checked, found, summary } from "./summary";

const PROBLEMS = "Show Problems";
const OUTPUT = "Show Output";

export async function checkProject(server: ServerConnection): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) {
    vscode.window.showInformationMessage("Open a folder first: its kernels are checked.");
    return;
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "Checking kernels", cancellable: true };
  const checked = await vscode.window.withProgress(options, async (progress, token) => {
    await server.ensureStarted(folder.uri);
    return server.requestWithProgress<Checked>("gcn-lsp/checkProject", token, progress);
  });
  if (!checked) return; // Cancelled, or there is no server, which has a message of its own.
  const buttons = [...(found(checked) > 0 ? [PROBLEMS] : []), ...(checked.failed > 0 ? [OUTPUT] : [])];
  const chosen = await vscode.window.showInformationMessage(summary(checked), ...buttons);
  if (chosen === PROBLEMS) await vscode.commands.executeCommand("workbench.actions.view.problems");
  if (chosen === OUTPUT) await vscode.commands.executeCommand("gcn-lsp.showOutput");
}
