-- The indentation of a line: labels at the margin, what follows them as the instructions above, blocks a level deeper.

local M = {}

local LABEL = [[^\s*\%([A-Za-z_$0-9]\|\.L\)[A-Za-z0-9_.$]*:\s*\%(;.*\|//.*\)\?$]]
local OPENER = [[^\s*\.\%(macro\|if\w*\|else\w*\|rept\|irpc\?\|amdhsa_kernel\)\>]]
local CLOSER = [[^\s*\.\%(endm\|endmacro\|endif\|else\w*\|endr\|end_amdhsa_kernel\)\>]]

-- What follows the code of a kernel.
local OUTSIDE = [[^\s*\.\%(size\|section\|rodata\)\>]]

local function matches(text, pattern)
  return vim.fn.match(text, pattern) >= 0
end

-- The indentation of the nearest indented line above.
local function usual(number)
  for above = number - 1, math.max(1, number - 500), -1 do
    if vim.fn.getline(above):find('^%s+%a') then
      return vim.fn.indent(above)
    end
  end
  return vim.fn.shiftwidth()
end

function M.of(number)
  local text = vim.fn.getline(number)
  if matches(text, LABEL) or matches(text, OUTSIDE) then
    return 0
  end
  local above = vim.fn.prevnonblank(number - 1)
  local before = vim.fn.getline(above)
  local depth = vim.fn.indent(above)
  if matches(before, LABEL) then
    depth = usual(above)
  elseif matches(before, OPENER) then
    depth = depth + vim.fn.shiftwidth()
  end
  return matches(text, CLOSER) and math.max(0, depth - vim.fn.shiftwidth()) or depth
end

return M
