// targets: gfx120?
// waves: 32
// Global loads that transpose.
#include "kernels.h"
typedef int v2i __attribute__((ext_vector_type(2)));
typedef short v8s __attribute__((ext_vector_type(8)));
kernel void transposed_load(global v2i *out, global v8s *halves, global v2i *in, global v8s *more) {
  out[place()] = __builtin_amdgcn_global_load_tr_b64_v2i32(in + place());
  halves[place()] = __builtin_amdgcn_global_load_tr_b128_v8i16(more + place());
}
