-- Sources that another server serves as well (clangd): which of the two answers at a place is shown. Neovim 0.11 shows the
-- hovers of both together; before it, the last of the answers replaces the others, and an empty one is reported.
local M = {}

local HOVER, SIGNATURE = 'textDocument/hover', 'textDocument/signatureHelp'

-- Whether another server serves a buffer.
local function is_shared(bufnr)
  local count = 0
  local clients = vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = bufnr }) or vim.lsp.buf_get_clients(bufnr)
  for _ in pairs(clients) do
    count = count + 1
  end
  return count > 1
end

-- Handlers of our server: an empty answer is not reported where another server may have one.
function M.handlers()
  local handlers = {}
  if vim.fn.has('nvim-0.11') == 1 then
    return handlers
  end
  for _, method in ipairs({ HOVER, SIGNATURE }) do
    handlers[method] = function(err, result, context, config)
      if not result and is_shared(context.bufnr or vim.api.nvim_get_current_buf()) then
        return
      end
      return vim.lsp.handlers[method](err, result, context, config)
    end
  end
  return handlers
end

-- Explains what is under the cursor: our answer in a template of inline assembly, the other server's elsewhere.
function M.hover()
  local bufnr = vim.api.nvim_get_current_buf()
  if vim.fn.has('nvim-0.11') == 1 or not is_shared(bufnr) then
    return vim.lsp.buf.hover()
  end
  vim.lsp.buf_request_all(bufnr, HOVER, vim.lsp.util.make_position_params(), function(answers)
    local shown
    for id, answer in pairs(answers) do
      local client = vim.lsp.get_client_by_id(id)
      if answer.result and answer.result.contents and (not shown or (client and client.name == 'gcn_lsp')) then
        shown = answer.result
      end
    end
    if not shown then
      vim.notify('No information available')
      return
    end
    local lines = vim.lsp.util.convert_input_to_markdown_lines(shown.contents)
    vim.lsp.util.open_floating_preview(lines, 'markdown', { focus_id = HOVER })
  end)
end

return M
