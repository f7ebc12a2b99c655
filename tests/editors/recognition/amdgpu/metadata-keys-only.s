amdhsa.kernels:
  - .name: k
