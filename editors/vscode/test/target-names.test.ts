// What is typed in a list of targets finds those that have it, not those whose letters happen to be in order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { matching, type Named } from "../src/target-names";

const LIST: readonly Named[] = [
  { label: "$(file-code) Let each file say its own", target: null },
  { label: "Recently picked" },
  { label: "$(chip) gfx1100", description: "RDNA3, navi31, Radeon RX 7900 XTX, Radeon RX 7900 XT", target: "gfx1100" },
  { label: "Supported by ROCm" },
  { label: "$(chip) gfx942", description: "CDNA3, mi300x, AMD Instinct MI300X", target: "gfx942" },
  { label: "$(chip) gfx1201", description: "RDNA4, navi48, Radeon RX 9070, Radeon RX 9070 XT", target: "gfx1201" },
  { label: "$(chip) gfx1100", description: "RDNA3, navi31, Radeon RX 7900 XTX, Radeon RX 7900 XT", target: "gfx1100" },
  { label: "$(chip) gfx9-4-generic", description: "CDNA3", target: "gfx9-4-generic" },
];

for (const [typed, found] of [
  ["7900", ["gfx1100"]],
  ["rx7900xtx", ["gfx1100"]],
  ["RX 7900", ["gfx1100"]],
  ["navi-31", ["gfx1100"]],
  ["MI300", ["gfx942"]],
  ["cdna3", ["gfx942", "gfx9-4-generic"]],
  ["gfx1", ["gfx1100", "gfx1201"]],
  ["gfx94", ["gfx942", "gfx9-4-generic"]],
  ["each file", [null]],
  ["chip", []],
  ["1201", ["gfx1201"]],
  ["XT, CDNA", []],
] as const) {
  test(`${typed} finds ${found.join(", ") || "nothing"}`, () => {
    assert.deepEqual(
      matching(LIST, typed).map((entry) => entry.target),
      found,
    );
  });
}
