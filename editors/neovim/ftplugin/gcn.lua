-- Options of buffers with AMD GPU assembly.
-- b:did_ftplugin is set here without a check: on Neovim 0.7 the file was `asm` first, whose plugin has set it.
vim.b.did_ftplugin = 1

vim.bo.commentstring = '; %s'
vim.bo.comments = 's1:/*,mb:*,ex:*/,://,:;'
vim.bo.iskeyword = '@,48-57,_,.,$'
vim.bo.include = [[^\s*\.include\>]]
vim.bo.define = [[^\s*\.\%(macro\|set\|equ\|equiv\)\>]]
vim.bo.suffixesadd = '.inc,.s'
vim.opt_local.formatoptions:remove('t')
vim.opt_local.formatoptions:remove('r')
vim.opt_local.formatoptions:remove('o') -- a comment line is followed by code more often than by more of it
vim.opt_local.formatoptions:append('cql')
vim.bo.indentexpr = "v:lua.require'gcn_lsp.indent'.of(v:lnum)"
vim.bo.indentkeys = 'o,O,<:>,0=.size,0=.section,0=.rodata,0=.endm,0=.endr,0=.endif,0=.else,0=.end_amdhsa_kernel'
  .. ',0-,0=...,0=.amdgpu_metadata,0=.end_amdgpu_metadata'
vim.b.undo_ftplugin =
  'setlocal commentstring< comments< iskeyword< include< define< suffixesadd< formatoptions< indentexpr< indentkeys<'
