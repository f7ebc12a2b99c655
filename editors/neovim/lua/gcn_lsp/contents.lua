-- Texts that the server derives from a file, under addresses of their own: `:edit gcn-lsp-expansion:/path/kernel.s`.
local M = {}

-- The address in the name of a buffer, before which Neovim may put a folder.
local function address(name)
  return name:match('gcn%-lsp%-%l+:/.*$')
end

-- Fills a buffer with the text of its address, which cannot be changed or written.
function M.read(bufnr, name)
  local client = require('gcn_lsp').clients()[1]
  local known = client and vim.lsp.get_buffers_by_client_id(client.id)[1]
  if not known then
    vim.notify('gcn-lsp: no server runs: open the file first', vim.log.levels.WARN)
    return
  end
  local method = 'workspace/textDocumentContent'
  local answers = vim.lsp.buf_request_sync(known, method, { uri = address(name) }, 20000) or {}
  local answer = answers[client.id] or {}
  if not answer.result then
    vim.notify('gcn-lsp: ' .. (answer.error and answer.error.message or 'there is no answer'), vim.log.levels.WARN)
    return
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split((answer.result.text:gsub('\n$', '')), '\n'))
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].readonly = true
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].syntax = 'gcn' -- not the filetype: the server does not know this text as a file
end

-- The server says that a text has changed.
function M.refresh(_, params)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if address(vim.api.nvim_buf_get_name(bufnr)) == params.uri then
      vim.schedule(function()
        M.read(bufnr, params.uri)
      end)
    end
  end
  return vim.NIL
end

return M
