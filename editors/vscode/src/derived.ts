// Shows assembly that the server derives from a file in a read-only document beside it: the expansion of lines, and the
// bytes of instructions. Both scroll together, and the text has the file's colours.

import * as path from "node:path";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { isServed, LANGUAGE } from "./languages";

const SCHEME = "gcn-lsp-derived";

/** The server's answer; for each line of the text the line of the file that it is from, and semantic tokens. */
interface Derived {
  readonly text: string;
  readonly lines: readonly number[];
  readonly tokens: readonly number[];
}

/** The source of a text: the document, and its lines, inclusive, of an expansion. */
interface Source {
  readonly uri: string;
  readonly lines?: readonly [first: number, last: number];
}

/** A scroll that follows another one must not lead it in turn. */
const FOLLOWS_MILLISECONDS = 250;
const REFRESH_MILLISECONDS = 500;

export class DerivedTexts
  implements vscode.TextDocumentContentProvider, vscode.DocumentSemanticTokensProvider, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly known = new Map<string, Derived>();
  private readonly followed = new Map<vscode.TextEditor, number>();
  private readonly subscriptions: vscode.Disposable;
  private colours: vscode.Disposable | undefined;

  private readonly counterpartOfCursor = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  });
  private refreshing: NodeJS.Timeout | undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: ServerConnection) {
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.window.onDidChangeTextEditorVisibleRanges((change) => this.scroll(change.textEditor)),
      vscode.window.onDidChangeTextEditorSelection((change) => this.point(change.textEditor)),
      this.counterpartOfCursor,
      server.onDidChange(() => this.refreshSoon()),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document.uri)),
    );
  }

  /** The command "Show expansion": of the selected lines, or the line of the cursor. */
  async showExpansion(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !isServed(editor.document)) return;
    const { start, end } = editor.selection;
    // A selection that ends at the start of a line excludes that line.
    const last = end.line > start.line && end.character === 0 ? end.line - 1 : end.line;
    const shown = start.line === last ? `${start.line + 1}` : `${start.line + 1}-${last + 1}`;
    await this.show({ uri: editor.document.uri.toString(), lines: [start.line, last] }, `:${shown} (expanded)`);
  }

  /** The command "Show encoding": of the whole file. */
  async showEncoding(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !isServed(editor.document)) return;
    await this.show({ uri: editor.document.uri.toString() }, " (encoded)");
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const source: Source = JSON.parse(uri.query);
    const answer = await this.ask(source);
    if (!answer) return "// Nothing to show: the language server is not running, or the target is not known.\n";
    this.known.set(uri.toString(), answer);
    return answer.text;
  }

  provideDocumentSemanticTokens(document: vscode.TextDocument): vscode.SemanticTokens | undefined {
    const tokens = this.known.get(document.uri.toString())?.tokens;
    return tokens && new vscode.SemanticTokens(new Uint32Array(tokens));
  }

  dispose(): void {
    clearTimeout(this.refreshing);
    this.colours?.dispose();
    this.subscriptions.dispose();
  }

  private ask(source: Source): Promise<Derived | undefined> {
    if (!source.lines) return this.server.request<Derived>("gcn-lsp/encoded", { uri: source.uri });
    const [first, last] = source.lines;
    return this.server.request<Derived>("gcn-lsp/expand", {
      textDocument: { uri: source.uri },
      range: { start: { line: first, character: 0 }, end: { line: last, character: 1 } },
    });
  }

  private async show(source: Source, ending: string): Promise<void> {
    this.colours ??= this.server.colour(SCHEME, this);
    const name = path.posix.basename(vscode.Uri.parse(source.uri).path);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `${name}${ending}`, query: JSON.stringify(source) });
    const document = await vscode.workspace.openTextDocument(uri);
    this.changed.fire(uri); // One that is open already is from an earlier time.
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    const options = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: true };
    await vscode.window.showTextDocument(document, options);
    const origin = vscode.window.visibleTextEditors.find((each) => each.document.uri.toString() === source.uri);
    if (origin) this.point(origin, vscode.TextEditorRevealType.InCenter);
  }

  /** What is shown of whole files follows their edits, after a pause. */
  private refreshSoon(): void {
    clearTimeout(this.refreshing);
    this.refreshing = setTimeout(() => {
      for (const { document } of vscode.window.visibleTextEditors) {
        if (document.uri.scheme === SCHEME && !sourceOf(document).lines) this.changed.fire(document.uri);
      }
    }, REFRESH_MILLISECONDS);
  }

  /** Shows, in the texts derived from a file, what its line at the cursor has become. */
  private point(editor: vscode.TextEditor, how = vscode.TextEditorRevealType.InCenterIfOutsideViewport): void {
    for (const other of vscode.window.visibleTextEditors) {
      if (!isDerived(other.document, editor.document)) continue;
      const origins = this.known.get(other.document.uri.toString())?.lines ?? [];
      const line = editor.selection.active.line;
      const own = origins.flatMap((origin, number) =>
        origin === line ? [new vscode.Range(number, 0, number, 0)] : [],
      );
      other.setDecorations(this.counterpartOfCursor, own);
      const there = own[0]?.start.line ?? this.counterpart(editor.document, other.document, line);
      if (there === undefined) continue;
      this.followed.set(other, Date.now() + FOLLOWS_MILLISECONDS);
      other.revealRange(new vscode.Range(there, 0, there, 0), how);
    }
  }

  /** A change of language closes a document and opens it again in the same turn; only a real close is forgotten. */
  private forget(uri: vscode.Uri): void {
    setTimeout(() => {
      const isOpen = vscode.workspace.textDocuments.some((open) => open.uri.toString() === uri.toString());
      if (!isOpen) this.known.delete(uri.toString());
    }, 0);
  }

  /** Brings the lines that belong together to the top of both editors. */
  private scroll(editor: vscode.TextEditor): void {
    const top = editor.visibleRanges[0]?.start.line;
    if (top === undefined || (this.followed.get(editor) ?? 0) > Date.now()) return;
    for (const other of vscode.window.visibleTextEditors) {
      const there = other === editor ? undefined : this.counterpart(editor.document, other.document, top);
      if (there === undefined) continue;
      this.followed.set(other, Date.now() + FOLLOWS_MILLISECONDS);
      other.revealRange(new vscode.Range(there, 0, there, 0), vscode.TextEditorRevealType.AtTop);
    }
  }

  /** The line of `other` that belongs to a line of `document`, if one of them is derived from the other. */
  private counterpart(document: vscode.TextDocument, other: vscode.TextDocument, line: number): number | undefined {
    if (isDerived(document, other)) return this.known.get(document.uri.toString())?.lines[line];
    if (!isDerived(other, document)) return undefined;
    const lines = this.known.get(other.uri.toString())?.lines ?? [];
    const found = lines.findIndex((origin) => origin >= line);
    return found < 0 ? undefined : found;
  }
}

function isDerived(document: vscode.TextDocument, from: vscode.TextDocument): boolean {
  return document.uri.scheme === SCHEME && sourceOf(document).uri === from.uri.toString();
}

function sourceOf(document: vscode.TextDocument): Source {
  return JSON.parse(document.uri.query);
}
