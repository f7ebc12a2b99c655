// Append and consume counters in LDS, whose place is M0's before gfx9's and an offset after.
// targets: gfx803 gfx9* gfx10* gfx11*
#include "kernels.h"
kernel void append(global uint *out, const global uint *in) {
  local int slots;
  slots = 0;
  group_barrier();
  uint v = in[place()];
  if (v > 3) {
    int at = __builtin_amdgcn_ds_append(&slots);
    out[at] = v;
  } else {
    int at = __builtin_amdgcn_ds_consume(&slots);
    out[at + 1024] = v;
  }
}
