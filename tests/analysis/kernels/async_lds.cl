// targets: gfx1250
// Asynchronous copies between global memory and LDS, with the waits that the program writes itself.
#include "kernels.h"
typedef int v4i __attribute__((ext_vector_type(4)));
kernel void async_copy(global v4i *out, global v4i *in) {
  local v4i tile[256];
  uint t = item();
  __builtin_amdgcn_global_load_async_to_lds_b128(in + place(), tile + t, 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(0);
  group_barrier();
  v4i v = tile[t ^ 1];
  tile[t] = v + 1;
  group_barrier();
  __builtin_amdgcn_global_store_async_from_lds_b128(out + place(), tile + t, 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(0);
}
kernel void async_two(global int *out, global int *in) {
  local int tile[512];
  uint t = item();
  __builtin_amdgcn_global_load_async_to_lds_b32(in + place(), tile + t, 0, 0);
  __builtin_amdgcn_global_load_async_to_lds_b32(in + place() + 256, tile + 256 + t, 0, 0);
  __builtin_amdgcn_s_wait_asynccnt(1);
  int a = tile[t];
  __builtin_amdgcn_s_wait_asynccnt(0);
  out[place()] = a * tile[256 + t];
}
