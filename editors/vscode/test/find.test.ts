// The server is looked for in the setting, then the active Python environment, then the PATH.

import assert from "node:assert/strict";
import { test } from "node:test";
import { describeOrigin, findServer, type Surroundings } from "../src/find";

interface World {
  readonly setting?: string;
  readonly workspaceFolder?: string;
  readonly searchPath?: string;
  readonly python?: string;
  /** Files that can be run. */
  readonly files?: readonly string[];
  /** Interpreters that have the server installed. */
  readonly equipped?: readonly string[];
}

function around(world: World): Surroundings {
  return {
    setting: world.setting ?? "",
    home: "/home/ada",
    workspaceFolder: world.workspaceFolder,
    searchPath: world.searchPath ?? "/usr/local/bin:/usr/bin",
    windows: false,
    activePython: async () => world.python,
    isExecutable: async (file) => world.files?.includes(file) ?? false,
    hasServer: async (python) => world.equipped?.includes(python) ?? false,
  };
}

async function found(world: World): Promise<string> {
  const result = await findServer(around(world));
  assert.equal(result.kind, "found");
  return describeOrigin(result);
}

async function missing(world: World): Promise<{ settingIsWrong: boolean; text: string }> {
  const result = await findServer(around(world));
  assert.equal(result.kind, "missing");
  return { settingIsWrong: result.settingIsWrong, text: result.looked.join(" ") };
}

const PYTHON = "/env/bin/python3";
const ON_PATH = "/usr/bin/gcn-lsp";

test("the setting comes before everything else", async () => {
  const world = { setting: "/opt/gcn-lsp", files: ["/opt/gcn-lsp", ON_PATH], python: PYTHON, equipped: [PYTHON] };
  assert.equal(await found(world), "/opt/gcn-lsp serve (from the setting gcn-lsp.server.path)");
});

test("an interpreter in the setting runs the module", async () => {
  const world = { setting: PYTHON, files: [PYTHON], equipped: [PYTHON] };
  assert.equal(await found(world), `${PYTHON} -m gcn_lsp serve (from the setting gcn-lsp.server.path)`);
});

test("an interpreter in the setting without the server is reported", async () => {
  const { settingIsWrong, text } = await missing({ setting: PYTHON, files: [PYTHON, ON_PATH] });
  assert.ok(settingIsWrong);
  assert.match(text, /no gcn-lsp installed/);
});

test("a setting that leads nowhere is reported, not passed over", async () => {
  const { settingIsWrong, text } = await missing({ setting: "/opt/none", files: [ON_PATH] });
  assert.ok(settingIsWrong);
  assert.match(text, /\/opt\/none/);
});

test("the setting may be a bare command", async () => {
  assert.match(await found({ setting: "gcn-lsp", files: [ON_PATH] }), /^\/usr\/bin\/gcn-lsp serve \(from the setting/);
  assert.match((await missing({ setting: "gcn-lsq" })).text, /the PATH has no command `gcn-lsq`/i);
});

for (const [setting, file] of [
  ["~/bin/gcn-lsp", "/home/ada/bin/gcn-lsp"],
  ["${workspaceFolder}/.venv/bin/gcn-lsp", "/my project/.venv/bin/gcn-lsp"],
  [".venv/bin/gcn-lsp", "/my project/.venv/bin/gcn-lsp"],
] as const) {
  test(`${setting} is expanded`, async () => {
    const world = { setting, workspaceFolder: "/my project", files: [file] };
    assert.ok((await found(world)).startsWith(`${file} serve`));
  });
}

test("the active Python environment comes before the PATH", async () => {
  const world = { python: PYTHON, equipped: [PYTHON], files: [ON_PATH] };
  assert.equal(await found(world), `${PYTHON} -m gcn_lsp serve (from the active Python environment)`);
});

test("a Python environment without the server is passed over", async () => {
  assert.equal(await found({ python: PYTHON, files: [ON_PATH] }), `${ON_PATH} serve (from the PATH)`);
});

test("folders of the PATH are tried in their order, relative ones never", async () => {
  const world = { searchPath: ".:bin:/first:/second", files: ["gcn-lsp", "bin/gcn-lsp", "/second/gcn-lsp"] };
  assert.equal(await found(world), "/second/gcn-lsp serve (from the PATH)");
});

test("when there is none, every place looked at is named", async () => {
  const { settingIsWrong, text } = await missing({ python: PYTHON });
  assert.equal(settingIsWrong, false);
  assert.match(text, /\/env\/bin\/python3.*no gcn-lsp installed.*the PATH has no command `gcn-lsp`/i);
  assert.match((await missing({})).text, /no active environment/);
});
