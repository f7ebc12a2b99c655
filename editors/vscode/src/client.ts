// Owns the connection to the language server: finds it, starts it with the first document that needs it, restarts it.

import * as vscode from "vscode";
import {
  type Executable,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
  State,
  type StaticFeature,
  vsdiag,
  WorkDoneProgress,
} from "vscode-languageclient/node";
import manifest from "../package.json";
import { describeOrigin, type Found, findServer, inOwnEnvironment, type Origin } from "./find";
import { AT_ONCE, inTime } from "./in-time";
import { ExclusiveFeatures, INLINE_LANGUAGES, mayHaveInline, needsServer } from "./inline-assembly";
import { ASSEMBLY_SCHEME, isServed, LANGUAGE, OBJECT_SCHEME } from "./languages";
import { reportFailedSetUp, reportFailure, reportMissing, reportUnfitPython } from "./messages";
import { linkToPage } from "./rule-links";
import { serverSettings } from "./settings";
import type { OwnEnvironment } from "./setup";
import { surroundings } from "./surroundings";

/** A `WorkspaceEdit` as the server sends it. */
export type ProtocolEdit = Parameters<LanguageClient["protocol2CodeConverter"]["asWorkspaceEdit"]>[0];

/** The command that follows a quick fix in a configuration file, which counts when it is saved. */
export const SAVE = "gcn-lsp.saveConfiguration";

/** The condition in the manifest under which buttons are shown that need the server. */
const RUNS = "gcn-lsp.runs";

/** True for a moment: VS Code ticks no step whose condition already held when it read the walkthrough. */
const STILL_RUNS = "gcn-lsp.stillRuns";

const ASSEMBLY = [
  { language: LANGUAGE, scheme: "file" },
  { language: LANGUAGE, scheme: "untitled" },
  { language: LANGUAGE, scheme: OBJECT_SCHEME },
  { language: LANGUAGE, scheme: ASSEMBLY_SCHEME },
];

const COMMANDS = [
  "gcn-lsp.showReport",
  "gcn-lsp.goToLine",
  "gcn-lsp.showControlFlow",
  "gcn-lsp.debugKernel",
  "gcn-lsp.showWitness",
  "gcn-lsp.rename",
  "editor.action.triggerSuggest",
];

export async function save(...uris: vscode.Uri[]): Promise<void> {
  for (const uri of uris) await (await vscode.workspace.openTextDocument(uri)).save();
}

/** Names of the settings, without the section's. */
const DECLARED: readonly string[] = manifest.contributes.configuration
  .flatMap((group) => Object.keys(group.properties))
  .map((key) => key.replace("gcn-lsp.", ""));

/** A program with the arguments before the name of a command, the folder to start it in, and where it was found. */
export interface Program {
  readonly origin: Origin;
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: string;
}

export class ServerConnection implements vscode.Disposable {
  private client: LanguageClient | undefined;
  /** Starting, stopping and restarting happen one after the other. */
  private queue: Promise<void> = Promise.resolve();
  /** Whether a server is being found, set up or started. */
  private starting = false;
  /** The message about a missing server is shown once, and again after a restart by the user. */
  private hasReported = false;
  private requests = 0;
  /** Documents that the server knows. */
  private readonly open = new Set<string>();
  private readonly changed = new vscode.EventEmitter<void>();

  /** Fires when the server starts or stops and whenever it has judged a document again. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly output: vscode.LogOutputChannel,
    private readonly safeFolder: string,
    private readonly own: OwnEnvironment,
  ) {}

  /** Starts the server if this document is ours and no server runs yet. */
  startFor(document: vscode.TextDocument): void {
    if (isServed(document) || needsServer(document)) this.enqueue(() => this.start(document.uri));
  }

  /** Starts the server if none runs, and waits for it. */
  async ensureStarted(resource: vscode.Uri): Promise<void> {
    this.enqueue(() => this.start(resource));
    await this.settled();
  }

  /** Ticks the step of the walkthrough that waits for a running server. */
  async tick(): Promise<void> {
    if (this.client?.state !== State.Running) return;
    for (const value of [true, false]) await vscode.commands.executeCommand("setContext", STILL_RUNS, value);
  }

  restart(resource: vscode.Uri | undefined): void {
    this.hasReported = false;
    this.enqueue(async () => {
      await this.stop();
      await this.start(resource);
    });
  }

  /** Rebuilds the extension's own environment, and starts the server that is found then. */
  setUpAgain(resource: vscode.Uri | undefined): void {
    this.hasReported = false;
    this.enqueue(async () => {
      await this.stop();
      await this.own.forget();
      await this.start(resource);
    });
  }

  /** Sends one of our own requests; undefined if there is no server or it does not know the request. */
  async request<Result>(method: string, params: object): Promise<Result | undefined> {
    if (this.client?.state !== State.Running) return undefined;
    try {
      return (await this.client.sendRequest<Result | null>(method, params)) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Sends a request that takes long, with a token for its progress, which `progress` shows; undefined if it is
   * cancelled, or if there is no server.
   */
  async requestWithProgress<Result>(
    method: string,
    token: vscode.CancellationToken,
    progress: vscode.Progress<{ message?: string; increment?: number }>,
  ): Promise<Result | undefined> {
    const client = this.client;
    if (client?.state !== State.Running) return undefined;
    const workDoneToken = `${method}-${++this.requests}`;
    let shown = 0;
    const reports = client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
      if (value.kind !== "report") return;
      const percentage = value.percentage ?? shown;
      progress.report({ message: value.message ?? "", increment: percentage - shown });
      shown = percentage;
    });
    try {
      return await client.sendRequest<Result>(method, { workDoneToken }, token);
    } catch (error) {
      if (!token.isCancellationRequested) this.output.appendLine(`${method}: ${error}`);
      return undefined;
    } finally {
      reports.dispose();
    }
  }

  /** Colours documents of our language by tokens from the server; undefined before it has said what their types are. */
  colour(scheme: string, tokens: vscode.DocumentSemanticTokensProvider): vscode.Disposable | undefined {
    const legend = this.client?.initializeResult?.capabilities.semanticTokensProvider?.legend;
    if (!legend) return undefined;
    const types = new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers);
    return vscode.languages.registerDocumentSemanticTokensProvider({ scheme, language: LANGUAGE }, tokens, types);
  }

  /** Waits until a server that is being started runs, or has failed to. */
  async settled(): Promise<void> {
    await this.queue;
  }

  /** How the program that the server is part of starts, before the name of a command; undefined if there is none. */
  async program(resource: vscode.Uri): Promise<Program | undefined> {
    const found = await this.find(resource);
    if (!found) return undefined;
    return { command: found.command, args: found.args.slice(0, -1), folder: this.safeFolder, origin: found.origin };
  }

  /** Carries out an edit of the server's, and saves the configuration files that it changes. */
  async apply(edit: ProtocolEdit): Promise<void> {
    const converted = await this.client?.protocol2CodeConverter.asWorkspaceEdit(edit);
    if (!converted || !(await vscode.workspace.applyEdit(converted))) return;
    await save(...configurations(converted));
  }

  dispose(): Promise<void> {
    this.enqueue(() => this.stop());
    return this.queue;
  }

  private enqueue(step: () => Promise<void>): void {
    this.queue = this.queue.then(step).catch((error: unknown) => this.output.appendLine(String(error)));
  }

  /** Whether a server is being found, set up or started; `onDidChange` says when that begins and ends. */
  get isStarting(): boolean {
    return this.starting;
  }

  private async start(resource: vscode.Uri | undefined): Promise<void> {
    if (this.client || this.hasReported) return;
    this.starting = true;
    this.changed.fire();
    try {
      await this.findAndStart(resource);
    } finally {
      this.starting = false;
      this.changed.fire();
    }
  }

  private async findAndStart(resource: vscode.Uri | undefined): Promise<void> {
    const found = await this.find(resource);
    if (!found) {
      this.hasReported = true;
      return;
    }
    this.output.appendLine(`Starting ${describeOrigin(found)}`);
    const client = new LanguageClient("gcn-lsp", "gcn-lsp", this.executable(found), this.options());
    client.onDidChangeState(({ newState }) => {
      this.changed.fire();
      vscode.commands.executeCommand("setContext", RUNS, newState === State.Running);
    });
    client.registerProposedFeatures(); // suggestions in the line
    client.registerFeature(announcedCommands());
    const exclusive = new ExclusiveFeatures(ASSEMBLY);
    client.registerFeature(exclusive.feature());
    this.client = client;
    try {
      await client.start();
      exclusive.register(client);
    } catch (error) {
      this.client = undefined;
      this.hasReported = true;
      reportFailure(describeOrigin(found), error);
    }
  }

  /** The server to start, in our own environment as the last resort. Problems are reported. */
  private async find(resource: vscode.Uri | undefined): Promise<Found | undefined> {
    const found = await findServer(surroundings(resource, this.safeFolder));
    if (found.kind === "found") return found;
    for (const sentence of found.looked) this.output.appendLine(sentence);
    if (found.settingIsWrong) {
      reportMissing(found);
      return undefined;
    }
    const own = await this.own.provide(resource);
    switch (own.kind) {
      case "ready":
        return inOwnEnvironment(own.python);
      case "unfit":
        for (const sentence of own.unfit.looked) this.output.appendLine(sentence);
        reportUnfitPython(own.unfit);
        return undefined;
      case "failed":
        reportFailedSetUp(own.reason);
        return undefined;
      case "nothing-carried":
        reportMissing(found);
        return undefined;
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.open.clear();
    // A server that crashed during its start cannot be stopped, and need not be.
    await client?.dispose().catch(() => undefined);
    this.changed.fire();
  }

  private executable(found: Found): Executable {
    return { command: found.command, args: [...found.args], options: { cwd: this.safeFolder } };
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [...ASSEMBLY, ...INLINE_LANGUAGES.map((language) => ({ language, scheme: "file" }))],
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => currentSettings(),
      synchronize: { configurationSection: "gcn-lsp" },
      middleware: {
        didOpen: async (document, next) => {
          if (!isServed(document) && !mayHaveInline(document)) return;
          this.open.add(document.uri.toString());
          await next(document);
        },
        // A document never opened for the server must not be closed for it.
        didClose: async (document, next) => {
          if (this.open.delete(document.uri.toString())) await next(document);
        },
        provideCompletionItem: (document, position, context, token, next) => {
          const list = next(document, position, context, token);
          const isTyped = context.triggerKind === vscode.CompletionTriggerKind.TriggerCharacter;
          return isTyped ? inTime(Promise.resolve(list), AT_ONCE) : list;
        },
        // With an entry of a list chosen, the client would send its range as no server can read it. Nothing is lost: what is
        // shown then must go on from the entry.
        provideInlineCompletionItems: (document, position, context, token, next) =>
          context.selectedCompletionInfo ? undefined : next(document, position, context, token),
        provideCodeActions: async (document, range, context, token, next) =>
          (await next(document, range, context, token))?.map((action) => savedAfter(action)),
        resolveCodeAction: async (action, token, next) => savedAfter((await next(action, token)) ?? action),
        handleDiagnostics: (uri, diagnostics, next) => {
          diagnostics.forEach(linkToPage);
          next(uri, diagnostics);
          this.changed.fire();
        },
        provideDiagnostics: async (document, previous, token, next) => {
          const report = await next(document, previous, token);
          if (report?.kind === vsdiag.DocumentDiagnosticReportKind.full) report.items.forEach(linkToPage);
          this.changed.fire();
          return report;
        },
        provideWorkspaceDiagnostics: (known, token, report, next) =>
          next(known, token, (chunk) => {
            for (const each of chunk?.items ?? []) {
              if (each.kind === vsdiag.DocumentDiagnosticReportKind.full) each.items.forEach(linkToPage);
            }
            report(chunk);
          }),
        workspace: {
          configuration: (params) => params.items.map((item) => currentSettings(item.scopeUri)),
          didChangeConfiguration: () =>
            this.client?.sendNotification("workspace/didChangeConfiguration", {
              settings: { "gcn-lsp": currentSettings() },
            }) ?? Promise.resolve(),
        },
      },
    };
  }
}

/** Tells the server which commands lenses, actions and entries of a list may call. */
function announcedCommands(): StaticFeature {
  return {
    fillClientCapabilities: (capabilities) => {
      const known = capabilities.experimental ?? {};
      // `editor.acceptSuggestionOnEnter` is "smart" in our files.
      capabilities.experimental = { ...known, commands: { commands: COMMANDS }, enter_keeps_text: true };
    },
    initialize: () => undefined,
    getState: () => ({ kind: "static" }),
    clear: () => undefined,
  };
}

/** An action that changes a configuration file saves it too. */
function savedAfter<Action extends vscode.CodeAction | vscode.Command>(action: Action): Action {
  const changed = "edit" in action && action.edit ? configurations(action.edit) : [];
  if (changed.length > 0 && "edit" in action) {
    action.command = { title: "Save", command: SAVE, arguments: changed };
  }
  return action;
}

/** The configuration files that an edit changes. */
function configurations(edit: vscode.WorkspaceEdit): vscode.Uri[] {
  return edit.entries().flatMap(([uri]) => (uri.path.endsWith(".toml") ? [uri] : []));
}

function currentSettings(scope?: string): object {
  const uri = scope === undefined ? vscode.window.activeTextEditor?.document.uri : vscode.Uri.parse(scope);
  const folder = (uri && vscode.workspace.getWorkspaceFolder(uri)) ?? vscode.workspace.workspaceFolders?.[0];
  const configuration = vscode.workspace.getConfiguration("gcn-lsp", uri ?? null);
  return serverSettings(DECLARED, (key) => configuration.get(key), folder?.uri.fsPath);
}
