"""Mentions of the recognizer that end within a word or a name."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.detect.mention_ends import finished
from tacenda.document import Mention, MentionSource, SemanticType, Span
from tests.examples import for_each


def mention(text: str, string: str, type: str = "PERSON") -> Mention:
    """Return a mention of the first occurrence of ``string``."""
    start = text.index(string)
    return Mention(
        Span(start, start + len(string)), SemanticType(type), 0.9, 0.1, MentionSource.NEURAL
    )


@for_each(
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
    assert [item.span.of(text) for item in finished(text, [mention(text, found)])] == [expected]


@for_each(
    ("text", "found", "expected"),
    [
        ("Leonies Bruder Mattis", "Leonies Bruder", "Leonies"),
        ("Axels kusin Ebba", "Axels kusin", "Axels"),
        ("Anna’s sister", "Anna’s sister", "Anna’s"),
        ("Olę i Kubę", "Olę i", "Olę"),
        ("Tom and Ada Berg", "Tom and", "Tom"),
        ("Tom and Ada Berg", "Tom and Ada Berg", "Tom and Ada Berg"),
    ],
)
def test_a_person_ends_before_a_conjunction_and_before_kin_of_theirs(
    text: str, found: str, expected: str
) -> None:
    """What is left out names nobody; a conjunction between two names stays."""
    assert [item.span.of(text) for item in finished(text, [mention(text, found)])] == [expected]


@for_each(
    ("text", "type", "expected"),
    [
        ("Bruder Mattis", "PERSON", ["Mattis"]),
        ("Daughter Claire", "PERSON", ["Claire"]),
        ("wife Mrs Okafor", "PERSON", ["Mrs Okafor"]),
        ("WIFE NGOZI", "PERSON", ["NGOZI"]),
        ("sister Grace", "PERSON", ["Grace"]),
        ("Sister Grace", "PERSON", ["Sister Grace"]),
        ("Schwester Wiebke", "PERSON", ["Schwester Wiebke"]),
        ("mother-in-law Ada", "PERSON", ["Ada"]),
        ("Stepson Ben", "PERSON", ["Ben"]),
        ("D/W Hope", "PERSON", ["Hope"]),
        ("kuzynka Ola", "PERSON", ["Ola"]),
        ("Frau Müller", "PERSON", ["Frau Müller"]),
        ("King Charles", "PERSON", ["King Charles"]),
        ("Dr Friend", "PERSON", ["Dr Friend"]),
        ("Son Heung-min", "PERSON", ["Son Heung-min"]),
        ("Friend, Thomas", "PERSON", ["Friend, Thomas"]),
        ("Mari Jones", "PERSON", ["Mari Jones"]),
        ("Daughter", "PERSON", ["Daughter"]),
        ("Wife Group", "ORG", ["Wife Group"]),
        ("DVT 3/24", "DATETIME", ["3/24"]),
        ("NSTEMI 2019", "DATETIME", ["2019"]),
        ("MAY 2019", "DATETIME", ["MAY 2019"]),
        ("MON 3/24", "DATETIME", ["MON 3/24"]),
        ("TP 1953", "DATETIME", ["TP 1953"]),
        ("Mvh Lone Thorsager", "PERSON", ["Lone Thorsager"]),
        ("Kind regards Anna", "PERSON", ["Anna"]),
        ("to Bactrim", "DEM", ["Bactrim"]),
        ("A38 near", "LOC", ["A38"]),
        ("to brædder", "DEM", ["to brædder"]),
        ("Diocese of", "LOC", ["Diocese of"]),
        ("The Bell at", "ORG", ["The Bell"]),
        ("k, at", "LOC", []),
    ],
)
def test_a_mention_begins_after_the_word_for_what_it_is(
    text: str, type: str, expected: list[str]
) -> None:
    """Kin of somebody, and what happened on a day; titles and surnames stay."""
    assert [item.span.of(text) for item in finished(text, [mention(text, text, type)])] == expected


def test_a_word_of_kin_alone_is_no_mention_before_a_name() -> None:
    """If the recognizer takes word and name for two people, one is left."""
    text = "Son Ben present"
    (only,) = finished(text, [mention(text, "Son"), mention(text, "Ben")])
    assert only.span.of(text) == "Ben"


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("a 93-year-old woman", "93-year-", "93-year-old"),
        ("the London-based firm", "London-", "London-based"),
        ("from London- and Leeds", "London-", "London-"),
        ("a bonus of 4%, paid", "4", "4%"),
        ("fell to 5.25 per cent in May", "5.25", "5.25 per cent"),
    ],
)
def test_a_mention_that_stops_at_a_hyphen_takes_the_rest_of_the_word(
    text: str, found: str, expected: str
) -> None:
    """Half a word with a hyphen can't be read, and may say what the other half is."""
    mentions = finished(text, [mention(text, found, "DEM")])
    assert [item.span.of(text) for item in mentions] == [expected]


def test_what_the_longer_name_covers_is_taken_in() -> None:
    """If the surname was a mention of its own, the two become one with the higher risk."""
    text = "Mr I. Thrilling wrote"
    first, second = mention(text, "Mr I."), mention(text, "Thrilling", "ORG")
    (only,) = finished(
        text, [first, Mention(second.span, second.type, 0.95, 0.2, MentionSource.NEURAL)]
    )
    assert (only.span.of(text), only.p_mask, only.type) == (
        "Mr I. Thrilling",
        0.95,
        SemanticType.PERSON,
    )


@for_each(
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
    assert finished(text, [mention(text, found)]) == ()


@for_each(
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
    assert [item.span.of(text) for item in finished(text, [mention(text, found)])] == [found]


@for_each("words", ["and", "of the", "in", "he", "AOB", "TBC", "ta x", "lol"])
def test_function_words_name_nothing(words: str) -> None:
    """A mention of function words only is dropped."""
    text = f"came {words} left"
    assert finished(text, [mention(text, words, "MISC")]) == ()


@for_each("word", ["IT", "May", "US", "and Co", "TA", "DM"])
def test_capitals_are_no_function_words(word: str) -> None:
    """The same letters in capitals may be a name."""
    text = f"came {word} left"
    assert len(finished(text, [mention(text, word, "ORG")])) == 1


@given(text=st.text(alphabet="Mr I.Ab \n4", min_size=1, max_size=30), data=st.data())
def test_finished_mentions_stay_in_order_and_in_the_text(text: str, data: st.DataObject) -> None:
    """However long they grow, mentions neither overlap nor leave the text."""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    found = [
        Mention(Span(start, end), SemanticType.PERSON, 0.5, 0.1, MentionSource.NEURAL)
        for start, end in zip(cuts[::2], cuts[1::2], strict=False)
    ]
    spans = [item.span for item in finished(text, found)]
    assert all(left.end <= right.start for left, right in itertools.pairwise(spans))
    assert all(span.end <= len(text) for span in spans)


@for_each(
    ("string", "people"),
    [
        ("Anna Berg, Tom Lee", ["Anna Berg", "Tom Lee"]),
        ("anna, tom", ["anna", "tom"]),
        ("kovacs/silva/adeyemi", ["kovacs", "silva", "adeyemi"]),
        ("NOVAK, SZABO, OKAFOR", ["NOVAK", "SZABO", "OKAFOR"]),
        ("King, Martin Luther, Jr", ["King, Martin Luther, Jr"]),
        ("NOVAK v SZABO", ["NOVAK", "SZABO"]),
        ("Berg, Anna", ["Berg, Anna"]),
        ("ROUVIÈRE Gaston, M", ["ROUVIÈRE Gaston, M"]),
        ("John Pringle, Jr", ["John Pringle, Jr"]),
        ("heer/mevrouw Terpstra", ["heer/mevrouw Terpstra"]),
        ("S/N Achterberg", ["S/N Achterberg"]),
    ],
)
def test_several_people_are_one_mention_each(string: str, people: list[str]) -> None:
    """A surname before its given names, a suffix and two forms of address are of one person."""
    text = f"Present: {string}."
    mention = Mention(Span(9, 9 + len(string)), SemanticType.PERSON, 0.9, 0.9, MentionSource.NEURAL)
    assert [item.span.of(text) for item in finished(text, [mention])] == people


def test_a_list_of_surnames_is_of_several_people() -> None:
    """A comma after the mention says that the one within it parts people, too."""
    text = "Invited: Novak, Szabo, Okafor"
    mentions = [
        Mention(Span(*span), SemanticType.PERSON, 0.9, 0.9, MentionSource.NEURAL)
        for span in ((9, 21), (23, 29))
    ]
    assert [item.span.of(text) for item in finished(text, mentions)] == ["Novak", "Szabo", "Okafor"]


@for_each(
    ("text", "found"),
    [
        ("the landlord and my GP agreed", "GP"),
        ("seen by the SHO at ten", "SHO"),
        ("M. Okello (Chair), Bev", "Chair"),
        ("Anna Berg (deputy manager)", "deputy manager"),
        ("10:02 Me: not yet", "Me"),
        ("CV. Iker Etxeberria", "CV."),
        ("np xx\nsee u", "np xx"),
        ("back, soz", "soz"),
        ("DOB 3/4, NOK wife", "NOK"),
        ("Per og Kari", "og"),
        ("Cheers,Anneliese", "Cheers"),
        ("name,dob,score", "dob"),
    ],
)
def test_posts_roles_and_shorthand_name_no_one(text: str, found: str) -> None:
    """They are no names of people, whatever the recognizer says."""
    assert finished(text, [mention(text, found)]) == ()


@for_each(
    ("text", "found"),
    [
        ("my PC Iqbal", "PC Iqbal"),
        ("told MO and GP", "GP"),
        ("Anna Smith (Bishop)", "Bishop"),
        ("GP: not yet", "GP"),
        ("NP said", "NP"),
        ("Mei: not yet", "Mei"),
        ("JS. Anna Berg", "JS."),
        ("met ty and bo", "ty"),
    ],
)
def test_initials_and_names_like_posts_stay(text: str, found: str) -> None:
    """Capitals may be initials, unless a word before them says that they are a post."""
    assert [item.span.of(text) for item in finished(text, [mention(text, found)])] == [found]


@pytest.mark.parametrize(
    ("text", "word", "is_name"),
    [
        ("Frank talk was needed.", "Frank", False),
        ("Frank talks a lot.", "Frank", True),
        ("Frank Talk & Co", "Frank", True),
        ("Grant applications are open.", "Grant", False),
        ("Grant applied.", "Grant", True),
        ("Grace periods are common.", "Grace", False),
        ("Grace period-dramas", "Grace", False),
        ("Pat answers the phone.", "Pat", True),
        ("There is a Bill to pay.", "Bill", False),
        ("There is a Bill to see you.", "Bill", True),
        ("There is a Bill Toomey.", "Bill", True),
        ("He left a Mark on the wall.", "Mark", False),
        ("He left Mark on the wall.", "Mark", True),
        ("A Mark from accounts rang.", "Mark", True),
    ],
)
def test_a_name_that_is_a_word_names_nobody_where_it_is_the_word(
    text: str, word: str, is_name: bool
) -> None:
    """Before the noun that it describes, and after an article with what it is for."""
    assert bool(finished(text, [mention(text, word)])) is is_name
