-- Shows code objects (.co, .hsaco, .hipfb) as assembly: the program that the server is part of makes the text.
local server = require('gcn_lsp.server')

local M = {}

-- Runs a command of the program: its lines, or nil and what it said.
function M.run(arguments, cmd)
  local command, looked = server.find(cmd)
  if not command then
    return nil, looked
  end
  command = vim.list_slice(command, 1, #command - 1) -- without `serve`
  vim.list_extend(command, arguments)
  local lines = vim.fn.systemlist(command)
  if vim.v.shell_error ~= 0 then
    return nil,
      vim.tbl_filter(function(line)
        return not (line == '' or line:match('^Usage:') or line:match('^Try '))
      end, lines)
  end
  return lines
end

-- Fills a buffer with the text of the object `path`, which cannot be changed or written.
function M.read(bufnr, path)
  local lines, why = M.run({ 'disassemble', '--view', vim.fn.fnamemodify(path, ':p') }, require('gcn_lsp').command())
  if not lines then
    -- Any file may have such a name: one that is no object is shown as it is.
    vim.notify('gcn-lsp: ' .. table.concat(why, ' '), vim.log.levels.WARN)
    vim.cmd('silent keepalt 0read ++edit ' .. vim.fn.fnameescape(path))
    vim.cmd('silent $delete _')
    vim.bo[bufnr].modified = false
    return
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].readonly = true
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].filetype = 'gcn'
end

return M
