"""What the comparisons of single things with a manual give."""

from typing import NamedTuple


class Difference(NamedTuple):
    """Something that a manual and the tables have differently.

    where: the place in the instruction or encoding: `reads SCC`, `D0`, `VOP2 SRC0`. theirs, ours: what each has, as
    text; as a number, whether it has it or how many bits that has.
    """

    where: str
    theirs: "int | str"
    ours: "int | str"
