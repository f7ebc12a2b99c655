// Rewrites the waits of the file in front, with the fewest sound ones: the command "Reinsert waits". The edits are shown
// before they are made.

import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { isServed } from "./languages";

/** The server's answer to `gcn-lsp/reinsertWaits`. */
interface Reinserted {
  readonly edits: readonly { readonly range: vscode.Range; readonly newText: string }[];
  readonly waits: number;
  readonly removed: number;
  readonly added: number;
}

const PREVIEW = "Preview";
const APPLY = "Apply";

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
  const counted = `Reinserting waits: ${answer.removed} removed, ${answer.added} added.`;
  const chosen = await vscode.window.showInformationMessage(counted, PREVIEW, APPLY);
  if (chosen === undefined || document.version !== version) return;
  const description = `${answer.removed} removed, ${answer.added} added`;
  const metadata = { needsConfirmation: chosen === PREVIEW, label: "Reinsert waits", description };
  const edit = new vscode.WorkspaceEdit();
  for (const { range, newText } of answer.edits) {
    const { start, end } = range;
    const place = new vscode.Range(start.line, start.character, end.line, end.character);
    edit.replace(document.uri, place, newText, metadata);
  }
  await vscode.workspace.applyEdit(edit, { isRefactoring: true });
}
