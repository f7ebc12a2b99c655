// targets: gfx803 gfx9* gfx1*
// Permutation over lanes with data in a register.
#include "kernels.h"
kernel void permuted(global int *out, const global int *in) {
  uint i = place();
  int v = in[i];
  int a = __builtin_amdgcn_ds_permute(v & 252, v);
  int b = __builtin_amdgcn_ds_bpermute(item() * 4 ^ 8, a);
  out[i] = a + b * in[i + 256];
}
