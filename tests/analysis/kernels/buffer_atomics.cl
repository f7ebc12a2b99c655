// targets: * !gfx600 !gfx700
// Buffer atomics that return the value before.
#include "kernels.h"
kernel void buffer_add(global int *out, global int *sum, const global int *in) {
  __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc(sum, 0, 65536, 0x27000);
  uint i = place();
  int before = __builtin_amdgcn_raw_ptr_buffer_atomic_add_i32(in[i], r, (i & 15) * 4, 0, 0);
  out[i] = before;
  __builtin_amdgcn_raw_ptr_buffer_atomic_add_i32(before, r, 256, 0, 0);
}
