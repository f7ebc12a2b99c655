// The server's environment is made once from the carried wheels, and made anew when the extension carries others.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Carried, extend, make, ready, type Workshop } from "../src/environment";

const CARRIED: Carried = { folder: "/ext/server", version: "0.1.0", files: ["gcn_lsp-0.1.0.tar.gz 9"] };

interface Log extends Workshop {
  readonly commands: string[];
  readonly files: Map<string, string>;
}

function workshop(fails: (command: string) => boolean = () => false): Log {
  const commands: string[] = [];
  const files = new Map<string, string>();
  return {
    commands,
    files,
    windows: false,
    run: async (command, args) => {
      const line = [command, ...args].join(" ");
      commands.push(line);
      if (fails(line)) throw new Error("failed");
      if (args[1] === "venv") files.set("/env/bin/python", "");
    },
    exists: async (file) => files.has(file),
    read: async (file) => files.get(file),
    write: async (file, text) => void files.set(file, text),
    remove: async () => files.clear(),
  };
}

test("it is made from the carried wheel, and what that needs", async () => {
  const shop = workshop();
  assert.equal(await ready("/env", CARRIED, shop), undefined);
  assert.equal(await make("/env", "/usr/bin/python3", CARRIED, shop), "/env/bin/python");
  const pip = "/env/bin/python -m pip install --disable-pip-version-check --no-input";
  assert.deepEqual(shop.commands, [
    "/usr/bin/python3 -m venv /env",
    `${pip} --no-index --no-deps --only-binary :all: --find-links /ext/server gcn-lsp==0.1.0`,
    `${pip} --find-links /ext/server gcn-lsp==0.1.0`,
  ]);
  assert.equal(await ready("/env", CARRIED, shop), "/env/bin/python");
});

test("where no wheel fits the machine, the carried source is built", async () => {
  const shop = workshop((command) => command.includes("--only-binary"));
  await make("/env", "python3", CARRIED, shop);
  assert.match(shop.commands[2] ?? "", /--no-deps --no-binary gcn-lsp --find-links \/ext\/server gcn-lsp==0\.1\.0$/);
});

test("where that fails too, it is said what building needs", async () => {
  const shop = workshop((command) => command.includes("gcn-lsp==0.1.0"));
  await assert.rejects(make("/env", "python3", CARRIED, shop), /No wheel .* needs a C compiler .*: failed$/);
});

test("an extra comes from the carried wheels and the index; another environment keeps the version that it has", async () => {
  const shop = workshop();
  await extend("/env/bin/python", "run", CARRIED, shop);
  await extend("/usr/bin/python3", "run", undefined, shop);
  const install = "-m pip install --disable-pip-version-check --no-input";
  assert.deepEqual(shop.commands, [
    `/env/bin/python ${install} --find-links /ext/server gcn-lsp[run]==0.1.0`,
    `/usr/bin/python3 ${install} gcn-lsp[run]`,
  ]);
});

test("one that was interrupted does not count", async () => {
  const shop = workshop((command) => /--find-links \S+ gcn-lsp/.test(command) && !command.includes("--no-deps"));
  await assert.rejects(make("/env", "python3", CARRIED, shop));
  assert.equal(await ready("/env", CARRIED, shop), undefined);
});

test("other wheels, or another version, make another environment", async () => {
  const shop = workshop();
  await make("/env", "python3", CARRIED, shop);
  assert.equal(await ready("/env", { ...CARRIED, files: ["gcn_lsp-0.1.0.tar.gz 10"] }, shop), undefined);
  assert.equal(await ready("/env", { ...CARRIED, version: "0.2.0" }, shop), undefined);
});
