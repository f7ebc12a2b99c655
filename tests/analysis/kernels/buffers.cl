// Buffer instructions through a resource that is made here: loads and stores of every width.
#include "kernels.h"
#define RSRC(P) __builtin_amdgcn_make_buffer_rsrc((global void *)(P), 0, 65536, 0x27000)
kernel void buffer_copy(global uint *out, global uint *in) {
  __amdgpu_buffer_rsrc_t from = RSRC(in), to = RSRC(out);
  uint at = place() * 16;
  uint4 a = __builtin_amdgcn_raw_buffer_load_b128(from, at, 0, 0);
  uint3 b = __builtin_amdgcn_raw_buffer_load_b96(from, at, 4096, 0);
  uint2 c = __builtin_amdgcn_raw_buffer_load_b64(from, at + 16, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b128(a * 3, to, at, 0, 0);
  __builtin_amdgcn_raw_buffer_store_b96(b + 1, to, at, 4096, 0);
  __builtin_amdgcn_raw_buffer_store_b64(c ^ a.xy, to, at + 16, 8192, 0);
}
kernel void buffer_narrow(global uint *out, global uint *in, uint base) {
  __amdgpu_buffer_rsrc_t from = RSRC(in), to = RSRC(out);
  uint at = place();
  uchar a = __builtin_amdgcn_raw_buffer_load_b8(from, at, base, 0);
  ushort b = __builtin_amdgcn_raw_buffer_load_b16(from, at * 2, base, 0);
  uint c = __builtin_amdgcn_raw_buffer_load_b32(from, at * 4, base, 1);
  __builtin_amdgcn_raw_buffer_store_b8(a + (uchar)b, to, at, base, 0);
  __builtin_amdgcn_raw_buffer_store_b16((ushort)c, to, at * 2, base, 2);
  __builtin_amdgcn_raw_buffer_store_b32(c * a, to, at * 4, base, 0);
}
