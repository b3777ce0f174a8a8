"""What a language model makes of placeholders, and what is none."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import GuardSession, GuardStream
from tacenda.integrations.guard.session import Revealing
from tacenda.text.placeholders import Label, pending, readings
from tests.examples import for_each

ANNA, BOB = Label("PERSON", 1), Label("PERSON", 2)
STRINGS = {
    ANNA: ("Anna Berg", False),
    Label("PERSON", 1, 1): ("Anna", False),
    BOB: ("Bob Stone", False),
    Label("PLACE", 3): ("Ulm", False),
    Label("CODE", 4): ("4711", True),
}
ANSWERS = """
[PERSON_1]=Anna Berg|[PERSON_1B]=Anna|[PERSON_1Z]=Anna Berg|[person 1]=Anna Berg|[ PERSON-1 ]=Anna Berg|[PERSON1]=Anna Berg
<PERSON_1>=Anna Berg|{PERSON_1}=Anna Berg|【PERSON_1】=Anna Berg|&#91;PERSON_1&#93;=Anna Berg|&lt;PERSON_1&gt;=Anna Berg
[PERSON_1]'s=Anna Berg's|[PERSON_1's]=Anna Berg's|[PERSONS_1]=Anna Berg|[PERSON_1s]=Anna Bergs|PERSON_1's=Anna Berg's
**[PERSON_1]**=**Anna Berg**|[**PERSON_1**]=Anna Berg|[PERSON\\_1]=Anna Berg|\\[PERSON\\_1\\]=Anna Berg|`[PERSON_1]`=`Anna Berg`
PERSON_1=Anna Berg|Person_1=Anna Berg|PERSON 1=Anna Berg|[PERSONNE_1]=Anna Berg|[人物_1]=Anna Berg|[P_1]=Anna Berg
[Lugar_3]=Ulm|[LOC 3]=Ulm|[QUUX_3]=Ulm|[PER\u00adSON_1]=Anna Berg|(PERSON_1)=(Anna Berg)|[[PERSON_1]]=[Anna Berg]
"""


@for_each("pair", [p for p in ANSWERS.replace("\n", "|").split("|") if p])
def test_changed_placeholders_are_understood(pair: str) -> None:
    """Case, brackets, inflection, mark-up, languages: the table of the module."""
    answer, _, expected = pair.partition("=")
    for around in ("", " ", "\n"):
        text = f"{around}{answer}{around}"
        assert Revealing(STRINGS).text(text) == f"{around}{expected}{around}"


@pytest.mark.parametrize(
    "broken", ["[PERSON_\n1]", "[PER-\nSON_1]", "[PERSON\n_1]", "[\nPERSON_1]"]
)
def test_a_placeholder_broken_over_lines_is_one(broken: str) -> None:
    """Whoever wraps an answer breaks it anywhere."""
    assert Revealing(STRINGS).text(f"to {broken}.") == "to Anna Berg."


@for_each(
    "text",
    "Person 1|person_1|[Figure 3]|[12]|a[1]|PERSON_12|XPERSON_1|PERSON_1x|{x1}|item 3|[QUUX 3]".split(
        "|"
    ),
)
def test_what_anybody_writes_stays(text: str) -> None:
    """Only what nobody writes by chance is taken for a placeholder."""
    assert Revealing(STRINGS).text(text) == text


@pytest.mark.parametrize("text", ["[PERSON_7]", "[QUUX_1234]", "PLACE_1"])
def test_an_unknown_placeholder_is_left_and_reported(text: str) -> None:
    """It may be the model's invention."""
    revealing = Revealing(STRINGS)
    assert revealing.text(text) == text
    assert list(revealing.unknown) == [text.strip("[]")]


def test_a_word_of_no_placeholder_needs_a_number_of_its_own() -> None:
    """With two placeholders of the number nobody knows which one a translation means."""
    strings = STRINGS | {Label("DATE", 3): ("1 May", False)}
    assert Revealing(strings).text("[QUUX_3]") == "[QUUX_3]"
    assert Revealing(strings).text("[FECHA_3]") == "1 May"


@given(st.integers(0, 5_000), st.integers(0, 5_000))
def test_forms_have_letters_of_their_own(one: int, other: int) -> None:
    """However many forms an entity has, each is read as it was written."""
    label = Label("PERSON", 1, one)
    assert (str(label) == str(Label("PERSON", 1, other))) is (one == other)
    if one < 25 * 25:
        (reading,) = readings(str(label))
        assert (reading.word, reading.number, reading.form) == ("person", 1, one)


_BITS = st.sampled_from(
    [
        *"[]{}<>\\_*'`\" \n1234sSBaP.-&;",
        *(
            "PERSON",
            "Person",
            "PER",
            "SON",
            "PLACE",
            "CODE",
            "&#91;",
            "&#93;",
            "_1",
            "[PERSON_1]",
            "PERSON\\_2's",
        ),
        *(
            "PERSON_1",
            "[CODE_4]",
            '"[CODE_4]"',
            "\\_",
            "word",
            "[link](x)",
            "人物",
            "&lt;",
            "\u00ad",
        ),
    ]
)


@given(st.lists(_BITS, max_size=14), st.data())
def test_pieces_show_what_the_whole_reveals(bits: list[str], data: st.DataObject) -> None:
    """Wherever an answer is cut, and however often."""
    text = "".join(bits)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    stream = GuardStream(Revealing(STRINGS).text)
    pieces = [text[a:b] for a, b in itertools.pairwise([0, *cuts, len(text)])]
    shown = [stream.feed(piece) for piece in pieces]
    assert "".join([*shown, stream.end()]) == Revealing(STRINGS).text(text)


@given(st.lists(_BITS, max_size=14))
def test_letter_by_letter_too(bits: list[str]) -> None:
    """Which never shows half a placeholder."""
    text = "".join(bits)
    stream = GuardStream(Revealing(STRINGS).text)
    shown = "".join([*map(stream.feed, text), stream.end()])
    assert shown == Revealing(STRINGS).text(text)


def test_little_waits() -> None:
    """Plain words are shown as they come, but for one that may begin a placeholder."""
    assert pending("Dear Sir, ") == 10
    assert pending("Dear Per") == 5
    assert pending("see [link](http://example.org) for") == 34
    assert pending("a [" + "word " * 20) == 103


def test_a_half_placeholder_is_never_shown(session: GuardSession) -> None:
    """Not even where the answer ends in the middle of it."""
    stream = session.stream()
    assert stream.feed("Dear [PERS") == "Dear "
    assert stream.feed("ON_1") == ""
    assert stream.feed("]") == "Anna Berg"
    assert stream.feed(" and PERSON_") == " and "
    assert stream.end() == "PERSON_"
