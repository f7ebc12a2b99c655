"""Inline assembly: the statements in C, C++, HIP, OpenCL and Python sources, each as a text of assembly with a map."""
