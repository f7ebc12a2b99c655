// The command "New kernel": an untitled file with the frame of a kernel for a target.

import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { LANGUAGE } from "./languages";
import { pickTarget } from "./target";

interface NewKernel {
  readonly snippet: string;
}

export async function newKernel(server: ServerConnection, context: vscode.ExtensionContext): Promise<void> {
  const opened = vscode.workspace.openTextDocument({ language: LANGUAGE, content: "" }); // It starts the server.
  const target = await pickTarget(server, context, opened);
  if (!target) return;
  const document = await opened;
  const editor = await vscode.window.showTextDocument(document);
  const uri = document.uri.toString();
  const made = await server.request<NewKernel>("gcn-lsp/newKernel", { uri, target });
  if (made) await editor.insertSnippet(new vscode.SnippetString(made.snippet), new vscode.Position(0, 0));
}
