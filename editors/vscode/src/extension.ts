// Entry point: wires the server, the languages of open files, the commands and the status bar together.

import * as vscode from "vscode";
import { CompiledAssembly } from "./assembly";
import { checkProject } from "./check-project";
import { SAVE, ServerConnection, save } from "./client";
import { ControlFlowView } from "./control-flow";
import { registerDebugger } from "./debug";
import { DerivedTexts } from "./derived";
import { registerExplain } from "./explain";
import { indentAsTheFile } from "./indentation";
import { LanesView } from "./lanes";
import { goToLine, isServed, recogniseDocuments } from "./languages";
import { newKernel } from "./new-kernel";
import { CodeObjects } from "./objects";
import { closeHintsAtLineBreaks } from "./parameter-hints";
import { ReportView } from "./report";
import { OwnEnvironment } from "./setup";
import { watchPython } from "./surroundings";
import { TargetDisplay } from "./target";
import { Waits } from "./waits";

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("gcn-lsp", { log: true });
  const own = new OwnEnvironment(context, output);
  const server = new ServerConnection(output, context.extensionPath, own);
  const target = new TargetDisplay(server, context);
  const derived = new DerivedTexts(server);
  const report = new ReportView(server);
  const controlFlow = new ControlFlowView(server, context.extensionUri);
  const restart = () => server.restart(vscode.window.activeTextEditor?.document.uri);
  const restartIfUsed = () => vscode.workspace.textDocuments.some(isServed) && restart();
  context.subscriptions.push(
    output,
    target,
    derived,
    report,
    controlFlow,
    new CodeObjects(server),
    new CompiledAssembly(server),
    new Waits(server),
    recogniseDocuments(),
    closeHintsAtLineBreaks(),
    indentAsTheFile(),
    registerExplain(server),
    registerDebugger(server, own),
    new LanesView(),
    vscode.commands.registerCommand("gcn-lsp.restart", restart),
    vscode.commands.registerCommand("gcn-lsp.showOutput", () => output.show()),
    vscode.commands.registerCommand("gcn-lsp.setUpServer", () =>
      server.setUpAgain(vscode.window.activeTextEditor?.document.uri),
    ),
    vscode.commands.registerCommand("gcn-lsp.checkProject", () => checkProject(server)),
    vscode.commands.registerCommand("gcn-lsp.pickTarget", () => target.pick()),
    vscode.commands.registerCommand(SAVE, save),
    vscode.commands.registerCommand("gcn-lsp.newKernel", () => newKernel(server, context)),
    vscode.commands.registerCommand("gcn-lsp.showControlFlow", (uri?: unknown, line?: unknown) =>
      typeof uri === "string" && typeof line === "number" ? controlFlow.show(uri, line) : controlFlow.show(),
    ),
    vscode.commands.registerCommand("gcn-lsp.showReport", (uri?: unknown, line?: number, kernel?: string) =>
      typeof uri === "string" ? report.show(uri, line, kernel) : report.show(),
    ),
    vscode.commands.registerCommand("gcn-lsp.rename", (uri: string, line: number, column: number) =>
      vscode.commands.executeCommand("editor.action.rename", [
        vscode.Uri.parse(uri),
        new vscode.Position(line, column),
      ]),
    ),
    vscode.commands.registerCommand("gcn-lsp.goToLine", (uri: string, line: number) =>
      goToLine(vscode.Uri.parse(uri), line),
    ),
    vscode.commands.registerCommand("gcn-lsp.showExpansion", () => derived.showExpansion()),
    vscode.commands.registerCommand("gcn-lsp.showEncoding", () => derived.showEncoding()),
    vscode.window.onDidChangeActiveTextEditor(() => server.tick()),
    vscode.workspace.onDidOpenTextDocument((document) => server.startFor(document)),
    // A source that had no inline assembly may have some now.
    vscode.workspace.onDidSaveTextDocument((document) => server.startFor(document)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("gcn-lsp.server")) restartIfUsed();
    }),
    server,
  );
  for (const document of vscode.workspace.textDocuments) server.startFor(document);
  const python = await watchPython(restartIfUsed);
  if (python) context.subscriptions.push(python);
}
