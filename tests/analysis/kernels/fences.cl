// Fences of every order and scope between accesses of global and local memory.
#include "kernels.h"
#define FENCE(NAME, ORDER, SCOPE) \
  kernel void NAME(global uint *out, global uint *in) { \
    local uint near[256]; \
    uint i = place(), t = item(); \
    out[i] = i; \
    near[t] = in[i]; \
    uint early = in[i + 256]; \
    __builtin_amdgcn_fence(ORDER, SCOPE); \
    out[i + 256] = near[t ^ 64] + in[i + 512] + early; \
  }
FENCE(release_agent, __ATOMIC_RELEASE, "agent")
FENCE(acquire_agent, __ATOMIC_ACQUIRE, "agent")
FENCE(both_agent, __ATOMIC_ACQ_REL, "agent")
FENCE(total_agent, __ATOMIC_SEQ_CST, "agent")
FENCE(total_system, __ATOMIC_SEQ_CST, "")
FENCE(both_workgroup, __ATOMIC_ACQ_REL, "workgroup")
FENCE(release_wavefront, __ATOMIC_RELEASE, "wavefront")
FENCE(acquire_one_as, __ATOMIC_ACQUIRE, "agent-one-as")
