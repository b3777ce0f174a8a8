"""An editor may smooth a sentence, and say nothing."""

from __future__ import annotations

import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document, Replacement, Span
from tacenda.errors import PolicyError
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.rewrite.edits import Edit, apply_edits
from tacenda.rewrite.polish import PolishCounts, accepted_changes, polish
from tests.examples import for_each


def parted(marked: str) -> tuple[str, list[Span]]:
    """Return a text, and what was written in it between « and »."""
    text, written = "", []
    for part in re.split("(«[^»]*»)", marked):
        start = len(text)
        text += part.strip("«»")
        if part.startswith("«"):
            written.append(Span(start, len(text)))
    return text, written


def smoothed(marked: str, answer: str) -> str | None:
    """Return the sentence after an answer; None if it is refused."""
    text, written = parted(marked)
    changes = accepted_changes(text, written, answer)
    if changes is None:
        return None
    for change in reversed(changes):
        assert not any(change.span.overlaps(span) for span in written)
        text = text[: change.span.start] + change.text + text[change.span.end :]
    return text


@for_each(
    ("plain", "answer"),
    [
        (
            "Born «[1990s]» she worked at «[university]».",
            "Born in the [1990s] she worked at a [university].",
        ),
        ("A «[artist]» of the «[town]» were ill.", "An [artist] of the [town] was ill."),
        ("On in «[the 1990s]» «[PERSON 1]» left.", "In [the 1990s], [PERSON 1] left."),
        ("He met «[PERSON 1]», and left.", "He met [PERSON 1] and left."),
        ("«[The artists]» has gone.", "[The artists] have gone."),
        ("He met «***» there.", "He met *** there."),
        (
            "Le maire de «[town]» (né «[in the 1990s]»)…",
            "Le maire de the [town] (né [in the 1990s])…",
        ),
    ],
)
def test_grammar_may_change(plain: str, answer: str) -> None:
    """Articles, four prepositions, commas and agreement; the answer stands as it is."""
    assert smoothed(plain, answer) == answer


@for_each(
    "answer",
    [
        "",
        "He did meet [PERSON 1] in a [town].",  # "not" is lost
        "He did not meet [PERSON 1] in a [town] with Bob.",
        "He did not meet [PERSON 1] in a [town] in 1994.",
        "He did not meet Galip in a [town].",
        "He did not meet [PERSON 2] in a [town].",
        "He did not meet in a [town] [PERSON 1].",
        "[PERSON 1] did not meet he in a [town].",
        "She did not meet [PERSON 1] in a [town].",
        "He did not meet [PERSON 1] in The [town].",
        "He did not meet [PERSON 1] from a [town].",
        "He did not meet [PERSON 1] in a [town]. He was ill.",
        "He did not meet [PERSON 1] in a [town].\nYes.",
        "he did not meet [PERSON 1] in a [town].",
        "He did not meet [PERSON 1] in a [town]!",
        "He did not meet [PERSON 1]the in a [town].",
        "He did not meet [PERSON 1] in,a [town].",
        "He did not meet [PERSON 1] in a the some an on [town].",
        "He did not mееt [PERSON 1] in a [town].",  # letters of another script
        "He did not meet [PERSON 1] in\u200b a [town].",
    ],
)
def test_nothing_else_may_change(answer: str) -> None:
    """No word, name, number, sign, capital or line is new, none is lost or moved."""
    assert smoothed("He did not meet «[PERSON 1]» in «a [town]».", answer) is None


def test_the_same_sentence_changes_nothing() -> None:
    """White space at the ends or in a row is no change."""
    text, written = parted("He met  «[PERSON 1]», there.")
    assert accepted_changes(text, written, f" {text} ") == ()
    assert accepted_changes(text, written, "He met [PERSON 1], there.") == ()


_TEXT = "Anna came 1994 to Ulm. It rained.\nMr. Berg has left at school Anna loved."
_EDITS = [
    Edit(Span(start := _TEXT.index(string, place), start + len(string)), text, (id,))
    for string, place, text, id in (
        ("Anna", 0, "[PERSON 1]", "e1"),
        ("1994", 0, "[1990s]", "e2"),
        ("Ulm", 0, "a [town]", "e3"),
        ("Berg", 0, "[PERSON 2]", "e4"),
        ("Anna", 9, "[PERSON 1]", "e1"),
    )
]


def test_offsets_stay_right() -> None:
    """Every edit stands where it says, and all of them make the text of the original."""
    document = Document("d", _TEXT)
    text, replacements = apply_edits(_TEXT, _EDITS)
    asked: list[str] = []

    def editor(sentence: str) -> str:
        asked.append(sentence)
        return sentence.replace("came ", "came in the ").replace("at school", "at the school")

    counts = PolishCounts()
    polished, edits = polish(document, text, replacements, editor, counts)
    assert polished == (
        "[PERSON 1] came in the [1990s] to a [town]. It rained.\n"
        "Mr. [PERSON 2] has left at the school [PERSON 1] loved."
    )
    assert asked == [
        "[PERSON 1] came [1990s] to a [town].",
        "Mr. [PERSON 2] has left at school [PERSON 1] loved.",
    ]
    assert (counts.smoothed, counts.unchanged, counts.refused) == (2, 0, 0)
    assert check(_TEXT, polished, edits)
    assert [edit.text for edit in edits if edit.entity_ids] == [edit.text for edit in _EDITS]


def check(original: str, text: str, edits: tuple[Replacement, ...]) -> bool:
    """Return whether a text is the original with its edits, each where it says it is."""
    rebuilt, position = "", 0
    for edit in edits:
        rebuilt += original[position : edit.original.start]
        assert len(rebuilt) == edit.output_start
        rebuilt += edit.text
        assert len(rebuilt) == edit.output_end
        position = edit.original.end
    return rebuilt + original[position:] == text


@given(st.lists(st.sampled_from(["a", "the ", ", ", "in ", "Bob", "[X]", " ", "\n", ".", "was"])))
def test_whatever_the_answer_the_words_stay(parts: list[str]) -> None:
    """Of what is accepted, all that is no article, preposition, comma or blank is as it was."""
    plain, written = parted("There «[X]» were a Bob in «[X]».")
    changes = accepted_changes(plain, written, "".join(parts))
    answers = [" ".join(["There", *parts, "[X] was", "Bob", "[X]."]), "".join(parts)]
    for answer in answers:
        changes = accepted_changes(plain, written, answer)
        if changes is not None:
            words = [w for w in re.findall(r"[\w\[\].]+", answer) if w not in {"a", "the", "in"}]
            assert words in (
                ["There", "[X]", "was", "Bob", "[X]."],
                ["There", "[X]", "were", "Bob", "[X]."],
            )


def test_an_edit_of_a_wrapped_string_is_left_alone() -> None:
    """Where a piece was deleted nothing can be put, for it has its own place in the original."""
    original = "He met Anna Berg there."
    text, replacements = apply_edits(
        original, [Edit(Span(7, 11), "", ("e1",)), Edit(Span(12, 16), "[PERSON 1]", ("e1",))]
    )
    counts = PolishCounts()
    result = polish(Document("d", original), text, replacements, lambda _: "asked", counts)
    assert result == (text, replacements)
    assert counts == PolishCounts(unasked=1)


def test_an_editor_finishes_what_is_sanitized() -> None:
    """It sees no original; its counts are the sanitizer's; encryption has no editor."""
    seen: list[str] = []

    def editor(sentence: str) -> str:
        seen.append(sentence)
        return sentence.replace("in [", "in the [")

    policy = Policy(
        recognizer=False, threshold=0.5, deny=[{"exact": "Ulm", "type": "LOC"}], operator="tag"
    )
    sanitizer = load(policy, editor=editor)
    result = sanitizer.sanitize("She lives in Ulm. She sings.")
    assert result.text == "She lives in the [PLACE 1]. She sings."
    assert seen == ["She lives in [PLACE 1]."]
    assert sanitizer.polished == PolishCounts(smoothed=1)
    assert check("She lives in Ulm. She sings.", result.text, result.replacements)
    with pytest.raises(PolicyError, match="break the tokens"):
        load(policy.with_changes(operator="encrypt", key_env="KEY"), editor=editor)


def test_a_change_that_shows_a_masked_string_is_undone() -> None:
    """The plain text stands, and the sentence counts as refused."""
    policy = Policy(
        recognizer=False,
        threshold=0.5,
        deny=[{"exact": "Die the Moor", "type": "MISC"}, {"exact": "Ulm", "type": "LOC"}],
    )
    sanitizer = load(policy, editor=lambda sentence: sentence.replace("Die Moor", "Die the Moor"))
    text = "She saw Die the Moor. In Ulm Die Moor is big."
    result = sanitizer.sanitize(text)
    assert "Die the Moor" not in result.text
    assert result.text.endswith("Die Moor is big.")
    assert (sanitizer.polished.smoothed, sanitizer.polished.refused) == (0, 1)


def shout(sentence: str) -> str | None:
    """Answer with what is refused."""
    return sentence.upper()


def test_an_editor_goes_with_a_pickled_sanitizer() -> None:
    """What comes out of a pickle asks the same editor."""
    sanitizer = load(Policy(recognizer=False, threshold=0.5, target=("Ada Wick",)), editor=shout)
    copy = pickle.loads(pickle.dumps(sanitizer))
    assert copy.sanitize("Ada Wick left.").text == sanitizer.sanitize("Ada Wick left.").text
    assert copy.polished == sanitizer.polished
    assert copy.polished.refused == 1
