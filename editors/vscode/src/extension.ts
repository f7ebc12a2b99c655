// Entry point: wires the server, the languages of open files, the commands and the status bar together.

import * as vscode from "vscode";
import { ServerConnection } from "./client";
import { ExpansionView } from "./expansion";
import { registerExplain } from "./explain";
import { isServed, recogniseDocuments } from "./languages";
import { watchPython } from "./surroundings";
import { TargetDisplay } from "./target";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("gcn-lsp");
  const server = new ServerConnection(output, context.extensionPath);
  const target = new TargetDisplay(server);
  const expansion = new ExpansionView(server);
  const restart = () => server.restart(vscode.window.activeTextEditor?.document.uri);
  const restartIfUsed = () => vscode.workspace.textDocuments.some(isServed) && restart();
  context.subscriptions.push(
    output,
    target,
    expansion,
    recogniseDocuments(),
    registerExplain(server),
    vscode.commands.registerCommand("gcn-lsp.restart", restart),
    vscode.commands.registerCommand("gcn-lsp.showOutput", () => output.show()),
    vscode.commands.registerCommand("gcn-lsp.showTarget", () => target.show()),
    vscode.commands.registerCommand("gcn-lsp.showExpansion", () => expansion.show()),
    vscode.workspace.onDidOpenTextDocument((document) => server.startFor(document)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("gcn-lsp.server.path")) restartIfUsed();
    }),
    server,
  );
  for (const document of vscode.workspace.textDocuments) server.startFor(document);
  const python = await watchPython(restartIfUsed);
  if (python) context.subscriptions.push(python);
}
