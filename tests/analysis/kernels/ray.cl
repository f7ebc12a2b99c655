// targets: gfx103? gfx11* gfx120?
// Rays against a hierarchy of boxes.
#include "kernels.h"
typedef uint v4u __attribute__((ext_vector_type(4)));
kernel void hit(global v4u *out, const global uint *nodes, const global float4 *rays, const constant v4u *texture) {
  uint i = place();
  float4 o = rays[i * 3], d = rays[i * 3 + 1], inverse = rays[i * 3 + 2];
  v4u r = __builtin_amdgcn_image_bvh_intersect_ray(nodes[i], o.w, o, d, inverse, texture[0]);
  v4u s = __builtin_amdgcn_image_bvh_intersect_ray(r.x, o.w, o, d, inverse, texture[1]);
  out[i] = r + s + as_uint4(rays[i]);
}
