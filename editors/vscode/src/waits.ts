// Rewrites the waits of a file with the fewest sound ones: the command "Reinsert waits". It shows the whole change first,
// as a difference; parts of it would not be sound.

import * as path from "node:path";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { isServed, LANGUAGE } from "./languages";

const SCHEME = "gcn-lsp-waits";
const APPLY = "Apply";
const DISCARD = "Discard";

/** The server's answer to `gcn-lsp/reinsertWaits`. */
interface Reinserted {
  readonly edits: readonly { readonly range: vscode.Range; readonly newText: string }[];
  readonly waits: number;
  readonly removed: number;
  readonly added: number;
  readonly left: string;
  readonly tokens: readonly number[];
}

/** A change that is shown: of a version of a document. */
interface Proposal {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly edits: readonly vscode.TextEdit[];
  readonly shown: vscode.Uri;
  readonly tokens: readonly number[];
}

export class Waits
  implements vscode.TextDocumentContentProvider, vscode.DocumentSemanticTokensProvider, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable;
  private colours: vscode.Disposable | undefined;
  private proposal: Proposal | undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: ServerConnection) {
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand("gcn-lsp.reinsertWaits", () => this.propose()),
      vscode.commands.registerCommand("gcn-lsp.applyWaits", () => this.apply()),
    );
  }

  provideTextDocumentContent(): string {
    if (!this.proposal) return "";
    const { document, edits } = this.proposal;
    let text = document.getText();
    for (const { range, newText } of [...edits].reverse()) {
      text = text.slice(0, document.offsetAt(range.start)) + newText + text.slice(document.offsetAt(range.end));
    }
    return text;
  }

  provideDocumentSemanticTokens(): vscode.SemanticTokens | undefined {
    return this.proposal && new vscode.SemanticTokens(new Uint32Array(this.proposal.tokens));
  }

  dispose(): void {
    this.colours?.dispose();
    this.subscriptions.dispose();
  }

  private async propose(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !isServed(document)) return;
    const version = document.version;
    const answer = await this.server.request<Reinserted>("gcn-lsp/reinsertWaits", { uri: document.uri.toString() });
    if (!answer || document.version !== version) return; // Typed in meanwhile: the edits are of another text.
    if (answer.edits.length === 0) {
      vscode.window.showInformationMessage(`The ${answer.waits} waits of this file are the fewest that are sound.`);
      return;
    }
    const edits = answer.edits.map(({ range: { start, end }, newText }) => {
      const place = new vscode.Range(start.line, start.character, end.line, end.character);
      return new vscode.TextEdit(place, newText);
    });
    const shown = vscode.Uri.from({ scheme: SCHEME, path: document.uri.path });
    this.proposal = { document, version, edits, shown, tokens: answer.tokens };
    this.colours ??= this.server.colour(SCHEME, this);
    this.changed.fire(shown); // One that is open already is from an earlier time.
    await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(shown), LANGUAGE);
    const counts = `${answer.removed} removed, ${answer.added} added`;
    const title = `${path.posix.basename(document.uri.path)}: waits, ${counts}`;
    await vscode.commands.executeCommand("vscode.diff", document.uri, shown, title);
    const left = answer.left && `; left: ${answer.left}`;
    const chosen = await vscode.window.showInformationMessage(`Reinsert waits: ${counts}${left}.`, APPLY, DISCARD);
    if (chosen === APPLY) await this.apply();
    if (chosen === DISCARD) await this.close();
  }

  /** Makes the change that is shown, unless the text has changed since. */
  private async apply(): Promise<void> {
    const proposal = this.proposal;
    if (!proposal) return;
    await this.close();
    if (proposal.document.version !== proposal.version) {
      vscode.window.showWarningMessage("The file has changed since its waits were reinserted: reinsert them again.");
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.set(proposal.document.uri, [...proposal.edits]);
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(proposal.document);
  }

  private async close(): Promise<void> {
    this.proposal = undefined;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter(({ input }) => isProposal(input)));
  }
}

function isProposal(input: unknown): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === SCHEME;
}
