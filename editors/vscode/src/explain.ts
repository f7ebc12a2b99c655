// Shows the page about a rule or a mnemonic: a command, and an action on each finding of ours.

import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { LANGUAGE, servedDocument } from "./languages";
import { reportNoKernel } from "./messages";
import { EXPLAIN, ruleOf } from "./rule-links";

interface Explanation {
  readonly name: string;
  readonly markdown: string;
}

/** One entry of the server's answer to `gcn-lsp/names`. */
interface Name {
  readonly name: string;
  readonly kind: "rule" | "mnemonic";
  readonly summary: string;
}

const SCHEME = "gcn-lsp-page";

export function registerExplain(server: ServerConnection): vscode.Disposable {
  const pages = new Map<string, string>();
  const show = async (name?: string): Promise<void> => {
    const document = servedDocument();
    if (!document) return reportNoKernel();
    const wanted = name ?? (await ask(server, document));
    if (!wanted) return;
    const page = await server.request<Explanation>("gcn-lsp/explain", { uri: document.uri.toString(), name: wanted });
    if (!page) {
      vscode.window.showInformationMessage(`${wanted} is not a rule, a mnemonic or a known idea.`);
      return;
    }
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${page.name}.md` });
    pages.set(uri.path, page.markdown);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  };
  return vscode.Disposable.from(
    vscode.commands.registerCommand(EXPLAIN, show),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => pages.get(uri.path) ?? "",
    }),
    vscode.languages.registerCodeActionsProvider(LANGUAGE, {
      provideCodeActions: (_document, _range, context) =>
        context.only ? [] : rules(context.diagnostics).map((rule) => explainAction(rule)),
    }),
  );
}

/** Offers all rules and the mnemonics of the file's target; a name that only other targets have can be typed. */
async function ask(server: ServerConnection, document: vscode.TextDocument): Promise<string | undefined> {
  const names = await server.request<readonly Name[]>("gcn-lsp/names", { uri: document.uri.toString() });
  if (!names) return vscode.window.showInputBox({ prompt: "Mnemonic or rule", value: wordAtCursor() });
  const list = vscode.window.createQuickPick();
  list.title = "What does it do?";
  list.placeholder = "A mnemonic, a rule, or a word of what it does";
  list.matchOnDescription = true;
  list.items = entries(names);
  const word = wordAtCursor().toLowerCase();
  const plain = word.replace(/_(?:e64_dpp|e64|e32|dpp|sdwa)$/, "");
  list.value = names.find(({ name }) => name === word || name === plain)?.name ?? "";
  try {
    return await new Promise((resolve) => {
      list.onDidAccept(() => resolve(list.activeItems[0]?.label ?? list.value));
      list.onDidHide(() => resolve(undefined));
      list.show();
    });
  } finally {
    list.dispose();
  }
}

/** Mnemonics first: they are requested most. */
function entries(names: readonly Name[]): vscode.QuickPickItem[] {
  const of = (kind: Name["kind"], label: string): vscode.QuickPickItem[] => [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...names.filter((each) => each.kind === kind).map(({ name, summary }) => ({ label: name, description: summary })),
  ];
  return [...of("mnemonic", "mnemonics of this target"), ...of("rule", "rules")];
}

/** The rules of our findings, each once. */
function rules(diagnostics: readonly vscode.Diagnostic[]): readonly string[] {
  return [...new Set(diagnostics.map(ruleOf).filter((rule) => rule !== undefined))];
}

function explainAction(rule: string): vscode.CodeAction {
  const action = new vscode.CodeAction(`Explain ${rule}`, vscode.CodeActionKind.Empty);
  action.command = { command: EXPLAIN, title: action.title, arguments: [rule] };
  return action;
}

function wordAtCursor(): string {
  const editor = vscode.window.activeTextEditor;
  const range = editor?.document.getWordRangeAtPosition(editor.selection.active);
  return range && editor ? editor.document.getText(range) : "";
}
