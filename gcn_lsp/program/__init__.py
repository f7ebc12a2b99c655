"""The program of a file: chunks, directives, layout, kernels and their descriptors, the `Program` snapshot."""
