; What the outline panel and the breadcrumbs show before the server says more.

(label
  name: (identifier) @name) @item

(macro_definition
  directive: (directive_name) @context
  name: (identifier) @name) @item

(kernel_descriptor
  name: (identifier) @name) @item
