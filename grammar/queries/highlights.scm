; Colours for editors. The last pattern that matches a node wins in Neovim and in Helix alike, so the general ones
; come first.

; Names

(identifier) @variable

(macro_argument) @variable.parameter

((identifier) @variable.builtin
  (#match? @variable.builtin "^([vsaVSA]|acc|ttmp)[0-9]+(\\.[lhLH])?$"))

((identifier) @variable.builtin
  (#match? @variable.builtin "^(vcc|exec|flat_scratch|xnack_mask|tba|tma)(_lo|_hi)?$"))

((identifier) @variable.builtin
  (#match? @variable.builtin "^(m0|scc|vccz|execz|null|lds_direct|off|src_[a-z_]+)$"))

((identifier) @variable.builtin
  (#eq? @variable.builtin "."))

(register
  base: (identifier) @variable.builtin)

; Statements

(label
  name: (_) @label)

(local_label_reference) @label

(instruction
  mnemonic: (identifier) @function)

(instruction
  mnemonic: (pasted
    (identifier) @function))

(directive_name) @keyword.directive

(macro_definition
  directive: (directive_name) @keyword.function
  name: (identifier) @function.macro)

(macro_definition
  end: (directive_name) @keyword.function)

(repetition
  directive: (directive_name) @keyword.repeat)

(repetition
  end: (directive_name) @keyword.repeat)

(conditional
  directive: (directive_name) @keyword.conditional)

(conditional
  end: (directive_name) @keyword.conditional)

(elseif_clause
  directive: (directive_name) @keyword.conditional)

(else_clause
  directive: (directive_name) @keyword.conditional)

((directive
  name: (directive_name) @keyword.import)
  (#match? @keyword.import "^\\.[iI][nN][cC]([lL][uU][dD][eE]|[bB][iI][nN])$"))

(kernel_descriptor
  name: (identifier) @function)

(parameter
  name: (identifier) @variable.parameter)

(parameter
  qualifier: (identifier) @attribute)

(repetition
  parameter: (identifier) @variable.parameter)

(assignment
  name: (identifier) @constant)

; Operands

(modifier
  name: (identifier) @attribute)

(modifier
  value: (identifier) @constant)

(named_argument
  name: (identifier) @variable.parameter)

(tag
  name: (identifier) @attribute)

(call
  function: (identifier) @function.builtin)

(call
  argument: (identifier) @constant)

(integer) @number

(float) @number.float

(character) @character

(string) @string

(angle_string) @string

(escape_sequence) @string.escape

(string
  (macro_argument) @variable.parameter)

; Signs

[
  "="
  "=="
  "!="
  "<>"
  "<"
  "<="
  ">"
  ">="
  "||"
  "&&"
  "|"
  "&"
  "^"
  "!"
  "~"
  "+"
  "-"
  "*"
  "/"
  "%"
  "<<"
  ">>"
] @operator

[
  "("
  ")"
  "["
  "]"
  "{"
  "}"
] @punctuation.bracket

(absolute_value
  "|" @punctuation.bracket)

[
  ","
  ":"
  "::"
] @punctuation.delimiter

[
  "@"
  "#"
] @punctuation.special

(comment) @comment
