-- Finds the command that starts the server, and the folder that is a file's project.
local M = {}

-- The first marker that lies in a folder above the file decides, however near another one is.
M.root_markers = { 'gcn-lsp.toml', 'pyproject.toml', '.git', 'compile_commands.json' }

local loop = vim.uv or vim.loop

local function executable(path)
  return vim.fn.executable(path) == 1
end

-- The command as a list, or nil with a sentence for each place that was searched.
function M.find(cmd)
  if cmd then
    if executable(cmd[1]) then
      return cmd
    end
    return nil, { ('The option cmd names `%s`, which cannot be run.'):format(cmd[1]) }
  end
  local looked = {}
  local environment = vim.env.VIRTUAL_ENV
  if environment then
    local command = environment .. '/bin/gcn-lsp'
    if executable(command) then
      return { command, 'serve' }
    end
    looked[#looked + 1] = ('The Python environment %s has no gcn-lsp installed.'):format(environment)
  end
  if executable('gcn-lsp') then
    return { vim.fn.exepath('gcn-lsp'), 'serve' }
  end
  looked[#looked + 1] = 'The PATH has no command gcn-lsp.'
  return nil, looked
end

-- The project's folder of a file; the file's own folder if nothing above marks one.
function M.root(path, markers)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  for _, marker in ipairs(markers or M.root_markers) do
    local current, above = folder, nil
    while current ~= above do
      if loop.fs_stat(current .. '/' .. marker) then
        return current
      end
      above, current = current, vim.fn.fnamemodify(current, ':h')
    end
  end
  return folder
end

return M
