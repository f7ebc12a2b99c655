// The TextMate grammar and the tree-sitter grammar colour the same kernels alike: each thing that the tree-sitter query
// captures has a TextMate scope of the same kind. Needs the tree-sitter command, which compiles the grammar.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { before, test } from "node:test";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { type IGrammar, INITIAL, parseRawGrammar, Registry } from "vscode-textmate";

const ROOT = join(process.cwd(), "..", "..");
const GRAMMAR = join(ROOT, "grammar");
const ENVIRONMENT = { ...process.env, PATH: `${process.env.PATH}${delimiter}${join(homedir(), ".cargo", "bin")}` };

/** Captures of the highlights query, and the scopes, one of which TextMate must give at the same place. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  comment: ["comment."],
  string: ["string."],
  number: ["constant.numeric.", "entity.name.label."],
  "number.float": ["constant.numeric."],
  label: ["entity.name.label.", "constant.other.label."],
  function: ["keyword.mnemonic.", "entity.name.function.", "support.function."],
  "function.macro": ["entity.name.function."],
  "keyword.directive": ["keyword.control.directive."],
  "keyword.function": ["keyword.control.directive."],
  "keyword.repeat": ["keyword.control.directive."],
  "keyword.conditional": ["keyword.control.directive."],
};

const FILES = [
  ...readdirSync(join(ROOT, "tests", "data"))
    .filter((name) => name.endsWith(".s"))
    .map((name) => join(ROOT, "tests", "data", name)),
  join(GRAMMAR, "test", "highlight", "kernel.s"),
];

let grammar: IGrammar;

before(async () => {
  await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  const path = join(process.cwd(), "syntaxes", "gcn.tmLanguage.json");
  const yaml = JSON.stringify({ scopeName: "source.yaml", patterns: [] });
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => parseRawGrammar(scope === "source.gcn" ? readFileSync(path, "utf8") : yaml, path),
  });
  const loaded = await registry.loadGrammar("source.gcn");
  assert.ok(loaded);
  grammar = loaded;
});

interface Capture {
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

function captures(file: string): Capture[] {
  const query = ["query", "queries/highlights.scm", file, "--captures"];
  const printed = execFileSync("tree-sitter", query, {
    cwd: GRAMMAR,
    env: ENVIRONMENT,
    encoding: "utf8",
    stdio: "pipe",
  });
  const rows = printed.matchAll(
    /capture: \d+ - ([\w.]+), start: \((\d+), (\d+)\), end: \(\d+, \d+\)(?:, text: `(.*)`)?/g,
  );
  return [...rows].map(([, name = "", line, column, text = ""]) => ({
    name,
    line: Number(line),
    column: Number(column),
    text,
  }));
}

/** What captures name last at each place, the query's order being that of rising precedence. */
function lastAtEachPlace(all: readonly Capture[]): Capture[] {
  return [...new Map(all.map((capture) => [`${capture.line}:${capture.column}`, capture])).values()];
}

function scopes(text: string): ((line: number, column: number) => readonly string[])[] {
  let stack = INITIAL;
  return text.split("\n").map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    return (_line, column) => tokens.filter((token) => token.startIndex <= column).at(-1)?.scopes ?? [];
  });
}

function hasTreeSitter(): boolean {
  try {
    execFileSync("tree-sitter", ["--version"], { env: ENVIRONMENT, stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

const skip = hasTreeSitter() ? false : "the tree-sitter command is not installed";

for (const file of FILES) {
  test(`colours of ${file.slice(ROOT.length + 1)}`, { skip }, () => {
    const lines = scopes(readFileSync(file, "utf8"));
    const found = lastAtEachPlace(captures(file)).filter((capture) => capture.name in KINDS);
    assert.ok(found.length > 20, `${found.length} captures`);
    const different = found.filter(({ name, line, column }) => {
      const given = lines[line]?.(line, column) ?? [];
      return !KINDS[name]?.some((kind) => given.some((scope) => scope.startsWith(kind)));
    });
    const told = different.map(
      ({ name, line, column, text }) => `${line + 1}:${column + 1} ${name} ${text}: ${lines[line]?.(line, column)}`,
    );
    assert.deepEqual(told, []);
  });
}
