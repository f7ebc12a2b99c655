// Indents as the file does: its code, not the YAML of its metadata, says how wide a level is; a list's next item goes to it.

import * as vscode from "vscode";
import { codeIndentation } from "./code-indentation";
import { isServed } from "./languages";
import { listColumn } from "./list-column";

/** Milliseconds between two attempts at an edit that keys kept out, and how many there are. */
const PAUSE = 30;
const ATTEMPTS = 1000;

export function indentAsTheFile(): vscode.Disposable {
  const known = new WeakSet<vscode.TextDocument>();
  const see = (editors: readonly vscode.TextEditor[]) => {
    for (const editor of editors) {
      if (known.has(editor.document) || !isServed(editor.document)) continue;
      known.add(editor.document);
      setWidth(editor);
    }
  };
  see(vscode.window.visibleTextEditors);
  return vscode.Disposable.from(
    vscode.window.onDidChangeVisibleTextEditors(see),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges: [change, ...others] }) => {
      const editor = vscode.window.activeTextEditor;
      if (document !== editor?.document || !isServed(document) || others.length > 0) return;
      if (change?.text === "-" && change.range.isEmpty) void moveItem(editor, change.range.start.line);
    }),
  );
}

/** The width that the editor guessed of all lines, the metadata's too, replaced by that of the code. */
function setWidth(editor: vscode.TextEditor): void {
  const { document, options } = editor;
  const settings = vscode.workspace.getConfiguration("editor", document);
  if (!settings.get("detectIndentation", true)) return;
  const found = codeIndentation((line) => document.lineAt(line).text, document.lineCount);
  if (!found) return;
  const tabSize = settings.get("tabSize", 4);
  if (found.tabs) editor.options = { ...options, insertSpaces: false, tabSize, indentSize: tabSize };
  else editor.options = { ...options, insertSpaces: true, tabSize: found.width, indentSize: found.width };
}

/**
 * Moves a line that a hyphen has just begun to its list. An edit fails where a key came meanwhile, so it is tried again; the
 * lines typed below it until then were indented like it, and move with it. No other line does.
 */
async function moveItem(editor: vscode.TextEditor, line: number): Promise<void> {
  const { document } = editor;
  if (document.lineAt(line).text.trim() !== "-") return;
  const linesBefore = document.lineCount;
  for (let attempt = 0; attempt < ATTEMPTS && line < document.lineCount; attempt++) {
    const lineAt = (each: number) => (each < document.lineCount ? document.lineAt(each).text : "");
    const column = listColumn(lineAt, line);
    if (column === undefined) return;
    const excess = lineAt(line).indexOf("-") - column;
    const lines = 1 + Math.max(0, document.lineCount - linesBefore);
    const isBehind = (each: number) => /^ *$/.test(lineAt(each).slice(0, column + excess));
    const move = (edit: vscode.TextEditorEdit) => {
      edit.delete(new vscode.Range(line, column, line, column + excess));
      for (let each = line + 1; each < line + lines; each++)
        if (isBehind(each)) edit.delete(new vscode.Range(each, column, each, column + excess));
    };
    const quietly = { undoStopBefore: false, undoStopAfter: false };
    const isDone = await editor.edit(move, quietly).then(undefined, () => true); // or the editor is closed
    if (isDone) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}
