-- Recognises sources in other languages that have inline assembly of AMD GPUs.
local M = {}

local PREFIXES = { 'v_', 's_', 'ds_', 'buffer_', 'tbuffer_', 'global_', 'flat_', 'scratch_', 'image_' }

-- Whether these lines have a statement of inline assembly and text that looks like one of AMD's instructions.
function M.has_assembly(lines)
  local statement, instruction = false, false
  for _, line in ipairs(lines) do
    statement = statement or line:find('asm', 1, true) ~= nil
    if not instruction and line:find('_', 1, true) then
      for _, prefix in ipairs(PREFIXES) do
        if line:find('["\'%s]' .. prefix .. '%l') or line:find('\\[nt]' .. prefix .. '%l') then
          instruction = true
          break
        end
      end
    end
    if statement and instruction then
      return true
    end
  end
  return false
end

function M.buffer_has_assembly(bufnr)
  return M.has_assembly(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false))
end

return M
