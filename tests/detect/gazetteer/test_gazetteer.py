"""The gazetteer: which terms it finds, where, and what their neighbours tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.detect.gazetteer import GROUPS, PRIORS, Gazetteer, GazetteerDetector
from tacenda.document import SemanticType, Span
from tests.examples import for_each
from tests.growth import assert_linear

_TERMS = {
    "nationality": ("kurdish", "turkish"),
    "kinship": ("mother in law", "stepson", "nephew"),
    "religion": ("jehovah s witness", "methodist"),
    "military_rank": ("non commissioned officer",),
    "occupation": ("baker", "primary school teacher", "teacher", "general", "lady in waiting"),
    "position": ("minister of finance", "MEP"),
    "health": ("sciatica", "AIDS"),
    "work": ("the third man",),
}
_GAZETTEER = Gazetteer(_TERMS)


def _found(text: str) -> list[tuple[str, str]]:
    return [(tag.span.of(text), tag.kind) for tag in _GAZETTEER.tag(text)]


def test_a_tag_is_a_span_with_type_and_group() -> None:
    """And can be unpacked into these three."""
    (tag,) = _GAZETTEER.tag("He has sciatica.")
    span, type, group = tag
    assert (span, type, group) == (Span(7, 15), SemanticType.DEM, "health")


@for_each(
    ("text", "term"),
    [
        ("his two stepsons came", "stepsons"),
        ("his mother-in-law came", "mother-in-law"),
        ("a SCIATICA of the leg", "SCIATICA"),
        ("two Jehovah’s Witnesses came", "Jehovah’s Witnesses"),
        ("a non‑commissioned\nofficer came", "non‑commissioned\nofficer"),
        ("chronic sci\u00adatica", "sci\u00adatica"),
        ("chronic ｓｃｉａｔｉｃａ", "ｓｃｉａｔｉｃａ"),
    ],
)
def test_case_plural_hyphen_and_script_form_do_not_matter(text: str, term: str) -> None:
    """A term is compared folded, and the span is of the text as it stands."""
    assert [found for found, _ in _found(text)] == [term]


def test_the_longest_term_wins() -> None:
    """A teacher in a primary school is one term, not two."""
    assert _found("She was a primary school teacher.") == [
        ("primary school teacher", "person_said")
    ]


def test_words_of_two_sentences_are_no_term() -> None:
    """Punctuation between words ends a term."""
    assert _found("at primary school. Teacher training") == []


def test_no_part_of_a_word_is_a_term() -> None:
    """A bakery has no baker in it."""
    assert _found("the bakery, the sciatical nerve") == []


@for_each(
    ("text", "kinds"),
    [
        ("He worked as a teacher.", ["person_said"]),
        ("She was a teacher.", ["person_said"]),
        ("The teacher came.", []),  # anybody's text has one
        ("A baker came.", ["occupation"]),
        ("the police and General Baker", []),
        ("The report said that General came.", []),
        ("the Kurdish language", ["nationality"]),
        ("a Turkish national", ["nationality_of_person"]),
        ("a Turkish court", ["nationality_of_state"]),
        ("the Turkish Criminal Code", []),  # a name; the recognizer has those
        ("Mrs Anna Baker came.", []),
        ("AIDS was found", ["health"]),
        ("he aids her", []),
        ("saw The Third Man twice", ["work"]),
        ("the third man in the row", []),
    ],
)
def test_neighbours_tell_whether_and_how_a_term_speaks_of_a_person(
    text: str, kinds: list[str]
) -> None:
    """The conditions, one a line."""
    assert [kind for _, kind in _found(text)] == kinds


def test_every_kind_has_a_prior() -> None:
    """Probabilities in [0, 1], for each group and for the kinds that neighbours make."""
    made = {"person_said", "nationality_of_person", "nationality_of_state"}
    assert set(PRIORS) == set(GROUPS) | made
    assert all(0.0 <= prior <= 1.0 for prior in PRIORS.values())


def test_mentions_carry_the_prior_of_their_kind() -> None:
    """And are never direct identifiers."""
    (mention,) = GazetteerDetector(_GAZETTEER).detect("He has sciatica.")
    assert (mention.source, mention.kind) == ("gazetteer", "health")
    assert (mention.p_mask, mention.p_direct) == (PRIORS["health"], 0.0)


def test_improbable_mentions_can_be_left_out() -> None:
    """What is below ``least`` is none; ``least`` must be a probability."""
    text = "A baker with sciatica."
    kinds = [m.kind for m in GazetteerDetector(_GAZETTEER, minimum=0.3).detect(text)]
    assert kinds == ["health"]
    with pytest.raises(ValueError, match=r"1\.5"):
        GazetteerDetector(_GAZETTEER, minimum=1.5)


_PIECES = st.sampled_from(
    ["mother-in-law", "teachers", "as a ", "Turkish", "national", " ", "\n", "-", "’s", "é", "ß",
     "🙂", "e\u0301", "\u00ad", "\x00", "\ud800", "AIDS", "non-", "commissioned officer"]
)  # fmt: skip


@given(st.lists(_PIECES | st.text(max_size=8), max_size=14).map("".join))
def test_tags_are_in_order_apart_and_within_the_text(text: str) -> None:
    """Whatever the text holds."""
    end = 0
    for tag in _GAZETTEER.tag(text):
        assert end <= tag.span.start < tag.span.end <= len(text)
        end = tag.span.end


@pytest.mark.parametrize("piece", ["mother in ", "primary school ", "Turkish ", "as a a ", "'s "])
def test_time_is_linear_in_hostile_text(piece: str) -> None:
    """However often a term begins."""
    assert_linear(lambda size: _GAZETTEER.tag(piece * size), 2_000)
