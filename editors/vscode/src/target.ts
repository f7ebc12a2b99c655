// Shows for which target the server reads the file in front, and why: a status bar item and a command.

import * as path from "node:path";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { isServed } from "./languages";

/** The server's answer to `gcn-lsp/target`; the target is null when nothing says which one it is. */
export interface TargetAnswer {
  readonly target: string | null;
  readonly reason: string;
}

/** Bursts of published diagnostics, as when typing, ask only once. */
const SETTLE_MILLISECONDS = 150;

export class TargetDisplay implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("gcn-lsp.target", vscode.StatusBarAlignment.Right, 99);
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly server: ServerConnection) {
    this.item.name = "GPU target";
    this.item.command = "gcn-lsp.showTarget";
    this.subscriptions = vscode.Disposable.from(
      this.item,
      server.onDidChange(() => this.refreshSoon()),
      vscode.window.onDidChangeActiveTextEditor(() => this.refreshSoon()),
    );
  }

  /** The command: says the target in a message that offers to change it. */
  async show(): Promise<void> {
    const document = this.document();
    if (!document) return;
    const answer = await this.ask(document);
    const name = path.basename(document.uri.path);
    const change = "Change in Settings";
    const sentence = answer
      ? `${name}, ${describe(answer)}`
      : `${name}: the language server is not running, so its target is not known.`;
    const buttons = answer ? [change] : ["Restart Server"];
    const chosen = await vscode.window.showInformationMessage(sentence, ...buttons);
    if (chosen === change) await vscode.commands.executeCommand("workbench.action.openSettings", "gcn-lsp.target");
    else if (chosen !== undefined) await vscode.commands.executeCommand("gcn-lsp.restart");
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
  }

  private refreshSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), SETTLE_MILLISECONDS);
  }

  private async refresh(): Promise<void> {
    const document = this.document();
    const answer = document && (await this.ask(document));
    if (document !== this.document()) return; // Another file came to the front meanwhile; its own refresh follows.
    if (!answer) {
      this.item.hide();
      return;
    }
    this.item.text = `$(chip) ${answer.target ?? "no target"}`;
    this.item.tooltip = describe(answer);
    this.item.backgroundColor =
      answer.target === null ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.show();
  }

  /** The document in front; with the keys in a panel, such as the output, one that is in view. */
  private document(): vscode.TextDocument | undefined {
    const active = vscode.window.activeTextEditor?.document;
    if (active && active.uri.scheme !== "output") return isServed(active) ? active : undefined;
    return vscode.window.visibleTextEditors.map((editor) => editor.document).find(isServed);
  }

  private ask(document: vscode.TextDocument): Promise<TargetAnswer | undefined> {
    return this.server.request<TargetAnswer>("gcn-lsp/target", { uri: document.uri.toString() });
  }
}

function describe(answer: TargetAnswer): string {
  const why = answer.reason === "" ? "" : `: ${answer.reason}`;
  return answer.target === null ? `no target is known${why}` : `target ${answer.target}${why}`;
}
