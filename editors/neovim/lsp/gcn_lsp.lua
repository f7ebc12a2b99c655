-- Neovim 0.11's own way, without setup(): vim.lsp.enable('gcn_lsp'); change it with vim.lsp.config('gcn_lsp', { ... }).
local config = require('gcn_lsp').config()
config.name = nil
config.cmd = config.cmd or { 'gcn-lsp', 'serve' }
return config
