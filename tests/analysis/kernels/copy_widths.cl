// Loads and stores of every width, each work item one element.
#include "kernels.h"
#define COPY(NAME, TYPE) \
  kernel void copy_##NAME(global TYPE *out, const global TYPE *in) { uint i = place(); out[i] = in[i]; }
COPY(u8, uchar)
COPY(i8, char)
COPY(u16, ushort)
COPY(i16, short)
COPY(u32, uint)
COPY(u32x2, uint2)
COPY(u32x3, uint3)
COPY(u32x4, uint4)
COPY(u64x4, ulong4)
COPY(u32x16, uint16)
