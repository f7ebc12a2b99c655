"""Compiles the grammar's generated parser into the package; everything else about the build is in pyproject.toml."""

import sysconfig

from setuptools import Extension, setup

# The stable ABI does not exist for free-threaded builds of Python.
LIMITED_API = not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(
    ext_modules=[
        Extension(
            name="gcn_lsp._tree_sitter_gcn",
            sources=["grammar/bindings/python/binding.c", "grammar/src/parser.c", "grammar/src/scanner.c"],
            depends=[
                "grammar/src/tree_sitter/alloc.h",
                "grammar/src/tree_sitter/array.h",
                "grammar/src/tree_sitter/parser.h",
            ],
            include_dirs=["grammar/src"],
            define_macros=[("Py_LIMITED_API", "0x030A0000")] if LIMITED_API else [],
            py_limited_api=LIMITED_API,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp310"}} if LIMITED_API else {},
)
