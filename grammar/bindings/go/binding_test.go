package tree_sitter_amdgpu_test

import (
	"testing"

	amdgpu "github.com/OWNER/gcn-lsp/grammar/bindings/go"
	tree_sitter "github.com/tree-sitter/go-tree-sitter"
)

func TestParsesAKernel(t *testing.T) {
	parser := tree_sitter.NewParser()
	defer parser.Close()
	if err := parser.SetLanguage(tree_sitter.NewLanguage(amdgpu.Language())); err != nil {
		t.Fatal(err)
	}
	tree := parser.Parse([]byte("kernel:\n  v_add_f32 v0, v1, v2\n  s_endpgm\n"), nil)
	defer tree.Close()
	if tree.RootNode().HasError() {
		t.Fatal(tree.RootNode().ToSexp())
	}
}
