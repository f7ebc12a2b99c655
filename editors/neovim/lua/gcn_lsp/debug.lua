-- Debugs kernels on this machine with nvim-dap, where that is installed: the adapter, and a launch of each kernel.
local server = require('gcn_lsp.server')

local M = {}

local TYPE = 'gcn'

-- The command `gcn-lsp debug` as a list, with more arguments; nil where there is no gcn-lsp.
local function command_of(opts, ...)
  local found = server.find(opts.cmd)
  if not found then
    return nil
  end
  local command = vim.list_slice(found, 1, #found - 1) -- without `serve`
  return vim.list_extend(command, { 'debug', ... })
end

-- Tells nvim-dap of the adapter; false without it.
function M.register(opts)
  local found, dap = pcall(require, 'dap')
  if not found then
    return false
  end
  dap.adapters[TYPE] = dap.adapters[TYPE]
    or function(callback)
      local command = command_of(opts)
      if not command then
        vim.notify('gcn-lsp is not found: see :checkhealth gcn_lsp', vim.log.levels.ERROR)
        return
      end
      callback({ type = 'executable', command = command[1], args = vim.list_slice(command, 2) })
    end
  return true
end

-- A launch of each kernel in a file, made up from its metadata; none, after a message, where the file cannot be run.
function M.launches(opts, path)
  local command = command_of(opts, '--launches', path)
  local printed = command and vim.fn.system(command) or ''
  local decoded, found = pcall(vim.fn.json_decode, printed)
  if decoded and vim.v.shell_error == 0 then
    return found
  end
  local lines = vim.split(vim.trim(printed), '\n')
  vim.notify(lines[#lines] ~= '' and lines[#lines] or 'gcn-lsp is not found', vim.log.levels.ERROR)
  return {}
end

-- Runs a kernel of the file in front up to its first instruction: the only one, or the one that is chosen.
function M.start(opts)
  if not M.register(opts) then
    vim.notify('Debugging needs the plugin nvim-dap.', vim.log.levels.ERROR)
    return
  end
  local launches = M.launches(opts, vim.api.nvim_buf_get_name(0))
  local function run(launch)
    if launch then
      require('dap').run(vim.tbl_extend('force', launch, { stopOnEntry = true }))
    end
  end
  if #launches < 2 then
    run(launches[1])
    return
  end
  vim.ui.select(launches, {
    prompt = 'Kernel to debug:',
    format_item = function(launch)
      return launch.kernel
    end,
  }, run)
end

return M
