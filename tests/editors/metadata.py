"""Metadata of a kernel, indented as each editor has to indent the lines as they are typed."""

METADATA = """\
.amdgpu_metadata
---
amdhsa.version:
  - 1
  - 2
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .args:
      - .name: x
        .size: 8
      - .name: y
        .size: 8
...
.end_amdgpu_metadata
.size k, 4
"""
