"""What spelling corrects in the recognizer's mentions."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.detect.neural import corrected
from tacenda.document import Mention, MentionSource, SemanticType, Span


def mention(text: str, string: str, type: str = "PERSON") -> Mention:
    """Return a mention of the first occurrence of ``string``."""
    start = text.index(string)
    return Mention(
        Span(start, start + len(string)), SemanticType(type), 0.9, 0.1, MentionSource.NEURAL
    )


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("by Mr I. Thrilling of Leeds", "Mr I.", "Mr I. Thrilling"),
        ("by Mr I. Thrilling of Leeds", "Mr I", "Mr I. Thrilling"),
        ("Dear Ms Oduya-Wren,", "Ms", "Ms Oduya-Wren"),
        ("Mr Smith wrote", "Mr Smith", "Mr Smith"),
        ("Mr A. was told", "Mr A.", "Mr A."),
        ("Mr A.\nThe Court", "Mr A.", "Mr A."),
    ],
)
def test_a_name_that_stops_at_a_title_or_initial_is_finished(
    text: str, found: str, expected: str
) -> None:
    """A title or an initial at the end takes the capitalised word after it, in the same line."""
    assert [item.span.of(text) for item in corrected(text, [mention(text, found)])] == [expected]


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("a 93-year-old woman", "93-year-", "93-year-old"),
        ("the London-based firm", "London-", "London-based"),
        ("from London- and Leeds", "London-", "London-"),
        ("fell to 5.25 per cent in May", "5.25", "5.25 per cent"),
    ],
)
def test_a_mention_that_stops_at_a_hyphen_takes_the_rest_of_the_word(
    text: str, found: str, expected: str
) -> None:
    """Half a word with a hyphen can't be read, and may say what the other half is."""
    mentions = corrected(text, [mention(text, found, "DEM")])
    assert [item.span.of(text) for item in mentions] == [expected]


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("between 2015 and 2019", "2015 and", ["2015"]),
        ("R (for Tewolde) v SSHD", "Tewolde) v SSHD", ["Tewolde", "SSHD"]),
        ("under the Children Act 1989, s 17", "Children Act", []),
        ("(1) KOVAC\n(2) NOVOTNY", "2) NOVOTNY", ["NOVOTNY"]),
        ("3. Ada Osei", "3. Ada Osei", ["Ada Osei"]),
        ("1.1 Scope\n3.2 Kieran", "3.2 Kieran", ["Kieran"]),
        ("3.2 Kieran", "3.2 Kieran", ["3.2 Kieran"]),
        ("12 Elm Row", "12 Elm Row", ["12 Elm Row"]),
        ("J. Osei", "J. Osei", ["J. Osei"]),
        ("born in Ulm, near Trier", "in Ulm,", ["Ulm"]),
        ("he got £2,500. Then", "£2,500.", ["£2,500"]),
        ("write to a@b.org. Then", "a@b.org.", ["a@b.org"]),
        ("at Wick Ltd. in Ulm", "Wick Ltd.", ["Wick Ltd."]),
        ("read Of Mice and Men then", "Of Mice and Men", ["Of Mice and Men"]),
        ("The Court (Lord Wick, Lady Ulm and he)", "Court (Lord Wick", ["Court", "Lord Wick"]),
        ("the Unity Party (UP) won", "Unity Party (UP)", ["Unity Party (UP)"]),
        ("the Unity Party (UP) won", "Unity Party (", ["Unity Party ("]),
        ("to and from", "to and from", []),
    ],
)
def test_what_is_no_part_of_a_name_is_left_out(text: str, found: str, expected: list[str]) -> None:
    """Small words and stops at the edges are left; a bracket that isn't closed parts two names."""
    mentions = corrected(text, [mention(text, found, "ORG")])
    assert [item.span.of(text) for item in mentions] == expected
    assert all(item.p_mask == 0.9 for item in mentions)


@pytest.mark.parametrize(
    ("text", "found", "type", "expected"),
    [
        ("then Jackson 2.17.1 failed", "2.17", "DATETIME", []),
        ("then Jackson 2.17.1 failed", "17", "CODE", []),
        ("then Jackson 2.17.1 failed", "Jackson 2", "CODE", ["Jackson"]),
        ("fw 1.3.10 since Monday", "3.10", "DATETIME", []),
        ("fw 1.3.10 since Monday", ".10 since Monday", "DATETIME", ["Monday"]),
        ("v1.2.3.4 of", "1.2", "DATETIME", []),
        ("on Chrome/115.0.5790.171 he", "115.0.5790", "CODE", []),
        ("ref 12.345.6789 of", "12.345", "CODE", ["12.345"]),
        ("ref 12.345.6789 of", "6789", "CODE", ["6789"]),
        ("then Jackson 2.17.1 failed", "Jackson 2.17.1", "MISC", ["Jackson 2.17.1"]),
        ("on 12.05.2004 he", "12.05", "DATETIME", ["12.05"]),
        ("no 123.456.789 of", "456", "CODE", ["456"]),
        ("at 12.5 km", "12", "QUANTITY", ["12"]),
        ("born 3.5. in Ulm", "3.5", "DATETIME", ["3.5"]),
    ],
)
def test_a_part_of_a_version_is_no_part_of_a_mention(
    text: str, found: str, type: str, expected: list[str]
) -> None:
    """Three numbers and more with points; a date, groups of three digits, decimals and longer codes are none."""
    mentions = corrected(text, [mention(text, found, type)])
    assert [item.span.of(text).strip() for item in mentions] == expected


@pytest.mark.parametrize(
    ("text", "found", "kept"),
    [
        ("We may march on", "may march", False),
        ("We may march on", "may", False),
        ("they march on", "march", False),
        ("see you in may then", "may", True),
        ("in the end of march", "march", True),
        ("from april to may", "may", True),
        ("on 5 may he", "may", True),
        ("and march 2020 was", "march", True),
        ("It was May then", "May", True),
        ("and june was", "june", True),
        ("born\tmay\tUlm", "may", True),
        ("Month of birth: may", "may", True),
        ("may", "may", True),
        ("come what may.", "may", False),
        ("may I come", "may", False),
    ],
)
def test_a_month_that_is_a_verb_in_small_letters_is_none(text: str, found: str, kept: bool) -> None:
    """``may`` and ``march``, unless a word before them points to a month, a day or year is beside them, or no word is."""
    assert len(corrected(text, [mention(text, found, "DATETIME")])) == kept


def test_what_the_longer_name_covers_is_taken_in() -> None:
    """If the surname was a mention of its own, the two become one with the higher risk."""
    text = "Mr I. Thrilling wrote"
    first, second = mention(text, "Mr I."), mention(text, "Thrilling", "ORG")
    (only,) = corrected(
        text, [first, Mention(second.span, second.type, 0.95, 0.2, MentionSource.NEURAL)]
    )
    assert (only.span.of(text), only.p_mask, only.type) == (
        "Mr I. Thrilling",
        0.95,
        SemanticType.PERSON,
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("has Parkinson's disease", "Parkinson"),
        ("has Parkinson's disease", "Parkinson's disease"),
        ("after Guillain-Barré syndrome", "Guillain-Barré"),
        ("Hashimoto’s thyroiditis since", "Hashimoto’s"),
        ("by Bayes' theorem", "Bayes'"),
        ("non-Hodgkin lymphoma", "Hodgkin"),
    ],
)
def test_what_is_called_after_somebody_names_nobody(text: str, found: str) -> None:
    """Of a surname that stands nowhere else the recognizer's mention is dropped."""
    assert corrected(text, [mention(text, found)]) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Anna's disease got worse", "Anna"),
        ("Mr Berg's disease got worse", "Mr Berg"),
        ("Anna Berg's syndrome", "Anna Berg"),
        ("Berg's case", "Berg"),
        ("Berg wrote of the disease", "Berg"),
        ("Berg, disease unknown", "Berg"),
    ],
)
def test_whose_illness_it_is_is_a_mention(text: str, found: str) -> None:
    """A given name, a title, a full name, or another word after it."""
    assert [item.span.of(text) for item in corrected(text, [mention(text, found)])] == [found]


@pytest.mark.parametrize("words", ["and", "of the", "in", "he", "AOB", "TBC", "ta x", "lol"])
def test_function_words_name_nothing(words: str) -> None:
    """A mention of function words only is dropped."""
    text = f"came {words} left"
    assert corrected(text, [mention(text, words, "MISC")]) == ()


@pytest.mark.parametrize("word", ["IT", "May", "US", "and Co", "TA", "DM"])
def test_capitals_are_no_function_words(word: str) -> None:
    """The same letters in capitals may be a name."""
    text = f"came {word} left"
    assert len(corrected(text, [mention(text, word, "ORG")])) == 1


@pytest.mark.parametrize(
    ("text", "number", "kept"),
    [
        ("One.\n4. The end", "4", 0),
        ("4. The end", "4", 0),
        ("One.\n(b) The end", "b", 0),
        ("He had\n4 children", "4", 1),
        ("He had 4. Then", "4", 1),
        ("One.\n1994. The end", "1994", 1),
    ],
)
def test_numbers_of_list_items_are_no_mentions(text: str, number: str, kept: int) -> None:
    """A short number that opens a line and is closed by a dot or bracket counts items."""
    assert len(corrected(text, [mention(text, number, "QUANTITY")])) == kept


@given(text=st.text(alphabet="Mr I.Ab \n4", min_size=1, max_size=30), data=st.data())
def test_corrected_mentions_stay_in_order_and_in_the_text(text: str, data: st.DataObject) -> None:
    """Whatever is corrected, mentions neither overlap nor leave the text."""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    found = [
        Mention(Span(start, end), SemanticType.PERSON, 0.5, 0.1, MentionSource.NEURAL)
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    spans = [item.span for item in corrected(text, found)]
    assert all(left.end <= right.start for left, right in itertools.pairwise(spans))
    assert all(span.end <= len(text) for span in spans)
