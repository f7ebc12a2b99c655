import assert from "node:assert/strict";
import { test } from "node:test";
import { hasInlineAssembly } from "../src/recognise-inline";

test("statements of AMD GPUs", () => {
  assert.ok(hasInlineAssembly('asm volatile("s_waitcnt vmcnt(0)");'));
  assert.ok(hasInlineAssembly('__asm__("s_nop 0\\n\\tv_mov_b32 %0, 1" : "=v"(x));'));
  assert.ok(hasInlineAssembly('llvm.inline_asm(t, [], f"ds_read_b32 $0, $1", "=v,v")'));
});

test("other sources", () => {
  assert.ok(!hasInlineAssembly("int main() { return 0; }"));
  assert.ok(!hasInlineAssembly('asm volatile("pause");'));
  assert.ok(!hasInlineAssembly('const char* name = "v_mov_b32";'));
});

test("a source of ten megabytes is judged in no time", () => {
  const start = performance.now();
  hasInlineAssembly(`asm ${"int x = 1;\n".repeat(1_000_000)}`);
  assert.ok(performance.now() - start < 500);
});
