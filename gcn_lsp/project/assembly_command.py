"""The command that compiles a source to the assembly of its device code; it is for an editor to run, on request.

The build's own command in `compile_commands.json` with its output replaced, a configured one, or a plain call of clang.
"""

import os
from collections.abc import Iterable, Iterator

import msgspec

from gcn_lsp.project import compile_commands, configuration
from gcn_lsp.project.files import Files
from gcn_lsp.project.settings import Settings

HIP, OPENCL, OTHER = "hip", "cl", ""

_LANGUAGES = {".hip": HIP, ".cu": HIP, ".cl": OPENCL}
# Options of a build that would write something else, or somewhere else.
_DROPPED = frozenset(
    ("-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-fsyntax-only", "-emit-llvm", "-save-temps",
     "--save-temps", "-fgpu-rdc", "--offload-host-only", "--cuda-host-only", "--hip-link", "-flto")
)  # fmt: skip
_DROPPED_WITH_VALUE = frozenset(("-o", "-MF", "-MT", "-MQ", "-MJ", "--serialize-diagnostics", "-dependency-file"))
_DROPPED_STARTS = ("-save-temps=", "--save-temps=", "-flto=", "-o")
_TARGETS = ("--offload-arch=", "--cuda-gpu-arch=")
_OUTPUT = ("-S", "-g", "-o", "-")


class AssemblyCommand(msgspec.Struct, frozen=True):
    """A command that prints assembly: its arguments, the folder to run it in, and the file that names it, if any."""

    arguments: tuple[str, ...]
    directory: str
    named_by: str = ""


def of(path: str, settings: Settings, files: Files, compilers: Iterable[str] = ("clang",)) -> AssemblyCommand | None:
    """The command for a source; None if nothing says how it is compiled. compilers: to call where nothing names one."""
    path = os.path.abspath(path)
    database = compile_commands.nearest(path, files)
    found = database.command(path) if database is not None else None
    if database is not None and found is not None:
        directory, arguments = found
        return AssemblyCommand((*for_device(arguments, path, settings.target), *_OUTPUT), directory, database.path)
    config = configuration.nearest(path, files)
    if config is not None:
        settings = settings.over(config.for_file(path)[0])
    folder = os.path.dirname(path)
    if settings.compile_command:
        arguments = (*settings.compile_command, path)
        named_by = config.path if config is not None else ""
        return AssemblyCommand((*for_device(arguments, path, settings.target), *_OUTPUT), folder, named_by)
    compiler = next(iter(compilers), "clang")
    language = _LANGUAGES.get(os.path.splitext(path)[1].lower(), OTHER)
    if not settings.target or not language:
        return None
    options = _PLAIN[language]
    target = options[-1] + settings.target
    return AssemblyCommand((compiler, *options[:-1], target, *_OUTPUT, path), folder)


# The last option ends in the target. Without ROCm there are no headers or libraries of the device.
_PLAIN = {
    HIP: ("-x", "hip", "-O3", "--offload-device-only", "-nogpuinc", "-nogpulib", "--offload-arch="),
    OPENCL: ("-x", "cl", "-O3", "-cl-std=CL2.0", "-nogpulib", "-target",
             "amdgcn-amd-amdhsa", "-mcpu="),
}  # fmt: skip


def for_device(arguments: Iterable[str], path: str, target: str | None = None) -> tuple[str, ...]:
    """The arguments of a compiler without its output; of HIP only the device code, for one target."""
    arguments = tuple(arguments)
    kept = tuple(_one_target(_kept(arguments), target))
    is_hip = any(argument.startswith(_TARGETS) for argument in arguments) or "hip" in arguments
    is_hip = is_hip or os.path.splitext(path)[1].lower() == ".hip"
    is_device = {"--offload-device-only", "--cuda-device-only"} & set(kept)
    return (*kept, "--offload-device-only") if is_hip and not is_device else kept


def _kept(arguments: Iterable[str]) -> Iterator[str]:
    waiting = iter(arguments)
    for argument in waiting:
        if argument in _DROPPED_WITH_VALUE:
            next(waiting, None)
        elif argument not in _DROPPED and not argument.startswith(_DROPPED_STARTS):
            yield argument


def _one_target(arguments: Iterable[str], target: str | None) -> Iterator[str]:
    """The arguments with one processor: the wanted one if it is among them, else the first."""
    arguments = tuple(arguments)
    named = [argument for argument in arguments if argument.startswith(_TARGETS)]
    wanted = next((name for name in named if target and name.partition("=")[2].partition(":")[0] == target), None)
    chosen = wanted or next(iter(named), None)
    for argument in arguments:
        if argument not in named or argument == chosen:
            yield argument
