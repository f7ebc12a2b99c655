-- Sets the filetype gcn: by name where the name is ours alone, by content where `.s` may be any processor's.
-- Files that are not for AMD GPUs keep the filetype that Neovim gives them.

-- Code objects are read as assembly that cannot be changed, and `k.hipfb(NAME)` is what else is in the file.
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = vim.api.nvim_create_augroup('gcn_objects', {}),
  pattern = { '*.co', '*.hsaco', '*.hipfb', '*.co(*)', '*.hsaco(*)', '*.hipfb(*)' },
  callback = function(event)
    require('gcn_lsp.objects').read(event.buf, event.match)
  end,
})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = vim.api.nvim_create_augroup('gcn_contents', {}),
  pattern = { '*gcn-lsp-expansion:/*', '*gcn-lsp-encoded:/*', '*gcn-lsp-assembly:/*' },
  callback = function(event)
    require('gcn_lsp.contents').read(event.buf, event.match)
  end,
})

local function by_content(_, bufnr)
  return bufnr and require('gcn_lsp.detect').buffer_is_amdgpu(bufnr) and 'gcn' or nil
end

-- Neovim takes `.cl` for Lisp.
local function opencl(_, bufnr)
  return bufnr and require('gcn_lsp.inline').buffer_has_assembly(bufnr) and 'opencl' or nil
end

-- A file that is new has no sign yet when it is opened: it is read again while it is short and being typed.
local NEW_LINES = 64
vim.api.nvim_create_autocmd({ 'TextChangedI', 'InsertLeave', 'BufWritePost' }, {
  group = vim.api.nvim_create_augroup('gcn_new_files', {}),
  pattern = { '*.s', '*.S', '*.asm', '*.inc' },
  callback = function(event)
    local is_ours = vim.bo[event.buf].filetype == 'gcn'
    local is_short = event.event == 'BufWritePost' or vim.api.nvim_buf_line_count(event.buf) <= NEW_LINES
    if not is_ours and is_short and by_content(event.match, event.buf) then
      vim.bo[event.buf].filetype = 'gcn'
    end
  end,
})

if vim.fn.has('nvim-0.8') == 1 then
  vim.filetype.add({
    extension = { gcn = 'gcn', amdgcn = 'gcn', isa = 'gcn', hip = 'cpp' }, -- Neovim does not know HIP
    -- A pattern with a priority comes before Neovim's own rule for these endings, and passes where it returns nil.
    -- Neovim's own pattern for assembly is spelt `.*%.[sS]`: a table has room for only one of the same spelling.
    pattern = {
      ['.+%.[rc]dna%w*'] = 'gcn',
      ['.+%.[Ss]'] = { by_content, { priority = 10 } },
      ['.+%.asm'] = { by_content, { priority = 10 } },
      ['.+%.inc'] = { by_content, { priority = 10 } },
      ['.+%.cl'] = { opencl, { priority = 10 } },
    },
  })
  return
end

local group = vim.api.nvim_create_augroup('gcn_ftdetect', {})
local function on(pattern, callback)
  vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, { group = group, pattern = pattern, callback = callback })
end
on({ '*.gcn', '*.amdgcn', '*.isa', '*.rdna*', '*.cdna*' }, function(event)
  vim.bo[event.buf].filetype = 'gcn'
end)
on({ '*.hip' }, function(event)
  vim.bo[event.buf].filetype = 'cpp'
end)
on({ '*.s', '*.S', '*.asm', '*.inc' }, function(event)
  if by_content(event.match, event.buf) then
    vim.bo[event.buf].filetype = 'gcn'
  end
end)
on({ '*.cl' }, function(event)
  if opencl(event.match, event.buf) then
    vim.bo[event.buf].filetype = 'opencl'
  end
end)
