// Where Enter and the last key of a word put the line, as the editor reads it from language-configuration.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

interface EnterRule {
  readonly beforeText: string;
  readonly action: { readonly indent: string; readonly appendText?: string };
}

const ROOT = process.cwd();
const read = (name: string) => JSON.parse(readFileSync(path.join(ROOT, name), "utf8"));
const configuration = read("language-configuration.json");
const decreases = new RegExp(configuration.indentationRules.decreaseIndentPattern);

/** The columns after Enter at the end of a line of metadata; undefined where no rule is for it. */
function columnAfter(line: string): number | undefined {
  const rules: readonly EnterRule[] = configuration.onEnterRules;
  const rule = rules.find(({ beforeText }) => new RegExp(beforeText).test(line));
  const indent = line.length - line.trimStart().length;
  return rule && indent + (rule.action.appendText ?? "").length;
}

for (const [line, column] of [
  ["amdhsa.version:", 2],
  ["  - 1", 2],
  ["amdhsa.kernels:", 2],
  ["  - .name: saxpy", 4],
  ["    .symbol: saxpy.kd", 4],
  ["    .args:", 6],
  ["      - .name: x", 8],
  ["        .size: 8", 8],
  ["  - .args:", 6],
  ["saxpy:", undefined],
  [".Lend:", undefined],
  ["    s_nop 0", undefined],
  ["  .long 4", undefined],
] as const) {
  test(`Enter after "${line}"`, () => assert.equal(columnAfter(line), column));
}

for (const [line, goesLeft] of [
  ["        ...", true],
  ["        .end_amdgpu_metadata", true],
  ["  amdhsa.kernels:", true],
  ["    .end_amdhsa_kernel", true],
  ["    .size saxpy, .-saxpy", true],
  ["        .size: 8", false],
  ["        .size", false],
  ["    .long 4", false],
] as const) {
  test(`"${line}" ${goesLeft ? "goes to the left" : "stays"}`, () => assert.equal(decreases.test(line), goesLeft));
}

test("no other language's rules hold in metadata", () => {
  // The editor takes the rules of an embedded language in place of ours: YAML's know nothing of the block's end.
  for (const grammar of read("package.json").contributes.grammars) assert.equal(grammar.embeddedLanguages, undefined);
});

test("what closes by itself can be typed over", () => {
  for (const { close } of configuration.autoClosingPairs) assert.equal(close.length, 1, close);
});
