// Shows the server's report about a file in a panel beside it: the command "Show report". A click goes to the line.

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { goToLine, servedDocument } from "./languages";
import { reportNoKernel } from "./messages";

/** Bursts of published diagnostics, as when typing, draw only once. */
const SETTLE_MILLISECONDS = 800;

interface Report {
  readonly html: string;
}

export class ReportView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.Uri | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly server: ServerConnection) {
    this.subscriptions = server.onDidChange(() => {
      clearTimeout(this.timer);
      if (this.panel) this.timer = setTimeout(() => void this.draw(), SETTLE_MILLISECONDS);
    });
  }

  /** The command: of the file in front, or of the one whose kernel was clicked. */
  async show(uri?: string, _line?: number, kernel?: string): Promise<void> {
    const document = uri === undefined ? servedDocument()?.uri : vscode.Uri.parse(uri);
    if (!document) return reportNoKernel();
    this.document = document;
    if (!this.panel) this.panel = this.open();
    this.panel.reveal(this.panel.viewColumn ?? vscode.ViewColumn.Beside, true);
    await this.draw(kernel);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    this.subscriptions.dispose();
  }

  private open(): vscode.WebviewPanel {
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("gcn-lsp.report", "Report", place, {
      enableScripts: true,
      localResourceRoots: [],
      enableFindWidget: true,
    });
    panel.webview.onDidReceiveMessage(({ line }: { line: number }) => this.document && goToLine(this.document, line));
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    return panel;
  }

  private async draw(kernel?: string): Promise<void> {
    const uri = this.document;
    if (!this.panel || !uri) return;
    const found = await this.server.request<Report>("gcn-lsp/report", { uri: uri.toString() });
    if (!this.panel || uri !== this.document) return;
    this.panel.title = `Report: ${uri.path.slice(uri.path.lastIndexOf("/") + 1)}`;
    this.panel.webview.html = found ? scripted(found.html, kernel) : "<p>The target of this file is not known.</p>";
  }
}

/** The page, its own script, and one that sends the line of what is clicked; nothing else may run or load. */
function scripted(page: string, kernel: string | undefined): string {
  const nonce = randomBytes(16).toString("hex");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  const script = `
    const editor = acquireVsCodeApi();
    document.addEventListener("click", ({ target }) => {
      const line = target.closest("[data-line]")?.dataset.line;
      if (line) editor.postMessage({ line: Number(line) - 1 });
    });
    window.addEventListener("scroll", () => editor.setState({ top: scrollY }));
    const wanted = ${JSON.stringify(kernel === undefined ? null : `kernel-${kernel}`).replaceAll("<", "\\u003c")};
    if (wanted) document.getElementById(wanted)?.scrollIntoView();
    else scrollTo(0, editor.getState()?.top ?? 0);`;
  return page
    .replace("<script>", `<script nonce="${nonce}">`)
    .replace(
      '<meta charset="utf-8">',
      `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">`,
    )
    .replace("</style>", "[data-line] { cursor: pointer; }\n</style>")
    .replace("</body>", `<script nonce="${nonce}">${script}</script></body>`);
}
