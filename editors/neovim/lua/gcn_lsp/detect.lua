-- Recognises AMD GPU assembly by the lines of a buffer.
local known = require('gcn_lsp.signs')
local M = {}

-- Only the head of a file is read: enough to get past a licence and a block of symbol assignments.
local HEAD_LINES = 1500
local HEAD_COLUMNS = 400

local function compiled(pattern)
  return vim.regex([[\C]] .. pattern)
end

-- Cuts comments off a line. Returns its code, its comment, and whether a block comment is still open after it.
local function split(line, in_block)
  local code, comment, rest = {}, {}, line
  while rest ~= '' do
    if in_block then
      local first, last = rest:find('*/', 1, true)
      comment[#comment + 1] = rest:sub(1, (first or #rest + 1) - 1)
      rest = last and rest:sub(last + 1) or ''
      in_block = last == nil
    else
      local start = nil
      for _, opener in ipairs({ '/*', '//', ';', '#' }) do
        local found = rest:find(opener, 1, true)
        if found and (not start or found < start) then
          start = found
        end
      end
      code[#code + 1] = rest:sub(1, (start or #rest + 1) - 1)
      in_block = start ~= nil and rest:sub(start, start + 1) == '/*'
      if start and not in_block then
        comment[#comment + 1] = rest:sub(start)
      end
      rest = in_block and rest:sub(start + 2) or ''
    end
  end
  return table.concat(code), table.concat(comment), in_block
end

-- Whether these lines are AMD GPU assembly. False also where nothing in them speaks for any processor.
function M.is_amdgpu(lines)
  local signs = vim.tbl_map(compiled, known.signs)
  local in_comment = compiled(known.comment)
  local in_block = false
  for index = 1, math.min(#lines, HEAD_LINES) do
    local code, comment
    code, comment, in_block = split(lines[index]:sub(1, HEAD_COLUMNS), in_block)
    if in_comment:match_str(comment) then
      return true
    end
    for _, sign in ipairs(signs) do
      if sign:match_str(code) then
        return true
      end
    end
  end
  return false
end

function M.buffer_is_amdgpu(bufnr)
  return M.is_amdgpu(vim.api.nvim_buf_get_lines(bufnr, 0, HEAD_LINES, false))
end

return M
