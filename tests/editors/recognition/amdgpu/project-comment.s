// gcn-lsp: target=gfx1030
PROLOG
