// Work items exchange values through LDS with a barrier between.
#include "kernels.h"
kernel void reverse(global float *out, const global float *in) {
  local float tile[256];
  uint t = item();
  tile[t] = in[place()];
  group_barrier();
  out[place()] = tile[255 - t];
}
kernel void neighbours(global float4 *out, const global float4 *in) {
  local float4 tile[258];
  uint t = item();
  tile[t + 1] = in[place() + 1];
  if (t == 0) tile[0] = in[place()];
  if (t == 255) tile[257] = in[place() + 2];
  group_barrier();
  out[place()] = (tile[t] + tile[t + 1] + tile[t + 2]) * 0.333f;
}
