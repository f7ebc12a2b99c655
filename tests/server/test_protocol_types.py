"""The server loads the classes of the protocol incomplete, attrs completes them as ever, and is left as it was."""

import subprocess
import sys

_LOADED = """
import attrs
define = attrs.define
from gcn_lsp.server import protocol_types
protocol_types.load()
from lsprotocol import converters, types
assert attrs.define is define
"""
_USES = """
assert types.Hover.__eq__ is object.__eq__ and types.Hover.__repr__ is object.__repr__
first, second = types.Position(1, 2), types.Position(1, character=3)
assert first < second and first == types.Position(1, 2)  # which lsprotocol writes itself
assert types.Hover("text").contents == "text" and not hasattr(types.Hover, "contents")
assert not {types.Position, types.Hover} & protocol_types.incomplete() and types.Moniker in protocol_types.incomplete()
try:
    types.Position(-1, 2)
except ValueError:
    pass
else:
    raise AssertionError("a validator is not called")
"""
_START = """
from gcn_lsp.server import app
app.create()
waiting = len(protocol_types.incomplete())
print(sum(isinstance(each, type) and attrs.has(each) for each in [*types.ALL_TYPES_MAP.values()]), waiting)
"""
_THREADS = """
import sys, threading
sys.setswitchinterval(1e-6)
gate = threading.Barrier(8)
made = []
def make():
    gate.wait()
    made.append(types.InlayHint(types.Position(1, 2), "text", padding_left=True))
    made.append(converter.structure({"uri": "a", "version": 2}, types.VersionedTextDocumentIdentifier))
converter = converters.get_converter()
threads = [threading.Thread(target=make) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
assert len(made) == 16, len(made)
"""
# What attrs knows of each class, and what it has made.
_SHOWN = """
import inspect
from lsprotocol import converters, types
import attrs
converters.get_converter()
for name, cls in types.ALL_TYPES_MAP.items():
    if isinstance(cls, type) and attrs.has(cls):
        for field in attrs.fields(cls):
            print(name, field.name, field.type, field.default, field.kw_only, field.on_setattr, type(field.validator))
        print(inspect.signature(cls), sorted(vars(cls)))
"""


def _output(program: str) -> str:
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_a_class_is_complete_when_it_is_used() -> None:
    _output(_LOADED + _USES)


def test_the_start_completes_few_classes() -> None:
    total, incomplete = _output(_LOADED + _START).split()
    assert int(total) > 500
    assert int(total) - int(incomplete) < 50, "lsprotocol or pygls uses more of its classes at the start"


def test_threads_complete_the_same_class() -> None:
    _output(_LOADED + _THREADS)


def test_the_classes_are_those_of_lsprotocol() -> None:
    plain = (
        "import attrs, functools\nattrs.define = functools.partial(attrs.define, slots=False, eq=False, repr=False)\n"
    )
    assert _output(_LOADED + _SHOWN).splitlines() == _output(plain + _SHOWN).splitlines()


def test_the_start_and_the_first_hover_load_no_more_than_they_need() -> None:
    _output(
        "import sys\nfrom gcn_lsp.server import main\nmain._create()\nassert '_ssl' not in sys.modules\nimport ssl\n"
        "import gcn_lsp.server.session\nassert 'gcn_lsp.ide.completion' not in sys.modules\n"
        "import gcn_lsp.server.hover\nassert 'gcn_lsp.ide.lds_access' not in sys.modules\n"
    )
