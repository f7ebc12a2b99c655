; What a reader looks for by name: kernels, labels, macros, symbols; and where they are used.

(label
  name: (identifier) @name) @definition.function

(kernel_descriptor
  name: (identifier) @name) @definition.interface

(macro_definition
  name: (identifier) @name) @definition.macro

(assignment
  name: (identifier) @name) @definition.constant

(directive
  name: (directive_name) @name) @reference.call

(instruction
  mnemonic: (identifier) @name) @reference.call

(instruction
  operand: (identifier) @name) @reference.variable
