// gcn-lsp: target=gfx90a
// Inline assembly: the output is written before the second input is read, so that it needs an early clobber.
__attribute__((device)) int scaled(int a, int b) {
  int x;
  asm volatile("v_lshlrev_b32 %0, 4, %[a]\n\t"
               "v_add_u32 %0, %0, %[b]"
               : "=v"(x) : [a] "v"(a), [b] "v"(b));
  return x;
}
