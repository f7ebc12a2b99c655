// The library has the function of its header, and the header is C and C++: `make test`.
#include "tree_sitter/tree-sitter-amdgpu.h"

int main(void) { return tree_sitter_amdgpu() ? 0 : 1; }
