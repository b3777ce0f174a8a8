"""Amounts in the words around them: bounds, what is about an amount, and the same in other money."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Document
from tacenda.policy import Policy
from tacenda.rewrite.generalize.options import propose_options
from tacenda.rewrite.rewrite import rewrite
from tests.building import entity, mention
from tests.examples import for_each

from .offering import decided, written


@for_each(
    ("text", "strings", "expected"),
    [
        ("It cost about 4,200 marks.", ["4,200 marks"], "It cost [between 1,000 and 5,000 marks]."),
        # What is about 4,900 may be 5,100.
        ("It cost about 4,900 marks.", ["4,900 marks"], "It cost [between 1,000 and 10,000 marks]."),
        ("at least 1,200 men left", ["1,200 men"], "at least [1,000 men] left"),
        ("not more than 1,200 men left", ["1,200 men"], "not more than [5,000 men] left"),
        ("no less than 1,200 men left", ["1,200 men"], "no less than [1,000 men] left"),
        ("more than US$12 million in all", ["US$12 million"], "more than [US$10 million] in all"),
        ("more than 800,000 marks", ["800,000 marks"], "more than [500,000 marks]"),
        ("up to 800,000 marks", ["800,000 marks"], "up to [1 million marks]"),
        ("up to 4 million marks", ["4 million marks"], "up to [5 million marks]"),
        ("They quarrelled over 1,900 marks.", ["1,900 marks"], "They quarrelled over [between 1,000 and 5,000 marks]."),
        ("The district will pay, up to 1,400 marks.", ["1,400 marks"], "The district will pay, up to [between 1,000 and 5,000 marks]."),
        ("more than 4,000,000 marks", ["4,000,000 marks"], "more than [1 million marks]"),
        ("a 2,000-pounder", ["2,000"], "a [1,000-to-5,000]-pounder"),
        ("the 76th time", ["76th"], "the [Xth] time"),
        ("its 50,000th article", ["50,000th"], "its [Xth] article"),
        ("as she said.[4] He left", ["4"], "as she said.[X] He left"),
        ("won it twice", ["twice"], "won it [more than once]"),
        ("got PLN 3,000 (approx. EUR 738) for him", ["PLN 3,000", "EUR 738"], "got [between PLN 1,000 and PLN 5,000] for him"),
        ("paid 30,000 marks, equivalent to about 15,000 euros, then", ["30,000 marks", "15,000 euros"], "paid [between 10,000 and 50,000 marks], then"),
        ("paid 30,000 marks and 15,000 euros", ["30,000 marks", "15,000 euros"], "paid [between 10,000 and 50,000 marks] and [between 10,000 and 50,000 euros]"),
        ("paid 30,000 marks (15,000 euros of it later)", ["30,000 marks", "15,000 euros"], "paid [between 10,000 and 50,000 marks] ([between 10,000 and 50,000 euros] of it later)"),
    ],
)  # fmt: skip
def test_amounts_in_their_words(text: str, strings: list[str], expected: str) -> None:
    """By hand, with and without brackets."""
    marks = [(string, "QUANTITY") for string in strings]
    assert written(text, *marks) == expected
    assert written(text, *marks, brackets=False) == expected.replace("[", "").replace("]", "")


@for_each(
    ("text", "string", "expected"),
    [
        ("lasting more than three years", "three years", "lasting more than [1 year]"),
        ("for nearly twenty years", "twenty years", "for [between 10 and 50 years]"),
        ("sat for up to eight years", "eight years", "sat for up to [10 years]"),
        (
            "a clean record over six years",
            "six years",
            "a clean record over [between 5 and 10 years]",
        ),
        ("served for over six years", "six years", "served for over [5 years]"),
        ("He was 22 years old.", "22 years old", "He was [in his twenties]."),
        ("She left at age 41.", "age 41", "She left at an [age between 40 and 49]."),
        ("He left at the age of 41.", "the age of 41", "He left at an [age between 40 and 49]."),
        ("He died at the age of six.", "six", "He died at the age of [no more than 10]."),
        ("He died at the age of 93.", "93", "He died at the age of [more than 89]."),
        ("a 34-year-old woman", "34-year-old", "a [30-to-39-year-old] woman"),
    ],
)
def test_spans_of_time_and_ages_in_their_words(text: str, string: str, expected: str) -> None:
    """By hand."""
    assert written(text, (string, "DATETIME")) == expected


def test_a_text_without_sexes_tells_none_in_an_age() -> None:
    """Where the policy is neutral to sex, an age is in *their* twenties."""
    document = Document("d", "He was 22 years old.")
    item = entity("e1", mention(document, "22 years old", "DATETIME"))
    policy = Policy(operator="generalize", neutral=("sex",))
    decisions = propose_options(document, [decided(item)], policy)
    assert "their twenties" in rewrite(document, decisions, policy)[0]


@given(amount=st.integers(1_000, 10**11), most=st.booleans())
def test_a_bound_is_true_of_what_it_replaces(amount: int, most: bool) -> None:
    """At most what is more, at least what is less."""
    words = "at most" if most else "at least"
    output = written(f"He paid {words} {amount:,} marks.", (f"{amount:,} marks", "QUANTITY"))
    match = re.fullmatch(rf"He paid {words} \[([\d,]+)(?: ([mbt]r?illion))? marks\]\.", output)
    assert match is not None, output
    size = {None: 1, "million": 10**6, "billion": 10**9, "trillion": 10**12}[match[2]]
    edge = int(match[1].replace(",", "")) * size
    assert edge > amount if most else edge < amount
