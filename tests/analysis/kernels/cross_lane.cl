// Values from other lanes: read one lane, the first one, write one, permute through the LDS hardware.
#include "kernels.h"
kernel void lanes(global uint *out, const global uint *in, uint lane) {
  uint i = place();
  uint v = in[i];
  uint first = __builtin_amdgcn_readfirstlane(v);
  uint other = __builtin_amdgcn_readlane(v, lane & 31);
  out[i] = first * other + v;
}
kernel void lane_of_lane(global uint *out, const global uint *in) {
  uint i = place();
  uint v = in[i];
  uint at = __builtin_amdgcn_readfirstlane(v) & 31;
  out[i] = __builtin_amdgcn_readlane(v, at) + __builtin_amdgcn_readlane(v, __builtin_amdgcn_readfirstlane(at + v) & 31);
}
kernel void swizzled(global uint *out, const global uint *in) {
  uint i = place();
  out[i] = __builtin_amdgcn_ds_swizzle(in[i], 0x041f) + __builtin_amdgcn_ds_swizzle(in[i + 1], 0x401f);
}
kernel void uniform_of_divergent(global uint *out, const global uint *in, const constant uint *table) {
  uint i = place();
  out[i] = table[__builtin_amdgcn_readfirstlane(in[i])];
}
