-- :checkhealth gcn_lsp reports whether the server is found and runs, and for which buffers.
local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local info = health.info or health.report_info

function M.check()
  start('gcn-lsp')
  local cmd, looked = require('gcn_lsp.server').find()
  if cmd then
    ok('Server: ' .. table.concat(cmd, ' '))
  else
    warn(table.concat(looked, ' '), { 'install it, or give `cmd` to setup(): see :help gcn-lsp-install' })
  end
  local clients = require('gcn_lsp').clients()
  info(('%d running'):format(#clients))
  local has_parser = #vim.api.nvim_get_runtime_file('parser/amdgpu.so', false) > 0
  info(has_parser and 'tree-sitter parser `amdgpu` is installed' or 'tree-sitter parser `amdgpu` is not installed')
end

return M
