-- Shows the assembly that a source's own compile command makes of it, beside the source: the command :GcnAssembly. The
-- compiler runs only on that command, and when the source is written while its assembly is shown; a command that a file
-- of the project names runs only if that file is trusted (:help trust). The cursor is followed both ways.
local objects = require('gcn_lsp.objects')

local M = {}

local PREFIX = 'gcn-lsp-assembly://'
local HIGHLIGHT = vim.api.nvim_create_namespace('gcn_lsp_assembly')

-- Assembly buffers by source buffer.
local shown = {}

local function warn(lines)
  vim.notify('gcn-lsp: ' .. table.concat(lines, ' '), vim.log.levels.WARN)
end

-- Runs a command in a folder: the lines of its output, or nil and what it said.
local function run(command, folder)
  local output, said = { '' }, { '' }
  local function collect(into)
    return function(_, data)
      into[#into] = into[#into] .. data[1]
      vim.list_extend(into, data, 2)
    end
  end
  local ok, job = pcall(vim.fn.jobstart, command, {
    cwd = folder,
    on_stdout = collect(output),
    on_stderr = collect(said),
  })
  if not ok or job <= 0 then
    return nil, { command[1] .. ' cannot be run' }
  end
  if vim.fn.jobwait({ job })[1] ~= 0 then
    return nil, said
  end
  return output
end

-- Whether the file that names the command may do so: Neovim asks the user once for each version of it.
local function is_trusted(file)
  if not file or file == '' then
    return true
  end
  if not (vim.secure and vim.secure.read) then
    return vim.fn.confirm(('Run the compiler that %s names?'):format(file), '&Yes\n&No', 2) == 1
  end
  local ok, text = pcall(vim.secure.read, file)
  return ok and text ~= nil
end

-- The lines of assembly of a source: nil and the reason where there are none.
local function compiled(path, opts)
  local arguments = { 'compile-command' }
  if opts.target ~= '' then
    vim.list_extend(arguments, { '--target', opts.target })
  end
  table.insert(arguments, path)
  if #opts.compile_command > 0 then
    table.insert(arguments, '--')
    vim.list_extend(arguments, opts.compile_command)
  end
  local answer, why = objects.run(arguments, opts.cmd)
  if not answer then
    return nil, why
  end
  local command = vim.fn.json_decode(table.concat(answer, '\n'))
  if not is_trusted(command.named_by) then
    return nil, { command.named_by .. ' names the compiler and is not trusted.' }
  end
  return run(command.arguments, command.directory)
end

local function fill(bufnr, lines)
  vim.bo[bufnr].modifiable = true
  vim.bo[bufnr].readonly = false
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].readonly = true
end

-- The windows of this tab that show a buffer.
local function windows(bufnr)
  return vim.tbl_filter(function(window)
    return vim.api.nvim_win_get_buf(window) == bufnr
  end, vim.api.nvim_tabpage_list_wins(0))
end

-- Marks lines, from 0, of a buffer, and brings the first into view.
local function mark(bufnr, lines)
  vim.api.nvim_buf_clear_namespace(bufnr, HIGHLIGHT, 0, -1)
  for _, line in ipairs(lines) do
    if line < vim.api.nvim_buf_line_count(bufnr) then
      vim.api.nvim_buf_add_highlight(bufnr, HIGHLIGHT, 'Visual', line, 0, -1)
    end
  end
  if lines[1] and lines[1] < vim.api.nvim_buf_line_count(bufnr) then
    for _, window in ipairs(windows(bufnr)) do
      vim.api.nvim_win_set_cursor(window, { lines[1] + 1, 0 })
    end
  end
end

-- Follows the cursor of one of the two buffers in the other.
local function follow(source, assembly)
  local here = vim.api.nvim_get_current_buf()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local client = require('gcn_lsp').clients(assembly)[1]
  if not client then
    return -- it has just been started
  end
  local params = { uri = vim.uri_from_bufnr(assembly) }
  local function take(_, answer)
    if type(answer) ~= 'table' or not vim.api.nvim_buf_is_valid(source) then
      return
    end
    local uri, found = vim.uri_from_bufnr(source), {}
    for _, row in ipairs(answer.lines) do
      if row.uri == uri and here == source and row.line == line then
        found = row.lines
      elseif row.uri == uri and here == assembly and vim.tbl_contains(row.lines, line) then
        found = { row.line }
      end
    end
    vim.api.nvim_buf_clear_namespace(here, HIGHLIGHT, 0, -1)
    mark(here == source and assembly or source, found)
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('gcn-lsp/sourceLines', params, take, assembly)
  else
    client.request('gcn-lsp/sourceLines', params, take, assembly)
  end
end

-- The command :GcnAssembly, for the current buffer.
function M.show(opts)
  local source = vim.api.nvim_get_current_buf()
  local path = vim.api.nvim_buf_get_name(source)
  if path == '' or vim.bo[source].buftype ~= '' then
    warn({ 'this buffer is no source in a file' })
    return
  end
  vim.cmd('silent update')
  local lines, why = compiled(path, opts)
  if not lines then
    warn(why)
    return
  end
  local assembly = shown[source]
  if assembly and vim.api.nvim_buf_is_valid(assembly) then
    fill(assembly, lines)
  else
    assembly = vim.api.nvim_create_buf(true, false)
    shown[source] = assembly
    vim.api.nvim_buf_set_name(assembly, PREFIX .. path .. '.s')
    vim.bo[assembly].swapfile = false
    fill(assembly, lines)
    M.watch(source, assembly, opts)
  end
  if #windows(assembly) == 0 then
    local window = vim.api.nvim_get_current_win()
    vim.cmd('vertical sbuffer ' .. assembly)
    vim.bo[assembly].filetype = 'gcn'
    vim.api.nvim_set_current_win(window)
  end
end

-- Follows the cursor, and compiles again when the source is written.
function M.watch(source, assembly, opts)
  local group = vim.api.nvim_create_augroup('gcn_lsp_assembly_' .. assembly, {})
  for _, bufnr in ipairs({ source, assembly }) do
    vim.api.nvim_create_autocmd('CursorMoved', {
      group = group,
      buffer = bufnr,
      callback = function()
        if #windows(source) > 0 and #windows(assembly) > 0 then
          follow(source, assembly)
        end
      end,
    })
  end
  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    buffer = source,
    callback = function()
      if #windows(assembly) == 0 then
        return
      end
      local lines, why = compiled(vim.api.nvim_buf_get_name(source), opts)
      if lines then
        fill(assembly, lines)
      else
        warn(why)
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    buffer = assembly,
    callback = function()
      shown[source] = nil
      vim.api.nvim_del_augroup_by_id(group)
    end,
  })
end

return M
