"""What is printed on the box: the products with a target, its architecture as AMD calls it, what a list offers first.

The products are the examples of LLVM's AMDGPUUsage, "AMDGPU Processors"; where it names none, the code names and the
products of Mesa's `amd_family.h` and of AMD's announcements.
"""

import itertools
from collections.abc import Iterable, Mapping
from functools import lru_cache

from gcn_lsp.isa.processors import generation
from gcn_lsp.patterns import regex

PRODUCTS: Mapping[str, tuple[str, ...]] = {
    "gfx600": ("Radeon HD 7970", "Tahiti"),
    "gfx601": ("Radeon HD 7850", "Radeon HD 7750"),
    "gfx700": ("A10-7300", "FX-7600P"),
    "gfx701": ("FirePro W8100", "FirePro W9100", "FirePro S9150", "FirePro S9170", "Hawaii"),
    "gfx702": ("Radeon R9 290", "Radeon R9 290X", "Radeon R9 390", "Radeon R9 390X"),
    "gfx704": ("Radeon HD 7790", "Radeon HD 8770", "R7 260", "R7 260X"),
    "gfx801": ("A12-9800", "FX-9830P"),
    "gfx802": ("Radeon R9 285", "Radeon R9 380", "Radeon R9 385"),
    "gfx803": (
        "Radeon R9 Nano", "Radeon R9 Fury", "Radeon Pro Duo", "Radeon RX 460", "Radeon RX 470", "Radeon RX 480",
        "Radeon RX 580", "Radeon Instinct MI6", "Radeon Instinct MI8", "Fiji", "Polaris 10", "Polaris 11",
    ),
    "gfx805": ("FirePro S7150", "FirePro S7100", "FirePro W7100"),
    "gfx900": (
        "Radeon RX Vega 56", "Radeon RX Vega 64", "Radeon Vega Frontier Edition", "Radeon Instinct MI25", "Vega 10",
    ),
    "gfx902": ("Ryzen 3 2200G", "Ryzen 5 2400G"),
    "gfx906": ("Radeon VII", "Radeon Pro VII", "Radeon Instinct MI50", "Radeon Instinct MI60", "Vega 20"),
    "gfx908": ("AMD Instinct MI100", "Arcturus"),
    "gfx90a": ("AMD Instinct MI210", "AMD Instinct MI250", "AMD Instinct MI250X", "Aldebaran"),
    "gfx90c": ("Ryzen 7 4700G", "Ryzen 5 4600G", "Ryzen 3 4300G"),
    "gfx942": ("AMD Instinct MI300X", "AMD Instinct MI300A", "AMD Instinct MI325X", "Aqua Vanjaram"),
    "gfx950": ("AMD Instinct MI350X", "AMD Instinct MI355X"),
    "gfx1010": ("Radeon RX 5600M", "Radeon RX 5700", "Radeon RX 5700 XT", "Navi 10"),
    "gfx1011": ("Radeon Pro V520", "Radeon Pro 5600M", "Navi 12"),
    "gfx1012": ("Radeon RX 5500", "Radeon RX 5500 XT", "Navi 14"),
    "gfx1030": (
        "Radeon RX 6800", "Radeon RX 6800 XT", "Radeon RX 6900 XT", "Radeon PRO W6800", "Radeon PRO V620", "Navi 21",
    ),
    "gfx1031": ("Radeon RX 6700 XT", "Navi 22"),
    "gfx1032": ("Radeon RX 6600", "Radeon RX 6600 XT", "Navi 23"),
    "gfx1033": ("Van Gogh", "Steam Deck"),
    "gfx1034": ("Radeon RX 6400", "Radeon RX 6500 XT", "Navi 24"),
    "gfx1035": ("Rembrandt", "Radeon 680M"),
    "gfx1036": ("Raphael",),
    "gfx1100": (
        "Radeon RX 7900 XTX", "Radeon RX 7900 XT", "Radeon RX 7900 GRE", "Radeon PRO W7900", "Radeon PRO W7800",
        "Navi 31",
    ),
    "gfx1101": ("Radeon RX 7800 XT", "Radeon RX 7700 XT", "Radeon RX 7700", "Navi 32"),
    "gfx1102": ("Radeon RX 7600 XT", "Radeon RX 7600", "Navi 33"),
    "gfx1103": ("Phoenix", "Radeon 780M"),
    "gfx1150": ("Strix Point", "Radeon 890M"),
    "gfx1151": ("Strix Halo", "Radeon 8060S"),
    "gfx1152": ("Krackan Point", "Radeon 860M"),
    "gfx1200": ("Radeon RX 9060", "Radeon RX 9060 XT", "Navi 44"),
    "gfx1201": ("Radeon RX 9070", "Radeon RX 9070 XT", "Radeon RX 9070 GRE", "Navi 48"),
}  # fmt: skip

# What people write kernels for: the targets that ROCm 7 supports ("System requirements (Linux)", supported GPUs), the
# accelerators first.
SUPPORTED: tuple[str, ...] = (
    "gfx942", "gfx950", "gfx90a", "gfx908", "gfx1100", "gfx1101", "gfx1201", "gfx1200", "gfx1030",
)  # fmt: skip

# By the beginning of a target's name, the longest first.
_ARCHITECTURES: tuple[tuple[str, str], ...] = (
    ("gfx908", "CDNA1"),
    ("gfx90a", "CDNA2"),
    ("gfx94", "CDNA3"),
    ("gfx95", "CDNA4"),
    ("gfx101", "RDNA1"),
    ("gfx103", "RDNA2"),
    ("gfx110", "RDNA3"),
    ("gfx115", "RDNA3.5"),
    ("gfx120", "RDNA4"),
    ("gfx10-1-", "RDNA1"),
    ("gfx10-3-", "RDNA2"),
    ("gfx11-generic", "RDNA3"),
    ("gfx12-generic", "RDNA4"),
    ("gfx9-4-generic", "CDNA3"),
    ("gfx9", "GCN5 Vega"),
    ("gfx8", "GCN3/GCN4"),
    ("gfx7", "GCN2"),
    ("gfx6", "GCN1"),
)


def meant_by(name: str) -> tuple[str, ...]:
    """The targets that the name of a file or a folder means: `rdna4`, `mi300x`, `MI300`, `rx7900xtx`, `navi-31`.

    A number alone means nothing, and neither does a word that people use otherwise: `vega`, `phoenix`.
    """
    words = _WORD.findall(name.lower())
    pairs = (first + second for first, second in itertools.pairwise(words))
    written = {*words, *pairs, "".join(words)}
    return tuple(target for target, each in _spellings().items() if not written.isdisjoint(each))


_WORD = regex(r"[a-z]+\d+[a-z]*|\d+[a-z]*|[a-z]+")


@lru_cache(maxsize=1)
def _spellings() -> Mapping[str, frozenset[str]]:
    """What people write for a target without blanks: its architecture, its products and code names, parts of them."""
    found: dict[str, frozenset[str]] = {}
    for target, printed in PRODUCTS.items():
        rows = [[word for word in each.lower().split() if word not in _LEFT_OUT] for each in printed]
        spellings = {"".join(words[start:]) for words in rows for start in range(len(words))}
        spellings |= {word.rstrip("xa") for words in rows for word in words if word.startswith("mi")}
        called = architecture(target).lower()
        if called[1:4] == "dna":
            spellings |= {called, called[:4]}
        found[target] = frozenset(each for each in spellings if _IS_PLAIN.fullmatch(each))
    return found


_LEFT_OUT = ("radeon", "amd", "instinct", "pro", "ryzen", "firepro")
_IS_PLAIN = regex(r"[cr]dna\d*|(?:mi|rx|hd|navi|vega|polaris|w|s)\d+[a-z]*|\d{4}(?:xtx?|gre)")


def offered(targets: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Targets, given by age, as a list offers them: under each heading the likely ones first.

    First those that ROCm supports, then by generation the others that are sold, the newest first. Targets without a
    known product come last: LLVM has them before anybody can own one.
    """
    names = tuple(targets)[::-1]
    sold = [name for name in names if name in PRODUCTS and name not in SUPPORTED]
    found = {SUPPORTED_HEADING: tuple(name for name in SUPPORTED if name in names)}
    for name, members in itertools.groupby(sold, lambda name: generation(name).upper()):
        found[name] = tuple(members)
    found[UNSOLD_HEADING] = tuple(name for name in names if name not in PRODUCTS)
    return found


SUPPORTED_HEADING = "Supported by ROCm"
UNSOLD_HEADING = "Generic, or without a known product"


def sold_as(text: str) -> dict[str, str]:
    """The targets with a product whose name has a text, each with the first such product; the likely targets first.

    Blanks, dashes and capitals do not count: `7900`, `rx7900xtx`, `Navi 31`, `strix`; also an architecture, `rdna3`.
    """
    wanted = _plain(text)
    found = {}
    for target in itertools.chain(*offered(PRODUCTS).values()) if len(wanted) >= _SHORTEST else ():
        names = (*PRODUCTS[target], architecture(target))
        named = next((name for name in names if wanted in _plain(name)), None)
        if named is not None:
            found[target] = named
    return found


def meant(text: str) -> str:
    """The targets whose products an unknown name may mean, as the end of a sentence; empty if it means none."""
    found = sold_as(text)
    if not found:
        return ""
    *others, last = (f"{target} ({name})" for target, name in itertools.islice(found.items(), _LISTED))
    return f"; did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


_SHORTEST = 3  # characters that are more than chance
_LISTED = 3  # targets in a sentence


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def products(target: str) -> tuple[str, ...]:
    """Examples of products with a target; none where none is known."""
    return PRODUCTS.get(target, ())


def architecture(target: str) -> str:
    """The architecture of a target, `RDNA3`; empty where AMD has named none."""
    return next((name for beginning, name in _ARCHITECTURES if target.startswith(beginning)), "")
