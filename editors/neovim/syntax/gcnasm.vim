" Base colours for AMD GPU assembly: shape only. Which mnemonics and registers a target has is the server's business.
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax match gcnasmLabel /^\s*\%([A-Za-z_.$\\][A-Za-z0-9_.$@\\()]*\|\d\+\):\ze\%([^:]\|$\)/
syntax match gcnasmDirective /^\s*\.[A-Za-z_][A-Za-z0-9_.]*/
syntax match gcnasmMnemonic /\%(^\|::\|:\)\s*\zs\%(v\|s\|ds\|buffer\|tbuffer\|global\|flat\|scratch\|image\|exp\|lds\)_[A-Za-z0-9_\\]\+\ze\%(\s\|$\)/
syntax match gcnasmMnemonic /^\s*\zsexp\ze\s/
syntax match gcnasmRegister /\%([A-Za-z0-9_.\\$]\)\@1<!\%(v\|s\|a\|ttmp\)\%(\d\+\>\|\ze\[\)/
syntax match gcnasmRegister /\<\%(vcc\|exec\|flat_scratch\|xnack_mask\)\%(_lo\|_hi\)\=\>/
syntax match gcnasmRegister /\<\%(m0\|scc\|null\|off\|vccz\|execz\|src_\w\+\)\>/
syntax match gcnasmModifier /[ \t,]\@1<=[A-Za-z_]\w*\ze:[^:]/
syntax match gcnasmFunction /\<[A-Za-z_]\w*\ze(/
syntax match gcnasmNumber /\<\%(0[xX]\x\+\|0[bB][01]\+\|\d\+\%(\.\d*\)\=\%([eE][+-]\=\d\+\)\=\)\>/
syntax match gcnasmArgument /\\\%([A-Za-z_$][A-Za-z0-9_$]*\|@\|()\)/
syntax region gcnasmString start=/"/ skip=/\\./ end=/"/ oneline
syntax match gcnasmComment /;.*$/ contains=gcnasmTodo,@Spell
syntax match gcnasmComment "//.*$" contains=gcnasmTodo,@Spell
syntax match gcnasmComment /^\s*#.*$/
syntax region gcnasmComment start="/\*" end="\*/" contains=gcnasmTodo,@Spell
syntax keyword gcnasmTodo contained TODO FIXME XXX

highlight default link gcnasmLabel Label
highlight default link gcnasmDirective PreProc
highlight default link gcnasmMnemonic Statement
highlight default link gcnasmRegister Identifier
highlight default link gcnasmModifier Type
highlight default link gcnasmFunction Function
highlight default link gcnasmNumber Number
highlight default link gcnasmArgument Special
highlight default link gcnasmString String
highlight default link gcnasmComment Comment
highlight default link gcnasmTodo Todo

let b:current_syntax = 'gcnasm'
