"""Random programs over the assembler's directive and macro language, for comparison with the reference assembler.

`program(seed)` is one file; the same seed gives the same file. Most are valid; a small part of the statements is wrong
on purpose. Recursion is always bounded by a condition, and a name is never left for the build to define.
"""

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

Lines = list[str]

INTEGERS = [
    ".byte", ".2byte", ".short", ".value", ".4byte", ".long", ".int", ".8byte", ".quad", ".dc.b", ".dc.w",
    ".dc.l", ".dc", ".dc.a",
]  # fmt: skip
BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "==", "!=", "<>", "<", "<=", ">", ">=", "!"]
T = TypeVar("T")

LIKELY = ["+", "-", "*", "+", "&", "|", "<<"]
CONDITIONS = [".if", ".ifne", ".ifeq", ".ifge", ".ifgt", ".ifle", ".iflt"]
WORDS = ["alpha", "beta", "gamma", "x", "tmp.1", "_q", "a$b"]
SECTIONS = [
    ".text", ".data", ".bss", ".rodata", ".section .text.more", '.section .data.more,"aw",@progbits',
    '.section .mine,"a"', ".section .rodata", ".previous", ".subsection 1", ".subsection", ".data 2", ".text 1",
    ".pushsection .mine, 2\n.byte 3\n.popsection",
]  # fmt: skip
BLOCK_WORDS = [
    ".mac", ".end", ".rep", ".irp", ".if", ".else", ".exitm", ".alt", ".noalt",
]  # fmt: skip
INSTRUCTIONS: list[Callable[["Generator"], str]] = [
    lambda g: f"s_nop {g.small()}",
    lambda g: f"s_mov_b32 s{g.pick(range(20))}, {g.absolute()}",
    lambda g: f"v_mov_b32 v[{g.small()}], {g.absolute()}",
    lambda g: f"v_add_f32 v{g.small()}, v[{g.small()}+{g.small()}], v{g.small()}",
    lambda g: f"v_add_u32_e32 v{g.small()}, s{g.small()}, v{g.small()}",
    lambda g: f"s_add_u32 s[{g.small()}], s{g.small()}, {g.number()}",
    lambda g: f"s_load_dwordx2 s[{2 * g.pick(range(8))}:{2 * g.pick(range(8))}+1], s[4:5], {g.small()}",
    lambda g: f"ds_read_b32 v{g.small()}, v0 offset:{g.pick(range(200))}",
    lambda g: "s_waitcnt lgkmcnt(0)",
    lambda g: "s_endpgm",
]


class Generator:
    """Writes one program and keeps what it defined, so that most of what it writes means something."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers: list[str] = []  # symbols that have a number here
        self.labels: list[tuple[str, str]] = []  # labels defined so far, and their section
        self.late: list[str] = []  # labels that are yet to be placed
        self.macros: dict[str, list[tuple[str, str, str]]] = {}  # name, qualifier and default of each parameter
        self.every_macro: dict[str, list[tuple[str, str, str]]] = {}  # purged ones too
        self.parameters: list[str] = []  # those of the body being written
        self.section = ".text"
        self.pushed = 0
        self.count = 0
        self.wrong = self.random.random() < 0.25  # whether mistakes are in this program at all

    def pick(self, values: Sequence[T]) -> T:
        return self.random.choice(values)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def mistake(self, probability: float = 0.04) -> bool:
        return self.wrong and self.chance(probability)

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    # Expressions

    def small(self) -> str:
        number = self.pick(range(8))
        return self.pick([str(number), str(number), hex(number), f"0b{number:b}", f"0{number:o}"])

    def number(self) -> str:
        value = self.pick(
            [self.pick(range(256)), self.pick(range(-64, 65)), self.random.getrandbits(16), self.random.getrandbits(31)]
        )
        texts: list[Callable[[int], str]] = [
            str, str, hex, lambda n: f"0b{abs(n):b}", lambda n: f"0{abs(n):o}", lambda n: f"0X{abs(n):X}",
        ]  # fmt: skip
        return self.pick(texts)(value)

    def big(self) -> str:
        return self.pick(
            ["0xffffffffffffffff", "0x8000000000000000", "-1", "0x7fffffffffffffff", "1<<63", "-0x80000000"]
        )

    def absolute(self, depth: int = 2) -> str:
        """An expression that has a number here."""
        roll = self.random.random()
        if depth <= 0 or roll < 0.35:
            choices = [self.number(), self.number()]
            if self.numbers:
                choices += [self.pick(self.numbers)] * 3
            if self.parameters and self.chance(0.3):
                choices.append(f"\\{self.pick(self.parameters)}")
            if self.chance(0.05):
                choices.append(self.big())
            return self.pick(choices)
        if roll < 0.7:
            operator = self.pick(LIKELY if self.chance(0.6) else BINARY)
            right = self.small() if operator in ("<<", ">>", "*") else self.absolute(depth - 1)
            if operator in ("/", "%"):
                right = self.pick(["1", "3", "-2", "7", "0x10"]) if not self.mistake(0.1) else "0"
            space = self.pick(["", " ", " ", "  "])
            return f"{self.absolute(depth - 1)}{space}{operator}{space}{right}"
        if roll < 0.8:
            return f"({self.absolute(depth - 1)})"
        if roll < 0.88:
            return f"{self.pick('-~!+')}{self.absolute(0)}"
        if roll < 0.92:
            here = [label for label, section in self.labels if section == self.section]
            if len(here) > 1 and self.chance(0.7):
                return f"({self.pick(here)} - {self.pick(here)})"
            return self.number()
        return self.function(depth)

    def function(self, depth: int) -> str:
        first = self.absolute(depth - 1)
        second = self.absolute(depth - 1)
        return self.pick(
            [
                f"max({first}, {second})",
                f"max({first})",
                f"or({first}, {second}, {self.small()})",
                f"alignto({self.pick(range(500))}, {self.pick([1, 2, 4, 8, 32])})",
                f"extrasgprs({self.pick('01')}, {self.pick('01')}, {self.pick('01')})",
                f"totalnumvgprs({self.small()}, {self.number()})",
                f"occupancy({self.pick([8, 10])}, {self.pick([4, 8])}, {self.pick([256, 512])}, 8, 800, 16,"
                f" {self.pick([0, 16])}, {self.pick([8, 16, 96])}, {self.pick([4, 40, 128])})",
                f"min({self.number()}, {self.small()})",
            ]
        )

    def value(self) -> str:
        """An argument of a data directive: a number, an address or a value that is known only later."""
        roll = self.random.random()
        if roll < 0.7:
            return self.absolute()
        if roll < 0.8 and self.labels:
            label, section = self.pick(self.labels)
            return self.pick([label, f"{label}+{self.small()}", f".-{label}" if section == self.section else label])
        if roll < 0.92 and self.late:
            here = [label for label, section in self.labels if section == self.section]
            late = self.pick(self.late)
            return f"{late}-{self.pick(here)}" if here else late
        return self.number()

    # Statements

    def statements(self, count: int, depth: int) -> Lines:
        found: Lines = []
        for _ in range(count):
            found += self.statement(depth)
        return found

    def statement(self, depth: int) -> Lines:
        kinds = [
            (14, self.assignment),
            (10, self.label),
            (18, self.data),
            (4, self.leb),
            (4, self.floating),
            (5, self.string),
            (5, self.space),
            (5, self.alignment),
            (5, self.switch),
            (14, self.instruction),
            (5, self.branch),
            (4, self.declaration),
            (1, self.late_leb),
            (1, self.message),
            (3, self.local_labels),
            (1, self.location),
        ]
        if depth > 0:
            kinds += [
                (12, lambda: self.macro(depth)),
                (14, self.call),
                (10, lambda: self.conditional(depth)),
                (8, lambda: self.repetition(depth)),
                (2, lambda: self.recursion(depth)),
                (2, self.purge),
                (1, self.alternate),
            ]
        elif self.macros:
            kinds.append((6, self.call))
        if self.mistake():
            return self.nonsense()
        weights = [weight for weight, _ in kinds]
        return self.random.choices(kinds, weights)[0][1]()

    def assignment(self) -> Lines:
        name = self.pick(self.numbers) if self.numbers and self.chance(0.3) else self.name("sym")
        value = self.absolute()
        form = self.pick([".set {}, {}", ".equ {}, {}", "{} = {}", "{}={}", ".set {},{}", "{} = {}"])
        if name not in self.numbers:
            if self.chance(0.2):
                form = self.pick([".equiv {}, {}", ".equiv {},{}", "{} == {}" if self.mistake() else ".equiv {}, {}"])
            self.numbers.append(name)
        elif self.mistake(0.3):
            form = self.pick([".equiv {}, {}", "{} == {}"])
        return [form.format(name, value)]

    def label(self) -> Lines:
        if self.late and self.chance(0.5):
            name = self.late.pop()
        elif self.mistake(0.1) and self.labels:
            name = self.pick(self.labels)[0]
        else:
            name = self.name("lab")
        self.labels.append((name, self.section))
        rest = self.pick(["", "", " s_nop 0", "\t.byte 1"]) if self.section != ".bss" else ""
        return [f"{name}:{rest}"]

    def data(self) -> Lines:
        if self.section == ".bss":
            return self.label()
        if self.chance(0.1):
            return [f".octa {', '.join(self.pick(['0x123456789abcdef0123456789abcdef', '5', '0']) for _ in range(2))}"]
        if self.chance(0.05):
            return [self.pick(INTEGERS)]
        if self.chance(0.2):
            self.late.append(self.name("late"))
        word = self.pick(INTEGERS)
        values = [self.value() for _ in range(self.pick([1, 1, 2, 3]))]
        if word in (".byte", ".dc.b") or (word in (".2byte", ".short", ".value", ".dc.w", ".dc")):
            values = [f"({value})&0xff" if not self.mistake(0.3) else value for value in map(self.numeric, values)]
        elif word in (".4byte", ".long", ".int", ".dc.l") and not self.mistake(0.3):
            values = [f"({value})&0x7fffffff" if value == self.numeric(value) else value for value in values]
        return [f"{word} {self.pick([', ', ',', ' , ']).join(values)}"]

    def numeric(self, value: str) -> str:
        return self.absolute(1) if "l" in value and ("lab" in value or "late" in value) else value

    def leb(self) -> Lines:
        if self.section == ".bss":
            return []
        return [f".uleb128 ({self.absolute()})&0xfffff"] if self.chance(0.5) else [f".sleb128 {self.absolute()}"]

    def late_leb(self) -> Lines:
        """Numbers whose size follows from the layout, as in debug information: a section of nothing else."""
        first, second = self.name("from"), self.name("to")
        size = self.pick([0, 5, 60, 64, 127, 128, 200, 20000])
        values = [f"{second}-{first}", f"{first}-{second}", f"{second}-{first}+{self.small()}", self.number()]
        lines = [f"{self.pick(['.uleb128', '.sleb128'])} {', '.join(self.random.choices(values, k=2))}" for _ in "ab"]
        return [
            '.pushsection .lebs,"a"',
            *lines,
            '.pushsection .ranges,"a"',
            f"{first}:",
            f".space {size}",
            f"{second}:",
            ".popsection",
            ".popsection",
        ]

    def floating(self) -> Lines:
        if self.section == ".bss":
            return []
        values = ["1.0", "0.5", "-2.25", "1e3", "3", "-7", "1.5e-3", "0x1p4", "inf", "-inf", "nan", "+1.0", "infinity"]
        wrong = ["abc", "1+1", '"1"'] if self.mistake(0.3) else values
        return [
            f"{self.pick(['.float', '.single', '.double', '.dc.s', '.dc.d'])} {self.pick(values)}, {self.pick(wrong)}"
        ]

    def string(self) -> Lines:
        if self.section == ".bss":
            return []
        texts = ['"abc"', '""', '"a\\nb\\t"', '"\\101\\7"', '"; no /* comment */"', '"\\x41"', '"q\\"q\\\\"', '"// x"']
        texts += ['"\\r\\b\\f"', '"é"']
        if self.mistake(0.3):
            texts += ["abc", '"\\q"', '"\\400"', '"\\x"']
        return [
            self.pick([".ascii", ".asciz", ".string"])
            + " "
            + self.pick([", ", " "]).join(self.random.choices(texts, k=2))
        ]

    def space(self) -> Lines:
        size = str(self.pick(range(20))) if self.chance(0.7) else f"({self.absolute(1)})&15"
        if self.section == ".bss":
            return [f".space {size}"]
        word = self.pick([".space", ".zero", ".skip", ".fill", ".fill", ".org"])
        if word == ".fill":
            count = self.pick(range(5))
            return [
                self.pick(
                    [
                        f".fill {count}",
                        f".fill {count}, {self.pick(range(10))}",
                        f".fill {count}, {self.pick([1, 2, 4, 8])}, {self.absolute(1)}",
                    ]
                )
            ]
        if word == ".org":
            return [f".org .+{self.pick(range(9))}" + self.pick(["", ", 7"])]
        return [f"{word} {size}" + self.pick(["", "", ", 0xab", f", {self.small()}"])]

    def alignment(self) -> Lines:
        word = self.pick([".p2align", ".align", ".balign", ".p2alignw", ".p2alignl", ".balignw", ".balignl"])
        amount = self.pick([0, 1, 2, 3, 4]) if word.startswith(".p2") else self.pick([0, 1, 2, 4, 8, 16])
        if self.mistake(0.3):
            amount = self.pick([3, 5, -1, 33, 1 << 33])
        rest = self.pick(["", "", "", ", 0", ", 0xa5", ",,3", ", 1, 5", ", 0x1234"])
        if self.section == ".bss":
            rest = ""
        # The reference never finishes padding code by an amount that is not a multiple of four.
        # What it fills with a pattern that does not fit a whole number of times it leaves out.
        first = [".balign 4, 0"] if not rest or rest.startswith(",,") or word[-1] in "wl" else []
        return [*first, f"{word} {amount}{rest}"]

    def switch(self) -> Lines:
        roll = self.random.random()
        if roll < 0.2:
            self.pushed += 1
            section = self.pick([".data", ".mine", ".text"])
            self.section = section
            return [f".pushsection {section}"]
        if roll < 0.4 and (self.pushed or self.mistake()):
            self.pushed = max(0, self.pushed - 1)
            self.section = "?"
            return [".popsection"]
        line = self.pick(SECTIONS)
        self.section = "?" if line == ".previous" else line.split(",")[0].removeprefix(".section ")
        return [line]

    def instruction(self) -> Lines:
        if self.section == ".bss":
            return []
        return [self.pick(INSTRUCTIONS)(self)]

    def branch(self) -> Lines:
        here = [label for label, section in self.labels if section == self.section]
        if not here or self.section == ".bss":
            return self.instruction()
        target = self.pick(here if self.chance(0.9) else [label for label, _ in self.labels])
        far = [".space 200000"] if self.mistake(0.1) else []
        return [*far, f"{self.pick(['s_branch', 's_cbranch_scc0', 's_cbranch_vccnz'])} {target}"]

    def declaration(self) -> Lines:
        name = self.pick(self.labels)[0] if self.labels else "outside"
        return [
            self.pick(
                [
                    ".globl outside",
                    f".globl {name}",
                    f".weak {name}",
                    f".local {self.name('common')}\n.comm common{self.count}, 12" + self.pick(["", ", 3"]),
                    '.section .flagged,"a"\n.previous',
                    '.section .flagged,"aw"\n.previous' if self.mistake(0.5) else ".section .flagged\n.previous",
                    f".local {name}" if self.mistake(0.5) else ".weak outside",
                    f".hidden {name}",
                    f".type {name},@function",
                    f".size {name}, 1+2",
                    f".protected {name}",
                    ".local inside",
                    f".type {name}, STT_OBJECT",
                    ".globl outside, other",
                    '.ident "me"',
                    f".comm {self.name('common')}, 8, 4",
                    f".lcomm {self.name('common')}, 16",
                    '.file "a.c"',
                    f".size {name}, 4",
                ]
            )
        ]

    def message(self) -> Lines:
        choices = ['.print "hello"', '.warning "careful"', ".warning", ".nothing_here"[:0]]
        if self.mistake(0.5):
            choices += ['.error "no"', ".err", ".error", ".print hello", ".end"]
        return [self.pick(choices)]

    def local_labels(self) -> Lines:
        number = self.pick([1, 2, 10])
        if self.section in (".bss", "?"):
            return [f"{number}:"]
        return [
            f"{number}:",
            f"s_branch {number}b",
            f"s_branch {number}f",
            f"{number}: .long {number}b-{number}f",
            f"{number}:",
        ]

    def location(self) -> Lines:
        name = self.name("sym")
        return self.pick([[f"{name} = .", f".long .-{name}" if self.section not in (".bss", "?") else ""], [". = .+4"]])

    def nonsense(self) -> Lines:
        return [
            self.pick(
                [
                    "s_nop 99999999",
                    "s_mov_b32 s0,",
                    "nosuch v0",
                    ".nosuch 1",
                    ".byte 256",
                    ".byte 1,",
                    ".byte ,1",
                    ".if",
                    ".else",
                    ".endif",
                    ".endm",
                    ".endr",
                    ".exitm",
                    ".elseif 1",
                    ".macro",
                    ".rept",
                    ".rept -1\n.endr",
                    ".rept x\n.endr",
                    ".if 1 +\n.endif",
                    ".byte (1",
                    ".byte 1 2",
                    ".long 1 +",
                    ".set",
                    ".set q",
                    ".set q,",
                    ".set 5, 1",
                    "= 5",
                    "5 = 5",
                    ".purgem nosuch",
                    ".popsection",
                    ".irp\n.endr",
                    ".irpc x\n.endr",
                    ".ifb",
                    ".ifdef\n.endif",
                    ".ifc a\n.endif",
                    ".ifeqs a, b\n.endif",
                    ".macro m1 a:foo\n.endm",
                    ".macro m2 a a\n.endm",
                    ".macro m3 a:vararg b\n.endm",
                    "v_mov_b32 v0",
                    ".space",
                    ".fill",
                    ".p2align",
                    ".section",
                    ".ascii",
                    ".org",
                    ".long 1/0",
                    ".space -1",
                    ".long )",
                    "lab: lab:",
                    ".byte 1 ; ok",
                    '.include "nosuch.inc"',
                    ".subsection",
                    ".pushsection",
                    ".print",
                    ".globl",
                    ".globl 5",
                    ".size x",
                    ".type x",
                    ".comm x",
                    ".uleb128",
                    ".float",
                    ".ifndef\n.endif",
                    ".else 5",
                    ".endif 5",
                    "@",
                    "%",
                    "\\x",
                    "1: 2: .byte 1",
                    '"q": .byte 1',
                    ".altmacro 1",
                    ".endr 1",
                    ".octa 1,",
                    ".quad 0x1ffffffffffffffff",
                    ".long 0x1ffffffff",
                    ".p2align 3,1,2,3",
                    ".zero 1,2,3",
                ]
            )
        ]

    # Blocks

    def inside(self, count: int, depth: int) -> Lines:
        """Statements of a body that may be interpreted never or often: what they define is forgotten."""
        saved = (list(self.numbers), list(self.labels), list(self.late), self.section, self.pushed, dict(self.macros))
        self.section = "?"
        found = [line for line in self.statements(count, depth) if not self._defines_label(line)]
        self.numbers, self.labels, self.late, _, self.pushed, self.macros = saved
        self.section = "?"
        return found

    def _defines_label(self, line: str) -> bool:
        first = line.split()[0] if line.split() else ""
        return (
            (first.endswith(":") and not first[0].isdigit() and "\\" not in first)
            or "equiv" in line
            or " == " in line
            or "late" in line
            or "common" in line
            or ".popsection" in line
        )

    def conditional(self, depth: int) -> Lines:
        lines = [self.condition(), *self.inside(self.pick([0, 1, 2]), depth - 1)]
        while self.chance(0.3):
            lines += [f".elseif {self.absolute(1)}", *self.inside(1, depth - 1)]
        if self.chance(0.5):
            lines += [".else", *self.inside(self.pick([1, 2]), depth - 1)]
        return lines if self.mistake(0.03) else [*lines, ".endif"]

    def condition(self) -> str:
        known = self.pick(self.numbers) if self.numbers else "nothing"
        argument = f"\\{self.pick(self.parameters)}" if self.parameters else self.pick(["", "text", "  "])
        return self.pick(
            [
                f"{self.pick(CONDITIONS)} {self.absolute(1)}",
                f"{self.pick(CONDITIONS)} {self.absolute(1)}",
                f"{self.pick(['.ifdef', '.ifndef', '.ifnotdef'])} {self.pick([known, 'nothing'])}",
                f"{self.pick(['.ifb', '.ifnb'])} {argument}",
                f"{self.pick(['.ifc', '.ifnc'])} {self.pick(['abc', 'a b', argument])}"
                + f", {self.pick(['abc', 'a b ', argument])}",
                f'{self.pick([".ifeqs", ".ifnes"])} "{self.pick("ab")}", "{self.pick("ab")}"',
            ]
        )

    def macro(self, depth: int) -> Lines:
        name = self.pick([self.name("mac"), self.name(".mac"), self.name("MAC")])
        parameters: list[tuple[str, str, str]] = []
        for index in range(self.pick([0, 1, 2, 3])):
            qualifier = self.pick(["", "", "", "req"])
            default = self.pick(["", "", str(index), "(1+2)", '"7"', "0x10"]) if not qualifier else ""
            parameters.append((f"p{index}" if self.chance(0.8) else f"arg_{index}", qualifier, default))
        if self.chance(0.2):
            parameters.append(("rest", "vararg", ""))
        header = self.pick([", ", " ", ","]).join(
            f"{parameter}{':' + qualifier if qualifier else ''}{'=' + default if default else ''}"
            for parameter, qualifier, default in parameters
        )
        saved, self.parameters = (
            self.parameters,
            [parameter for parameter, qualifier, _ in parameters if qualifier != "vararg"],
        )
        body = self.inside(self.pick([1, 2, 3]), depth - 1)
        for parameter in self.parameters:
            if self.chance(0.4):
                body.append(
                    self.pick(
                        [
                            ".long \\{0}",
                            ".long \\{0}\\()+1",
                            "s_mov_b32 s1, \\{0}",
                            ".ifb \\{0}\n.byte 9\n.endif",
                            '.ascii "\\{0}"',
                            "name_\\{0}\\@ = 1",
                        ]
                    ).format(parameter)
                )
        if parameters and parameters[-1][1] == "vararg":
            body.append(
                self.pick(
                    [
                        '.irp it, \\rest\n.ascii "\\it"\n.endr',
                        '.irp it, "\\rest"\n.ascii "[\\it]"\n.endr',
                        ".ifnb \\rest\n.byte 7\n.endif",
                        ".ifnb \\rest\n.long \\rest\n.endif",
                    ]
                )
            )
        if self.chance(0.3):
            body.append(self.pick(["lab\\@:", ".long \\@", ".long \\+", "within\\@_x: s_nop \\@"]))
        if self.chance(0.1):
            body.insert(
                self.pick(range(len(body) + 1)), self.pick([".exitm", ".if 1\n.exitm\n.endif", ".if 0\n.exitm\n.endif"])
            )
        self.parameters = saved
        self.macros[name] = self.every_macro[name] = parameters
        end = self.pick([".endm", ".endm", ".endmacro", f".endm {name}" if self.mistake(0.2) else ".endm"])
        return [f".macro {name}{self.pick([' ', ', ', ' ']) if header else ''}{header}", *body, end]

    def argument(self) -> str:
        return (
            self.pick(
                [
                    self.number(),
                    self.number(),
                    self.number(),
                    f"({self.absolute(1)})",
                    '"text"',
                    self.pick(WORDS),
                    '"a, b"',
                    f"{self.number()} + {self.number()}",
                    "v[0:1]",
                    "(a, b)",
                    "-1",
                    "~5",
                    "1<<3",
                ]
            )
            if self.chance(0.5)
            else self.number()
        )

    def call(self) -> Lines:
        if not self.macros:
            return self.assignment()
        name = self.pick(list(self.macros))
        given: list[str] = []
        keyword = self.chance(0.2)
        for parameter, qualifier, default in self.macros[name]:
            if qualifier == "vararg":
                given += [self.argument() for _ in range(self.pick([0, 1, 3]))] if not keyword else []
            elif keyword:
                if default == "" or self.chance(0.5):
                    given.append(f"{parameter}{self.pick(['=', ' = '])}{self.argument()}")
            else:
                given.append("" if default and self.chance(0.4) else self.argument())
        if keyword:
            self.random.shuffle(given)
        elif self.mistake(0.1):
            given.append(self.argument())
        elif self.mistake(0.1) and given:
            given.pop()
        return [f"{name} {self.pick([', ', ',', ' , ', ', ']).join(given)}"]

    def repetition(self, depth: int) -> Lines:
        kind = self.pick([".rept", ".rep", ".irp", ".irpc"])
        count = self.pick([1, 1, 2])
        if kind in (".rept", ".rep"):
            times = self.pick([0, 1, 2, 3]) if self.chance(0.7) else f"({self.absolute(1)})&3"
            return [f"{kind} {times}", *self.inside(count, depth - 1), self.pick([".byte \\+", ""]), ".endr"]
        name = self.pick(["it", "i", "value"])
        self.parameters.append(name)
        body = self.inside(count, depth - 1)
        self.parameters.pop()
        body.append(self.pick([f'.ascii "\\{name}"', f".byte \\{name}", f"s_nop \\{name}", ""]))
        if kind == ".irp":
            values = [self.pick([self.small(), self.small(), '"5"', "(1+1)"]) for _ in range(self.pick([1, 2, 3]))]
            return [
                f".irp {name}{self.pick([', ', ' ', ','])}{self.pick([', ', ','])[:9].join(values)}",
                *body,
                ".endr",
            ]
        return [f".irpc {name}, {self.pick(['123', '0', '4 5', '77'])}", *body, ".endr"]

    def recursion(self, depth: int) -> Lines:
        name = self.name("again")
        steps = self.pick([2, 5, 18]) if not self.mistake(0.3) else 25
        body = self.inside(1, depth - 1)
        return [
            f".macro {name} n",
            *body,
            ".if \\n",
            ".byte \\n",
            f"{name} (\\n-1)",
            ".endif",
            ".endm",
            f"{name} {steps}",
        ]

    def purge(self) -> Lines:
        if not self.macros:
            return []
        name = self.pick(list(self.macros))
        lines = [f".purgem {name}"]
        if self.chance(0.5):
            lines += [f".macro {name}", ".byte 3", ".endm"]
            self.macros[name] = []
        else:
            del self.macros[name]
        return lines

    def alternate(self) -> Lines:
        name = self.name("alt")
        lines = [
            ".altmacro",
            f".macro {name} a, b",
            self.pick(['.ascii "&a"', '.ascii "\\a"', ".long a", ".byte \\b"]),
            ".endm",
        ]
        lines.append(
            f"{name} {self.pick([f'%({self.absolute(1)})', f'%{self.small()}+1', '<x, y>', '<4!>3>', '5'])}"
            + f", {self.small()}"
        )
        return [*lines, ".noaltmacro"]

    def whole(self) -> str:
        lines = self.statements(self.pick([3, 6, 10, 14]), 3)
        for name in self.late:
            lines.append(f"{name}:" if self.chance(0.9) else "")
        return "\n".join(self.disguise(line) for text in lines for line in text.split("\n")) + "\n"

    def disguise(self, line: str) -> str:
        """The same line with odd spacing and comments."""
        roll = self.random.random()
        if roll < 0.85:
            return line
        if roll < 0.88:
            return f"\t  {line}  "
        if roll < 0.91:
            return f"{line} ; comment"
        if roll < 0.94:
            return f"{line} // comment"
        if self.takes_the_rest(line):
            return line
        if any(word in line for word in BLOCK_WORDS):
            return line  # the reference looks for these at the very start of a line, and for nothing behind them
        if roll < 0.97:
            return f"/* before */ {line}"
        return f"{line} /* a\n block */"

    def takes_the_rest(self, line: str) -> bool:
        """Whether a line calls a macro with a vararg, to which the reference gives a comment in the line too."""
        words = line.split(maxsplit=1)
        parameters = self.every_macro.get(words[0], []) if words else []
        return any(qualifier == "vararg" for _, qualifier, _ in parameters)


def program(seed: int) -> bytes:
    """The random program of a seed."""
    return Generator(seed).whole().encode()
