// targets: gfx950
// LDS reads that transpose.
#include "kernels.h"
typedef int v2i __attribute__((ext_vector_type(2)));
typedef short v4s __attribute__((ext_vector_type(4)));
kernel void transposed_read(global v2i *out, global v4s *halves, const global v2i *in) {
  local v2i tile[256];
  tile[item()] = in[place()];
  group_barrier();
  out[place()] = __builtin_amdgcn_ds_read_tr8_b64_v2i32(tile + (item() ^ 1));
  halves[place()] = __builtin_amdgcn_ds_read_tr16_b64_v4i16((local v4s *)tile + item());
}
