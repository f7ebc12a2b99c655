// Shows the target of the file in front and the reason for it, and offers others: a status bar item.

import * as path from "node:path";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { isServed, servedDocument } from "./languages";
import { reportNoKernel } from "./messages";
import { withoutTargetComment, withTarget } from "./target-comment";

/** The server's answer to `gcn-lsp/target`; the target is null if it is not known. */
export interface TargetAnswer {
  readonly target: string | null;
  readonly reason: string;
  readonly label: string;
  readonly markdown: string;
}

/** One entry of the server's answer to `gcn-lsp/targets`. */
interface TargetName {
  readonly name: string;
  readonly generation: string;
  readonly otherNames: readonly string[];
}

/** Bursts of published diagnostics, as when typing, ask only once. */
const SETTLE_MILLISECONDS = 150;

export class TargetDisplay implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("gcn-lsp.target", vscode.StatusBarAlignment.Right, 99);
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly server: ServerConnection) {
    this.item.name = "GPU target";
    this.item.command = "gcn-lsp.pickTarget";
    this.subscriptions = vscode.Disposable.from(
      this.item,
      server.onDidChange(() => this.refreshSoon()),
      vscode.window.onDidChangeActiveTextEditor(() => this.refreshSoon()),
    );
  }

  /** The command: a list of all targets, the file's own at the top, then where the choice is to be written. */
  async pick(): Promise<void> {
    const document = servedDocument();
    if (!document) return reportNoKernel();
    const answer = await this.ask(document);
    const names = await this.server.request<readonly TargetName[]>("gcn-lsp/targets", { uri: document.uri.toString() });
    if (!answer || !names) {
      const restart = "Restart Server";
      const sentence = "The language server is not running, so the target is not known.";
      const chosen = await vscode.window.showInformationMessage(sentence, restart);
      if (chosen === restart) await vscode.commands.executeCommand("gcn-lsp.restart");
      return;
    }
    const name = path.basename(document.uri.path);
    const chosen = await vscode.window.showQuickPick(entries(names, answer), {
      title: `${name}: ${describe(answer)}`,
      placeHolder: "Another target",
      matchOnDescription: true,
    });
    if (chosen?.target === undefined) return;
    const place = await vscode.window.showQuickPick(places(document, chosen.target), {
      title: chosen.target === null ? "Let the file say its target" : `Target ${chosen.target}`,
      placeHolder: "For which files?",
    });
    await place?.write();
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
    this.item.text = `$(chip) ${answer.label}`;
    this.item.tooltip = new vscode.MarkdownString(answer.markdown);
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

/** A line of the list; `target` is null for "let the file say", and missing for separators. */
interface Entry extends vscode.QuickPickItem {
  readonly target?: string | null;
}

function entries(names: readonly TargetName[], answer: TargetAnswer): Entry[] {
  const list: Entry[] = [{ label: "$(file-code) Let each file say its own", target: null }];
  let generation = "";
  for (const { name, generation: its, otherNames } of names) {
    if (its !== generation) list.push({ label: its, kind: vscode.QuickPickItemKind.Separator });
    generation = its;
    const icon = name === answer.target ? "$(check)" : "$(chip)";
    list.push({ label: `${icon} ${name}`, description: otherNames.join(", "), target: name });
  }
  return list;
}

interface Place extends vscode.QuickPickItem {
  write(): Thenable<unknown>;
}

function places(document: vscode.TextDocument, target: string | null): Place[] {
  const setting = (where: vscode.ConfigurationTarget) => () =>
    vscode.workspace.getConfiguration("gcn-lsp", document.uri).update("target", target ?? undefined, where);
  const everywhere: Place = {
    label: "$(settings-gear) All files, by your settings",
    write: setting(vscode.ConfigurationTarget.Global),
  };
  const here: Place = {
    label: "$(root-folder) This workspace, by its settings",
    write: setting(vscode.ConfigurationTarget.Workspace),
  };
  const file: Place = {
    label: target === null ? "$(file-code) This file: remove its comment" : "$(file-code) This file, in its text",
    write: () => writeTarget(document, target),
  };
  return vscode.workspace.workspaceFolders ? [file, here, everywhere] : [file, everywhere];
}

async function writeTarget(document: vscode.TextDocument, target: string | null): Promise<void> {
  const text = document.getText();
  const changed = target === null ? withoutTargetComment(text) : withTarget(text, target);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), changed);
  await vscode.workspace.applyEdit(edit);
}

function describe(answer: TargetAnswer): string {
  const why = answer.reason === "" ? "" : `: ${answer.reason}`;
  return answer.target === null ? `no target is known${why}` : `target ${answer.target}${why}`;
}
