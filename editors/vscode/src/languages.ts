// Decides which open documents are AMD GPU assembly, and switches their language where the file name was misleading.
// `.s` belongs to every processor: a file for another one returns to its own language, as if this extension were not installed.

import * as path from "node:path";
import * as vscode from "vscode";
import { recognise } from "./recognise";

export const LANGUAGE = "gcn";

/** The scheme of documents with the text of a code object. */
export const OBJECT_SCHEME = "gcn-lsp-object";

/** The scheme of documents with the assembly that a compiler made of a source. */
export const ASSEMBLY_SCHEME = "gcn-lsp-compiled";

/** Endings that many processors share; only their files ever change language. */
const SHARED_ENDINGS = new Set([".s", ".asm", ".inc"]);

/** Of OpenCL, which VS Code does not know: C without an extension for it, so that the inline assembly is found and coloured. */
const OPENCL_ENDING = ".cl";

/** Whether this document is ours to serve. Called for each document that opens, before the server hears of it. */
export function isServed(document: vscode.TextDocument): boolean {
  const leavesUs = (pending.get(document.uri.toString()) ?? LANGUAGE) !== LANGUAGE;
  return document.languageId === LANGUAGE && !leavesUs && !isForeign(document);
}

/** The document that a command is about: the one in front; with the keys in a panel or a page, one that is in view or open. */
export function servedDocument(): vscode.TextDocument | undefined {
  const active = vscode.window.activeTextEditor?.document;
  if (active && active.uri.scheme !== "output") return isServed(active) ? active : undefined;
  const visible = vscode.window.visibleTextEditors.map((editor) => editor.document);
  return visible.find(isServed) ?? vscode.workspace.textDocuments.find(isServed);
}

/** Puts the cursor at a line, from 0, in the editor that shows the document already, if one does. */
export async function goToLine(uri: vscode.Uri, line: number): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  const start = new vscode.Position(line, 0);
  const options = { viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One, selection: new vscode.Range(start, start) };
  await vscode.window.showTextDocument(uri, options);
}

/** Documents whose language was switched while they are open: from then on the language id alone says whose they are. */
const switched = new Set<string>();

/** Languages requested but not yet set: until then the server must not hear of the document. */
const pending = new Map<string, string>();

/** Switches languages as documents open. The user's later choice remains. */
export function recogniseDocuments(): vscode.Disposable {
  for (const document of vscode.workspace.textDocuments) opened(document);
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(opened),
    // A file that was empty when it opened may now have text that identifies it.
    vscode.workspace.onDidSaveTextDocument(opened),
    vscode.workspace.onDidCloseTextDocument(closed),
  );
}

function opened(document: vscode.TextDocument): void {
  const key = document.uri.toString();
  if (pending.get(key) === document.languageId) pending.delete(key);
  const language = betterLanguage(document);
  if (language === undefined) return;
  switched.add(key);
  pending.set(key, language);
  vscode.languages.setTextDocumentLanguage(document, language).then(undefined, () => pending.delete(key));
}

function betterLanguage(document: vscode.TextDocument): string | undefined {
  if (isForeign(document)) return ownLanguage(document);
  if (isMistaken(document)) return LANGUAGE;
  return isUnclaimedOpenCl(document) ? "c" : undefined;
}

/** A change of language closes a document and opens it again in the same turn; only a real close is forgotten. */
function closed(document: vscode.TextDocument): void {
  const key = document.uri.toString();
  setTimeout(() => {
    const isOpen = vscode.workspace.textDocuments.some((open) => open.uri.toString() === key);
    if (!isOpen) switched.delete(key);
  }, 0);
}

function isForeign(document: vscode.TextDocument): boolean {
  return document.languageId === LANGUAGE && isInDoubt(document) && recognise(document.getText()) === "other";
}

function isMistaken(document: vscode.TextDocument): boolean {
  return document.languageId !== LANGUAGE && isInDoubt(document) && recognise(document.getText()) === "amdgpu";
}

function isUnclaimedOpenCl(document: vscode.TextDocument): boolean {
  const isPlain = document.languageId === "plaintext" && !switched.has(document.uri.toString());
  return isPlain && path.extname(document.uri.path) === OPENCL_ENDING;
}

function isInDoubt(document: vscode.TextDocument): boolean {
  return hasSharedEnding(document) && !switched.has(document.uri.toString()) && isEnabled();
}

function hasSharedEnding(document: vscode.TextDocument): boolean {
  return SHARED_ENDINGS.has(path.extname(document.uri.path).toLowerCase());
}

function isEnabled(): boolean {
  return vscode.workspace.getConfiguration("gcn-lsp").get("recogniseByContent", true);
}

interface LanguageContribution {
  readonly id?: string;
  readonly extensions?: readonly string[];
}

/** The language that another extension declares for this ending; plain text where none does. */
function ownLanguage(document: vscode.TextDocument): string {
  const ending = path.extname(document.uri.path);
  for (const extension of vscode.extensions.all) {
    const languages: readonly LanguageContribution[] = extension.packageJSON?.contributes?.languages ?? [];
    for (const language of languages) {
      if (language.id && language.id !== LANGUAGE && language.extensions?.includes(ending)) return language.id;
    }
  }
  return "plaintext";
}
