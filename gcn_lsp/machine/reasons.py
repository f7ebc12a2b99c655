"""Why an instruction cannot be executed: a sentence for each function that needs what a machine without data lacks."""

import re

from gcn_lsp.records import NamedTuple


class ReasonRow(NamedTuple):
    """What in an operation, a pattern, stands in the way, and the sentence about it."""

    pattern: str
    reason: str


ROWS = (
    ReasonRow(
        r"\b(?:IMAGE|SAMPLE|GATHER)\(|\b(?:size|level|clamped_level)\(",
        "Images are not executed: no data of an image is known.",
    ),
    ReasonRow(r"\bhit\(", "Rays are not executed: no public document describes the test of a ray."),
    ReasonRow(r"\b(?:stack_base|pop|valid)\(", "The stack of a ray's traversal is not executed."),
    ReasonRow(r'signal\("export"', "Exports are not executed: there is no pipeline that takes them."),
    ReasonRow(r"\battribute\(", "Interpolation is not executed: the attributes of a vertex are not known."),
    ReasonRow(r"\btile\(|tensor copies", "Tensor copies are not executed: their descriptor is not decoded."),
    ReasonRow(r"\bscreen_partition\(", "The table of shader engines is not kept here: AMD's Vega document prints it."),
    ReasonRow(r'signal\("monitor"|monitored memory', "Monitors of memory are not executed."),
    ReasonRow(r"global wave sync|semaphore", "Global wave sync is not executed: it needs the driver's resources."),
    ReasonRow(r"\bTBA\b", "Traps are not executed: no trap handler is there."),
    ReasonRow(r"illegal instruction", "It is an illegal instruction, which ends the program."),
    ReasonRow(r"\b(?:loaded|transposed)\(", "Transposing loads are not executed yet."),
    ReasonRow(r"\bnext_turn\(|\barrived\(", "It needs other waves that are not modelled."),
)
"""The rows; the first that fits decides."""


NO_PLACES = "No public source says where the elements of this matrix instruction are."
NO_FORMATS = "The formats that this matrix instruction chooses for its sources, or its scales, are not executed."

SENTENCES = frozenset((*(row.reason for row in ROWS), NO_PLACES, NO_FORMATS))
"""All reasons; whatever has none of them executes."""


def of(operation: str) -> str:
    """Why an operation cannot be executed; empty if nothing is in the way."""
    return next((row.reason for row in ROWS if re.search(row.pattern, operation)), "")
