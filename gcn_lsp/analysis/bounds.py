"""The bounds of the analyses: how far each looks, what it does not see beyond that, and where the number comes from.

A bound of the first group loses something on purpose: the analysis is then silent, or less exact. One of the second
only loses time, since what is dropped is computed again.
"""

# What is lost beyond them

# Sets of answers to repeated questions that `control.paths` keeps for a node. Beyond the first, answers that have made
# no difference to the state are dropped; beyond the second all are, and a finding may be on no path that exists, which
# `waits.feasible` then looks into.
VARIANTS = 8
MOST_VARIANTS = 16

# Repeated questions of a program that have facts; the answers to later ones are not remembered. A fact is two bits of
# one integer, which every state of `control.paths` has.
QUESTIONS = 60

# Sets of answers for a node on the way from one other, in `control.paths_onward`. Beyond that, answers that were not
# known at the first are dropped. Most questions were answered on the way to it.
VARIANTS_ONWARD = 4

# Lines from the one that is being typed to the next instruction, whose registers are offered there. Beyond that, none
# are said to hold an input.
LINES_TO_CODE = 64

# Segments passed for one operation whose finding may be on no path that exists, and for all those of a program. Beyond
# either the finding stays. Tensile's largest tiles need 400 for their last elements.
SEGMENTS_OF_OPERATION = 2_000
SEGMENTS_OF_PROGRAM = 6_000

# Searches for dependents of operations whose finding was on no path: without that finding other operations are in
# flight after it. Beyond that, what remains is reported.
ROUNDS = 4

# Outstanding operations of a counter at a join where the number grows: the bound then becomes this, or unlimited. A
# loop would otherwise count up to the counter's limit, one round after the other.
FEW = 8

# Waits that may turn out as unnecessary, for one state of `waits.slack`. If there are more, all count as needed.
CREDITS = 64

# Bytes between the constant offsets of a write and a read of LDS, from which on they count as two of several buffers:
# kernels write one while they read another. MIOpen's Winograd kernels have three, 16,512 bytes apart. An access whose
# address registers differ by more is missed.
SAME_DATA = 4096

# Instructions searched for the uses of a descriptor after the constant that would make it wrong. A later use is not
# judged.
FAR = 1000

# Moves and additions that the value of a register is followed through. Beyond that it is not known. Addresses of
# arguments are a few additions away from the kernarg segment pointer.
STEPS = 16

# The same from the address of an access of LDS to the wave's number in it, and again to the SGPR with that. Beyond that
# the access counts as one that other waves make too.
STEPS_TO_WAVE = 6

# Moves of a run that count as a copy of a tuple of which some registers have a value: the others may have none. Two
# adjacent pairs may well be two values, so a shorter run is judged like any move.
FEWEST_PARTS = 3

# As before, for VGPRs without any value, which a compiler copies where paths meet.
FEWEST_OF_NONE = 2

# Places of an uncertain hazard that are reported one by one. Of more, the first stands for all: a kernel that has the
# same one everywhere is likely to mean it.
UNCERTAIN_PLACES = 8

# Rejected instructions for which other targets are tried; those after them name none. After so many errors the target
# is wrong.
TRIED_ELSEWHERE = 200

# Operations in flight that a finding shows as related places. More are only counted by the message.
SHOWN_IN_FLIGHT = 4

# Instructions about LDS that `lds.protocol` passes from one start of waves, on all paths together, and the states in
# which it passes one node. Beyond either, accesses are not compared. A loop with four buffers needs five. Of rounds
# that differ in a counter alone so many are followed, then the counter may have any value.
LDS_STEPS = 20_000
LDS_VISITS = 8
LDS_ROUNDS = 4

# How often `lds.protocol` begins again for a step that no path took, since each had given another answer before, in a
# kernel that copies to LDS. Others do so once, if a register toggles between two buffers, and not at all otherwise.
LDS_RUNS = 4

# The same for paths of what was under way when loops were left, after a question that may be about their rounds, and
# the states in which they come to such a question. Beyond either, nothing that was under way is compared after it.
LDS_STEPS_IN_DOUBT = 4_000
LDS_ARRIVALS = 12

# Instructions from which on two accesses of LDS that only time orders are information, not a warning. AITER's kernels
# have 100 and more on the shortest path, with matrix instructions among them.
LDS_FAR = 64

# What is computed again beyond them

# Nodes of a block of the graph, about. A block is passed again as a whole after an edit in it, and costs a comparison
# otherwise.
BLOCK = 8

# States of a segment with their results: an edit makes new ones, a loop needs a few.
HAZARD_STATES = 4
WAIT_STATES = 5
CALL_STATES = 4
BARRIER_STATES = 2  # only edits make new ones
