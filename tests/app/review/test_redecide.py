"""What becomes of a document by a person's changes."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.events import Event, EventError, EventKind
from tacenda.app.review.curve import BOUNDS, curve, masked_words, nearest
from tacenda.app.review.events import replay
from tacenda.app.review.redecide import Reviewed, redecide
from tacenda.deciding import Analysis, complete
from tacenda.document import Document, IdentifierType, SemanticType, Span
from tacenda.policy import Policy
from tests.growth import assert_linear

from ...building import mention

TEXT = (
    "Ada Byron wrote to Ben Cole on 12 March 1994. Ben Cole lives in Kentville.\n"
    "Ada Byron came to Kentville; Mary Hill did not."
)
DOCUMENT = Document("d", TEXT)
ANALYSIS = Analysis(
    DOCUMENT,
    tuple(
        sorted(
            (
                mention(DOCUMENT, "Ada Byron", masking=0.9),
                mention(DOCUMENT, "Ada Byron", masking=0.8, nth=1),
                mention(DOCUMENT, "Ben Cole", masking=0.6),
                mention(DOCUMENT, "Ben Cole", masking=0.6, nth=1),
                mention(DOCUMENT, "12 March 1994", "DATETIME", masking=0.4),
                mention(DOCUMENT, "Kentville", "LOC", masking=0.2),
                mention(DOCUMENT, "Kentville", "LOC", masking=0.2, nth=1),
            ),
            key=lambda item: item.span,
        )
    ),
)
POLICY = Policy(operator="tag", threshold=0.5)


def _span(string: str, nth: int = 0) -> Span:
    return mention(DOCUMENT, string, nth=nth).span


def _decide(string: str, action: str, option: str = "") -> Event:
    return Event(EventKind.DECIDE, (_span(string),), action, option)


def _reviewed(*changes: Event, policy: Policy = POLICY) -> Reviewed:
    return redecide(ANALYSIS, policy, 0.5, replay(changes))


def _text(*changes: Event, policy: Policy = POLICY) -> str:
    return _reviewed(*changes, policy=policy).sanitized.text


def test_nothing_changed_is_what_the_policy_says() -> None:
    """Without changes a review gives what sanitizing gives."""
    assert _reviewed().sanitized == complete(ANALYSIS, POLICY, 0.5).sanitized
    assert _text() == (
        "[PERSON 1] wrote to [PERSON 2] on 12 March 1994. [PERSON 2] lives in Kentville.\n"
        "[PERSON 1] came to Kentville; Mary Hill did not."
    )


def test_a_decision_holds_for_all_mentions() -> None:
    """Pointed at by one mention, the entity is kept, or masked, everywhere."""
    assert _text(_decide("Ben Cole", "keep")).count("Ben Cole") == 2
    assert "Kentville" not in _text(_decide("Kentville", "mask"))


def test_the_latest_decision_wins_and_auto_takes_them_back() -> None:
    """Decisions by hand follow one another; *auto* leaves it to the policy."""
    keep, mask = _decide("Ben Cole", "keep"), _decide("Ben Cole", "mask")
    assert "Ben Cole" not in _text(keep, mask)
    assert "Ben Cole" in _text(mask, keep)
    assert _text(keep, _decide("Ben Cole", "auto")) == _text()


def test_decisions_by_hand_stand_at_every_bound() -> None:
    """The slider moves what nobody decided, and nothing else."""
    kept = _decide("Ada Byron", "keep")
    masked = _decide("Kentville", "mask")
    for bound in ("0", "0.3", "1"):
        text = _text(kept, masked, Event(EventKind.BOUND, value=bound))
        assert "Ada Byron" in text
        assert "Kentville" not in text
    assert "Ben Cole" in _text(Event(EventKind.BOUND, value="1"))
    assert "1994" not in _text(Event(EventKind.BOUND, value="0.3"))


def test_the_bound_stands_above_thresholds_by_type() -> None:
    """Who moves the slider means all types."""
    policy = Policy(threshold=0.5, thresholds={SemanticType.LOC: 0.1})
    assert "Kentville" not in _text(policy=policy)
    assert "Kentville" in _text(Event(EventKind.BOUND, value="0.5"), policy=policy)


def test_generalise_writes_the_option_that_was_chosen() -> None:
    """One of the options stands in the text; the original is none of them."""
    text = _text(_decide("12 March 1994", "generalise", "date in the 1990s"))
    assert "[date in the 1990s]" in text
    offered = _reviewed(_decide("12 March 1994", "generalise")).sanitized.decisions
    (date,) = (item for item in offered if item.entity.type is SemanticType.DATETIME)
    assert date.options[-1].text == "***"
    assert "12 March 1994" not in [option.text for option in date.options]
    assert "***" in _text(_decide("12 March 1994", "generalise", "***"))


def test_masking_by_hand_says_nothing_where_the_policy_generalises() -> None:
    """*Mask* is never more specific than suppression where generalising is the rule."""
    policy = Policy(operator="generalize", threshold=0.5)
    assert "on ***." in _text(_decide("12 March 1994", "mask"), policy=policy)


def test_one_mention_is_kept_apart_and_reported() -> None:
    """A mention kept by hand stays, its entity is masked elsewhere, and that is called a leak."""
    reviewed = _reviewed(Event(EventKind.DECIDE_MENTION, (_span("Ben Cole", 1),), "keep"))
    assert reviewed.sanitized.text.count("Ben Cole") == 1
    assert reviewed.sanitized.risk.leaks == 1


def test_what_a_person_says_is_no_leak_is_none() -> None:
    """It stays with its reason, and holds no release; any other leak does."""
    keep = Event(EventKind.DECIDE_MENTION, (_span("Ben Cole", 1),), "keep")
    accept = Event(EventKind.ACCEPT, (_span("Ben Cole", 1),), "another man")
    sanitized = _reviewed(keep, accept).sanitized
    ((place, reason),) = sanitized.accepted
    start, end = map(int, place.split(":"))
    assert (sanitized.text[start:end], reason) == ("Ben Cole", "another man")
    assert (sanitized.leaks, sanitized.risk.leaks) == ((), 0)
    other = Event(EventKind.ACCEPT, (_span("Ben Cole"),), "another man")
    assert _reviewed(keep, other).sanitized.risk.leaks == 1


def test_keeping_by_hand_leaves_no_more_than_before() -> None:
    """What is undecided and what a person decided are counted apart."""
    before, after = (
        _reviewed(*changes).sanitized.risk for changes in ((), (_decide("Ada Byron", "keep"),))
    )
    assert after.residual <= before.residual
    assert (before.kept_by_people, after.kept_by_people) == (None, pytest.approx(0.9))


def test_one_mention_is_masked_apart() -> None:
    """A mention masked by hand on its own leaves the others of its string."""
    text = _text(Event(EventKind.DECIDE_MENTION, (_span("Kentville"),), "mask"))
    assert text.count("Kentville") == 1


def test_an_added_mention_is_masked_wherever_its_string_is() -> None:
    """What is pointed at is masked; verification finds its other occurrences."""
    text = _text(Event(EventKind.ADD, (_span("Mary Hill"),), "PERSON"))
    assert "Mary" not in text
    assert text.endswith("[PERSON 3] did not.")


def test_a_removed_mention_is_text() -> None:
    """What is no mention is not masked though its string is elsewhere: a leak, and named among what people removed."""
    reviewed = _reviewed(Event(EventKind.REMOVE, (_span("Ben Cole"),)))
    assert reviewed.sanitized.text.count("Ben Cole") == 1
    assert reviewed.sanitized.risk.leaks == 1
    assert reviewed.removed == {_span("Ben Cole"): SemanticType.PERSON}
    assert not _reviewed(
        Event(EventKind.REMOVE, (_span("Ben Cole"),)),
        Event(EventKind.ADD, (Span(_span("Ben Cole").start, TEXT.index(" on")),), "PERSON"),
    ).removed
    assert "Ben Cole" not in _text(
        Event(EventKind.REMOVE, (_span("Ben Cole"),)),
        Event(EventKind.ADD, (_span("Ben Cole"),), "PERSON"),
    )


def test_a_mention_added_over_two_lines_is_one_in_each() -> None:
    """The line end stays, and each of the two can be taken back by itself."""
    over = Span(_span("lives").start, _span("came").end)
    added = Event(EventKind.ADD, (over,), "MISC")
    assert _text(added).endswith("2] [ITEM 1]\n[ITEM 2] to Kentville; Mary Hill did not.")
    one = Span(over.start, TEXT.index("\n"))
    assert "lives in Kentville.\n[ITEM 1] to" in _text(added, Event(EventKind.REMOVE, (one,)))


def test_types_by_hand_reach_the_text() -> None:
    """A retyped entity has the tag of its new type."""
    both = (_span("Ben Cole"), _span("Ben Cole", 1))
    assert "[ORGANISATION 1] lives in" in _text(Event(EventKind.TYPE, both, "ORG"))


def test_own_words_stand_as_they_were_written() -> None:
    """In brackets, wherever the entity stands; the record has no option that tells more."""
    reviewed = _reviewed(_decide("Kentville", "write", "a town by the sea"))
    text = reviewed.sanitized.text
    assert text.count("[a town by the sea]") == 2
    (decision,) = (item for item in reviewed.sanitized.decisions if item.choice)
    assert [option.text for option in decision.options] == ["a town by the sea", "***"]


def test_own_words_that_name_something_masked_are_not_written() -> None:
    """Whether they named it at once, or it was masked later: what remains is nothing."""
    write = _decide("Kentville", "write", "where Cole lives")
    keep = _decide("Ben Cole", "keep")
    assert "[where Cole lives]" in _text(keep, write)
    for changes in ((write,), (keep, write, _decide("Ben Cole", "mask"))):
        assert "where Cole" not in _text(*changes)
        assert "Kentville" not in _text(*changes)


@pytest.mark.parametrize("option", ["", " x", "[x]", "a\nb", "x" * 201])
def test_own_words_are_one_plain_line(option: str) -> None:
    """Anything else is refused."""
    with pytest.raises(EventError, match="own words"):
        _decide("Kentville", "write", option)


@pytest.mark.parametrize(("value", "kept"), [("NO_MASK", True), ("QUASI", False), ("auto", False)])
def test_identifier_types_decide(value: str, kept: bool) -> None:
    """What needs no mask is kept; *auto* leaves it to the policy."""
    reviewed = _reviewed(Event(EventKind.IDENTIFIER, (_span("Ben Cole"),), value))
    assert ("Ben Cole" in reviewed.sanitized.text) is kept
    if value != "auto":
        identifiers = {item.identifier for item in reviewed.sanitized.decisions}
        assert IdentifierType(value) in identifiers


def test_entities_are_split_and_merged() -> None:
    """Split, a mention counts on its own; merged, two referents have one number."""
    split = Event(EventKind.SPLIT, (_span("Ben Cole", 1),))
    assert "[PERSON 3] lives in" in _text(split)
    merge = Event(EventKind.MERGE, (_span("Ada Byron"), _span("Ben Cole")))
    assert _text(merge).startswith("[PERSON 1] wrote to [PERSON 1]")
    again = Event(EventKind.MERGE, (_span("Ben Cole"), _span("Ben Cole", 1)))
    assert _text(split, again) == _text()


def test_verdicts_name_their_entities() -> None:
    """What a person decided is told from what nobody has looked at."""
    reviewed = _reviewed(_decide("Ada Byron", "mask"))
    assert list(reviewed.verdicts) == ["e1"]
    assert len(reviewed.undecided) == 3


def test_the_curve_agrees_with_deciding() -> None:
    """At each bound the curve has the words and the risk that the document would have."""
    for changes in ((), (_decide("Kentville", "mask"), _decide("Ada Byron", "keep"))):
        for point in curve(_reviewed(*changes), POLICY):
            at_bound = _reviewed(*changes, Event(EventKind.BOUND, value=repr(point.bound)))
            assert masked_words(at_bound) == point.words
            assert at_bound.sanitized.risk.residual == pytest.approx(point.residual)


def test_the_curve_falls_from_strict_to_lenient() -> None:
    """A higher bound never masks more words nor leaves less risk."""
    points = curve(_reviewed(), POLICY)
    assert [point.bound for point in points] == sorted(BOUNDS)
    assert [point.words for point in points] == sorted((p.words for p in points), reverse=True)
    assert [point.residual for point in points] == sorted(p.residual for p in points)
    assert BOUNDS[nearest(0.5)] == 0.5


_KINDS = st.sampled_from(
    [
        (EventKind.DECIDE, "keep"),
        (EventKind.DECIDE, "mask"),
        (EventKind.DECIDE, "generalise"),
        (EventKind.DECIDE_MENTION, "keep"),
        (EventKind.DECIDE_MENTION, "mask"),
        (EventKind.SPLIT, ""),
        (EventKind.MERGE, ""),
        (EventKind.ADD, "MISC"),
        (EventKind.REMOVE, ""),
        (EventKind.TYPE, "ORG"),
        (EventKind.IDENTIFIER, "DIRECT"),
    ]
)
_PLACES = st.tuples(st.integers(0, len(TEXT) - 9), st.integers(1, 9)).map(
    lambda place: Span(place[0], place[0] + place[1])
)


@given(st.lists(st.tuples(_KINDS, _PLACES), max_size=6))
def test_any_changes_make_a_document(changes: list[tuple[tuple[EventKind, str], Span]]) -> None:
    """Whatever is done in whatever order, edits stay disjoint and all else stays the text."""
    reviewed = _reviewed(*(Event(kind, (span,), value) for (kind, value), span in changes))
    sanitized = reviewed.sanitized
    original = output = 0
    for edit in sanitized.replacements:
        assert sanitized.text[output : edit.output_start] == TEXT[original : edit.original.start]
        original, output = edit.original.end, edit.output_end
    assert sanitized.text[output:] == TEXT[original:]
    assert len(reviewed.assessments) == len(sanitized.decisions)


@pytest.mark.parametrize(
    "policy",
    [
        Policy(operator="tag", residual_share=0.05),
        Policy(operator="tag", threshold=0.5, length_penalty=0.4),
    ],
)
def test_the_slider_moves_whatever_bounds_the_policy(policy: Policy) -> None:
    """A person's bound takes the place of a bound for the document; the curve says what it masks."""
    moved = _reviewed(Event(EventKind.BOUND, value="0.3"), policy=policy)
    assert moved.bound == 0.3
    assert "12 March 1994" not in moved.sanitized.text
    words = {point.bound: point.words for point in curve(moved, policy)}
    assert words[0.33] == sum(
        len(re.findall(r"\w+", edit.original.of(TEXT))) for edit in moved.sanitized.replacements
    )


def test_a_judgment_is_decided_anew_in_linear_time() -> None:
    """Sixty paragraphs of names are a judgment of 1,500 words."""
    analyses = {}
    for paragraphs in (30, 120):
        long = Document(
            "long", "\n".join(TEXT.replace("Ada", f"Ada{n}") for n in range(paragraphs))
        )
        mentions = [
            mention(long, string, type, masking=masking, nth=n)
            for string, type, masking in (("Ben Cole", "PERSON", 0.6), ("Kentville", "LOC", 0.2))
            for n in range(2 * paragraphs)
        ]
        mentions.sort(key=lambda item: item.span)
        analyses[paragraphs] = Analysis(long, tuple(mentions))
    work = replay([Event(EventKind.BOUND, value="0.5")])
    assert_linear(lambda size: redecide(analyses[size], POLICY, 0.5, work), 30)
