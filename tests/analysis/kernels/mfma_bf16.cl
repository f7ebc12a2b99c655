// targets: gfx908 gfx90a
// Matrix instructions on the brain floats of the first generation.
#include "kernels.h"
typedef short v2s __attribute__((ext_vector_type(2)));
typedef float v4f __attribute__((ext_vector_type(4)));
typedef float v16f __attribute__((ext_vector_type(16)));
kernel void brain(global v16f *out, const global v2s *a, const global v2s *b) {
  v2s x = a[place()], y = b[place()];
  v16f c = out[place()];
  c = __builtin_amdgcn_mfma_f32_32x32x4bf16(x, y, c, 0, 0, 0);
  v4f d = __builtin_amdgcn_mfma_f32_16x16x8bf16(x, y, c.s0123, 0, 0, 0);
  c.s89ab = d;
  out[place()] = c;
}
