"""Reads text into lines, statements and expressions; knows the meaning of no mnemonic."""
