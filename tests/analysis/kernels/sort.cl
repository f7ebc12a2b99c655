// A bitonic sort in LDS: data-dependent exchanges, barriers in nested loops.
#include "kernels.h"
kernel void bitonic(global uint *data) {
  local uint a[512];
  uint t = item();
  a[t] = data[place()];
  a[t + 256] = data[place() + 256];
  for (uint size = 2; size <= 512; size <<= 1) {
    for (uint step = size >> 1; step > 0; step >>= 1) {
      group_barrier();
      uint i = 2 * t - (t & (step - 1));
      uint x = a[i], y = a[i + step];
      if ((x > y) == !(i & size)) {
        a[i] = y;
        a[i + step] = x;
      }
    }
  }
  group_barrier();
  data[place()] = a[t];
  data[place() + 256] = a[t + 256];
}
