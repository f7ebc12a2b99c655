// Package tree_sitter_amdgpu is the tree-sitter grammar of AMD GPU assembly.
package tree_sitter_amdgpu

// #cgo CFLAGS: -std=c11 -fPIC
// #include "../../src/parser.c"
// #include "../../src/scanner.c"
import "C"

import "unsafe"

// Language is the grammar, for tree_sitter.NewLanguage.
func Language() unsafe.Pointer {
	return unsafe.Pointer(C.tree_sitter_amdgpu())
}
