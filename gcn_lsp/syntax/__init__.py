"""Text to lines to statements, and expressions; knows no meaning of any mnemonic."""
