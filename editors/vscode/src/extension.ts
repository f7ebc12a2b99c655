// Entry point: wires the server, the languages of open files, the commands and the status bar together.

import * as vscode from "vscode";
import { SAVE, ServerConnection, save } from "./client";
import { ControlFlowView } from "./control-flow";
import { ExpansionView } from "./expansion";
import { registerExplain } from "./explain";
import { isServed, LANGUAGE, recogniseDocuments } from "./languages";
import { CodeObjects } from "./objects";
import { OwnEnvironment } from "./setup";
import { watchPython } from "./surroundings";
import { TargetDisplay } from "./target";
import { reinsertWaits } from "./waits";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("gcn-lsp");
  const own = new OwnEnvironment(context, output);
  const server = new ServerConnection(output, context.extensionPath, own);
  const target = new TargetDisplay(server, context);
  const expansion = new ExpansionView(server);
  const controlFlow = new ControlFlowView(server, context.extensionUri);
  const restart = () => server.restart(vscode.window.activeTextEditor?.document.uri);
  const restartIfUsed = () => vscode.workspace.textDocuments.some(isServed) && restart();
  context.subscriptions.push(
    output,
    target,
    expansion,
    controlFlow,
    new CodeObjects(server),
    recogniseDocuments(),
    registerExplain(server),
    vscode.commands.registerCommand("gcn-lsp.restart", restart),
    vscode.commands.registerCommand("gcn-lsp.showOutput", () => output.show()),
    vscode.commands.registerCommand("gcn-lsp.setUpServer", () =>
      server.setUpAgain(vscode.window.activeTextEditor?.document.uri),
    ),
    vscode.commands.registerCommand("gcn-lsp.pickTarget", () => target.pick()),
    vscode.commands.registerCommand(SAVE, save),
    vscode.commands.registerCommand("gcn-lsp.newKernel", newKernel),
    vscode.commands.registerCommand("gcn-lsp.showControlFlow", () => controlFlow.show()),
    vscode.commands.registerCommand("gcn-lsp.reinsertWaits", () => reinsertWaits(server)),
    vscode.commands.registerCommand("gcn-lsp.showExpansion", () => expansion.show()),
    vscode.workspace.onDidOpenTextDocument((document) => server.startFor(document)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("gcn-lsp.server")) restartIfUsed();
    }),
    server,
  );
  for (const document of vscode.workspace.textDocuments) server.startFor(document);
  const python = await watchPython(restartIfUsed);
  if (python) context.subscriptions.push(python);
}

/** The walkthrough's command: an empty file in our language, with the snippet for a kernel in it. */
async function newKernel(): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: LANGUAGE, content: "" });
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand("editor.action.insertSnippet", { langId: LANGUAGE, name: "Kernel" });
}
