// targets: gfx1250
// A tensor moved to LDS and back.
#include "kernels.h"
typedef int v4i __attribute__((ext_vector_type(4)));
typedef int v8i __attribute__((ext_vector_type(8)));
kernel void tensor_copy(global int *out, v4i d0, v8i d1, v4i d2, v4i d3) {
  local int tile[1024];
  __builtin_amdgcn_tensor_load_to_lds(d0, d1, d2, d3, 0);
  __builtin_amdgcn_s_wait_tensorcnt(0);
  group_barrier();
  out[place()] = tile[item()];
  __builtin_amdgcn_tensor_store_from_lds(d0, d1, d2, d3, 0);
  __builtin_amdgcn_s_wait_tensorcnt(0);
}
