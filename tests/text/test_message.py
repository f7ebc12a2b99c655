"""Messages as values: rendering, mapping and comparing them."""

from hypothesis import given
from hypothesis import strategies as st

from gcn_lsp.text import Location, Message, OfTarget, Text, joined, mapped, message, rendered, without_targets

HERE, THERE = Location("k.s", 4, 0, 0), Location("folder/macros.inc", 9, 2, 5)

PLACES = st.builds(Location, st.sampled_from(("k.s", "folder/macros.inc")), st.integers(0, 99), st.just(0), st.just(0))
PARTS = st.recursive(
    st.one_of(st.text(), st.integers(), PLACES),
    lambda parts: st.lists(parts, max_size=3).map(lambda some: message("({})" * len(some), *some)),
)
MESSAGES = st.lists(PARTS, max_size=4).map(lambda parts: message("; ".join(["{}"] * len(parts)), *parts))


def test_a_place_is_a_line_and_names_another_file() -> None:
    text = message("`{}` on {} and {}, {} times", "s_nop", HERE, THERE, 3)
    assert rendered(text, "k.s") == "`s_nop` on line 5 and line 10 of macros.inc, 3 times"
    assert rendered(text, THERE.path) == "`s_nop` on line 5 of k.s and line 10, 3 times"


def test_a_file_is_named_without_its_folder() -> None:
    assert rendered(message("{}", Location("C:\\kernels\\k.s", 0, 0, 0)), "main.s") == "line 1 of k.s"


def test_values_are_never_read_as_templates_or_lines() -> None:
    assert rendered("{} on line 3", "k.s") == "{} on line 3"
    assert rendered(message("{} on {}", "{} on line 3", HERE), "k.s") == "{} on line 3 on line 5"


def test_messages_nest() -> None:
    inner = message("this waits for {}", HERE)
    assert rendered(message("{}; {} more", inner, 2), "k.s") == "this waits for line 5; 2 more"


def test_whoever_renders_may_say_what_a_place_is() -> None:
    text = message("done on {} ({})", HERE, message("{}", THERE))
    shown = rendered(text, "k.s", lambda place, path: f"<{place.line} {place.path == path}>")
    assert shown == "done on <4 True> (<9 False>)"


def test_joined_words_are_words() -> None:
    assert joined(", ", ["{}", "b"]) == "{}, b"
    assert joined(", ", []) == ""


def test_joined_places_remain_places() -> None:
    assert rendered(joined(", ", [HERE, "{}", message("{}", THERE)]), "k.s") == "line 5, {}, line 10 of macros.inc"


def test_places_and_words_are_mapped_apart() -> None:
    text = message("v2 of {} ({})", message("{} on {}", "v2", HERE), 2)
    found = mapped(text, lambda _: THERE, lambda words: words.replace("v2", "%0"))
    assert found == message("%0 of {} ({})", message("{} on {}", "%0", THERE), 2)
    assert mapped("v2 on line 5", lambda _: THERE, lambda words: words.replace("v2", "%0")) == "%0 on line 5"


@given(MESSAGES)
def test_mapping_onto_itself_changes_nothing(text: Message) -> None:
    assert mapped(text, lambda place: place, lambda words: words) == text


@given(MESSAGES, st.integers(1, 50))
def test_a_map_reaches_every_place(text: Message, lines: int) -> None:
    def lower(place: Location) -> Location:
        return Location(place.path, place.line + lines, place.start, place.end)

    assert places(mapped(text, lower, str)) == [lower(place) for place in places(text)]


@given(MESSAGES, MESSAGES)
def test_equal_messages_read_the_same(one: Message, other: Message) -> None:
    assert one != other or (hash(one) == hash(other) and rendered(one, "k.s") == rendered(other, "k.s"))


def places(text: Text) -> list[Location]:
    if isinstance(text, str):
        return []
    found: list[Location] = []
    for part in text.parts:
        found += [part] if isinstance(part, Location) else places(part) if isinstance(part, Message) else []
    return found


def test_what_messages_about_two_targets_have_in_common() -> None:
    def about(name: str, bits: int) -> Message:
        return message("{}; {}", message("{} bits on {}", bits, OfTarget(name)), OfTarget(name))

    assert rendered(about("gfx90a", 4), "k.s") == "4 bits on gfx90a; gfx90a"
    assert without_targets(about("gfx90a", 4)) == without_targets(about("gfx942", 4))
    assert without_targets(about("gfx90a", 4)) != without_targets(about("gfx90a", 5))
    assert without_targets("4 bits on gfx90a") == "4 bits on gfx90a"
    assert mapped(about("gfx90a", 4), lambda place: place, lambda words: words) == about("gfx90a", 4)
