// Shows the target of the file in front and the reason for it, and offers others: a status bar item.

import * as path from "node:path";
import * as vscode from "vscode";
import type { ProtocolEdit, ServerConnection } from "./client";
import { isServed, servedDocument } from "./languages";
import { reportNoKernel } from "./messages";
import { withoutTargetComment, withTarget } from "./target-comment";
import { further, matching, type TargetName } from "./target-names";

/** The server's answer to `gcn-lsp/target`; candidates: the other targets that an assumed one may be. */
export interface TargetAnswer {
  readonly target: string;
  readonly assumed: boolean;
  readonly candidates: readonly string[];
  readonly reason: string;
  readonly label: string;
  readonly markdown: string;
}

/** One place of the server's answer to `gcn-lsp/writeTarget`; `file` is empty for the text of the file itself. */
interface TargetEdit {
  readonly title: string;
  readonly file: string;
  readonly edit: ProtocolEdit;
}

const RECENT = "recentTargets";
const MOST_RECENT = 5;
const HAS_TOLD = "hasToldAssumedTarget";

/** Bursts of published diagnostics, as when typing, ask only once. */
const SETTLE_MILLISECONDS = 150;

export class TargetDisplay implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("gcn-lsp.target", vscode.StatusBarAlignment.Right, 99);
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly server: ServerConnection,
    private readonly context: vscode.ExtensionContext,
  ) {
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
    const recent = this.context.globalState.get<readonly string[]>(RECENT, []);
    const title = `${name}: ${describe(answer)}`;
    const chosen = await choose(entries(names, answer, recent), title, "Another target");
    if (chosen === undefined) return;
    await this.write(document, chosen);
  }

  /** Asks for which files a target is, and writes it there. */
  private async write(document: vscode.TextDocument, target: string | null): Promise<void> {
    if (target !== null) await remember(this.context, target);
    const place = await vscode.window.showQuickPick(await this.places(document, target), {
      title: target === null ? "Let the file say its target" : `Target ${target}`,
      placeHolder: "For which files?",
    });
    await place?.write();
  }

  private async places(document: vscode.TextDocument, target: string | null): Promise<Place[]> {
    const [file, ...settings] = places(document, target);
    if (target === null) return [file, ...settings];
    const params = { uri: document.uri.toString(), target };
    const edits = await this.server.request<readonly TargetEdit[]>("gcn-lsp/writeTarget", params);
    const configurations = (edits ?? []).filter((each) => each.file !== "");
    const written = configurations.map((each) => ({
      label: `$(file) ${each.title.slice(0, 1).toUpperCase()}${each.title.slice(1)}`,
      description: vscode.workspace.asRelativePath(each.file),
      write: () => this.server.apply(each.edit),
    }));
    return [file, ...written, ...settings];
  }

  /** Once in a workspace: the first file with text that names no target, with what there is to do. */
  private async tellOnce(document: vscode.TextDocument, answer: TargetAnswer): Promise<void> {
    if (document.getText().trim() === "") return; // nothing is assumed of it yet; "New kernel" asks by itself
    if (!answer.assumed || this.context.workspaceState.get(HAS_TOLD)) return;
    await this.context.workspaceState.update(HAS_TOLD, true);
    const name = path.basename(document.uri.path);
    const likely = [answer.target, ...answer.candidates].slice(0, 3);
    const pick = "Pick Another";
    const sentence = `${name} names no target; ${answer.target} is assumed. With the target named, more is checked.`;
    const chosen = await vscode.window.showInformationMessage(sentence, ...likely, pick);
    if (chosen === pick) await this.pick();
    else if (chosen !== undefined) await this.write(document, chosen);
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
    if (document && !answer && this.server.isStarting) {
      this.item.text = "$(loading~spin) gcn-lsp";
      this.item.tooltip = "The language server is starting. Its output has the details.";
      this.item.command = "gcn-lsp.showOutput";
      this.item.backgroundColor = undefined;
      this.item.show();
      return;
    }
    if (!answer) {
      this.item.hide();
      return;
    }
    this.item.command = "gcn-lsp.pickTarget";
    this.item.text = `$(chip) ${answer.label}`;
    this.item.tooltip = new vscode.MarkdownString(answer.markdown);
    this.item.backgroundColor = answer.assumed ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.show();
    await this.tellOnce(document, answer);
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

/** Asks for one of all targets, the one of the settings or picked last at the top; undefined without a choice. */
export async function pickTarget(
  server: ServerConnection,
  context: vscode.ExtensionContext,
  opened: Thenable<vscode.TextDocument>,
): Promise<string | undefined> {
  const list = newTargets(server, context, opened);
  const chosen = (await choose(list, "New kernel", "For which target?")) ?? undefined;
  if (chosen !== undefined) await remember(context, chosen);
  return chosen;
}

/** The list for a new file, once the server runs; undefined if it does not. */
async function newTargets(
  server: ServerConnection,
  context: vscode.ExtensionContext,
  opened: Thenable<vscode.TextDocument>,
): Promise<readonly Entry[] | undefined> {
  const uri = (await opened).uri.toString();
  await server.settled(); // The first kernel of all sets the server up.
  const [names, answer] = await Promise.all([
    server.request<readonly TargetName[]>("gcn-lsp/targets", { uri }),
    server.request<TargetAnswer>("gcn-lsp/target", { uri }),
  ]);
  if (!names) return undefined;
  const recent = context.globalState.get<readonly string[]>(RECENT, []);
  const own = answer ? [answer.target] : [];
  const likely = answer?.assumed ? [] : own; // what settings say comes before habits, a guess after them
  const groups = [
    ...group("Of the settings", likely, names),
    ...group(
      "Recently picked",
      recent.filter((name) => !likely.includes(name)),
      names,
    ),
    ...group(
      "Assumed of a file that names none",
      own.filter((name) => !likely.includes(name) && !recent.includes(name)),
      names,
    ),
  ];
  return [...groups, ...all(names, undefined)];
}

/**
 * Shows a list and resolves with the target chosen, undefined for none. What is typed is looked for as it is written: the
 * editor's own search takes letters that are far apart, and finds "7900" in "RX 9070, RX 9070 XT".
 */
function choose(
  awaited: readonly Entry[] | Promise<readonly Entry[] | undefined>,
  title: string,
  placeholder: string,
): Promise<string | null | undefined> {
  const picker = vscode.window.createQuickPick<Entry>();
  picker.title = title;
  picker.placeholder = placeholder;
  picker.busy = true;
  let list: readonly Entry[] = [];
  const fill = (typed: string) => {
    picker.items = typed.trim() === "" ? list : matching(list, typed).map((entry) => ({ ...entry, alwaysShow: true }));
  };
  // What is typed before the list is there must not go into the text behind it.
  void Promise.resolve(awaited).then((found) => {
    if (!found) return picker.hide();
    list = found;
    picker.busy = false;
    fill(picker.value);
    const first = list.find((entry) => typeof entry.target === "string");
    if (first && picker.value.trim() === "") picker.activeItems = [first];
  });
  return new Promise((resolve) => {
    picker.onDidChangeValue(fill);
    picker.onDidAccept(() => {
      if (picker.busy) return;
      resolve(picker.selectedItems[0]?.target);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined); // after a choice this changes nothing
      picker.dispose();
    });
    picker.show();
  });
}

async function remember(context: vscode.ExtensionContext, target: string): Promise<void> {
  const recent = context.globalState.get<readonly string[]>(RECENT, []).filter((name) => name !== target);
  await context.globalState.update(RECENT, [target, ...recent].slice(0, MOST_RECENT));
}

/** A line of the list; `target` is null for "let the file say", and missing for separators. */
interface Entry extends vscode.QuickPickItem {
  readonly target?: string | null;
}

function entries(names: readonly TargetName[], answer: TargetAnswer, recent: readonly string[]): Entry[] {
  const list: Entry[] = [{ label: "$(file-code) Let each file say its own", target: null }];
  const likely = answer.assumed ? [answer.target, ...answer.candidates] : [answer.target];
  const title = answer.assumed ? "What the file may be for" : "This file";
  const others = recent.filter((name) => !likely.includes(name));
  list.push(...group(title, likely, names), ...group("Recently picked", others, names));
  return [...list, ...all(names, answer.assumed ? undefined : answer.target)];
}

function group(title: string, members: readonly string[], names: readonly TargetName[]): Entry[] {
  if (members.length === 0) return [];
  const described = (name: string) => {
    const found = names.find((each) => each.name === name);
    return found ? further(found) : "";
  };
  return [
    { label: title, kind: vscode.QuickPickItemKind.Separator },
    ...members.map((name) => ({ label: `$(chip) ${name}`, description: described(name), target: name })),
  ];
}

/** All targets under the server's headings, the file's own marked. */
function all(names: readonly TargetName[], own: string | undefined): Entry[] {
  const list: Entry[] = [];
  let last = "";
  for (const each of names) {
    const { name, heading } = each;
    if (heading !== last) list.push({ label: heading, kind: vscode.QuickPickItemKind.Separator });
    last = heading;
    list.push({
      label: `$(${name === own ? "check" : "chip"}) ${name}`,
      description: further(each),
      target: name,
    });
  }
  return list;
}

interface Place extends vscode.QuickPickItem {
  write(): Thenable<unknown>;
}

function places(document: vscode.TextDocument, target: string | null): [Place, ...Place[]] {
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
  return `${answer.assumed ? "assumed target" : "target"} ${answer.target}${why}`;
}
