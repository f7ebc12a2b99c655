// targets: gfx1250
// Clusters of work groups: their barrier and loads that watch.
#include "kernels.h"
kernel void cluster(global int *out, const global int *in) {
  out[place()] = in[place()] + __builtin_amdgcn_cluster_workgroup_flat_id();
  __builtin_amdgcn_s_cluster_barrier();
  out[place() + 256] = in[place() + 256];
}
