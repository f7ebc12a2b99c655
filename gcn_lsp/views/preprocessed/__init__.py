"""The C preprocessor: `.S` files, and `.s` files that use it, as the text that it makes of them."""
