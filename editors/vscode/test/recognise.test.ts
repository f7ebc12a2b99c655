// The samples of tests/editors/recognition are judged as their folder says; the tests of the other clients read them too.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { recognise } from "../src/recognise";

const SAMPLES = join(process.cwd(), "..", "..", "tests", "editors", "recognition");

for (const verdict of ["amdgpu", "other", "unknown"]) {
  for (const name of readdirSync(join(SAMPLES, verdict))) {
    test(`${verdict}/${name}`, () => {
      assert.equal(recognise(readFileSync(join(SAMPLES, verdict, name), "utf8")), verdict);
    });
  }
}

test("a sign far below the head of the file is not looked for", () => {
  assert.equal(recognise(`${"\n".repeat(5000)}s_endpgm\n`), "unknown");
});

test("line ends of Windows", () => {
  assert.equal(recognise("// x\r\ns_endpgm\r\n"), "amdgpu");
});

test("a line of two megabytes is judged in no time", () => {
  const start = performance.now();
  recognise(`${"a ".repeat(1_000_000)}\n`);
  assert.ok(performance.now() - start < 500);
});
