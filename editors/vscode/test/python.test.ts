// Any Python from 3.10 on that can make an environment will do; where there is none, the message says what is missing.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, findPython, isAnswer, type Machine, parseAnswer } from "../src/python";

type Interpreters = Readonly<Record<string, Omit<Answer, "executable"> | undefined>>;

function machine(interpreters: Interpreters, more: Partial<Machine> = {}): Machine {
  return {
    setting: "",
    home: "/home/ada",
    searchPath: ".:/usr/local/bin:/usr/bin",
    windows: false,
    activePython: async () => undefined,
    isExecutable: async (file) => file in interpreters,
    ask: async (file) => {
      const answer = interpreters[file];
      return answer && { ...answer, executable: file };
    },
    ...more,
  };
}

const NEW = { version: [3, 12], venv: true } as const;
const OLD = { version: [3, 9], venv: true } as const;
const BARE = { version: [3, 12], venv: false } as const;

async function found(interpreters: Interpreters, more: Partial<Machine> = {}): Promise<string> {
  const result = await findPython(machine(interpreters, more));
  assert.ok(isAnswer(result), JSON.stringify(result));
  return result.executable;
}

async function unfit(interpreters: Interpreters, more: Partial<Machine> = {}): Promise<string> {
  const result = await findPython(machine(interpreters, more));
  assert.ok(!isAnswer(result));
  return `${result.kind}: ${result.looked.join(" ")}`;
}

test("the active environment's comes first", async () => {
  assert.equal(
    await found({ "/env/python": NEW, "/usr/bin/python3": NEW }, { activePython: async () => "/env/python" }),
    "/env/python",
  );
});

test("an old one is passed over for a newer with a number", async () => {
  assert.equal(await found({ "/usr/bin/python3": OLD, "/usr/local/bin/python3.11": NEW }), "/usr/local/bin/python3.11");
});

test("one that is only an advertisement is passed over", async () => {
  assert.equal(await found({ "/usr/local/bin/python3": undefined, "/usr/bin/python3": NEW }), "/usr/bin/python3");
});

test("a relative folder of the PATH is not searched", async () => {
  assert.equal(await unfit({ "./python3": NEW, python3: NEW }), "no-python: ");
});

test("none at all, and only old ones", async () => {
  assert.equal(await unfit({}), "no-python: ");
  assert.equal(await unfit({ "/usr/bin/python3": OLD }), "no-python: `/usr/bin/python3` is Python 3.9.");
});

test("one without venv, as Debian has it", async () => {
  assert.match(await unfit({ "/usr/bin/python3": BARE }), /^no-venv: .*\(Python 3\.12\) lacks/);
});

test("the setting alone counts where there is one", async () => {
  const setting = "~/python";
  assert.equal(await found({ "/home/ada/python": NEW, "/usr/bin/python3": NEW }, { setting }), "/home/ada/python");
  assert.match(await unfit({ "/home/ada/python": OLD, "/usr/bin/python3": NEW }, { setting }), /^setting: /);
});

test("other output is not an answer", () => {
  assert.equal(parseAnswer("Python was not found; run without arguments to install"), undefined);
  assert.equal(parseAnswer("{}"), undefined);
  assert.deepEqual(parseAnswer('{"version": [3, 11], "executable": "/p", "venv": true}\n')?.version, [3, 11]);
});
