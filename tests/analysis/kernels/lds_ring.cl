// targets: gfx90a gfx942 gfx950 gfx1250
// Two buffers in LDS that copies fill in turn while the work-group reads the other one.
#include "kernels.h"
#if defined(__gfx1250__)
#define WAVE 1
#define COPY(from, to) __builtin_amdgcn_global_load_async_to_lds_b32(from, to, 0, 0)
#define COPIED() __builtin_amdgcn_s_wait_asynccnt(0)
#else
#define WAVE 64
#define COPY(from, to) __builtin_amdgcn_global_load_lds(from, to, 4, 0, 0)
#define COPIED()
#endif
__attribute__((reqd_work_group_size(256, 1, 1)))
kernel void ring(global int *out, global int *in, int rounds) {
  local int buffer[2][256];
  uint t = item(), place_of_wave = t / WAVE * WAVE;
#if !defined(__gfx1250__)
  place_of_wave = __builtin_amdgcn_readfirstlane(place_of_wave);
#endif
  int sum = 0;
  COPY(in + t, buffer[0] + place_of_wave);
  for (int round = 0; round < rounds; round++) {
    COPIED();
    group_barrier();
    COPY(in + 256 * (round + 1) + t, buffer[(round + 1) & 1] + place_of_wave);
    sum += buffer[round & 1][t ^ 192];
  }
  out[t] = sum;
}
