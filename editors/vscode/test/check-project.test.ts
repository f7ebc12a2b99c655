// The sentence after a check of all kernels says what was found, and what was not checked or is not listed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { summary } from "../src/summary";

const NOTHING = { files: 0, errors: 0, warnings: 0, others: 0, failed: 0, leftOut: 0, hidden: 0 };

for (const [checked, sentence] of [
  [{}, "There is no AMD GPU assembly in this workspace."],
  [{ files: 1 }, "1 file checked: no problems."],
  [{ files: 12, errors: 3, warnings: 1 }, "12 files checked: 3 errors, 1 warning."],
  [{ files: 2, others: 2 }, "2 files checked: 0 errors, 0 warnings, 2 notes."],
  [{ files: 2, failed: 1 }, "2 files checked: no problems. 1 file could not be checked."],
  [
    { files: 2, errors: 20000, hidden: 10000, leftOut: 5 },
    "2 files checked: 20000 errors, 0 warnings. 10000 of these are not listed: there are too many. " +
      "5 files beyond the limit were not looked at.",
  ],
] as const) {
  test(sentence, () => assert.equal(summary({ ...NOTHING, ...checked }), sentence));
}
