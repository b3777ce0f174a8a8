"""Folding for comparison and its alignment."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Span
from tacenda.text.folding import fold_aligned
from tacenda.text.normal_form import fold_text
from tests.examples import MANY, for_each
from tests.growth import assert_within

TRICKY = "\x01\ufe0f\u0489🅰þaAßİıŁłéｅﬁ½…’‘“–-\u2010\u00ad\u200b\u0301\n\r\t  \u00a0İصَनिが가กิ٣𝒜😀"
texts = st.text(st.sampled_from(TRICKY) | st.characters(), max_size=40)


@for_each(
    ("written", "compared"),
    [
        ("Galip YALMAN", "galip yalman"),
        ("Straße", "strasse"),
        ("İzmir", "izmir"),
        ("Kırık", "kirik"),
        ("Wołąsiewicz", "wolasiewicz"),
        ("e\u0301", "e"),
        ("ﬁn", "fin"),
        ("Ｙａｌｍａｎ", "yalman"),
        ("٣٤", "34"),
        ("“O’Brien”", '"o\'brien"'),
        ("1990–1995", "1990-1995"),
        ("Yal\u200bman", "yalman"),
        ("Yal\x01m\x00an\x7f", "yalman"),
        ("Yal\ufe0fm\u3164a\U000e0041\U000e0101n", "yalman"),
        ("Y\u0336\u0489a\u20d2lman", "yalman"),
        ("Þórður Guðmundsson", "thordur gudmundsson"),
        ("Əliyev", "aliyev"),
        ("🅶🄰ⓛ🇮🇵", "galip"),
        ("a \n b", "a b"),
        ("a\n\nb", "a\n\nb"),
        ("Yal-\nman", "yalman"),
        ("Yal\u00ad\nman", "yalman"),
        ("Saint-\nDenis", "saint-denis"),
        ("1990-\n1995", "1990- 1995"),
        ("กิน", "กิน"),
        ("が", "が"),
    ],
)
def test_equal_to_the_reader(written: str, compared: str) -> None:
    """What a reader takes for the same string folds to the same string."""
    assert fold_text(written) == compared


@for_each(
    ("text", "found", "original"),
    [
        ("Die Straße 5", "strasse", "Straße"),
        ("in İZMİR x", "izmir", "İZMİR"),
        ("Mr Yal-\nman left", "yalman", "Yal-\nman"),
        ("a  Jose\u0301 b", "jose", "Jose\u0301"),
        ("x Galip\n  Yalman y", "galip yalman", "Galip\n  Yalman"),
        ("ﬁn", "i", "ﬁ"),
        ("\u200bAli", "ali", "Ali"),
    ],
)
def test_alignment_by_hand(text: str, found: str, original: str) -> None:
    """A folded range comes back as the code points that it was folded from."""
    folded = fold_aligned(text)
    start = folded.text.index(found)
    assert folded.original(start, start + len(found)).of(text) == original


@given(texts)
@MANY
def test_alignment_covers_in_order(text: str) -> None:
    """Neighbouring folded ranges come from ranges in order, within the text."""
    folded = fold_aligned(text)
    last = Span(0, 1)
    for position in range(len(folded.text)):
        span = folded.original(position, position + 1)
        assert span.end <= len(text)
        assert span.start >= last.start or position == 0
        assert span.end >= last.end or position == 0
        last = span


@given(texts, texts)
@MANY
def test_whole_is_whole(before: str, after: str) -> None:
    """A word between spaces is found again with exactly its own code points."""
    text = f"{before} zqx {after}"
    folded = fold_aligned(text)
    spans = []
    start = folded.text.find("zqx")
    while start >= 0:
        spans.append(folded.original(start, start + 3))
        start = folded.text.find("zqx", start + 1)
    assert Span(len(before) + 1, len(before) + 4) in spans


@given(texts)
@MANY
def test_many_characters_fold_as_few(text: str) -> None:
    """The path for texts of many scripts gives what the fast one gives."""
    many = "".join(map(chr, range(0x100, 0x180)))
    assert fold_text(f"{text}\n\n{many}").startswith(fold_text(f"{text}\n\n."[:-1]))


def test_lone_surrogates_stay() -> None:
    """What is no character is left as it is."""
    assert fold_text("a\ud800b") == "a\ud800b"


def test_plain_text_is_folded_at_once() -> None:
    """Without work on each character: in little more time than Python takes to count them."""
    line = "Mr Galip Yalman lodged an application, no. 4027/05, with the Court.\n\n"
    assert_within(
        5, lambda size: fold_aligned(line * size), lambda size: sum(1 for _ in line * size), 9_000
    )
