// Narrow loads that extend their sign, and stores of the low and the high half of a register.
#include "kernels.h"
kernel void widen(global int4 *out, const global char4 *bytes, const global short4 *halves) {
  uint i = place();
  out[i] = convert_int4(bytes[i]) * convert_int4(halves[i]);
}
kernel void split(global ushort *low, global ushort *high, const global uint *in) {
  uint i = place();
  uint value = in[i];
  low[i] = (ushort)value;
  high[i] = (ushort)(value >> 16);
}
kernel void merge(global uint *out, const global ushort *low, const global ushort *high) {
  uint i = place();
  out[i] = low[i] | (uint)high[i] << 16;
}
