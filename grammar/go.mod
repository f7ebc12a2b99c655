module github.com/OWNER/gcn-lsp/grammar

go 1.23

require github.com/tree-sitter/go-tree-sitter v0.25.0

require github.com/mattn/go-pointer v0.0.1 // indirect
