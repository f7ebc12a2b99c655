// Rewrites the waits of the file in front, with the fewest sound ones: the command "Reinsert waits".

import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { isServed } from "./languages";

/** The server's answer to `gcn-lsp/reinsertWaits`. */
interface Reinserted {
  readonly edits: readonly { readonly range: vscode.Range; readonly newText: string }[];
  readonly waits: number;
}

export async function reinsertWaits(server: ServerConnection): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !isServed(document)) return;
  const version = document.version;
  const answer = await server.request<Reinserted>("gcn-lsp/reinsertWaits", { uri: document.uri.toString() });
  if (!answer || document.version !== version) return; // Typed in meanwhile: the edits are of another text.
  if (answer.edits.length === 0) {
    vscode.window.showInformationMessage(`The ${answer.waits} waits of this file are the fewest that are sound.`);
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of answer.edits) {
    const { start, end } = range;
    edit.replace(document.uri, new vscode.Range(start.line, start.character, end.line, end.character), newText);
  }
  await vscode.workspace.applyEdit(edit);
}
