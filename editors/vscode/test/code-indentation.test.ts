// The width of a level is that of the instructions, whatever the metadata below them are like.

import assert from "node:assert/strict";
import { test } from "node:test";
import { codeIndentation } from "../src/code-indentation";

const METADATA = [
  ".amdgpu_metadata",
  "amdhsa.kernels:",
  "  - .name: k",
  "    .args:",
  "      - .size: 8",
  "        .offset: 0",
];

function found(...lines: readonly string[]) {
  const all = [...lines, ...METADATA, ...METADATA];
  return codeIndentation((line) => all[line] ?? "", all.length);
}

test("spaces", () => {
  assert.deepEqual(found("k:", "    s_nop 0", "    s_endpgm"), { width: 4, tabs: false });
  assert.deepEqual(found("k:", "  s_nop 0", "  s_endpgm"), { width: 2, tabs: false });
});

test("tabs", () => assert.deepEqual(found("k:", "\ts_nop 0", "\ts_endpgm"), { width: 0, tabs: true }));

test("most lines count", () => {
  assert.deepEqual(found("k:", "    s_nop 0", "        s_nop 1", "    s_endpgm"), { width: 4, tabs: false });
});

test("directives, labels and comments do not", () => {
  assert.equal(found("  .long 1", "  k:", "  ; note", "  // note"), undefined);
});

test("a file of metadata alone says nothing", () => assert.equal(found(), undefined));
