// A resource that differs from lane to lane: the loop over the lanes that have the same one.
#include "kernels.h"
kernel void waterfall(global uint *out, const global ulong *pointers) {
  uint i = place();
  __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc((global void *)pointers[i], 0, 4096, 0x27000);
  out[i] = __builtin_amdgcn_raw_buffer_load_b32(r, i * 4, 0, 0) + __builtin_amdgcn_raw_buffer_load_b32(r, i, 16, 0);
}
