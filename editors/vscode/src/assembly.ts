// Shows the assembly that a source's own compile command makes of it, beside the source: the command "Show assembly". The
// compiler runs only on that command and when the source is saved after it, and only in a trusted workspace.
// The cursor is followed both ways, by the lines that the server reads in the text. The text of a code object is such a
// text too, with its sources by the command "Show source".

import { execFile } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { ASSEMBLY_SCHEME, LANGUAGE, OBJECT_SCHEME } from "./languages";

const LARGEST_TEXT = 256 * 1024 * 1024;

/** The command of the program `gcn-lsp compile-command`. */
interface CompileCommand {
  readonly arguments: readonly string[];
  readonly directory: string;
}

/** A line of a source, and its lines of assembly; all count from 0. */
interface SourceLine {
  readonly uri: string;
  readonly line: number;
  readonly lines: readonly number[];
}

export class CompiledAssembly implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly known = new Map<string, { version: number; lines: readonly SourceLine[] }>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly marked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  });
  private readonly subscriptions: vscode.Disposable;

  readonly onDidChange = this.changed.event;

  constructor(private readonly server: ServerConnection) {
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      this.marked,
      vscode.workspace.registerTextDocumentContentProvider(ASSEMBLY_SCHEME, this),
      vscode.commands.registerCommand("gcn-lsp.showAssembly", () => this.show()),
      vscode.commands.registerCommand("gcn-lsp.showSource", () => this.showSource()),
      // An editor that is opened beside the one in front gets a selection too, and must not lead.
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) void this.follow(textEditor);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => void this.refresh(document.uri)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document.uri)),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** The command: of the source in front. */
  private async show(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme !== "file") return;
    if (!vscode.workspace.isTrusted) {
      vscode.window.showWarningMessage("Show assembly runs the compiler of the workspace, which is not trusted.");
      return;
    }
    if (!(await editor.document.save())) return;
    const uri = assemblyOf(editor.document.uri);
    if (!(await this.compile(editor.document.uri, uri))) return;
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
    await this.server.settled();
    await this.follow(editor);
  }

  /** The command "Show source": of the code object in front, at the line of its cursor or at its first line with one. */
  private async showSource(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.scheme !== OBJECT_SCHEME) return;
    await this.server.settled();
    const rows = await this.lines(editor.document);
    const line = editor.selection.active.line;
    const row = rows.find((each) => each.lines.includes(line)) ?? rows.reduce(firstOf, rows[0]);
    if (!row) {
      vscode.window.showInformationMessage("The code object has no debug information about its source.");
      return;
    }
    const start = new vscode.Position(row.line, 0);
    const options = {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      selection: new vscode.Range(start, start),
    };
    try {
      await vscode.window.showTextDocument(vscode.Uri.parse(row.uri), options);
    } catch {
      vscode.window.showWarningMessage(`The source ${vscode.Uri.parse(row.uri).fsPath} is not there.`);
      return;
    }
    await this.follow(editor, row.lines.includes(line) ? line : row.lines[0]);
  }

  /** A source that is saved is compiled again while its assembly is in view. */
  private async refresh(source: vscode.Uri): Promise<void> {
    const uri = assemblyOf(source);
    const isShown = vscode.window.visibleTextEditors.some(
      (editor) => editor.document.uri.toString() === uri.toString(),
    );
    if (isShown && vscode.workspace.isTrusted) await this.compile(source, uri);
  }

  /** Compiles the source into the text of `uri`; whether that went well. */
  private async compile(source: vscode.Uri, uri: vscode.Uri): Promise<boolean> {
    const progress = { location: vscode.ProgressLocation.Window, title: `Compiling ${path.basename(source.fsPath)}` };
    try {
      const text = await vscode.window.withProgress(progress, () => this.compiled(source));
      this.texts.set(uri.toString(), text);
      this.changed.fire(uri);
      return true;
    } catch (error) {
      vscode.window.showErrorMessage(reason(error));
      return false;
    }
  }

  private async compiled(source: vscode.Uri): Promise<string> {
    const program = await this.server.program(source);
    if (!program) throw new Error("The program gcn-lsp was not found.");
    const settings = vscode.workspace.getConfiguration("gcn-lsp", source);
    const target = settings.get<string>("target");
    const compiler = settings.get<string[]>("compileCommand") ?? [];
    const asked = [...program.args, "compile-command", ...(target ? ["--target", target] : []), source.fsPath];
    if (compiler.length > 0) asked.push("--", ...compiler);
    const command: CompileCommand = JSON.parse(await run(program.command, asked, program.folder));
    const [name, ...args] = command.arguments;
    if (name === undefined) throw new Error("The compile command is empty.");
    return run(name, args, command.directory);
  }

  /** Marks the lines of the other side that belong to a line, that of the cursor, and brings the first into view. */
  private async follow(editor: vscode.TextEditor, line = editor.selection.active.line): Promise<void> {
    for (const other of vscode.window.visibleTextEditors) {
      if (other === editor) continue;
      const lines = await this.counterparts(editor.document, other.document, line);
      if (!lines) continue;
      const ranges = lines.map((each) => new vscode.Range(each, 0, each, 0));
      other.setDecorations(this.marked, ranges);
      editor.setDecorations(this.marked, []);
      if (ranges[0]) other.revealRange(ranges[0], vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }

  /** The lines of `other` that belong to a line of `document`; undefined where neither is the assembly of the other. */
  private async counterparts(
    document: vscode.TextDocument,
    other: vscode.TextDocument,
    line: number,
  ): Promise<readonly number[] | undefined> {
    const isAssembly = isCompiled(document);
    if (isAssembly === isCompiled(other)) return undefined;
    const rows = await this.lines(isAssembly ? document : other);
    const source = (isAssembly ? other : document).uri.fsPath;
    const ofSource = rows.filter((row) => vscode.Uri.parse(row.uri).fsPath === source);
    if (isAssembly) return ofSource.filter((row) => row.lines.includes(line)).map((row) => row.line);
    return ofSource.find((row) => row.line === line)?.lines ?? [];
  }

  private async lines(assembly: vscode.TextDocument): Promise<readonly SourceLine[]> {
    const key = assembly.uri.toString();
    const known = this.known.get(key);
    if (known?.version === assembly.version) return known.lines;
    const answer = await this.server.request<{ lines: SourceLine[] }>("gcn-lsp/sourceLines", { uri: key });
    if (!answer) return [];
    this.known.set(key, { version: assembly.version, lines: answer.lines });
    return answer.lines;
  }

  /** A change of language closes a document and opens it again in the same turn; only a real close is forgotten. */
  private forget(uri: vscode.Uri): void {
    if (uri.scheme !== ASSEMBLY_SCHEME && uri.scheme !== OBJECT_SCHEME) return;
    setTimeout(() => {
      const key = uri.toString();
      if (vscode.workspace.textDocuments.some((open) => open.uri.toString() === key)) return;
      this.texts.delete(key);
      this.known.delete(key);
    }, 0);
  }
}

/** Whether a document is what a compiler made: of a source here, or a code object. */
function isCompiled(document: vscode.TextDocument): boolean {
  return document.uri.scheme === ASSEMBLY_SCHEME || document.uri.scheme === OBJECT_SCHEME;
}

/** The one of two lines of sources whose code comes first. */
function firstOf(one: SourceLine | undefined, other: SourceLine): SourceLine {
  return one && (one.lines[0] ?? Infinity) <= (other.lines[0] ?? Infinity) ? one : other;
}

function assemblyOf(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: ASSEMBLY_SCHEME, path: `${source.path}.s` });
}

function run(command: string, args: readonly string[], folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args], { cwd: folder, maxBuffer: LARGEST_TEXT }, (error, output, said) =>
      error ? reject(new Error(said.trim() || error.message)) : resolve(output),
    );
  });
}

/** What a failed run said, without the lines about how the command is used. */
function reason(error: unknown): string {
  const lines = error instanceof Error ? error.message.split("\n") : [String(error)];
  const told = lines.filter((line) => !/^(Usage:|Try |$)/.test(line));
  return told.join("\n").replace(/^Error: /, "") || lines.join("\n");
}
