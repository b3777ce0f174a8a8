"""The handwritten patterns of the baseline `rules`."""

from __future__ import annotations

import pytest

from tacenda_lab.baselines.base import union
from tacenda_lab.baselines.rules import find
from tests.growth import assert_linear


def found(text: str) -> list[str]:
    """Return the strings that the patterns find, overlapping ones joined."""
    return [span.of(text) for span in union(find(text))]


@pytest.mark.parametrize(
    "string",
    [
        "4 May 1999",
        "4 and 5 May 1999",
        "May 4, 1999",
        "May 1999",
        "4.5.1999",
        "1999-05-04",
        "1990s",
        "10.30 a.m.",
        "12345/67",
        "II K 123/95",
        "AB-12/c3",
        "98765",
        "ada@example.org",
        "https://example.org/ada",
        "1,000 euros",
        "3,000 Polish zlotys",
        "EUR 1,000",
        "£12.50",
        "12 %",
        "30 square metres",
        "Mr Smith",
        "Mrs van der Berg",
        "Prof. A. B. Öz",
        "Judge J.-P. O'Neill-Smith",
        "J. Smith",
    ],
)
def test_an_example_is_found_whole(string: str) -> None:
    """Each form is found in running text, neither more nor less of it."""
    assert found(f"it was {string}, they say") == [string]


@pytest.mark.parametrize(
    "text",
    [
        "may march on 12 occasions",
        "I. THE FACTS",
        "the judge said that 12 of 100 came",
        "see paragraph 12 above",
    ],
)
def test_plain_text_is_left_alone(text: str) -> None:
    """Small numbers, headings and words that only look like months are no entities."""
    assert found(text) == []


def test_a_name_ends_with_its_line() -> None:
    """A heading below a name is not taken into it."""
    assert found("by Mr Smith\nTHE FACTS") == ["Mr Smith"]


@pytest.mark.parametrize("piece", ["Mr de ", "A.", "1,", "a.", "12/", "A-", "1 000 ", "000 ", "a+"])
def test_time_is_linear(piece: str) -> None:
    """No text makes a pattern try again and again."""
    assert_linear(lambda size: found(piece * size), 1_000)
