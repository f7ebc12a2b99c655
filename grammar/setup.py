"""Compiles the parser of the grammar's own Python package; everything else about the build is in pyproject.toml."""

import sysconfig

from setuptools import Extension, setup

# The stable ABI does not exist for free-threaded builds of Python.
LIMITED_API = not sysconfig.get_config_var("Py_GIL_DISABLED")

setup(
    ext_modules=[
        Extension(
            name="tree_sitter_amdgpu._binding",
            sources=["bindings/python/binding.c", "src/parser.c", "src/scanner.c"],
            depends=["src/tree_sitter/alloc.h", "src/tree_sitter/array.h", "src/tree_sitter/parser.h"],
            include_dirs=["src"],
            define_macros=[("MODULE", "_binding"), *([("Py_LIMITED_API", "0x030A0000")] if LIMITED_API else [])],
            py_limited_api=LIMITED_API,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp310"}} if LIMITED_API else {},
)
