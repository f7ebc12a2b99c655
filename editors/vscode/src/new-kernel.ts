// The command "New kernel": an untitled file with the frame of a kernel for a target.

import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { LANGUAGE } from "./languages";
import { pickTarget } from "./target";

interface NewKernel {
  readonly snippet: string;
}

export async function newKernel(server: ServerConnection, context: vscode.ExtensionContext): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: LANGUAGE, content: "" });
  const editor = await vscode.window.showTextDocument(document);
  await server.settled(); // The first kernel of all sets the server up.
  const uri = document.uri.toString();
  const target = await pickTarget(server, context, uri);
  const made = target && (await server.request<NewKernel>("gcn-lsp/newKernel", { uri, target }));
  if (made) await editor.insertSnippet(new vscode.SnippetString(made.snippet), new vscode.Position(0, 0));
}
