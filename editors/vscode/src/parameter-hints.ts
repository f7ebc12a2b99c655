// Closes the hint about an instruction's operands when its line is left by Enter.

import * as vscode from "vscode";
import { isServed } from "./languages";

/**
 * The editor asks again at each key, and drops an answer that comes after the next one. So the hint of a line would stay
 * over the following ones for as long as somebody types faster than a busy machine answers.
 */
export function closeHintsAtLineBreaks(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (document !== vscode.window.activeTextEditor?.document || !isServed(document)) return;
    if (contentChanges.some(({ text }) => /^\r?\n[ \t]*$/.test(text))) {
      void vscode.commands.executeCommand("closeParameterHints");
    }
  });
}
