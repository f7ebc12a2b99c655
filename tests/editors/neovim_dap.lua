-- Runs in Neovim for test_neovim_dap.py: a session with nvim-dap on the file $KERNEL; writes what it saw to $REPORT.
vim.opt.swapfile = false
vim.opt.runtimepath:append(vim.env.PLUGIN)
vim.opt.runtimepath:append(vim.env.NVIM_DAP)
vim.cmd('filetype plugin indent on')

local seen, said = {}, {}
vim.notify = function(message)
  said[#said + 1] = message
end

local function finish()
  vim.fn.writefile({ vim.fn.json_encode({ seen = seen, said = said }) }, vim.env.REPORT)
  vim.cmd('qall!')
end

local worked, wrong = pcall(function()
  require('gcn_lsp').setup({ cmd = vim.fn.json_decode(vim.env.SERVER) })
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.KERNEL))
  local dap = require('dap')
  local stops = 0
  dap.listeners.after.event_stopped.test = function()
    stops = stops + 1
  end
  -- What a request answers.
  local function ask(command, arguments)
    local answer
    dap.session():request(command, arguments, function(err, body)
      answer = { err = err and tostring(err), body = body }
    end)
    vim.wait(20000, function()
      return answer ~= nil
    end, 10)
    return answer and (answer.body or answer.err)
  end
  local function stopped(name, go)
    local before = stops
    go()
    vim.wait(60000, function()
      local session = dap.session()
      return stops > before and session ~= nil and session.current_frame ~= nil
    end, 10)
    vim.wait(200)
    local session = dap.session()
    local frame = session and session.current_frame
    local value = frame and ask('evaluate', { expression = 'v2[3].f32', frameId = frame.id })
    seen[#seen + 1] = {
      name = name,
      frame = frame and frame.name,
      line = frame and frame.line,
      cursor = vim.api.nvim_win_get_cursor(0)[1],
      value = type(value) == 'table' and value.result or value,
    }
  end
  local line = tonumber(vim.env.LINE)
  stopped('entry', function()
    vim.cmd('GcnDebug')
  end)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  dap.toggle_breakpoint()
  stopped('breakpoint', dap.continue)
  stopped('over', dap.step_over)
  stopped('back', dap.step_back)
  local frame = dap.session().current_frame
  local names = {}
  for _, scope in ipairs(ask('scopes', { frameId = frame.id }).scopes) do
    names[#names + 1] = scope.name
  end
  seen[#seen + 1] = { name = 'scopes', scopes = names }
  local over = false
  dap.listeners.after.event_terminated.test = function()
    over = true
  end
  dap.clear_breakpoints()
  dap.continue()
  vim.wait(60000, function()
    return over
  end, 10)
  seen[#seen + 1] = { name = 'end', over = over }
end)
if not worked then
  said[#said + 1] = tostring(wrong)
end
finish()
