// Integers of 64 bits: carries, products, shifts, division and comparisons.
#include "kernels.h"
kernel void arithmetic(global ulong *out, const global ulong *a, const global ulong *b) {
  uint i = place();
  ulong x = a[i], y = b[i];
  out[i] = x * y + (x >> (y & 63)) - (y << 7);
}
kernel void divide_wide(global long *out, const global long *a, const global long *b) {
  uint i = place();
  out[i] = a[i] / b[i] + a[i + 1] % 10;
}
kernel void wide_minimum(global long *out, const global long *a, long limit) {
  uint i = place();
  long best = limit;
  for (int k = 0; k < 5; k++) best = a[i + k] < best ? a[i + k] : best;
  out[i] = best;
}
kernel void scalar_wide(global ulong *out, const constant ulong *a) {
  out[place()] = a[group()] * a[group() + 1] + item();
}
