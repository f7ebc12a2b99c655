// targets: gfx12*
// Prefetch instructions, which count nowhere, scalar loads of bytes, and a sleep of variable length.
#include "kernels.h"
kernel void prefetched(global uint *out, const constant uint *table, const constant uchar *bytes, const constant short *halves) {
  __builtin_amdgcn_s_prefetch_data(table, 4);
  __builtin_amdgcn_s_sleep_var(group() & 7);
  out[place()] = table[group()] + bytes[group()] + halves[group()];
}
