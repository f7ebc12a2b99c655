// Shows the expansion of lines of assembly, in a read-only document beside them: the command "Show expansion".

import * as path from "node:path";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { isServed, LANGUAGE } from "./languages";

const SCHEME = "gcn-lsp-expansion";

/** The server's answer to `gcn-lsp/expand`. */
interface Expansion {
  readonly text: string;
}

/** The source of an expansion: the document and its lines, inclusive. */
interface Source {
  readonly uri: string;
  readonly first: number;
  readonly last: number;
}

export class ExpansionView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: ServerConnection) {
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    );
  }

  /** The command: expands the selected lines, or the line of the cursor. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !isServed(editor.document)) return;
    const { start, end } = editor.selection;
    // A selection that ends at the start of a line excludes that line.
    const last = end.line > start.line && end.character === 0 ? end.line - 1 : end.line;
    const uri = uriOf({ uri: editor.document.uri.toString(), first: start.line, last });
    const document = await vscode.workspace.openTextDocument(uri);
    this.changed.fire(uri); // One that is open already is from an earlier time.
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const source: Source = JSON.parse(uri.query);
    const answer = await this.server.request<Expansion>("gcn-lsp/expand", {
      textDocument: { uri: source.uri },
      range: { start: { line: source.first, character: 0 }, end: { line: source.last, character: 1 } },
    });
    return answer?.text ?? "// No expansion: the language server is not running.\n";
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

/** The tab's title is the last part of the path. */
function uriOf(source: Source): vscode.Uri {
  const name = path.posix.basename(vscode.Uri.parse(source.uri).path);
  const lines = source.first === source.last ? `${source.first + 1}` : `${source.first + 1}-${source.last + 1}`;
  return vscode.Uri.from({ scheme: SCHEME, path: `${name}:${lines} (expanded)`, query: JSON.stringify(source) });
}
