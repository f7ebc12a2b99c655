-- Runs in Neovim for test_neovim.py: does the steps that the file $STEPS holds, and writes what it saw to $REPORT.
-- A step is { action, ... }; the report is a list with one entry for each step.
vim.opt.swapfile = false
vim.opt.runtimepath:append(vim.env.PLUGIN)
vim.cmd('filetype plugin indent on')
vim.cmd('syntax on')

local said = {}
vim.notify = function(message)
  said[#said + 1] = message
end

local function wait_for(condition)
  return vim.wait(20000, condition, 10)
end

-- Diagnostics are there when the server has published some, or answered a request after it had the chance to.
local diagnosed = {}
vim.api.nvim_create_autocmd('DiagnosticChanged', {
  callback = function(event)
    diagnosed[event.buf] = (diagnosed[event.buf] or 0) + 1
  end,
})

local actions = {}

function actions.edit(path)
  vim.cmd('silent edit ' .. vim.fn.fnameescape(path))
  return { filetype = vim.bo.filetype, commentstring = vim.bo.commentstring, syntax = vim.b.current_syntax or '' }
end

function actions.diagnostics()
  local buffer = vim.api.nvim_get_current_buf()
  wait_for(function()
    return diagnosed[buffer] ~= nil
  end)
  return vim.tbl_map(function(diagnostic)
    return {
      line = diagnostic.lnum + 1,
      column = diagnostic.col + 1,
      code = diagnostic.code or '',
      severity = vim.diagnostic.severity[diagnostic.severity],
      message = diagnostic.message,
    }
  end, vim.diagnostic.get(buffer))
end

-- Types text over a line and waits until the server has judged the result.
function actions.replace_line(line, text)
  local buffer = vim.api.nvim_get_current_buf()
  local before = diagnosed[buffer] or 0
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, false, { text })
  wait_for(function()
    return (diagnosed[buffer] or 0) > before
  end)
  return actions.diagnostics()
end

-- How many servers serve the buffer.
function actions.clients()
  vim.wait(1000)
  local get = vim.lsp.get_clients or vim.lsp.get_active_clients
  return #get({ bufnr = vim.api.nvim_get_current_buf() })
end

function actions.hover(line, column)
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line - 1, character = column - 1 },
  }
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', params, 20000) or {}
  for _, answer in pairs(answers) do
    return answer.result and answer.result.contents.value or ''
  end
  return ''
end

-- Asks the server and returns its first answer.
local function ask(method, params)
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 20000) or {}) do
    return answer.result
  end
end

local function at(line, column)
  return {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line - 1, character = column - 1 },
  }
end

-- What is offered where a text has been typed at the end of a line.
function actions.complete(line, text)
  vim.api.nvim_buf_set_lines(0, line - 1, line, false, { text })
  local found = ask('textDocument/completion', at(line, #text + 1)) or {}
  return vim.tbl_map(function(item)
    return item.label
  end, found.items or found)
end

local function apply(edit)
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

-- Applies the first code action for the findings of a line.
function actions.code_action(line)
  local diagnostics = vim.tbl_map(function(diagnostic)
    return {
      range = {
        start = { line = diagnostic.lnum, character = diagnostic.col },
        ['end'] = { line = diagnostic.end_lnum, character = diagnostic.end_col },
      },
      message = diagnostic.message,
      code = diagnostic.code,
    }
  end, vim.diagnostic.get(0, { lnum = line - 1 }))
  local place = { line = line - 1, character = 0 }
  local found = ask('textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    range = { start = place, ['end'] = { line = line, character = 0 } },
    context = { diagnostics = diagnostics, only = { 'quickfix' } },
  })
  local action = found[1].edit and found[1] or ask('codeAction/resolve', found[1])
  return { title = action.title, lines = apply(action.edit) }
end

-- Which tree-sitter highlights Neovim gives to what stands at each place; nil where it has no parser named `amdgpu`.
function actions.captures(places)
  if not pcall(vim.treesitter.get_parser, 0, 'amdgpu') then
    return nil
  end
  vim.treesitter.get_parser(0, 'amdgpu'):parse()
  return vim.tbl_map(function(place)
    local names = vim.tbl_map(function(capture)
      return capture.capture
    end, vim.treesitter.get_captures_at_pos(0, place[1] - 1, place[2] - 1))
    return names[#names] or ''
  end, places)
end

function actions.evaluate(expression)
  return vim.fn.eval(expression)
end

function actions.health()
  vim.cmd('checkhealth gcn_lsp')
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

-- What a command says: the first message, or so many.
function actions.command(text, messages)
  said = {}
  vim.cmd(text)
  wait_for(function()
    return #said >= (messages or 1)
  end)
  return said
end

-- Sets the target at the first place that is offered; what the list offers, and the first line then.
function actions.set_target(name)
  local offered
  vim.ui.select = function(places, choice, chosen)
    offered = vim.tbl_map(choice.format_item, places)
    chosen(places[1])
  end
  vim.cmd('GcnTarget ' .. name)
  wait_for(function()
    return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]:find(name, 1, true) ~= nil
  end)
  return { offered = offered, line = vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] }
end

-- Puts the cursor on a line and returns what the window shows that opens; closes it again.
function actions.explain(line, name)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  vim.cmd('GcnExplain ' .. name)
  wait_for(function()
    return #vim.api.nvim_list_wins() > 1
  end)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      vim.api.nvim_win_close(window, true)
      return table.concat(lines, '\n')
    end
  end
  return ''
end

-- What a key is mapped to in the current buffer.
function actions.mapped(keys)
  return vim.fn.maparg(keys, 'n', false, true).desc or ''
end

-- The lines of the scratch buffer that :GcnExpand opens.
function actions.expand(range)
  return actions.scratch(range .. 'GcnExpand')
end

-- What a buffer with the address of a derived text shows, and shows after an edit of the file in line `line`.
function actions.content(address, line, text)
  local file = vim.api.nvim_get_current_buf()
  vim.cmd('split ' .. vim.fn.fnameescape(address))
  local shown = vim.api.nvim_get_current_buf()
  local before = vim.api.nvim_buf_get_lines(shown, 0, -1, false)
  vim.api.nvim_buf_set_lines(file, line - 1, line, false, { text })
  wait_for(function()
    return not vim.deep_equal(vim.api.nvim_buf_get_lines(shown, 0, -1, false), before)
  end)
  return {
    before = before,
    after = vim.api.nvim_buf_get_lines(shown, 0, -1, false),
    modifiable = vim.bo[shown].modifiable,
  }
end

-- The lines of the scratch buffer that a command opens.
function actions.scratch(command)
  vim.cmd(command)
  local found
  wait_for(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local buffer = vim.api.nvim_win_get_buf(window)
      if vim.api.nvim_buf_get_name(buffer):find('^gcn%-lsp://') then
        found = {
          filetype = vim.bo[buffer].filetype,
          modifiable = vim.bo[buffer].modifiable,
          wrap = vim.wo[window].wrap,
          lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false),
        }
        return true
      end
    end
    return false
  end)
  return found
end

-- What :GcnAssembly shows: its lines, and those marked in each of the two buffers for a line of the source and back.
-- is_trusted: the answer of the user to Neovim's question, or to ours where Neovim has none.
function actions.assembly(line, is_trusted)
  vim.fn.confirm = function()
    if vim.secure then
      return is_trusted and 4 or 1 -- &ignore &view &deny &allow
    end
    return is_trusted and 1 or 2
  end
  said = {}
  local source = vim.api.nvim_get_current_buf()
  vim.cmd('GcnAssembly')
  local assembly = vim.fn.bufnr('gcn-lsp-assembly://')
  if assembly < 0 then
    return { said = said }
  end
  wait_for(function()
    return #require('gcn_lsp').clients(assembly) > 0
  end)
  local function marked(bufnr)
    local namespace = vim.api.nvim_create_namespace('gcn_lsp_assembly')
    local marks = {}
    wait_for(function()
      marks = vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, {})
      return #marks > 0
    end)
    return vim.tbl_map(function(mark)
      return mark[2] + 1
    end, marks)
  end
  local window = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_cursor(window, { line, 0 })
  vim.api.nvim_exec_autocmds('CursorMoved', { buffer = source })
  local there = marked(assembly)
  local other = vim.fn.win_findbuf(assembly)[1]
  vim.api.nvim_set_current_win(other)
  vim.api.nvim_win_set_cursor(other, { there[1] or 1, 0 })
  vim.api.nvim_exec_autocmds('CursorMoved', { buffer = assembly })
  local back = marked(source)
  vim.api.nvim_set_current_win(window)
  return {
    said = said,
    filetype = vim.bo[assembly].filetype,
    lines = vim.api.nvim_buf_get_lines(assembly, 0, -1, false),
    there = there,
    back = back,
    windows = #vim.api.nvim_tabpage_list_wins(0),
  }
end

-- Writes a changed line of the source and returns the assembly after that.
function actions.write_line(line, text)
  vim.api.nvim_buf_set_lines(0, line - 1, line, false, { text })
  vim.cmd('silent write')
  return vim.api.nvim_buf_get_lines(vim.fn.bufnr('gcn-lsp-assembly://'), 0, -1, false)
end

function actions.restart()
  local before = require('gcn_lsp').clients()[1].id
  vim.cmd('GcnRestart')
  return wait_for(function()
    local clients = require('gcn_lsp').clients()
    return clients[1] ~= nil and clients[1].id ~= before
  end)
end

-- Has Neovim highlight what is under the cursor; what it marks, with the kinds that it gives the places.
function actions.highlight(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  local name = vim.fn.has('nvim-0.11') == 1 and 'nvim.lsp.references' or 'vim_lsp_references'
  local namespace = vim.api.nvim_create_namespace(name)
  local marks = {}
  vim.lsp.buf.document_highlight()
  wait_for(function()
    marks = vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })
    return #marks > 0
  end)
  return vim.tbl_map(function(mark)
    return { mark[2] + 1, mark[3] + 1, mark[4].hl_group }
  end, marks)
end

-- The line to which one of Neovim's own jumps leads, such as `declaration`.
function actions.jump(name, line, column)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  vim.lsp.buf[name]()
  wait_for(function()
    return vim.api.nvim_win_get_cursor(0)[1] ~= line
  end)
  return vim.api.nvim_win_get_cursor(0)[1]
end

-- What stands above or after lines: the texts of the lenses, which Neovim asks for when it shows them.
function actions.lenses()
  local found = {}
  local keeps_them = vim.lsp.codelens.enable ~= nil -- Neovim 0.12
  if keeps_them then
    vim.lsp.codelens.enable(true, { bufnr = 0 })
  else
    vim.lsp.codelens.refresh()
  end
  wait_for(function()
    if keeps_them then
      vim.cmd('redraw!') -- asks for the texts of those that come into view
    end
    found = vim.tbl_map(function(each)
      return each.lens or each
    end, vim.lsp.codelens.get(keeps_them and { bufnr = 0 } or 0))
    return #found > 0
      and vim.tbl_isempty(vim.tbl_filter(function(lens)
        return lens.command == nil
      end, found))
  end)
  return vim.tbl_map(function(lens)
    return { lens.range.start.line + 1, lens.command.title }
  end, found)
end

local function lines_after(change)
  local before = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  change()
  wait_for(function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') ~= before
  end)
  return vim.api.nvim_buf_get_lines(0, 0, -1, false)
end

function actions.rename(line, column, name)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  return lines_after(function()
    vim.lsp.buf.rename(name)
  end)
end

function actions.format()
  vim.bo.expandtab = true
  vim.bo.shiftwidth = 2
  return lines_after(function()
    (vim.lsp.buf.format or vim.lsp.buf.formatting_sync)()
  end)
end

-- The titles of the code actions for a line, and the text after the one called `title`.
function actions.act(line, title)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  local titles = {}
  vim.ui.select = function(items, _, choose)
    for _, item in ipairs(items) do
      local action = item[2] or item.action
      titles[#titles + 1] = action.title
      if action.title == title then
        choose(item)
      end
    end
  end
  local lines = lines_after(function()
    vim.lsp.buf.code_action()
  end)
  return { titles = titles, lines = lines }
end

-- The names and lines of what a search in the workspace finds.
function actions.symbols(query)
  local found = {}
  wait_for(function()
    local answers = vim.lsp.buf_request_sync(0, 'workspace/symbol', { query = query }, 20000) or {}
    for _, answer in pairs(answers) do
      found = vim.lsp.util.symbols_to_items(answer.result or {}, 0)
    end
    return #found > 0
  end)
  return vim.tbl_map(function(item)
    return { vim.fn.fnamemodify(item.filename, ':t'), item.lnum, item.text }
  end, found)
end

-- The signature that Neovim shows at a place.
function actions.signature(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  vim.lsp.buf.signature_help()
  local found = ''
  wait_for(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        found = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
        vim.api.nvim_win_close(window, true)
        return true
      end
    end
    return false
  end)
  return found
end

function actions.said()
  return said
end

local function clients_of(bufnr)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ bufnr = bufnr })
  end
  return vim.tbl_values(vim.lsp.buf_get_clients(bufnr))
end

-- Starts another language server for the buffer, as a user's own configuration does, and names those that serve it.
function actions.serve_beside(name, cmd)
  local buffer = vim.api.nvim_get_current_buf()
  local config = { name = name, cmd = cmd, root_dir = vim.fn.getcwd() }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    vim.lsp.buf_attach_client(buffer, vim.lsp.start_client(config))
  end
  wait_for(function()
    return #clients_of(buffer) == 2
  end)
  local names = vim.tbl_map(function(client)
    return client.name
  end, clients_of(buffer))
  table.sort(names)
  return names
end

-- The lines of the findings by the server that reports them, once there are `count`.
function actions.findings_by_server(count)
  wait_for(function()
    return #vim.diagnostic.get(0) >= count
  end)
  return vim.tbl_map(function(diagnostic)
    return { diagnostic.source, diagnostic.lnum + 1 }
  end, vim.diagnostic.get(0))
end

-- Which servers answer a request at a place, with all that they say.
function actions.answers(method, line, column)
  local found = vim.empty_dict()
  for id, answer in pairs(vim.lsp.buf_request_sync(0, method, at(line, column), 20000) or {}) do
    local result = answer.result
    if result and result ~= vim.NIL and next(result.items or result) then
      found[vim.lsp.get_client_by_id(id).name] = vim.fn.json_encode(result)
    end
  end
  return found
end

-- What Neovim itself shows for a hover at a place: the text of its window, and what it says besides.
function actions.shown_hover(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
  vim.api.nvim_feedkeys('K', 'x', false)
  local text = ''
  wait_for(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
        return true
      end
    end
    return false
  end)
  vim.wait(300) -- another server's answer may come after
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      vim.api.nvim_win_close(window, true)
    end
  end
  return text
end

local function run()
  local steps = vim.fn.json_decode(vim.fn.readfile(vim.env.STEPS))
  require('gcn_lsp').setup(steps.setup)
  local report = {}
  for _, step in ipairs(steps.steps) do
    local ok, result = pcall(actions[step[1]], unpack(step, 2))
    report[#report + 1] = ok and result or { error = tostring(result) }
  end
  vim.fn.writefile({ vim.fn.json_encode(report) }, vim.env.REPORT)
  vim.cmd('quitall!')
end

-- After start-up, as a user's keys come: some of Neovim's functions do less before that.
vim.api.nvim_create_autocmd('VimEnter', { callback = run, nested = true })
