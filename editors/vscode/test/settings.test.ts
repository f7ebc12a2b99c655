// The server gets every setting that the extension declares: include paths absolute, everything else as it was set.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { serverSettings } from "../src/settings";

interface Group {
  readonly properties: Readonly<Record<string, { readonly default: unknown }>>;
}

const GROUPS: readonly Group[] = JSON.parse(readFileSync("package.json", "utf8")).contributes.configuration;
const PROPERTIES: Group["properties"] = Object.assign({}, ...GROUPS.map((group) => group.properties));
const DECLARED = Object.keys(PROPERTIES).map((key) => key.replace("gcn-lsp.", ""));

const VALUES: Record<string, unknown> = {
  target: "gfx90a",
  includePaths: ["inc", "/usr/share/gcn", "${workspaceFolder}/common"],
  defines: { batch_size: 16 },
  severity: { "unused-symbol": "off" },
  "inlayHints.registers": true,
};
const get = (key: string) => VALUES[key] ?? PROPERTIES[`gcn-lsp.${key}`]?.default;

function sent(folder: string | undefined): Record<string, unknown> {
  return serverSettings(DECLARED, get, folder) as Record<string, unknown>;
}

test("what is set is sent, what is not is sent with its default", () => {
  const settings = sent("/project");
  assert.equal(settings.target, "gfx90a");
  assert.deepEqual(settings.defines, { batch_size: 16 });
  assert.deepEqual(settings.severity, { "unused-symbol": "off" });
  assert.deepEqual(settings.targets, []);
  assert.equal((settings.inlayHints as Record<string, unknown>).registers, true);
});

test("what concerns only the client is not sent", () => {
  assert.deepEqual(
    Object.keys(sent("/project")).filter((name) => ["server", "trace", "recogniseByContent"].includes(name)),
    [],
  );
});

test("include paths start at the workspace folder", () => {
  assert.deepEqual(sent("/project").includePaths, ["/project/inc", "/usr/share/gcn", "/project/common"]);
});

test("without a workspace folder relative include paths stay as they are", () => {
  assert.equal((sent(undefined).includePaths as string[])[0], "inc");
});
