// A hash table: compare and swap in a loop whose end depends on memory.
#include "kernels.h"
#define RELAXED __ATOMIC_RELAXED, __OPENCL_MEMORY_SCOPE_DEVICE
kernel void insert(global atomic_uint *keys, global uint *values, const global uint2 *in, uint mask) {
  uint2 item = in[place()];
  uint at = (item.x * 2654435761u) & mask;
  for (;;) {
    uint expected = 0;
    if (__opencl_atomic_compare_exchange_strong(keys + at, &expected, item.x, __ATOMIC_RELAXED, RELAXED) ||
        expected == item.x)
      break;
    at = (at + 1) & mask;
  }
  values[at] = item.y;
}
