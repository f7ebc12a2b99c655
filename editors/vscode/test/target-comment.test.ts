// Picking a target for a file changes its directive or its comment, or writes one comment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutTargetComment, withTarget } from "../src/target-comment";

for (const [name, before, after] of [
  ["a file without one", "s_nop 0\n", "; gcn-lsp: target=gfx942\ns_nop 0\n"],
  ["line ends of Windows", "s_nop 0\r\n", "; gcn-lsp: target=gfx942\r\ns_nop 0\r\n"],
  ["an empty file", "", "; gcn-lsp: target=gfx942\n"],
  ["a file with one", "// x\n// gcn-lsp: target=gfx90a\ns_nop 0\n", "// x\n// gcn-lsp: target=gfx942\ns_nop 0\n"],
  [
    "the directive, which counts for more than a comment",
    '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a:xnack-"\n; gcn-lsp: target=gfx90a\n',
    '.amdgcn_target "amdgcn-amd-amdhsa--gfx942:xnack-"\n; gcn-lsp: target=gfx90a\n',
  ],
  ["a generic target", "; gcn-lsp: target=gfx9-generic\n", "; gcn-lsp: target=gfx942\n"],
] as const) {
  test(name, () => assert.equal(withTarget(before, "gfx942"), after));
}

test("other comments of ours stay", () => {
  const text = "; gcn-lsp: disable=unused-symbol\n; gcn-lsp: target=gfx90a\ns_nop 0\n";
  assert.equal(withoutTargetComment(text), "; gcn-lsp: disable=unused-symbol\ns_nop 0\n");
});

test("where there is none, none is taken out", () => {
  assert.equal(withoutTargetComment("s_nop 0\n"), "s_nop 0\n");
});
