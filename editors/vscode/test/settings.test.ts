// The server gets include paths that are absolute, and everything else as it was set.

import assert from "node:assert/strict";
import { test } from "node:test";
import { serverSettings } from "../src/settings";

const VALUES: Record<string, unknown> = {
  target: "gfx90a",
  includePaths: ["inc", "/usr/share/gcn", "${workspaceFolder}/common"],
  defines: { batch_size: 16 },
  ignore: ["unused-label"],
  "inlayHints.registers": true,
};
const get = <T>(key: string, fallback: T): T => (VALUES[key] as T | undefined) ?? fallback;

test("include paths start at the workspace folder", () => {
  assert.deepEqual(serverSettings(get, "/project"), {
    target: "gfx90a",
    targets: [],
    mattr: "",
    includePaths: ["/project/inc", "/usr/share/gcn", "/project/common"],
    defines: { batch_size: 16 },
    select: [],
    ignore: ["unused-label"],
    expansionLimit: null,
    inlayHints: { registers: true, offset: false, encoding: false },
  });
});

test("without a workspace folder relative include paths stay as they are", () => {
  assert.equal(serverSettings(get, undefined).includePaths[0], "inc");
});
