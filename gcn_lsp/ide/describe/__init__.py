"""The texts of hovers and completion details, as Markdown: one module for each kind of thing."""
