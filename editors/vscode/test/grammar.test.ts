// The TextMate grammar colours each part of a line by its shape, in the engine that VS Code itself uses.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { type IGrammar, INITIAL, parseRawGrammar, Registry } from "vscode-textmate";

/** Stands in for VS Code's own grammar: a rule that includes a grammar which is not there is dropped. */
const YAML = JSON.stringify({ scopeName: "source.yaml", patterns: [] });

/** Stands in for C++'s: strings with escapes. */
const CPP = JSON.stringify({
  scopeName: "source.cpp",
  patterns: [
    {
      name: "string.quoted.double.cpp",
      begin: '"',
      end: '"',
      patterns: [{ name: "constant.character.escape.cpp", match: "\\\\." }],
    },
  ],
});

let grammar: IGrammar;
let cpp: IGrammar;

before(async () => {
  await loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  const path = join(process.cwd(), "syntaxes", "gcn.tmLanguage.json");
  const inline = join(process.cwd(), "syntaxes", "gcn-inline.tmLanguage.json");
  const texts: Record<string, string> = {
    "source.gcn": readFileSync(path, "utf8"),
    "source.gcn.inline": readFileSync(inline, "utf8"),
    "source.yaml": YAML,
    "source.cpp": CPP,
  };
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => parseRawGrammar(texts[scope] ?? YAML, path),
    getInjections: (scope) => (scope === "source.cpp" ? ["source.gcn.inline"] : []),
  });
  const loaded = await registry.loadGrammar("source.gcn");
  assert.ok(loaded);
  grammar = loaded;
  const other = await registry.loadGrammar("source.cpp");
  assert.ok(other);
  cpp = other;
});

/** What each line of a text is taken for: `word=first part of its innermost scope`, uncoloured words left out. */
function colours(text: string, by = grammar): string[] {
  const result: string[] = [];
  let stack = INITIAL;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = by.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const token of tokens) {
      const scope = token.scopes.at(-1) ?? "";
      const word = line.slice(token.startIndex, token.endIndex).trim();
      if (word !== "" && scope !== "source.gcn") result.push(`${word}=${scope.replace(/\.gcn$/, "")}`);
    }
  }
  return result;
}

const REGISTER = "variable.other.register";

const CASES: readonly (readonly [string, readonly string[]])[] = [
  [
    "  v_add_f32 v0, s1, v[acc+3] ; sum",
    [
      "v_add_f32=keyword.mnemonic",
      `v0=${REGISTER}`,
      `s1=${REGISTER}`,
      `v=${REGISTER}`,
      "+=keyword.operator",
      "3=constant.numeric.decimal",
      "; sum=comment.line.semicolon",
    ],
  ],
  ["loop_1: s_nop 0", ["loop_1:=entity.name.label", "s_nop=keyword.mnemonic", "0=constant.numeric.decimal"]],
  ["1:", ["1:=entity.name.label"]],
  ["label_\\@:", ["label_\\@:=entity.name.label"]],
  [".set vgpr, 0x10", [".set=keyword.control.directive", "vgpr=variable.other.constant", "0x10=constant.numeric.hex"]],
  ["count = 0b11", ["count=variable.other.constant", "==keyword.operator", "0b11=constant.numeric.binary"]],
  [".macro load dst:req", [".macro=keyword.control.directive", "load=entity.name.function.macro"]],
  ["  load v0", ["load=entity.name.function", `v0=${REGISTER}`]],
  ["  v_mov_b32 \\dst, \\@", ["v_mov_b32=keyword.mnemonic", "\\dst=variable.parameter", "\\@=variable.parameter"]],
  [
    "s_waitcnt vmcnt(0) & lgkmcnt(1)",
    [
      "s_waitcnt=keyword.mnemonic",
      "vmcnt=support.function",
      "0=constant.numeric.decimal",
      "&=keyword.operator",
      "lgkmcnt=support.function",
      "1=constant.numeric.decimal",
    ],
  ],
  [
    "ds_read_b64 v[0:1], v2 offset:8 gds",
    [
      "ds_read_b64=keyword.mnemonic",
      `v=${REGISTER}`,
      "0=constant.numeric.decimal",
      "1=constant.numeric.decimal",
      `v2=${REGISTER}`,
      "offset=storage.modifier",
      "8=constant.numeric.decimal",
      "gds=storage.modifier",
    ],
  ],
  [
    "s_load_dwordx2 s[first:first+1], s[0:1], offset:8",
    ["s_load_dwordx2=keyword.mnemonic", `s=${REGISTER}`, "+=keyword.operator", "1=constant.numeric.decimal"],
  ],
  [
    "v_dual_mov_b32 v0, v1 :: v_dual_add_f32 v2, v3, v4",
    [
      "v_dual_mov_b32=keyword.mnemonic",
      `v0=${REGISTER}`,
      `v1=${REGISTER}`,
      "::=keyword.operator",
      "v_dual_add_f32=keyword.mnemonic",
      `v2=${REGISTER}`,
      `v3=${REGISTER}`,
      `v4=${REGISTER}`,
    ],
  ],
  ["/* a\nb */ s_endpgm // c", ["/*=comment.block", "a=comment.block", "b=comment.block", "*/=comment.block"]],
  ['.error "no \\n"', [".error=keyword.control.directive", '"=string.quoted.double', "no=string.quoted.double"]],
];

for (const [text, expected] of CASES) {
  test(text.replace("\n", "⏎"), () => {
    const actual = colours(text);
    assert.deepEqual(actual.slice(0, expected.length), expected, `coloured: ${actual.join("  ")}`);
  });
}

test("metadata is YAML up to its end directive", () => {
  const scopes = grammar.tokenizeLine("a: 1", grammar.tokenizeLine(".amdgpu_metadata", INITIAL).ruleStack).tokens[0];
  assert.ok(scopes?.scopes.includes("meta.embedded.block.yaml"));
  assert.deepEqual(colours(".amdgpu_metadata\n.end_amdgpu_metadata\ns_endpgm").at(-1), "s_endpgm=keyword.mnemonic");
});

/** What is coloured as assembly in a line of C++. */
function inTemplate(line: string): string[] {
  return colours(line, cpp).filter((each) => /=(keyword|variable|constant\.numeric|storage)/.test(each));
}

test("instructions in strings of other languages are coloured", () => {
  assert.deepEqual(inTemplate('  asm volatile("v_lshlrev_b32 %0, 4, %[a]\\n\\ts_nop 1\\n" : "=v"(x));'), [
    "v_lshlrev_b32=keyword.mnemonic",
    "%0=variable.parameter",
    "4=constant.numeric.decimal",
    "%[a]=variable.parameter",
    "s_nop=keyword.mnemonic",
    "1=constant.numeric.decimal",
  ]);
  assert.deepEqual(inTemplate('"buffer_load_dword v[%0:%1], off, s[0:3], 0 offset:16 lds ; x" v_add'), [
    "buffer_load_dword=keyword.mnemonic",
    `v=${REGISTER}`,
    "%0=variable.parameter",
    "%1=variable.parameter",
    `off=${REGISTER}`,
    `s=${REGISTER}`,
    "0=constant.numeric.decimal",
    "3=constant.numeric.decimal",
    "0=constant.numeric.decimal",
    "offset=storage.modifier",
    "16=constant.numeric.decimal",
    "lds=storage.modifier",
  ]);
});

test("other strings keep their colour", () => {
  for (const line of ['printf("v_scale");', '"s_type of %s"', '"the v_max 3"', 'v_add_f32 = "x"', '"%d v_add_u32"'])
    assert.deepEqual(inTemplate(line), []);
});
