"""The baselines that need no package: capitals, random, all, none; and how all are made."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document, Span
from tacenda.errors import InputError
from tacenda_lab.baselines import BASELINES, create
from tacenda_lab.baselines.base import union

SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda pair: Span(pair[0], sum(pair)))
)
WITHOUT_PACKAGES = ["capitals", "random", "all", "none"]


def masked(name: str, text: str, **options: float | int) -> list[str]:
    """Return the strings that a baseline masks."""
    return [span.of(text) for span in create(name, **options).mask(Document("d", text))]


def points(spans: object) -> list[int]:
    """Return the code points of spans, with repetition."""
    return sorted(i for span in spans for i in range(span.start, span.end))  # type: ignore[attr-defined]


@given(SPANS)
def test_a_union_covers_the_same_points_once(spans: list[Span]) -> None:
    """Whatever overlaps is joined, and nothing is lost or added."""
    assert points(union(spans)) == sorted(set(points(spans)))


def test_a_union_leaves_touching_spans_apart() -> None:
    """Two names side by side are two masks."""
    assert union([Span(2, 4), Span(0, 2)]) == (Span(0, 2), Span(2, 4))


@pytest.mark.parametrize("name", WITHOUT_PACKAGES)
@given(text=st.text())
def test_spans_are_disjoint_in_order_and_in_the_text(name: str, text: str) -> None:
    """Every baseline gives masks as `sanitize --to masks` does, for any text."""
    spans = create(name).mask(Document("d", text))
    assert points(spans) == sorted(set(points(spans)))
    assert list(spans) == sorted(spans)
    assert all(span.end <= len(text) for span in spans)


def test_all_and_none_are_the_ends_of_the_scale() -> None:
    """One masks the whole text, the other nothing, and an empty text has nothing to mask."""
    assert masked("all", "Ada, 36.") == ["Ada, 36."]
    assert masked("all", "") == masked("none", "Ada, 36.") == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("seen by Ada Lovelace in 1843.", ["Ada Lovelace", "1843"]),
        ("on 4 May 1999 or May 5, 2001", ["4 May 1999", "May 5, 2001"]),
        ("no. 12345/67 at 10.30, A4", ["12345/67", "10.30", "A4"]),
        ("The judge saw İzmir and Ömer O'Neill-Smith.", ["İzmir", "Ömer O'Neill-Smith"]),
        ("THE FACTS: He met The Times", ["FACTS", "Times"]),
        ("nothing here", []),
    ],
)
def test_capitals_finds_by_spelling(text: str, found: list[str]) -> None:
    """Dates, numbers and capitalised words of any script are masked, function words are not."""
    assert masked("capitals", text) == found


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.25, 1.0])
def test_random_masks_the_rate_of_words(rate: float) -> None:
    """The share of words is exact, and each is masked whole."""
    words = [f"w{i}" for i in range(40)]
    found = masked("random", " ".join(words), rate=rate)
    assert len(found) == round(40 * rate)
    assert set(found) <= set(words)


def test_random_depends_on_seed_and_document_alone() -> None:
    """The same seed gives the same words again, another seed or another document others."""
    text = " ".join(f"w{i}" for i in range(200))
    first = create("random", seed=1)
    again = create("random", seed=1)
    again.mask(Document("before", text))
    spans = first.mask(Document("d", text))
    assert again.mask(Document("d", text)) == spans
    assert first.mask(Document("e", text)) != spans
    assert create("random", seed=2).mask(Document("d", text)) != spans


def test_a_rate_beyond_one_is_an_error() -> None:
    """The message has the value and the limits."""
    with pytest.raises(InputError, match=r"rate 1\.5 .* 0 <= rate <= 1"):
        create("random", rate=1.5)


def test_an_unknown_baseline_is_answered_by_the_known() -> None:
    """All names are in the message."""
    with pytest.raises(InputError) as caught:
        create("magic")
    assert all(name in str(caught.value) for name in BASELINES)


def test_an_option_that_means_nothing_is_an_error() -> None:
    """An option is never taken in silence by a baseline that does not know it."""
    with pytest.raises(InputError, match="'capitals' has no 'rate'; it takes no option"):
        create("capitals", rate=0.5)
    with pytest.raises(InputError, match="it takes rate and seed"):
        create("random", model="m")
