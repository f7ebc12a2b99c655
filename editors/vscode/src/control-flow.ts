// Shows the control flow of the kernel at the cursor in a panel beside it: the command "Show control flow".

import { randomBytes } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { goToLine, isServed } from "./languages";

/** The server's answer to `gcn-lsp/controlFlow`; the page in webview/ shows its drawing. */
export interface ControlFlow {
  readonly kernel: string;
  readonly kernels: readonly string[];
  readonly blocks: readonly Block[];
  readonly svg: string;
  readonly legend: string;
}

export interface Block {
  readonly instructions: readonly { readonly text: string; readonly line: number }[];
}

/** Messages of the page: it is ready, other blocks are opened, it asks for a line or a kernel, it has a picture to save. */
type Said =
  | { readonly kind: "ready" | "opened"; readonly opened: readonly number[] }
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "kernel"; readonly kernel: string }
  | { readonly kind: "picture"; readonly svg: string };

/** What the page keeps for the time after the window is loaded again. */
interface Kept {
  readonly uri?: string;
  readonly kernel?: string;
}

const VIEW_TYPE = "gcn-lsp.controlFlow";

/** Bursts of published diagnostics, as when typing, draw only once. */
const SETTLE_MILLISECONDS = 400;

export class ControlFlowView implements vscode.WebviewPanelSerializer<Kept>, vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.Uri | undefined;
  private kernel: string | undefined;
  /** The first lines of long blocks that are drawn in full. */
  private opened: readonly number[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly server: ServerConnection,
    private readonly extension: vscode.Uri,
  ) {
    this.subscriptions = vscode.Disposable.from(
      server.onDidChange(() => this.drawSoon()),
      vscode.window.onDidChangeTextEditorSelection((change) => this.mark(change.textEditor)),
      vscode.window.registerWebviewPanelSerializer(VIEW_TYPE, this),
    );
  }

  /** The command: draws the kernel at the cursor, or at a line, from 0, of a document. */
  async show(of?: string, at?: number): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (of === undefined && (!editor || !isServed(editor.document))) return;
    const uri = of === undefined ? editor?.document.uri : vscode.Uri.parse(of);
    if (!uri) return;
    this.document = uri;
    const flow = await this.ask({ line: at ?? editor?.selection.active.line ?? 0 });
    if (!flow) {
      vscode.window.showInformationMessage("This file has no code whose control flow could be drawn.");
      return;
    }
    this.kernel = flow.kernel;
    if (!this.panel) this.panel = this.open();
    this.panel.reveal(this.panel.viewColumn ?? vscode.ViewColumn.Beside, true);
    this.tell(flow);
  }

  /** After the window was loaded again: the panel is there without its page, and the server may not run yet. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel, kept: Kept | undefined): Promise<void> {
    if (this.panel || kept?.uri === undefined || kept.kernel === undefined) return panel.dispose();
    this.document = vscode.Uri.parse(kept.uri);
    this.kernel = kept.kernel;
    this.panel = this.furnish(panel);
    try {
      this.server.startFor(await vscode.workspace.openTextDocument(this.document));
    } catch {
      panel.dispose(); // The file is no more.
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    this.subscriptions.dispose();
  }

  private open(): vscode.WebviewPanel {
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel(VIEW_TYPE, "Control flow", place, { retainContextWhenHidden: true });
    return this.furnish(panel);
  }

  private furnish(panel: vscode.WebviewPanel): vscode.WebviewPanel {
    const page = vscode.Uri.joinPath(this.extension, "dist");
    panel.webview.options = { enableScripts: true, localResourceRoots: [page] };
    panel.webview.onDidReceiveMessage((said: Said) => this.hear(said));
    panel.webview.html = html(panel.webview, vscode.Uri.joinPath(page, "webview.js"));
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    return panel;
  }

  private async hear(said: Said): Promise<void> {
    switch (said.kind) {
      case "line":
        if (this.document) await goToLine(this.document, said.line);
        return;
      case "picture":
        return this.save(said.svg);
      case "kernel":
        this.kernel = said.kernel;
        return this.draw();
      case "ready":
      case "opened":
        this.opened = said.opened;
        return this.draw();
    }
  }

  private async save(svg: string): Promise<void> {
    const folder = this.document?.scheme === "file" ? path.dirname(this.document.fsPath) : "";
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.file(path.join(folder, `${this.kernel}.svg`)),
      filters: { "SVG pictures": ["svg"] },
      title: "Save the control flow",
    });
    if (target) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(svg));
  }

  private drawSoon(): void {
    if (!this.panel) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(), SETTLE_MILLISECONDS);
  }

  private async draw(): Promise<void> {
    const flow = this.kernel === undefined ? undefined : await this.ask({ kernel: this.kernel });
    if (flow) this.tell(flow);
  }

  private tell(flow: ControlFlow): void {
    if (!this.panel) return;
    this.panel.title = `Control flow: ${flow.kernel}`;
    void this.panel.webview.postMessage({ kind: "flow", flow, uri: this.document?.toString() });
    for (const editor of vscode.window.visibleTextEditors) this.mark(editor);
  }

  private mark(editor: vscode.TextEditor): void {
    if (!this.panel || !sameFile(editor.document.uri, this.document)) return;
    void this.panel.webview.postMessage({ kind: "cursor", line: editor.selection.active.line });
  }

  private ask(which: { readonly line: number } | { readonly kernel: string }): Promise<ControlFlow | undefined> {
    const uri = this.document?.toString();
    return this.server.request<ControlFlow>("gcn-lsp/controlFlow", { uri, opened: this.opened, ...which });
  }
}

function sameFile(one: vscode.Uri, other: vscode.Uri | undefined): boolean {
  return one.toString() === other?.toString();
}

function html(webview: vscode.Webview, script: vscode.Uri): string {
  const nonce = randomBytes(16).toString("hex");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Control flow</title>
<style>
body { padding: 0; margin: 0; color: var(--vscode-foreground); width: max-content; min-width: 100%; }
body { --wait: #8a4b00; --title: #fff; }
body.vscode-dark { --wait: #e8a960; }
body.vscode-high-contrast { --wait: #ffc27a; --title: var(--vscode-foreground); }
body.vscode-high-contrast-light { --wait: #7a3d00; }
header { position: sticky; left: 0; top: 0; width: 100vw; box-sizing: border-box; padding: .5rem 1rem; background: var(--vscode-editor-background); z-index: 1; }
header > div { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem .8rem; margin-bottom: .3rem; }
header i { display: inline-block; width: 1.4rem; height: .25rem; margin-right: .35rem; vertical-align: middle; }
header :is(button, select, input) { font: inherit; padding: .15rem .5rem; border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, transparent)); border-radius: 3px; }
header button { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); cursor: pointer; }
header :is(select, input) { color: var(--vscode-input-foreground); background: var(--vscode-input-background); }
svg { display: block; margin: 0 auto; font: 12px var(--vscode-editor-font-family, monospace); }
.block { cursor: pointer; }
.block .frame { fill: var(--vscode-editor-background); }
.block.here .frame { stroke-width: 4; stroke: var(--vscode-focusBorder); }
.block:focus { outline: none; }
.block:focus-visible .frame { stroke-width: 4; stroke: var(--vscode-focusBorder); }
.block text { fill: var(--vscode-editor-foreground); }
.block .title { fill: var(--title); font-weight: bold; }
.block .wait { fill: var(--wait); }
.block .more { fill: var(--vscode-textLink-foreground); text-decoration: underline; }
.block .found { font-weight: bold; text-decoration: underline 2px var(--vscode-editorWarning-foreground); }
.block .found.current { outline: 2px solid var(--vscode-focusBorder); outline-offset: 1px; }
.vscode-high-contrast .head { fill: var(--vscode-editor-background); stroke: var(--vscode-contrastBorder); }
.edge { fill: none; stroke-width: 1.5; }
</style>
<body><header></header><main></main>
<script nonce="${nonce}" src="${webview.asWebviewUri(script)}"></script>
</body>
</html>`;
}
