-- Starts the gcn-lsp language server for buffers with AMD GPU assembly: require('gcn_lsp').setup({ ... }).
local server = require('gcn_lsp.server')

local M = {}

local NAME = 'gcn_lsp'
local RENAME = 'gcn-lsp.rename'

M.defaults = {
  cmd = nil, -- Command that starts the server, as a list; found automatically when nil.
  target = '', -- Target of files that name none, such as 'gfx90a'.
  targets = {}, -- Targets that every file must assemble for: { 'gfx90a', 'gfx942' }.
  mattr = '', -- Target features to add or remove: '+wavefrontsize64,-xnack'.
  llvm = nil, -- Version of LLVM whose assembler decides: 22 or 23; 23 when nil.
  include_paths = {}, -- Folders in which `.include` looks.
  defines = {}, -- Symbols that the build defines, with their values: { batch_size = 16 }.
  macros = {}, -- Macros that the build defines for the C preprocessor: { TYPE = "float" }.
  select = {}, -- The only rules whose findings are shown; all when empty.
  ignore = {}, -- Rules whose findings are not shown.
  expansion_limit = nil, -- Lines that the macros of a file may expand to; 300000 when nil.
  severity = {}, -- How bad the findings of a rule are: { ['unused-symbol'] = 'off' }.
  hints_as_text = false, -- Show hints, as of unused symbols, as text after their lines too, not only underlined.
  compile_command = {}, -- Compiler and options for :GcnAssembly where compile_commands.json names none.
  workspace_diagnostics = nil, -- true: vim.lsp.buf.workspace_diagnostics() lists the findings of all kernels.
  inline_completion = nil, -- true: suggests the line that can only be meant, see vim.lsp.inline_completion.
  report_at = nil, -- 'source': findings in compiled assembly at the line that their `.loc` names.
  -- Show `v35` after `v[v_acc+3]`, what a kernel is started with, offsets, encodings (Neovim 0.10 and newer).
  inlay_hints = { registers = true, offset = false, encoding = false, in_flight = false, inputs = true, data = true },
  -- Where formatting puts them: 'column', 'blank' (after one), or 'auto', as most lines around have them.
  format = { operands = 'auto', comments = 'auto' },
  filetypes = { 'gcn' },
  -- Filetypes whose files the server reads if they have inline assembly of AMD GPUs, beside the language's own server.
  inline_filetypes = { 'c', 'cpp', 'cuda', 'hip', 'opencl', 'python' },
  root_markers = server.root_markers,
  keymaps = true, -- K, gd, grn and so on where they are free; newer versions of Neovim have some of them already.
  on_attach = nil, -- function(client, bufnr)
  capabilities = nil, -- What the editor can do; Neovim's own when nil.
  treesitter = false, -- Colour with the tree-sitter parser `amdgpu`, where one is installed (Neovim 0.9 or newer).
}

local options = M.defaults

-- The configuration as vim.lsp.config takes it, without `cmd` when no server was found.
function M.config(opts)
  opts = vim.tbl_deep_extend('force', M.defaults, opts or {})
  local settings = {
    target = opts.target,
    targets = opts.targets,
    mattr = opts.mattr,
    llvm = opts.llvm,
    includePaths = vim.tbl_map(function(path)
      return vim.fn.fnamemodify(path, ':p')
    end, opts.include_paths),
    defines = next(opts.defines) and opts.defines or vim.empty_dict(),
    macros = next(opts.macros) and opts.macros or vim.empty_dict(),
    select = opts.select,
    ignore = opts.ignore,
    expansionLimit = opts.expansion_limit,
    severity = next(opts.severity) and opts.severity or vim.empty_dict(),
    inlayHints = opts.inlay_hints,
    compileCommand = opts.compile_command,
    reportAt = opts.report_at,
    workspaceDiagnostics = opts.workspace_diagnostics,
    inlineCompletion = opts.inline_completion,
    format = opts.format,
  }
  return {
    name = NAME,
    cmd = server.find(opts.cmd),
    -- Neovim 0.12 detaches the server from buffers of other types, so all that it may serve are named here.
    filetypes = vim.list_extend(vim.deepcopy(opts.filetypes), opts.inline_filetypes),
    -- Neovim 0.11 calls it, and starts no server for a buffer for which `on_dir` is not called. Markers are not left to
    -- Neovim: its versions differ in which of several counts.
    root_dir = function(bufnr, on_dir)
      local is_ours = vim.tbl_contains(opts.filetypes, vim.bo[bufnr].filetype)
      if is_ours or require('gcn_lsp.inline').buffer_has_assembly(bufnr) then
        on_dir(server.root(vim.api.nvim_buf_get_name(bufnr), opts.root_markers))
      end
    end,
    init_options = settings,
    settings = { ['gcn-lsp'] = settings },
    on_attach = function(client, bufnr)
      local hints = opts.inlay_hints
      if vim.tbl_contains(vim.tbl_values(hints), true) and vim.lsp.inlay_hint then
        vim.lsp.inlay_hint.enable(true, { bufnr = bufnr })
      end
      if not opts.hints_as_text then
        M.hide_text_of_hints(client)
      end
      if opts.keymaps then
        M.map_keys(bufnr)
      end
      if opts.on_attach then
        opts.on_attach(client, bufnr)
      end
    end,
    capabilities = M.capabilities(opts.capabilities),
    commands = { [RENAME] = M.rename_at },
    handlers = vim.tbl_extend('error', require('gcn_lsp.beside').handlers(), {
      ['workspace/textDocumentContent/refresh'] = require('gcn_lsp.contents').refresh,
    }),
  }
end

-- What the editor can do, with what this plugin adds: derived texts, and the command that an action may end with.
function M.capabilities(chosen)
  local capabilities = chosen or vim.lsp.protocol.make_client_capabilities()
  return vim.tbl_deep_extend('force', capabilities, {
    workspace = { textDocumentContent = { dynamicRegistration = false } },
    experimental = { commands = { commands = { RENAME } } },
  })
end

-- Lets the user rename what an action has just named.
function M.rename_at(command)
  local _, line, column = unpack(command.arguments)
  vim.api.nvim_win_set_cursor(0, { line + 1, column })
  vim.lsp.buf.rename()
end

-- Leaves hints out of the text after lines, in what the server finds; nothing else of the user's choice changes.
function M.hide_text_of_hints(client)
  local shown = vim.diagnostic.config().virtual_text
  if not shown or (type(shown) == 'table' and shown.severity) or type(shown) == 'function' then
    return
  end
  local chosen = type(shown) == 'table' and vim.deepcopy(shown) or {}
  chosen.severity = { min = vim.diagnostic.severity.INFO }
  for _, is_pulled in ipairs({ false, true }) do
    vim.diagnostic.config({ virtual_text = chosen }, vim.lsp.diagnostic.get_namespace(client.id, is_pulled))
  end
end

-- Explains what is under the cursor.
function M.hover()
  require('gcn_lsp.beside').hover()
end

local KEYS = {
  K = { 'hover', 'Explain what is under the cursor' },
  gd = { 'definition', 'Go to the definition' },
  grr = { 'references', 'List the references' },
  grn = { 'rename', 'Rename' },
  gra = { 'code_action', 'Show fixes' },
  gO = { 'document_symbol', 'Show the outline' },
}

-- The keys of newer versions of Neovim, in a buffer of ours. The user's own mappings stay.
function M.map_keys(bufnr)
  for keys, action in pairs(KEYS) do
    local mapped = vim.fn.maparg(keys, 'n', false, true)
    if vim.tbl_isempty(mapped) or mapped.desc == ('vim.lsp.buf.%s()'):format(action[1]) then
      vim.keymap.set('n', keys, M[action[1]] or vim.lsp.buf[action[1]], { buffer = bufnr, desc = action[2] })
    end
  end
end

-- The groups whose colours the server's own kinds of tokens get where the colour scheme has none for them.
local COLOURS = {
  scalarRegister = 'Constant',
  vectorRegister = 'Identifier',
  accumulatorRegister = 'Type',
  specialRegister = 'Special',
  scalarInstruction = 'Function',
  vectorInstruction = 'Statement',
  matrixInstruction = 'Type',
  memoryInstruction = 'String',
  branchInstruction = 'Conditional',
  waitInstruction = 'Number',
  syncInstruction = 'PreProc',
}

-- Neovim from 0.9 on colours by tokens, in groups of such names.
function M.link_colours()
  if vim.fn.has('nvim-0.9') == 1 then
    for kind, group in pairs(COLOURS) do
      vim.cmd(('highlight default link @lsp.type.%s %s'):format(kind, group))
    end
  end
end

function M.setup(opts)
  options = vim.tbl_deep_extend('force', M.defaults, opts or {})
  M.link_colours()
  local group = vim.api.nvim_create_augroup(NAME, {})
  local function on_filetype(callback)
    vim.api.nvim_create_autocmd('FileType', { group = group, pattern = options.filetypes, callback = callback })
  end

  vim.api.nvim_create_user_command('GcnTarget', function(command)
    if command.args == '' then
      M.show_target()
    else
      M.write_target(command.args)
    end
  end, { nargs = '?', complete = M.target_names, desc = 'Show the target of this file, and why; or set it' })
  vim.api.nvim_create_user_command('GcnExpand', function(command)
    M.show_expansion(command.line1, command.line2)
  end, { range = true, desc = 'Show what these lines expand to' })
  vim.api.nvim_create_user_command('GcnAssembly', function()
    require('gcn_lsp.assembly').show(options)
  end, { desc = 'Show the assembly that the compiler makes of this source' })
  local views = require('gcn_lsp.views')
  vim.api.nvim_create_user_command(
    'GcnControlFlow',
    views.control_flow,
    { desc = 'Show the control flow of the kernel' }
  )
  vim.api.nvim_create_user_command('GcnReport', views.report, { desc = 'Write a report about the kernels' })
  vim.api.nvim_create_user_command(
    'GcnCheck',
    views.check,
    { desc = 'List the findings in all kernels of the project' }
  )
  vim.api.nvim_create_user_command('GcnEncode', views.encoding, { desc = 'Show the bytes of each instruction' })
  vim.api.nvim_create_user_command(
    'GcnReinsertWaits',
    views.reinsert_waits,
    { desc = 'Rewrite the waits of this file' }
  )
  vim.api.nvim_create_user_command('GcnDebug', function()
    require('gcn_lsp.debug').start(options)
  end, { desc = 'Debug a kernel of this file with nvim-dap' })
  vim.api.nvim_create_user_command('GcnRestart', M.restart, { desc = 'Restart the gcn-lsp server' })

  vim.api.nvim_create_user_command('GcnExplain', function(command)
    M.explain(command.args)
  end, { nargs = '?', desc = 'Explain a rule or a mnemonic' })

  if #options.inline_filetypes > 0 then
    vim.api.nvim_create_autocmd('FileType', {
      group = group,
      pattern = options.inline_filetypes,
      callback = function(event)
        M.start_for_inline(event.buf)
      end,
    })
    -- A source that had no inline assembly may have some now.
    vim.api.nvim_create_autocmd('BufWritePost', {
      group = group,
      callback = function(event)
        M.start_for_inline(event.buf)
      end,
    })
  end

  if options.treesitter then
    on_filetype(M.start_treesitter)
  end
  on_filetype(function()
    require('gcn_lsp.debug').register(options)
  end)
  if M.has_native_config() and M.config(options).cmd then
    vim.lsp.config(NAME, M.config(options))
    vim.lsp.enable(NAME)
    return
  end
  on_filetype(function(event)
    M.start(event.buf)
  end)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.tbl_contains(options.filetypes, vim.bo[bufnr].filetype) then
      M.start(bufnr)
    end
  end
end

-- Whether this Neovim keeps server configurations (0.11 and newer).
function M.has_native_config()
  return vim.fn.has('nvim-0.11') == 1
end

-- Servers by project folder, for Neovim 0.7, which has no vim.lsp.start to remember them.
local clients_by_root = {}
local has_reported = false

-- Starts the server for a buffer, or attaches the buffer to the one that runs for its project.
function M.start(bufnr)
  if vim.bo[bufnr].buftype ~= '' then
    return
  end
  local config = M.config(options)
  if not config.cmd then
    M.report_missing()
    return
  end
  config.root_dir = server.root(vim.api.nvim_buf_get_name(bufnr), options.root_markers)
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = bufnr })
    return
  end
  local id = clients_by_root[config.root_dir]
  if not (id and vim.lsp.get_client_by_id(id)) then
    id = vim.lsp.start_client(config)
    clients_by_root[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(bufnr, id)
  end
end

-- Starts the server for a buffer in another language that has inline assembly, or attaches it to the one that runs.
function M.start_for_inline(bufnr)
  local is_source = vim.tbl_contains(options.inline_filetypes, vim.bo[bufnr].filetype)
  if is_source and require('gcn_lsp.inline').buffer_has_assembly(bufnr) then
    M.start(bufnr)
  end
end

-- The command that the options name for the server, if they name one.
function M.command()
  return options.cmd
end

-- Reports once in a session that there is no server, with the remedy.
function M.report_missing()
  if has_reported then
    return
  end
  has_reported = true
  local _, looked = server.find(options.cmd)
  looked = table.concat(looked or {}, ' ')
  vim.notify('gcn-lsp: no language server. ' .. looked .. ' See :help gcn-lsp-install', vim.log.levels.WARN)
end

-- The command :GcnTarget.
function M.show_target()
  local bufnr = vim.api.nvim_get_current_buf()
  if #M.clients(bufnr) == 0 then
    vim.notify('gcn-lsp: no server is attached to this buffer', vim.log.levels.WARN)
    return
  end
  vim.lsp.buf_request(bufnr, 'gcn-lsp/target', { uri = vim.uri_from_bufnr(bufnr) }, function(err, answer)
    if err or not answer then
      vim.notify('gcn-lsp: the server did not say the target', vim.log.levels.WARN)
      return
    end
    local target = answer.assumed and answer.target .. ' (assumed)' or answer.target
    vim.notify(('gcn-lsp: %s: %s'):format(target, answer.reason))
  end)
end

-- The command :GcnTarget with a name: writes the target into the file, or into a configuration file that is chosen.
function M.write_target(name)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = M.clients(bufnr)[1]
  if not client then
    vim.notify('gcn-lsp: no server is attached to this buffer', vim.log.levels.WARN)
    return
  end
  local params = { uri = vim.uri_from_bufnr(bufnr), target = name }
  vim.lsp.buf_request(bufnr, 'gcn-lsp/writeTarget', params, function(_, places)
    local choice = {
      prompt = 'Target ' .. name .. ' for',
      format_item = function(place)
        return place.title
      end,
    }
    vim.ui.select(places or {}, choice, function(place)
      if place then
        vim.lsp.util.apply_workspace_edit(place.edit, client.offset_encoding)
      end
    end)
  end)
end

-- The names of targets that begin with, or whose products have, what is typed.
function M.target_names(typed)
  local bufnr = vim.api.nvim_get_current_buf()
  local params = { uri = vim.uri_from_bufnr(bufnr) }
  local answers = vim.lsp.buf_request_sync(bufnr, 'gcn-lsp/targets', params, 5000) or {}
  local found = {}
  for _, answer in pairs(answers) do
    for _, target in ipairs(answer.result or {}) do
      local names = { target.name, unpack(target.otherNames) }
      vim.list_extend(names, target.products)
      if table.concat(names, ' '):lower():find(typed:lower(), 1, true) then
        found[#found + 1] = target.name
      end
    end
  end
  return found
end

-- The command :GcnExplain. Without a name: the rule of a finding on the cursor's line, else the word under the cursor.
function M.explain(name)
  local bufnr = vim.api.nvim_get_current_buf()
  if #M.clients(bufnr) == 0 then
    vim.notify('gcn-lsp: no server is attached to this buffer', vim.log.levels.WARN)
    return
  end
  if not name or name == '' then
    local lnum = vim.api.nvim_win_get_cursor(0)[1] - 1
    local found = vim.tbl_filter(function(diagnostic)
      return diagnostic.source == 'gcn-lsp'
    end, vim.diagnostic.get(bufnr, { lnum = lnum }))
    name = found[1] and found[1].code or vim.fn.expand('<cword>')
  end
  local params = { uri = vim.uri_from_bufnr(bufnr), name = name }
  vim.lsp.buf_request(bufnr, 'gcn-lsp/explain', params, function(_, answer)
    if not answer or answer == vim.NIL then
      vim.notify(('gcn-lsp: %s is not a rule, a mnemonic or a known idea'):format(name), vim.log.levels.WARN)
      return
    end
    -- On a second request the page gets the cursor, as a hover does.
    local shown = { focus_id = 'gcn-explain-' .. answer.name }
    vim.lsp.util.open_floating_preview(vim.split(answer.markdown, '\n'), 'markdown', shown)
  end)
end

-- The command :GcnExpand: what the lines become, in a scratch buffer beside them. Lines count from 1.
function M.show_expansion(first, last)
  local bufnr = vim.api.nvim_get_current_buf()
  if #M.clients(bufnr) == 0 then
    vim.notify('gcn-lsp: no server is attached to this buffer', vim.log.levels.WARN)
    return
  end
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) },
    range = { start = { line = first - 1, character = 0 }, ['end'] = { line = last - 1, character = 1 } },
  }
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t')
  local lines = first == last and tostring(first) or ('%d-%d'):format(first, last)
  vim.lsp.buf_request(bufnr, 'gcn-lsp/expand', params, function(_, answer)
    if not answer or answer == vim.NIL then
      vim.notify('gcn-lsp: the server did not expand these lines', vim.log.levels.WARN)
      return
    end
    M.open_scratch(('gcn-lsp://%s:%s'):format(name, lines), answer.text)
  end)
end

-- A window beside this one with text that cannot be changed; the same buffer again for the same name.
function M.open_scratch(name, text)
  local bufnr = vim.fn.bufadd(name)
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].swapfile = false
  vim.bo[bufnr].modifiable = true
  local lines = vim.split(text, '\n')
  if lines[#lines] == '' then
    lines[#lines] = nil
  end
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = 'gcn'
  if vim.fn.bufwinid(bufnr) == -1 then
    vim.cmd('vertical sbuffer ' .. bufnr)
    vim.wo.wrap = false
    vim.cmd('wincmd p')
  end
  return bufnr
end

-- The command :GcnRestart. The new server starts when the old one has gone.
function M.restart()
  has_reported = false
  clients_by_root = {}
  local buffers = M.attached_buffers()
  if M.has_native_config() then
    vim.lsp.enable(NAME, false)
  else
    vim.lsp.stop_client(vim.tbl_map(function(client)
      return client.id
    end, M.clients()))
  end
  local function start_again()
    if #M.clients() > 0 then
      vim.defer_fn(start_again, 50)
    elseif M.has_native_config() then
      vim.lsp.config(NAME, M.config(options))
      vim.lsp.enable(NAME)
    else
      for _, bufnr in ipairs(buffers) do
        M.start(bufnr)
      end
    end
  end
  start_again()
end

-- The buffers that have one of our servers; the current one where none runs.
function M.attached_buffers()
  local buffers = vim.tbl_filter(function(bufnr)
    return vim.api.nvim_buf_is_loaded(bufnr) and #M.clients(bufnr) > 0
  end, vim.api.nvim_list_bufs())
  return #buffers > 0 and buffers or { vim.api.nvim_get_current_buf() }
end

-- The running servers of ours, of one buffer or of all.
function M.clients(bufnr)
  if vim.lsp.get_clients then
    return vim.lsp.get_clients({ name = NAME, bufnr = bufnr })
  end
  local active = bufnr and vim.tbl_values(vim.lsp.buf_get_clients(bufnr)) or vim.lsp.get_active_clients()
  return vim.tbl_filter(function(client)
    return client.name == NAME
  end, active)
end

-- Colours a buffer from the parser `amdgpu`; without that parser the colours stay those of syntax/gcn.vim.
function M.start_treesitter(event)
  if vim.fn.has('nvim-0.9') == 1 then
    vim.treesitter.language.register('amdgpu', 'gcn') -- for other plugins, which ask by file type
    pcall(vim.treesitter.start, event.buf, 'amdgpu')
  end
end

return M
