"""The detector: offsets, overlaps, priors, time."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.detect.patterns.base import Hit, alternation, normalize_width
from tacenda.detect.patterns.detector import PatternDetector
from tacenda.detect.patterns.overlaps import resolve_overlaps
from tacenda.detect.patterns.phones import DEFAULT_REGIONS
from tacenda.detect.patterns.table import PRIORS, families
from tacenda.document import SemanticType
from tests.examples import for_each
from tests.growth import assert_linear

_PIECES = st.sampled_from(
    ["3 December 2004", "EUR 3,000", "a@b.org", "4027/05", "no. ", " ", "\n", "٣", "１９９４", "é", "🙂",
     "e\u0301", "\u202e", "\x00", "\ud800", "May ", "II C 1/99", "/", ".", "12 Baker Street", "ul. ", "§"]
)  # fmt: skip


@given(st.lists(_PIECES | st.text(max_size=8), max_size=14).map("".join))
def test_mentions_are_in_order_apart_and_within_the_text(text):
    """Whatever the text holds: any script, control characters, lone surrogates."""
    mentions = PatternDetector().detect(text)
    end = 0
    for mention in mentions:
        assert end <= mention.span.start < mention.span.end <= len(text)
        assert mention.source == "pattern"
        end = mention.span.end


@given(st.text(max_size=60))
def test_folding_keeps_every_offset(text):
    """One code point in, one code point out."""
    assert len(normalize_width(text)) == len(text)


@given(st.lists(_PIECES, max_size=14).map("".join))
def test_no_letter_or_digit_that_a_family_found_is_lost(text):
    """What sticks out of a winning hit stays a mention."""
    folded = normalize_width(text)
    covered = set()
    for mention in PatternDetector().detect(text):
        covered.update(range(mention.span.start, mention.span.end))
    for find in families(DEFAULT_REGIONS):
        for hit in find(folded):
            assert {i for i in range(hit.start, hit.end) if folded[i].isalnum()} <= covered


@pytest.mark.parametrize(
    ("hits", "kept"),
    [
        ([(0, 4), (2, 9)], [(0, 2), (2, 9)]),  # the longer whole, the rest of the other
        ([(0, 4), (3, 7)], [(0, 4), (4, 7)]),  # of equal length, the earlier
        ([(0, 9), (2, 4)], [(0, 9)]),
        ([(0, 9), (0, 9)], [(0, 9)]),
    ],
)
def test_the_longer_hit_wins_then_the_earlier(hits, kept):
    """And what the other has beside it stays."""
    settled = resolve_overlaps("abcdefghi", [Hit(start, end, "date") for start, end in hits])
    assert [(hit.start, hit.end) for hit in settled] == kept


def test_of_equal_hits_the_family_named_first_wins():
    """The order of the families is the last resort."""
    assert resolve_overlaps("abc", [Hit(0, 3, "iban"), Hit(0, 3, "phone")]) == [Hit(0, 3, "iban")]


@pytest.mark.parametrize(
    ("words", "text", "match"),
    [
        (["Ma", "March", "May"], "March", "March"),
        (["a", "ab"], "ac", "a"),
        (["x.", "x"], "xy", "x"),
    ],
)
def test_a_trie_takes_the_longest_word_that_fits(words, text, match):
    """And reads its characters literally."""
    import re

    found = re.match(alternation(words), text)
    assert found is not None
    assert found[0] == match


def test_contacts_and_identity_numbers_are_masked_always():
    """Probability one, whatever the threshold; and direct is never above masking."""
    for kind in "email phone iban card national_id identity_number application_number ip".split():
        assert (PRIORS[kind].p_mask, PRIORS[kind].p_direct) == (1.0, 1.0)
    assert all(0 <= prior.p_direct <= prior.p_mask <= 1 for prior in PRIORS.values())
    assert PRIORS["street_address"].type is SemanticType.LOC
    assert PRIORS["money"].type is SemanticType.QUANTITY


_HOSTILE = (
    "1 ", "a@", "a.", "-----BEGIN PRIVATE KEY-----", "password=", "eyJaaaaaaaa.", "a://:", "1/", "(", "http://", "٣", "no. ", "no. 1 ", "1:", "::", "1 May, ", "2001 of ", "12-", "GB82 ",
)  # fmt: skip


@for_each("piece", _HOSTILE)
def test_time_is_linear_in_hostile_text(piece):
    """However a pattern begins, it is not tried again and again."""
    detector = PatternDetector()
    assert_linear(lambda size: detector.detect(piece * (size // len(piece))), 3_000)


def test_the_example_letter_gives_away_nothing_that_has_a_form():
    """Every number, contact and address of the shipped letter is found."""
    path = Path(__file__).resolve().parents[3] / "examples" / "letter.txt"
    text = path.read_text("utf-8")
    found = {mention.span.of(text): mention.kind for mention in PatternDetector().detect(text)}
    expected = {
        "imogen.tarrant-vasile@example.org": "email",
        "0113 496 0182": "phone",
        "+40 268 555 019": "phone",
        "GB33 BUKB 2020 1555 5555 55": "iban",
        "4111 1111 1111 1111": "card",
        "999 000 1111": "national_id",
        "QQ 12 34 56 C": "identity_number",
        "YK19 XTV": "licence_plate",
        "7 September 1979": "date",
        "£46,850": "money",
        "203.0.113.57": "ip",
        "1802345/2023": "case_number",
        "3 Canal Street, Wakefield WF1 5PL": "street_address",
    }
    assert expected.items() <= found.items()


def test_dates_of_the_training_judgments_are_found(shared_data):
    """At least 95 of 100 tokens of the annotated dates, over all annotators."""
    import json
    import re

    detector = PatternDetector()
    wanted = reached = 0
    for document in json.loads((shared_data / "tab/train.json").read_text("utf-8"))[:40]:
        covered = set()
        for mention in detector.detect(document["text"]):
            if mention.type is SemanticType.DATETIME:
                covered.update(range(mention.span.start, mention.span.end))
        for annotator in document["annotations"].values():
            for gold in annotator["entity_mentions"]:
                if gold["entity_type"] == "DATETIME":
                    bounds = gold["start_offset"], gold["end_offset"]
                    for token in re.compile(r"\w+").finditer(document["text"], *bounds):
                        wanted += 1
                        reached += token.start() in covered
    assert reached / wanted >= 0.95


def test_a_wrapped_line_does_not_hide_a_number() -> None:
    """A line end within prose is a blank; one between two entries parts them."""
    prose = (
        "He was last seen on the old bridge and can be reached by all who know him under +44\n"
        "7700 900522, as he told the guard who had asked him for a number on that very evening,\n"
        "and went on along the river where the boats lay until the rain had begun to fall again\n"
        "and the lamps were lit.\n"
    )
    numbers = [mention.kind for mention in PatternDetector().detect(prose)]
    assert numbers == ["phone"]
    assert PatternDetector().detect("Room: 44\n7700 900522\n") == PatternDetector().detect(
        "Room: 44\n\n7700 900522\n"
    ) or "44" not in {
        mention.span.of("Room: 44\n7700 900522\n")
        for mention in PatternDetector().detect("Room: 44\n7700 900522\n")
    }
