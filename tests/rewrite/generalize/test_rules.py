"""What stands before a noun phrase is told by one table, and nothing is said twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Option, SemanticType, Span
from tacenda.rewrite.generalize.grammar import RULES, realise
from tests.examples import for_each

from .offering import texts, written

CASES = [
    ("he paid 23 €.", "23 €", "QUANTITY", "between 10 and 50 €", "he paid [between 10 and 50 €]."),
    ("the drummers left.", "drummers", "DEM", "musician", "the [musicians] left."),
    ("He is a drummer.", "a drummer", "DEM", "musician", "He is a [musician]."),
    ("he speaks Swedish.", "Swedish", "DEM", "European", "he speaks a [European language]."),
    ("he was elected President.", "President", "DEM", "politician", "he was elected a [politician]."),
    ("guilty of arson.", "arson", "MISC", "crime", "guilty of a [crime]."),
    ("Mayor Wick left.", "Mayor", "DEM", "politician", "[Politician] Wick left."),
    ("at the University of Oslo.", "University of Oslo", "ORG", "university", "at the [university]."),
    ("to account 1234567 now.", "1234567", "CODE", "bank account number", "to account [bank account number] now."),
    ("Employer: Skorb Ltd\n", "Skorb Ltd", "ORG", "company", "Employer: [company]\n"),
    ("at The Grange, Ludlow.", "Ludlow", "LOC", "town", "at The Grange, [town]."),
    ("is Norway coach.", "Norway", "LOC", "country", "is [country] coach."),
    ("the club Akropolis won.", "Akropolis", "ORG", "team", "the club [team] won."),
    ("he saw Alps.", "Alps", "LOC", "mountains", "he saw [mountains]."),
    ("He left the following day.", "the following day", "DATETIME", "later date", "He left on a [later date]."),
    ("at Oslo University.", "Oslo University", "ORG", "university", "at a [university]."),
]  # fmt: skip


@for_each(
    ("rule", "case"),
    list(zip(RULES, CASES, strict=True)),
)
def test_each_rule_has_an_example_that_it_writes(
    rule: object, case: tuple[str, str, str, str, str]
) -> None:
    """The cases stand in the order of the table."""
    text, string, type, phrase, expected = case
    start = text.index(string)
    span = Span(start, start + len(string))
    option = Option(phrase, 0, "rule:class", 0.5, 0.0)
    result = text[:start] + realise(text, span, SemanticType(type), option) + text[span.end :]
    assert result == expected


LABELS = (
    "account",
    "Ref:",
    "serial",
    "registration",
    "Contact:",
    "IP",
    "no.",
    "Passport number",
    "policy number",
)


@given(st.sampled_from(LABELS), st.text("0123456789", min_size=5, max_size=12))
def test_no_article_stands_after_a_label(label: str, number: str) -> None:
    """It is the value of the label that was there, and its class stands for it."""
    result = written(f"Please note {label} {number} in full.", (number, "CODE"))
    assert f"{label} [" in result or f"{label} ***" in result


@given(st.integers(100, 9_000), st.integers(1, 9_000), st.sampled_from(["between", "from"]))
def test_never_two_of_one(low: int, more: int, word: str) -> None:
    """A range of two amounts is one bin, or each is in words that fit."""
    link = "and" if word == "between" else "to"
    one, two = f"£{low:,}", f"£{low + more:,}"
    result = written(f"It cost {word} {one} {link} {two}.", (one, "QUANTITY"), (two, "QUANTITY"))
    for pair in ("between [between", "from [from", "a [a ", "between between"):
        assert pair not in result


@for_each(
    ("text", "string", "expected"),
    [
        ("You are {}.", "19", "You are [between 15 and 24]."),
        ("I am {} and work.", "58", "I am [between 50 and 59] and work."),
        ("I ({}) work.", "34F", "I ([between 30 and 39]) work."),
        ("Zofia ({}) left.", "11", "Zofia ([between 10 and 19]) left."),
        ("a {} girl", "8-month-old", "an [underage] girl"),
        ("I am a student, {}.", "20 years old", "I am a student, [in my twenties]."),
        ("Our {} came.", "Year 6", "Our *** came."),
        ("sent to {} there.", "five years' detention", "sent to *** there."),
        ("In the {} I go.", "autumn", "In the [season] I go."),
        ("Signed on the {} here.", "9th of January 2015", "Signed on a [date in the 2010s] here."),
        ("Minutes, Ulm, {}\n", "3 May 2015", "Minutes, Ulm, [the 2010s]\n"),
    ],
)  # fmt: skip
def test_a_number_is_a_date_only_where_it_says_so(text: str, string: str, expected: str) -> None:
    """Ages are ages, and what is neither is left out."""
    assert written(text.replace("{}", string), (string, "DATETIME")) == expected


@pytest.mark.parametrize(
    ("text", "string"),
    [("In pain call {}.", "999"), ("He is in room {}.", "12"), ("Pay rose {}.", "from £41,000 to £44,500")],
)  # fmt: skip
def test_a_number_that_is_a_name_has_no_bin(text: str, string: str) -> None:
    """Nothing is added to a fact: 999 is dialled, and lies between nothing."""
    assert texts(string, "QUANTITY", text) == []


@pytest.mark.parametrize(
    ("text", "marks", "expected"),
    [
        ("lives at 27 Alma Terrace, Ulm.", [("27 Alma Terrace", "LOC")], "lives at a [street address], Ulm."),
        ("We met at Elm Hospital in Ulm.", [("Elm Hospital in", "ORG"), ("Ulm", "LOC")], "We met at ***."),
        ("user: hey, help", [("hey", "CODE")], "user: ***, help"),
    ],
)  # fmt: skip
def test_the_whole_is_not_what_its_end_is(
    text: str, marks: list[tuple[str, str]], expected: str
) -> None:
    """A hospital in a town is no town, a house no street, a word no user name."""
    assert written(text, *marks) == expected
