; What can be folded away: blocks, each branch of a conditional, and runs of comments.

[
  (macro_definition)
  (repetition)
  (conditional)
  (elseif_clause)
  (else_clause)
  (kernel_descriptor)
  (metadata)
] @fold

(comment)+ @fold
