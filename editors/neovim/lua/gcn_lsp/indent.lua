-- The indentation of a line: labels at the margin, what follows them as the instructions above, blocks a level deeper.

local M = {}

local LABEL = [[^\s*\%([A-Za-z_$0-9]\|\.L\)[A-Za-z0-9_.$]*:\s*\%(;.*\|//.*\)\?$]]
local OPENER = [[^\s*\.\%(macro\|if\w*\|else\w*\|rept\|irpc\?\|amdhsa_kernel\)\>]]
local CLOSER = [[^\s*\.\%(endm\|endmacro\|endif\|else\w*\|endr\|end_amdhsa_kernel\)\>]]

-- What follows the code of a kernel.
local OUTSIDE = [[^\s*\.\%(size\|section\|rodata\|amdgpu_metadata\)\>]]

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

-- Metadata: what opens and ends a block of it, and what begins at its margin.
local METADATA, METADATA_END = [[^\s*\.amdgpu_metadata\>]], [[^\s*\.end_amdgpu_metadata\>]]
local MARGIN = [[^\s*\%(\.\.\.\s*$\|---\|\.end_amdgpu_metadata\>\|amdhsa\.\w\+:\)]]
local ITEM = [[^\s*- ]]

local function in_metadata(number)
  for above = number - 1, math.max(1, number - 2000), -1 do
    local text = vim.fn.getline(above)
    if matches(text, METADATA) or matches(text, METADATA_END) then
      return matches(text, METADATA)
    end
  end
  return false
end

-- A line of YAML: keys below the first of their item, a list or an item's keys deeper than what they belong to.
local function of_metadata(number)
  local text, above = vim.fn.getline(number), vim.fn.prevnonblank(number - 1)
  local before, depth = vim.fn.getline(above), vim.fn.indent(above)
  if matches(text, MARGIN) then
    return 0
  end
  local opens = matches(before, [[:\s*$]])
  if matches(text, [[^\s*-]]) and not opens then
    while above > 1 and not matches(vim.fn.getline(above), ITEM) and not matches(vim.fn.getline(above), METADATA) do
      above = above - 1
    end
    return vim.fn.indent(above)
  end
  return depth + (matches(before, ITEM .. [[\.]]) and 2 or 0) + (opens and 2 or 0)
end

function M.of(number)
  if in_metadata(number) then
    return of_metadata(number)
  end
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
