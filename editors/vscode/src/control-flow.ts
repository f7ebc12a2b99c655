// Shows the control flow of the kernel at the cursor in a panel beside it: the command "Show control flow".

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { isServed } from "./languages";

/** The server's answer to `gcn-lsp/controlFlow`; the page in webview/ draws it. */
export interface ControlFlow {
  readonly kernel: string;
  readonly kernels: readonly string[];
  readonly blocks: readonly Block[];
  readonly edges: readonly { readonly source: number; readonly target: number; readonly kind: string }[];
}

export interface Block {
  readonly labels: readonly string[];
  readonly instructions: readonly { readonly text: string; readonly line: number; readonly isWait: boolean }[];
  readonly waits: number;
  readonly vgprs: number;
  readonly agprs: number;
  readonly sgprs: number;
}

/** Messages of the page: it is ready, it asks for a line, or for another kernel. */
type Said = { readonly kind: "ready" } | { readonly kind: "line"; readonly line: number } | Picked;
interface Picked {
  readonly kind: "kernel";
  readonly kernel: string;
}

/** Bursts of published diagnostics, as when typing, draw only once. */
const SETTLE_MILLISECONDS = 400;

export class ControlFlowView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.Uri | undefined;
  private kernel: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly server: ServerConnection,
    private readonly extension: vscode.Uri,
  ) {
    this.subscriptions = vscode.Disposable.from(
      server.onDidChange(() => this.drawSoon()),
      vscode.window.onDidChangeTextEditorSelection((change) => this.mark(change.textEditor)),
    );
  }

  /** The command: draws the kernel at the cursor. */
  async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !isServed(editor.document)) return;
    this.document = editor.document.uri;
    const line = editor.selection.active.line;
    const flow = await this.ask({ line });
    if (!flow) {
      vscode.window.showInformationMessage("This file has no code whose control flow could be drawn.");
      return;
    }
    this.kernel = flow.kernel;
    if (!this.panel) this.panel = this.open();
    this.panel.reveal(vscode.ViewColumn.Beside, true);
    this.tell(flow);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    this.subscriptions.dispose();
  }

  private open(): vscode.WebviewPanel {
    const page = vscode.Uri.joinPath(this.extension, "dist");
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const options = { enableScripts: true, localResourceRoots: [page], retainContextWhenHidden: true };
    const panel = vscode.window.createWebviewPanel("gcn-lsp.controlFlow", "Control flow", place, options);
    panel.webview.html = html(panel.webview, vscode.Uri.joinPath(page, "webview.js"));
    panel.webview.onDidReceiveMessage((said: Said) => this.hear(said));
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    return panel;
  }

  private async hear(said: Said): Promise<void> {
    if (said.kind === "line") await this.reveal(said.line);
    if (said.kind === "kernel") this.kernel = said.kernel;
    if (said.kind !== "line") await this.draw();
  }

  /** Puts the cursor on the clicked line. */
  private async reveal(line: number): Promise<void> {
    if (!this.document) return;
    const shown = vscode.window.visibleTextEditors.find((editor) => sameFile(editor.document.uri, this.document));
    const column = shown?.viewColumn ?? vscode.ViewColumn.One;
    const start = new vscode.Position(line, 0);
    await vscode.window.showTextDocument(this.document, {
      viewColumn: column,
      selection: new vscode.Range(start, start),
    });
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
    void this.panel.webview.postMessage({ kind: "flow", flow });
    for (const editor of vscode.window.visibleTextEditors) this.mark(editor);
  }

  private mark(editor: vscode.TextEditor): void {
    if (!this.panel || !sameFile(editor.document.uri, this.document)) return;
    void this.panel.webview.postMessage({ kind: "cursor", line: editor.selection.active.line });
  }

  private ask(which: { readonly line: number } | { readonly kernel: string }): Promise<ControlFlow | undefined> {
    return this.server.request<ControlFlow>("gcn-lsp/controlFlow", { uri: this.document?.toString(), ...which });
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
header { position: sticky; left: 0; top: 0; width: 100vw; box-sizing: border-box; padding: .5rem 1rem; background: var(--vscode-editor-background); }
header span { margin-right: 1.2rem; }
header i { display: inline-block; width: 1.4rem; height: .25rem; margin-right: .35rem; vertical-align: middle; }
svg { display: block; margin: 0 auto; font: 12px var(--vscode-editor-font-family, monospace); }
.block { cursor: pointer; }
.block .frame { fill: var(--vscode-editor-background); }
.block.here .frame { stroke-width: 4; stroke: var(--vscode-focusBorder); }
.block text { fill: var(--vscode-editor-foreground); }
.block .title { fill: #fff; font-weight: bold; }
.block .wait { fill: var(--vscode-charts-orange, #d18616); }
.edge { fill: none; stroke-width: 1.5; }
</style>
<body><header></header><main></main>
<script nonce="${nonce}" src="${webview.asWebviewUri(script)}"></script>
</body>
</html>`;
}
