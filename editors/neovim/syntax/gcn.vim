" Base colours for AMD GPU assembly: shape only. Which mnemonics and registers a target has is the server's business.
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax match gcnLabel /^\s*\%([A-Za-z_.$\\][A-Za-z0-9_.$@\\()]*\|\d\+\):\ze\%([^:]\|$\)/
syntax match gcnDirective /^\s*\.[A-Za-z_][A-Za-z0-9_.]*/
syntax match gcnMnemonic /\%(^\|::\|:\)\s*\zs\%(v\|s\|ds\|buffer\|tbuffer\|global\|flat\|scratch\|image\|exp\|lds\)_[A-Za-z0-9_\\]\+\ze\%(\s*=\)\@!\%(\s\|$\)/
syntax match gcnMnemonic /^\s*\zsexp\ze\s/
syntax match gcnRegister /\%([A-Za-z0-9_.\\$]\)\@1<!\%(v\|s\|a\|ttmp\)\%(\d\+\>\|\ze\[\)/
syntax match gcnRegister /\<\%(vcc\|exec\|flat_scratch\|xnack_mask\)\%(_lo\|_hi\)\=\>/
syntax match gcnRegister /\<\%(m0\|scc\|null\|off\|vccz\|execz\|src_\w\+\)\>/
syntax match gcnModifier /[ \t,]\@1<=[A-Za-z_]\w*\ze:[^:]/
syntax match gcnFunction /\<[A-Za-z_]\w*\ze(/
syntax match gcnNumber /\<\%(0[xX]\x\+\|0[bB][01]\+\|\d\+\%(\.\d*\)\=\%([eE][+-]\=\d\+\)\=\)\>/
syntax match gcnArgument /\\\%([A-Za-z_$][A-Za-z0-9_$]*\|@\|()\)/
syntax region gcnString start=/"/ skip=/\\./ end=/"/ oneline
syntax match gcnComment /;.*$/ contains=gcnTodo,@Spell
syntax match gcnComment "//.*$" contains=gcnTodo,@Spell
syntax match gcnComment /^\s*#.*$/
syntax region gcnComment start="/\*" end="\*/" contains=gcnTodo,@Spell
syntax keyword gcnTodo contained TODO FIXME XXX

highlight default link gcnLabel Label
highlight default link gcnDirective PreProc
highlight default link gcnMnemonic Statement
highlight default link gcnRegister Identifier
highlight default link gcnModifier Type
highlight default link gcnFunction Function
highlight default link gcnNumber Number
highlight default link gcnArgument Special
highlight default link gcnString String
highlight default link gcnComment Comment
highlight default link gcnTodo Todo

let b:current_syntax = 'gcn'
