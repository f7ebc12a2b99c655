// Shows code objects (.co, .hsaco, .hipfb) as assembly that cannot be changed, makes texts of them that can, and writes
// these back. The program that the server is part of does the work; nothing here knows what is in an object.

import { execFile } from "node:child_process";
import * as path from "node:path";
import * as vscode from "vscode";
import type { ServerConnection } from "./client";
import { LANGUAGE, OBJECT_SCHEME } from "./languages";

const VIEW_TYPE = "gcn-lsp.object";
/** For files of which most are for other machines: the user chooses it in "Reopen Editor With...". */
const OPTIONAL_VIEW_TYPE = "gcn-lsp.anyObject";
const TEXT_ENDING = ".s";
/** The query of a document that is a side of a comparison. */
const COMPARED = "compared";
const LARGEST_TEXT = 512 * 1024 * 1024;
/** A server that checks a large file answers late. */
const PATIENCE_MILLISECONDS = 150;

/** The server's text of a code object, or the reason why there is none. */
interface ObjectText {
  readonly text: string;
  readonly reason: string;
}

export class CodeObjects implements vscode.CustomReadonlyEditorProvider, vscode.FileSystemProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly subscriptions: vscode.Disposable;

  readonly onDidChangeFile = this.changes.event;

  constructor(private readonly server: ServerConnection) {
    this.subscriptions = vscode.Disposable.from(
      vscode.window.registerCustomEditorProvider(VIEW_TYPE, this),
      vscode.window.registerCustomEditorProvider(OPTIONAL_VIEW_TYPE, this),
      // As files, not as content: only for these is there a path above the text, with the kernel at the cursor.
      vscode.workspace.registerFileSystemProvider(OBJECT_SCHEME, this, { isReadonly: true, isCaseSensitive: true }),
      this.changes,
      vscode.commands.registerCommand("gcn-lsp.editObject", () => this.edit()),
      vscode.commands.registerCommand("gcn-lsp.writeBack", () => this.writeBack()),
      vscode.commands.registerCommand("gcn-lsp.compareObject", () => this.compare()),
      vscode.commands.registerCommand("gcn-lsp.showFurther", () => this.showFurther()),
    );
  }

  openCustomDocument(uri: vscode.Uri): vscode.CustomDocument {
    return { uri, dispose: () => undefined };
  }

  /** The panel that the editor made gives way to the text. */
  async resolveCustomEditor(document: vscode.CustomDocument, panel: vscode.WebviewPanel): Promise<void> {
    const column = panel.viewColumn ?? vscode.ViewColumn.Active;
    const text = await this.open(textOf(document.uri));
    await vscode.window.showTextDocument(text, { viewColumn: column, preview: false });
    panel.dispose();
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from(await this.text(objectOf(uri)).catch(comment));
  }

  stat(uri: vscode.Uri): Thenable<vscode.FileStat> {
    return vscode.workspace.fs.stat(fileOf(objectOf(uri)));
  }

  readDirectory(uri: vscode.Uri): Thenable<[string, vscode.FileType][]> {
    return vscode.workspace.fs.readDirectory(objectOf(uri));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  /** From the server, which has its tables at hand; from a program of its own while none runs, or it is busy. */
  private async text(object: vscode.Uri): Promise<string> {
    const asked = this.server.request<ObjectText>("gcn-lsp/objectText", { uri: object.toString() });
    const answer = await Promise.race([asked, after(PATIENCE_MILLISECONDS)]);
    if (!answer) return this.run(["disassemble", "--view", object.fsPath], object);
    if (answer.reason) throw new Error(`${path.basename(object.fsPath)}: ${answer.reason}`);
    return answer.text;
  }

  /** The command "Edit as assembly": the text in a file beside the object. */
  private async edit(): Promise<void> {
    const object = activeObject();
    if (!object) return;
    const file = vscode.Uri.file(object.fsPath + TEXT_ENDING);
    if (!(await exists(file))) await this.reporting(["disassemble", object.fsPath, "-o", file.fsPath], object);
    if (await exists(file)) await vscode.window.showTextDocument(file, { preview: false });
  }

  /** The command "Write back": the text into a copy of the object that it is from. */
  private async writeBack(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || document.uri.scheme !== "file" || !document.uri.path.endsWith(TEXT_ENDING)) return;
    const original = fileOf(vscode.Uri.file(document.uri.fsPath.slice(0, -TEXT_ENDING.length))).fsPath;
    if (!(await exists(vscode.Uri.file(original)))) {
      vscode.window.showWarningMessage(`There is no code object ${path.basename(original)} beside this text.`);
      return;
    }
    const { dir, name, ext } = path.parse(original);
    const target = await vscode.window.showSaveDialog({
      defaultUri: vscode.Uri.file(path.join(dir, `${name}.edited${ext}`)),
      title: "Write the code object",
    });
    if (!target || !(await document.save())) return;
    const command = ["assemble", document.uri.fsPath, "--into", original, "-o", target.fsPath, "--force"];
    if (await this.reporting(command, document.uri)) {
      vscode.window.showInformationMessage(`Wrote ${path.basename(target.fsPath)}.`);
    }
  }

  /** The command "Compare with another code object". */
  private async compare(): Promise<void> {
    const object = activeObject();
    if (!object) return;
    const chosen = await vscode.window.showOpenDialog({
      defaultUri: vscode.Uri.file(path.dirname(object.fsPath)),
      filters: { "Code objects": ["co", "hsaco", "hipfb", "o"] },
    });
    const other = chosen?.[0];
    if (!other) return;
    const sides = [sideOf(object), sideOf(other)] as const;
    for (const side of sides) await this.open(side);
    const title = [object, other].map((side) => path.posix.basename(side.path)).join(" ↔ ");
    await vscode.commands.executeCommand("vscode.diff", sides[0], sides[1], title);
  }

  /** The command "Show what else the code object holds": what the links at the end of the text lead to. */
  private async showFurther(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme !== OBJECT_SCHEME) return;
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      "vscode.executeLinkProvider",
      document.uri,
    );
    const further = links.flatMap(({ range, target }) => (target ? [{ label: document.getText(range), target }] : []));
    if (further.length === 0) {
      vscode.window.showInformationMessage("The text shows all of the code object.");
      return;
    }
    const chosen = await vscode.window.showQuickPick(further, { placeHolder: "A further code object or function" });
    if (chosen) await vscode.window.showTextDocument(await this.open(chosen.target), { preview: false });
  }

  private async open(uri: vscode.Uri): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(uri);
    return vscode.languages.setTextDocumentLanguage(document, LANGUAGE);
  }

  /** Runs a command and shows the reason where it fails. */
  private async reporting(args: readonly string[], resource: vscode.Uri): Promise<boolean> {
    try {
      await this.run(args, resource);
      return true;
    } catch (error) {
      vscode.window.showErrorMessage(reason(error));
      return false;
    }
  }

  private async run(args: readonly string[], resource: vscode.Uri): Promise<string> {
    const program = await this.server.program(resource);
    if (!program) throw new Error("The program gcn-lsp was not found.");
    return new Promise((resolve, reject) => {
      execFile(
        program.command,
        [...program.args, ...args],
        { cwd: program.folder, maxBuffer: LARGEST_TEXT },
        (error, output, said) => (error ? reject(new Error(said.trim() || error.message)) : resolve(output)),
      );
    });
  }

  dispose(): void {
    this.subscriptions.dispose();
  }
}

/** The document with the text of a code object. */
function textOf(object: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: OBJECT_SCHEME, path: object.path });
}

/** The same for a side of a comparison: by the name of an object, VS Code would choose the editor of objects for it. */
function sideOf(object: vscode.Uri): vscode.Uri {
  return textOf(object).with({ path: object.path + TEXT_ENDING, query: COMPARED });
}

/** The code object that a document shows. */
function objectOf(text: vscode.Uri): vscode.Uri {
  return vscode.Uri.file(text.query === COMPARED ? text.path.slice(0, -TEXT_ENDING.length) : text.path);
}

/** The file that holds `FILE(NAME)`. */
function fileOf(object: vscode.Uri): vscode.Uri {
  return object.with({ path: object.path.replace(/(\([^()]+\))+$/, "") });
}

/** The code object whose text is in front. */
function activeObject(): vscode.Uri | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri?.scheme === OBJECT_SCHEME ? objectOf(uri) : undefined;
}

function after(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds));
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** What a failed run said, without the lines about how the command is used. */
function reason(error: unknown): string {
  const lines = error instanceof Error ? error.message.split("\n") : [String(error)];
  const told = lines.filter((line) => !/^(Usage:|Try |$)/.test(line));
  return told.join("\n").replace(/^Error: /, "") || lines.join("\n");
}

function comment(error: unknown): string {
  const lines = reason(error).split("\n");
  return `${lines.map((line) => `// ${line}`).join("\n")}\n`;
}
