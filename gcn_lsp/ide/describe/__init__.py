"""The texts of hovers and completion details: one module for each kind of thing, all returning Markdown."""
