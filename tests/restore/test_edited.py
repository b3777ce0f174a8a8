"""Edited texts: what can be told comes back, the rest stays and is counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tacenda import load
from tacenda.documents.reading import read
from tacenda.policy import Policy
from tacenda.restore.mapping import FileMapping, Restored, Written, by_placeholders
from tests.examples import MANY

ANNA = [("[PERSON 1]", "Anna Berg", "e1"), ("[PERSON 1]", "Berg", "e1")]
BO = [("[PERSON 2]", "Bo Lund", "e2")]


def restored(folder: Path, text: str, *documents: list[Written], name: str = "a.txt") -> Restored:
    """Return what becomes of an edited text under a mapping of some documents."""
    (folder / name).write_bytes(text.encode())
    mapping = FileMapping("a", "", "", True, (), tuple(map(tuple, documents)))
    return by_placeholders(read(folder / name), [mapping], name)


@pytest.mark.parametrize(
    ("written", "edited", "text"),
    [
        ("tag", "So [PERSON 2] left.", "So Bo Lund left."),
        ("case", "So [person 2] left.", "So Bo Lund left."),
        ("blanks", "So [PERSON\u00a0 2 ] left.", "So Bo Lund left."),
        ("Markdown", r"So \[PERSON 2\] left.", "So Bo Lund left."),
        ("underscore", "So **[PERSON_2]**'s left.", "So **Bo Lund**'s left."),
        ("fullest", "[PERSON 1] said: [PERSON 1] and [PERSON 1]", "Anna Berg said: " + "Anna Berg and Anna Berg"),
        ("in order", "[PERSON 1] said: [PERSON 1]!", "Anna Berg said: Berg!"),
    ],
)  # fmt: skip
def test_a_tag_comes_back_however_it_is_quoted(
    tmp_path: Path, written: str, edited: str, text: str
) -> None:
    """Each its own string where all are there, else the fullest of its entity."""
    assert restored(tmp_path, edited, ANNA + BO).data.decode() == text, written


@pytest.mark.parametrize(
    "placeholder",
    [
        "[PERSON 7K2QF4XA]",
        "[PERSON " + "5994471a" * 8 + "]",
        "[PERSON e1.MFRGGMFRGG]",
        "Kemal Sezgin",
        "14 July 1989",
        "[date in the 1990s]",
        "***",
    ],
)
def test_what_any_operator_wrote_comes_back(tmp_path: Path, placeholder: str) -> None:
    """Pseudonym, digest, token, surrogate, generalisation, and stars that stand for one string."""
    done = restored(tmp_path, f"He ({placeholder}) left.", [(placeholder, "Bo Lund", "e1")])
    assert done == Restored(b"He (Bo Lund) left.", 1, 0, 0)


def test_what_stands_for_several_entities_stays(tmp_path: Path) -> None:
    """Stars of two people are ambiguous, a tag that nobody wrote is unknown; both are counted."""
    stars = [("***", "Anna Berg", "e1"), ("***", "Bo Lund", "e2"), ("[PLACE 1]", "Oslo", "e3")]
    done = restored(tmp_path, "*** of [PLACE 1] met *** and [PERSON 9].", stars)
    assert done == Restored(b"*** of Oslo met *** and [PERSON 9].", 1, 2, 1)


def test_a_surrogate_is_a_whole_word_and_the_longest_first(tmp_path: Path) -> None:
    """Not inside another word, and a full name before its surname."""
    names = [("Kemal Sezgin", "Galip Yalman", "e1"), ("Sezgin", "Yalman", "e1")]
    done = restored(tmp_path, "Sezgins, Kemal Sezgin, Sezgin's", names)
    assert done.data.decode() == "Sezgins, Galip Yalman, Yalman's"


def test_a_tag_of_several_documents_is_ambiguous(tmp_path: Path) -> None:
    """Its number belongs to one document; what is the same in all of them is not ambiguous."""
    same = ("[PERSON 7K2QF4XA]", "Anna Berg", "e1")
    done = restored(tmp_path, "[PERSON 1] [PERSON 2] [PERSON 7K2QF4XA]", [*BO, same], [*ANNA, same])
    assert done == Restored(b"[PERSON 1] [PERSON 2] Anna Berg", 1, 2, 0)


def test_each_record_of_a_table_has_its_own_placeholders(tmp_path: Path) -> None:
    """As many records as documents: the first is the first."""
    lines = '{"text": "[PERSON 2] came"}\n{"text": "then [PERSON 2]"}\n'
    other = [("[PERSON 2]", "Cy Moe", "e2")]
    done = restored(tmp_path, lines, BO, other, name="a.jsonl")
    assert done.data.decode() == '{"text": "Bo Lund came"}\n{"text": "then Cy Moe"}\n'


_AROUND = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20)


@MANY
@given(pieces=st.lists(_AROUND, min_size=1, max_size=5), data=st.data())
def test_whatever_stands_around_placeholders_they_come_back(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str], data: st.DataObject
) -> None:
    """Any text around stays as it is, and every tag is restored."""
    numbers = [data.draw(st.integers(1, 3)) for _ in pieces[1:]]
    names = ["Anna Berg", "Bo Lund", "Cy Moe"]
    document = [(f"[PERSON {n}]", names[n - 1], f"e{n}") for n in (1, 2, 3)]
    assume(not any("[" in piece or "]" in piece or "\\" in piece for piece in pieces))
    tags = [f"[PERSON {n}]" for n in numbers] + [""]
    text = "".join(f"{piece}{tag}" for piece, tag in zip(pieces, tags, strict=True))
    expected = "".join(
        piece + (names[number - 1] if number else "")
        for piece, number in zip(pieces, [*numbers, 0], strict=True)
    )
    done = restored(tmp_path_factory.mktemp("edited"), text, document)
    assert done == Restored(expected.encode(), len(numbers), 0, 0)


FORMS = (
    "[PERSON {}]|[person {}]|[PERSON_{}]|<PERSON_{}>|{{PERSON-{}}}|【PERSON_{}】|\\[PERSON\\_{}\\]|[PERS {}]"
    "|[PERSONNE_{}]|**[PERSON {}]**|PERSON {}|Person_{}|[PERSON_{}B]|[人物_{}]|&#91;PERSON {}&#93;"
).split("|")
NOBODY = Policy(
    recognizer=False,
    patterns=False,
    threshold=0.5,
    deny=[{"exact": name, "type": "PERSON"} for name in ("Annis Ketteridge", "Bo Lund")],
)


@given(st.lists(st.tuples(st.sampled_from(FORMS), st.integers(1, 4)), max_size=4))
def test_a_tag_that_stands_in_the_input_is_nobody_elses(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[str, int]]
) -> None:
    """However it is written: the numbers skip it, and it is still there when the names come back."""
    tags = " and ".join(form.format(number) for form, number in drawn)
    text = f"{tags} told Annis Ketteridge of Bo Lund.\n"
    result = load(NOBODY).sanitize(text)
    taken = {number for _, number in drawn}
    first, second = [number for number in range(1, 7) if number not in taken][:2]
    assert result.text == f"{tags} told [PERSON {first}] of [PERSON {second}].\n"
    strings = [
        (edit.text, edit.original.of(text), *edit.entity_ids) for edit in result.replacements
    ]
    back = restored(tmp_path_factory.mktemp("tags"), result.text, strings)
    assert back.data.decode() == text
