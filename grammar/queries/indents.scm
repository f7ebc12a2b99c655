; What is indented: the bodies of blocks and of each branch. The names are those of Neovim, then those of Helix.

[
  (macro_definition)
  (repetition)
  (conditional)
  (kernel_descriptor)
] @indent.begin @indent

[
  (elseif_clause)
  (else_clause)
] @indent.branch @outdent

(macro_definition
  end: (directive_name) @indent.branch @indent.end @outdent)

(repetition
  end: (directive_name) @indent.branch @indent.end @outdent)

(conditional
  end: (directive_name) @indent.branch @indent.end @outdent)

(kernel_descriptor
  end: (directive_name) @indent.branch @indent.end @outdent)

; YAML keeps its own.
(metadata) @indent.ignore
