"""Compiles the grammar's parser into the package, leaves out the generator, and makes the links of the README absolute,
which a package index shows away from the repository; all else is in pyproject.toml."""

import re
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

# The stable ABI does not exist for free-threaded builds of Python.
LIMITED_API = not sysconfig.get_config_var("Py_GIL_DISABLED")


REPOSITORY = "https://github.com/OWNER/gcn-lsp"


def description():
    """The README with absolute links: pictures as raw files, others to the pages of files."""
    text = Path(__file__).with_name("README.md").read_text("utf-8")
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:)", rf"\1{REPOSITORY}/raw/main/", text)
    return re.sub(r"(\]\()(?!https?:)", rf"\1{REPOSITORY}/blob/main/", text)


class BuildWithoutGenerator(build_py):
    """The modules of the package, but for the one that writes the tables, which only a checkout needs."""

    def find_package_modules(self, package, package_dir):
        """Those of one package: its name, the module's, the file."""
        modules = super().find_package_modules(package, package_dir)
        return [module for module in modules if module[:2] != ("gcn_lsp.isa", "generate")]


setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    cmdclass={"build_py": BuildWithoutGenerator},
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
