// Memory that is loaded by scalars and then written: what was loaded has to be there before.
#include "kernels.h"
kernel void read_then_write(global uint *data) {
  uint a = data[0], b = data[1];
  data[0] = a + b;
  uint c = data[2];
  data[3] = c * a;
}
