// A view of registers in all lanes at once, on a colour scale from the least value to the greatest; lanes that are off are
// pale. Registers come from the debugger's list of variables; the view follows each stop.

import * as vscode from "vscode";
import { TYPE } from "./debug";

interface Variable {
  readonly name: string;
  readonly value: string;
  readonly presentationHint?: { readonly attributes?: readonly string[] };
}

interface Lane {
  readonly text: string;
  readonly number: number;
  readonly isOff: boolean;
}

const VIEW_TYPE = "gcn-lsp.lanes";
const KINDS = ["f32", "i32", "u32", "f16x2"];
const MOST = 1e9;
const LEAST = 1e-9;
const DIGITS = 4;

export class LanesView implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  /** Expressions without a type, and the type that each is read as; none where the values decide. */
  private readonly shown = new Map<string, string | undefined>();
  private readonly subscriptions: vscode.Disposable;

  constructor() {
    this.subscriptions = vscode.Disposable.from(
      vscode.commands.registerCommand("gcn-lsp.showLanes", (chosen?: { variable?: { evaluateName?: string } }) =>
        this.add(chosen?.variable?.evaluateName),
      ),
      vscode.commands.registerCommand("gcn-lsp.readLanesAs", (name: string, kind: string) => this.set(name, kind)),
      vscode.commands.registerCommand("gcn-lsp.hideLanes", (name: string) => this.remove(name)),
      vscode.debug.onDidChangeActiveStackItem(() => void this.draw()),
    );
  }

  dispose(): void {
    this.panel?.dispose();
    this.subscriptions.dispose();
  }

  private async add(name: string | undefined): Promise<void> {
    const asked = name ?? (await vscode.window.showInputBox({ prompt: "A register, such as v2 or v[v_sum]" }));
    if (!asked) return;
    await this.set(asked, undefined);
  }

  private async set(name: string, kind: string | undefined): Promise<void> {
    this.shown.set(name, kind);
    if (!this.panel) {
      const options = { enableCommandUris: ["gcn-lsp.readLanesAs", "gcn-lsp.hideLanes"] };
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel(VIEW_TYPE, "Lanes", place, options);
      this.panel.onDidDispose(() => {
        this.panel = undefined;
        this.shown.clear();
      });
    }
    await this.draw();
  }

  private async remove(name: string): Promise<void> {
    this.shown.delete(name);
    await this.draw();
  }

  private async draw(): Promise<void> {
    const item = vscode.debug.activeStackItem;
    if (!this.panel || item?.session.type !== TYPE) return;
    const frameId = "frameId" in item ? item.frameId : undefined;
    const parts = await Promise.all([...this.shown].map(([name, kind]) => part(item.session, frameId, name, kind)));
    if (this.panel) this.panel.webview.html = page(parts.join(""));
  }
}

async function part(
  session: vscode.DebugSession,
  frameId: number | undefined,
  name: string,
  kind: string | undefined,
): Promise<string> {
  const chosen = kind ?? (looksLikeFloats(await lanes(session, frameId, `${name}.f32`)) ? "f32" : "i32");
  const all = await lanes(session, frameId, `${name}.${chosen}`);
  const choices = KINDS.map((each) =>
    each === chosen ? `<b>${each}</b>` : link("gcn-lsp.readLanesAs", [name, each], each),
  );
  const hide = link("gcn-lsp.hideLanes", [name], "hide");
  const head = `<h3>${escaped(name)}</h3><p>${choices.join(" ")} &nbsp; ${hide}</p>`;
  return all.length === 0 ? `${head}<p>It has no value here.</p>` : head + table(all);
}

/** The values of an expression in all lanes; none if it has none. */
async function lanes(session: vscode.DebugSession, frameId: number | undefined, expression: string): Promise<Lane[]> {
  try {
    const { variablesReference } = await session.customRequest("evaluate", { expression, frameId, context: "watch" });
    if (!variablesReference) return [];
    const { variables } = await session.customRequest("variables", { variablesReference });
    return (variables as Variable[]).map((each) => ({
      text: each.value,
      number: Number.parseFloat(each.value),
      isOff: each.presentationHint?.attributes?.includes("readOnly") ?? false,
    }));
  } catch {
    return [];
  }
}

/** Small integers are denormal as floats, and most other bits of no use as floats are far from 1. */
function looksLikeFloats(all: readonly Lane[]): boolean {
  const on = all.filter((each) => !each.isOff && each.number !== 0);
  return on.length > 0 && on.every(({ number }) => Math.abs(number) > LEAST && Math.abs(number) < MOST);
}

function table(all: readonly Lane[]): string {
  const numbers = all.filter((each) => !each.isOff && Number.isFinite(each.number)).map((each) => each.number);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const across = 8;
  const rows: string[] = [];
  for (let first = 0; first < all.length; first += across) {
    const cells = all.slice(first, first + across).map((each, index) => cell(each, first + index, least, most));
    rows.push(`<tr><th>${first}</th>${cells.join("")}</tr>`);
  }
  const range = numbers.length > 0 ? `<p>least ${least}, greatest ${most}, ${numbers.length} lanes on</p>` : "";
  return `<table>${rows.join("")}</table>${range}`;
}

function cell(lane: Lane, number: number, least: number, most: number): string {
  const part = most > least ? (lane.number - least) / (most - least) : 0.5;
  const hue = Math.round(230 - 230 * part); // blue to red
  const style = lane.isOff || !Number.isFinite(lane.number) ? "" : ` style="background:hsla(${hue},80%,50%,0.4)"`;
  const title = escaped(`lane ${number}${lane.isOff ? ", off" : ""}: ${lane.text}`);
  return `<td${lane.isOff ? ' class="off"' : ""}${style} title="${title}">${escaped(short(lane.text))}</td>`;
}

/** A number with few enough digits for eight columns. */
function short(text: string): string {
  return /^-?\d+\.\d+(?:e[-+]?\d+)?$/.test(text) ? String(Number(Number.parseFloat(text).toPrecision(DIGITS))) : text;
}

function page(body: string): string {
  const style = `
    table { border-collapse: collapse; font-family: var(--vscode-editor-font-family); }
    td { border: 1px solid var(--vscode-panel-border); padding: 2px 8px; text-align: right; min-width: 3em; font-size: 0.9em; }
    th { padding: 2px 8px; text-align: right; font-weight: normal; opacity: 0.6; }
    td.off { opacity: 0.4; }`;
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Lanes</title>
    <meta http-equiv="Content-Security-Policy" content="${policy}"><style>${style}</style></head><body>${body}</body></html>`;
}

function link(command: string, args: readonly string[], text: string): string {
  return `<a href="command:${command}?${encodeURIComponent(JSON.stringify(args))}">${text}</a>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
