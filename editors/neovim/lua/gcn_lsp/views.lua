-- What the server makes of a whole file: the control flow, the report, the bytes, the fewest waits; and the check of all
-- files. A command for each.
local M = {}

-- Asks the server about the current buffer; `show` gets the answer. A message says if there is none.
local function ask(method, params, show)
  local gcn = require('gcn_lsp')
  local bufnr = vim.api.nvim_get_current_buf()
  if #gcn.clients(bufnr) == 0 then
    vim.notify('gcn-lsp: no server is attached to this buffer', vim.log.levels.WARN)
    return
  end
  params.uri = vim.uri_from_bufnr(bufnr)
  vim.lsp.buf_request(bufnr, method, params, function(_, answer)
    if not answer or answer == vim.NIL then
      vim.notify('gcn-lsp: there is no code here whose target is known', vim.log.levels.WARN)
      return
    end
    show(answer, bufnr)
  end)
end

local function name_of(bufnr)
  return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':t')
end

-- <CR> in the scratch buffer goes to the line of the file that a line is about.
local function leads_back(scratch, lines, bufnr)
  vim.keymap.set('n', '<CR>', function()
    local line = lines[vim.api.nvim_win_get_cursor(0)[1]]
    local window = vim.fn.bufwinid(bufnr)
    if line and window ~= -1 then
      vim.fn.win_gotoid(window)
      vim.api.nvim_win_set_cursor(window, { line + 1, 0 })
    end
  end, { buffer = scratch, desc = 'Go to the line' })
end

-- The command :GcnEncode.
function M.encoding()
  ask('gcn-lsp/encoded', {}, function(answer, bufnr)
    local scratch = require('gcn_lsp').open_scratch(('gcn-lsp://%s:encoded'):format(name_of(bufnr)), answer.text)
    leads_back(scratch, answer.lines, bufnr)
  end)
end

local function block_title(block)
  local first, last = block.instructions[1].line + 1, block.instructions[#block.instructions].line + 1
  local place = first == last and ('line %d'):format(first) or ('lines %d-%d'):format(first, last)
  local registers = ('%d VGPRs%s, %d SGPRs'):format(
    block.vgprs,
    block.agprs > 0 and (', %d AGPRs'):format(block.agprs) or '',
    block.sgprs
  )
  local waits = block.waits > 0 and (', %d wait%s'):format(block.waits, block.waits > 1 and 's' or '') or ''
  return ('// %s: %s%s'):format(place, registers, waits)
end

local MEANINGS = { next = 'falls through to', branch = 'branches to', back = 'loops back to', call = 'calls' }

-- The blocks as text: a comment about each, its labels and instructions, where it leads; and the line of each of these.
local function flow_text(flow)
  local texts, lines = {}, {}
  local function add(text, line)
    texts[#texts + 1] = text
    lines[#lines + 1] = line
  end
  local function name(block)
    return block.labels[1] or ('line %d'):format(block.instructions[1].line + 1)
  end
  for number, block in ipairs(flow.blocks) do
    local first = block.instructions[1].line
    add(block_title(block), first)
    for _, label in ipairs(block.labels) do
      add(label .. ':', first)
    end
    for _, instruction in ipairs(block.instructions) do
      add('  ' .. vim.trim(instruction.text):gsub('%s+', ' '), instruction.line)
    end
    for _, edge in ipairs(flow.edges) do
      if edge.source == number - 1 then
        local target = flow.blocks[edge.target + 1]
        add(('// -> %s %s'):format(MEANINGS[edge.kind], name(target)), target.instructions[1].line)
      end
    end
    add('', first)
  end
  return table.concat(texts, '\n'), lines
end

-- The command :GcnControlFlow.
function M.control_flow()
  ask('gcn-lsp/controlFlow', { line = vim.api.nvim_win_get_cursor(0)[1] - 1 }, function(flow, bufnr)
    local text, lines = flow_text(flow)
    local title = ('gcn-lsp://%s:%s'):format(name_of(bufnr), flow.kernel)
    leads_back(require('gcn_lsp').open_scratch(title, text), lines, bufnr)
  end)
end

-- The command :GcnReport.
function M.report()
  ask('gcn-lsp/report', {}, function(answer, bufnr)
    local folder = vim.fn.stdpath('cache') .. '/gcn-lsp'
    vim.fn.mkdir(folder, 'p')
    local path = ('%s/%s.html'):format(folder, name_of(bufnr))
    vim.fn.writefile(vim.split(answer.html, '\n'), path)
    vim.notify('gcn-lsp: the report is ' .. path)
    if vim.ui.open and #vim.api.nvim_list_uis() > 0 then
      vim.ui.open(path)
    end
  end)
end

-- The command :GcnReinsertWaits. One `u` undoes it.
function M.reinsert_waits()
  ask('gcn-lsp/reinsertWaits', {}, function(answer, bufnr)
    if #answer.edits == 0 then
      vim.notify(('gcn-lsp: the %d waits of this file are the fewest that are sound'):format(answer.waits))
      return
    end
    local client = require('gcn_lsp').clients(bufnr)[1]
    vim.lsp.util.apply_text_edits(answer.edits, bufnr, client.offset_encoding)
    local left = answer.left ~= '' and '; left: ' .. answer.left or ''
    vim.notify(('gcn-lsp: waits: %d removed, %d added%s; u undoes it'):format(answer.removed, answer.added, left))
  end)
end

-- Fills the quickfix list with the findings in all files, without hints.
local function list_findings()
  local found = vim.diagnostic.get(nil, { severity = { min = vim.diagnostic.severity.INFO } })
  local ours = vim.tbl_filter(function(each)
    return each.source == 'gcn-lsp'
  end, found)
  vim.fn.setqflist({}, ' ', { title = 'gcn-lsp', items = vim.diagnostic.toqflist(ours) })
  if #ours > 0 then
    vim.cmd('botright copen')
  end
end

-- The command :GcnCheck.
function M.check()
  vim.notify('gcn-lsp: checking all kernels')
  ask('gcn-lsp/checkProject', {}, function(answer)
    list_findings()
    local failed = answer.failed > 0 and ('; %d could not be checked'):format(answer.failed) or ''
    local counts = '%d files checked: %d errors, %d warnings, %d notes%s'
    counts = counts:format(answer.files, answer.errors, answer.warnings, answer.others, failed)
    vim.notify('gcn-lsp: ' .. counts)
  end)
end

return M
