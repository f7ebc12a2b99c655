---@brief
---
--- https://github.com/OWNER/gcn-lsp
---
--- Language server for AMD GPU assembly (GCN, CDNA, RDNA). Neovim has no filetype `gcn` of its own:
--- `vim.filetype.add({ extension = { gcn = 'gcn', amdgcn = 'gcn' } })`, or install the plugin in `editors/neovim`.
---
--- Install: `pipx install gcn-lsp`

---@type vim.lsp.Config
return {
  cmd = { 'gcn-lsp', 'serve' },
  filetypes = { 'gcn' },
  root_markers = { 'gcn-lsp.toml', 'pyproject.toml', 'compile_commands.json', '.git' },
}
