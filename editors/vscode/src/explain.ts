// Shows the page about a rule or a mnemonic: a command, and an action on each finding of ours.

import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { LANGUAGE } from "./languages";

interface Explanation {
  readonly name: string;
  readonly markdown: string;
}

const COMMAND = "gcn-lsp.explain";
const SCHEME = "gcn-lsp-page";

export function registerExplain(server: ServerConnection): vscode.Disposable {
  const pages = new Map<string, string>();
  const show = async (name?: string): Promise<void> => {
    const document = vscode.window.activeTextEditor?.document;
    const wanted = name ?? (await vscode.window.showInputBox({ prompt: "Rule or mnemonic", value: wordAtCursor() }));
    if (!document || !wanted) return;
    const page = await server.request<Explanation>("gcn-lsp/explain", { uri: document.uri.toString(), name: wanted });
    if (!page) {
      vscode.window.showInformationMessage(`${wanted} is neither a rule nor a mnemonic.`);
      return;
    }
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${page.name}.md` });
    pages.set(uri.path, page.markdown);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand(COMMAND, show),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => pages.get(uri.path) ?? "",
    }),
    vscode.languages.registerCodeActionsProvider(LANGUAGE, {
      provideCodeActions: (_document, _range, context) =>
        context.only ? [] : rules(context.diagnostics).map((rule) => explainAction(rule)),
    }),
  );
}

/** The rules of our findings, each once. */
function rules(diagnostics: readonly vscode.Diagnostic[]): readonly string[] {
  const ours = diagnostics.filter((diagnostic) => diagnostic.source === "gcn-lsp");
  return [...new Set(ours.map((diagnostic) => diagnostic.code).filter((code) => typeof code === "string"))];
}

function explainAction(rule: string): vscode.CodeAction {
  const action = new vscode.CodeAction(`Explain ${rule}`, vscode.CodeActionKind.Empty);
  action.command = { command: COMMAND, title: action.title, arguments: [rule] };
  return action;
}

function wordAtCursor(): string {
  const editor = vscode.window.activeTextEditor;
  const range = editor?.document.getWordRangeAtPosition(editor.selection.active);
  return range && editor ? editor.document.getText(range) : "";
}
