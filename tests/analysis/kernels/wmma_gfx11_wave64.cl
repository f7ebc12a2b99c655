// targets: gfx11*
// waves: 64
// Matrix instructions of gfx11 with 64 lanes.
#include "kernels.h"
typedef float v4f __attribute__((ext_vector_type(4)));
typedef half v16h __attribute__((ext_vector_type(16)));
kernel void wave_matrix(global v4f *out, const global v16h *a, const global v16h *b) {
  v4f c = out[place()];
  c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64(a[place()], b[place()], c);
  c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w64(b[place()], a[place()], c);
  out[place()] = c;
}
