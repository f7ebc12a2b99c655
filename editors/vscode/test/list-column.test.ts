// The hyphen of a list's next item goes to the list, as in Neovim.

import assert from "node:assert/strict";
import { test } from "node:test";
import { listColumn } from "../src/list-column";

const KERNEL = [
  ".amdgpu_metadata",
  "---",
  "amdhsa.kernels:",
  "  - .name: k",
  "    .args:",
  "      - .name: x",
  "        .size: 8",
];

function columnAfter(lines: readonly string[], typed: string): number | undefined {
  const all = [...lines, typed];
  return listColumn((line) => all[line] ?? "", all.length - 1);
}

for (const [name, lines, typed, column] of [
  ["after an argument's keys", KERNEL, "        -", 6],
  ["with what was typed since", KERNEL, "        - .na", 6],
  ["over an empty line", [...KERNEL, ""], "        -", 6],
  ["at the kernel's keys", [...KERNEL, "    .symbol: k.kd"], "    -", 2],
  ["further left than the arguments", KERNEL, "    -", 2],
  ["where the list is already", KERNEL, "      -", undefined],
  ["the first of a list", KERNEL.slice(0, 5), "      -", undefined],
  ["the first of the outer list", KERNEL.slice(0, 3), "  -", undefined],
  ["the lines of the version", [".amdgpu_metadata", "amdhsa.version:", "  - 1"], "  -", undefined],
  ["outside", ["  - .name: k", "    .size: 8"], "    -", undefined],
  ["after the block", [...KERNEL, ".end_amdgpu_metadata"], "        -", undefined],
  ["the beginning of the text", KERNEL.slice(0, 1), "---", undefined],
  ["a negative value", KERNEL, "        .size: -", undefined],
] as const) {
  test(name, () => assert.equal(columnAfter(lines, typed), column));
}
