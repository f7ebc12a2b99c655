"""Where an interpreted line was written, without naming absolute lines of the main file.

A line of the main file is known by its distance from the start of its chunk, and a line of a macro's body by the
macro and its place in it, so that an edit above moves nothing here. `gcn_lsp.program.program` turns these into
locations for one version of the text.
"""

import msgspec

from gcn_lsp.preproc.macros import Macro, Substitution


class Place(msgspec.Struct, frozen=True):
    """A line in a container.

    container: None is the main file (lines count from the chunk's first, and are negative in an earlier chunk), a
    string names an included file (lines count from its first), a macro its body (lines count from the one after
    its header).
    """

    container: "Macro | str | None"
    line: int


class Frame(msgspec.Struct, frozen=True):
    """One step of an expansion: the call of a macro, a repetition or an include.

    kind: `macro`, `rept`, `irp`, `irpc`, `include`. name: the macro's or file's, or the repetition's value.
    place, start, end: the calling statement as written. parent: the step around it, None at the main file.
    substitution: what is replaced in the lines that this step pastes.
    """

    kind: str
    name: str
    place: Place
    start: int
    end: int
    parent: "Frame | None"
    substitution: "Substitution | None" = None

    def chain(self) -> "tuple[Frame, ...]":
        """All steps, the outermost first."""
        steps: list[Frame] = []
        step: Frame | None = self
        while step is not None:
            steps.append(step)
            step = step.parent
        return tuple(reversed(steps))
