"""Where an interpreted line is written, without absolute lines of the main file.

A line of the main file is known by its distance from the start of its chunk, a line of a macro's body by the macro and
its number in it, so an edit above changes nothing here. `gcn_lsp.program.program` turns these into locations for one
version of the text.
"""

from typing import Literal, TypeAlias

import msgspec

from gcn_lsp.preproc.macros import Macro, Substitution


class Written(msgspec.Struct, frozen=True, gc=False):
    """Where an interpreted line is written.

    container: None is the main file (lines count from the chunk's first, and are negative in an earlier chunk), a
    string names an included file (lines count from its first), a macro is its body (lines count from the one after its
    header). line: its number in the container. frame: its expansion, None for the main file's own lines. top_line: the
    line of the chunk that leads to it.
    """

    container: "Macro | str | None"
    line: int
    frame: "Frame | None" = None
    top_line: int = 0


FrameKind: TypeAlias = Literal["macro", "rept", "irp", "irpc", "include"]
"""What a step of an expansion is; a repetition is named as its directive is."""


class Frame(msgspec.Struct, frozen=True):
    """One step of an expansion: the call of a macro, a repetition or an include.

    name: the macro's or file's, or the repetition's value. written,
    start, end: the calling statement. substitution: the replacements in the lines that this step pastes.
    """

    kind: FrameKind
    name: str
    written: Written
    start: int
    end: int
    substitution: "Substitution | None" = None

    @property
    def parent(self) -> "Frame | None":
        """The step around it, None in the main file."""
        return self.written.frame

    def chain(self) -> "tuple[Frame, ...]":
        """All steps, the outermost first."""
        steps: list[Frame] = []
        step: Frame | None = self
        while step is not None:
            steps.append(step)
            step = step.parent
        return tuple(reversed(steps))
