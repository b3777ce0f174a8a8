"""The table of the linking rules, row by row."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from tacenda.document import Document, Mention, MentionSource, SemanticType, Span
from tacenda.link.linking import link
from tests.growth import assert_linear

Mark = Callable[..., tuple[Mention, ...]]


def _groups(mark: Mark, type: str, *surfaces: str, text: str | None = None) -> list[list[str]]:
    text = " ; ".join(surfaces) if text is None else text
    mentions = mark(text, *((surface, type) for surface in surfaces))
    entities = link(Document("d", text), mentions)
    return [[mention.span.of(text) for mention in entity.mentions] for entity in entities]


@pytest.mark.parametrize(
    ("type", "one", "other"),
    [
        ("PERSON", "Mr Galip Yalman", "Yalman"),
        ("PERSON", "Galip Yalman", "Mr YALMAN"),
        ("PERSON", "Galip Yalman", "G. Yalman"),
        ("PERSON", "Galip Yalman", "G.Y."),
        ("PERSON", "Galip Yalman", "Galip"),
        ("PERSON", "Galip Yalman", "Yalman, Galip"),
        ("PERSON", "Galip Yalman", "Galip Yalman’s"),
        ("PERSON", "Ayten Ünal Tekeli", "Mrs Ünal Tekeli"),
        ("PERSON", "Ayten Ünal Tekeli", "Ayten Tekeli"),
        ("PERSON", "Mr Ludwig van der Berg", "Mr van der Berg"),
        ("PERSON", "L.-E. Pettiti", "Mr Pettiti"),
        ("PERSON", "Wołąsiewicz", "Wolasiewicz"),
        ("PERSON", "Anna Maria Berg", "BERG, Anna"),
        ("PERSON", "Anna Berg", "BERG Anna"),
        ("PERSON", "Haruto Nakagawa", "Nakagawa Haruto"),
        ("PERSON", "Liselotte van Houten", "VAN HOUTEN/LISELOTTE MRS"),
        ("PERSON", "Josefina García Márquez", "García Márquez, Josefina"),
        ("PERSON", "Josefina García Márquez", "Sra. García"),
        ("PERSON", "Ana Lucía Fernández Ortega", "Ana Lucía"),
        ("PERSON", "Francisco Javier Molina Prieto", "Paco Molina"),
        ("PERSON", "Ivan Petrovich Sidorov", "Ivan Petrovich"),
        ("PERSON", "Ivan Petrovich Sidorov", "Sidorov I.P."),
        ("PERSON", "Yusuf ibn Ibrahim al-Rashid", "Al Rashid"),
        ("PERSON", "Elizabeth Marchetti", "Liz Marchetti"),
        ("PERSON", "Katarzyna Zielińska", "Kasia"),
        ("PERSON", "Funmilayo Oyelaran", "Funmi"),
        ("PERSON", "Chris Bellweather", "Chris B."),
        ("PERSON", "Wanjiru Kamau-Bright", "Ms Kamau"),
        ("PERSON", "Margaret Stanhope-Reyes", "Margaret Stanhope"),
        ("PERSON", "Krzysztof Wojciechowski", "Mr Wojciechowsky"),
        ("PERSON", "Elin Featherstonehaugh", "Mrs Fetherstonehaugh"),
        ("PERSON", "Xiaoming Wang", "Xiao Ming"),
        ("PERSON", "Jonathan Wright", "jwright"),
        ("PERSON", "Annika Holm", "annika_h"),
        ("PERSON", "Esha Mukherjee", "e.mukherjee"),
        ("PERSON", "jane.doe", "Jane+Doe"),
        ("PERSON", "Jane Doe", "Jane%20Doe"),
        ("PERSON", "Aunt Bettina", "Bettina Holm"),
        ("PERSON", "Chiara Toselli", "CT"),
        ("PERSON", "Jan-Kees Hoekstra", "Jan-Kees mee"),
        ("CODE", "4027/05", "4027 05"),
        ("ORG", "the Prison Service", "Prison Service’s"),
        ("ORG", "Prison-\nservice", "Prisonservice"),
        ("ORG", "Prison\nService", "prison service"),
        ("ORG", "Supreme Court (Oberster Gerichtshof)", "Oberster Gerichtshof"),
        ("LOC", "İzmir", "Izmir"),
        ("DATETIME", "3  May 2004", "3 May 2004"),
    ],
)
def test_one_entity(mark: Mark, type: str, one: str, other: str) -> None:
    """These two name the same."""
    assert _groups(mark, type, one, other) == [[one, other]]


@pytest.mark.parametrize(
    ("type", "one", "other"),
    [
        ("PERSON", "Ali Yalman", "Galip Yalman"),
        ("PERSON", "A. Yalman", "Galip Yalman"),
        ("PERSON", "Mr Smith", "Mrs Smith"),
        ("PERSON", "Mr John Smith", "Mrs Smith"),
        ("PERSON", "John Smith", "Mrs Smith"),
        ("PERSON", "Anna Berg", "Hanna Berg"),
        ("PERSON", "Eric Berg", "Erica"),
        ("PERSON", "Piotr Kowalski", "Kowalska"),
        ("PERSON", "Abu Hamza", "Umm Hamza"),
        ("PERSON", "Abu Hamza", "Hamza Saleh"),
        ("PERSON", "Tom Hadley", "Hadley senior"),
        ("PERSON", "Tobias Brandl", "tobias.engler"),
        ("PERSON", "John Adam Smith", "John Brian Smith"),
        ("PERSON", "Mr and Mrs Smith", "Mr Smith"),
        ("PERSON", "John and Mary Smith", "John Smith"),
        ("PERSON", "G.Y.", "A.Y."),
        ("CODE", "4027/05", "4027/06"),
        ("ORG", "Prison Service", "Prison Services"),
        ("DATETIME", "3 May 2004", "May 2004"),
        ("QUANTITY", "two", "2"),
    ],
)
def test_two_entities(mark: Mark, type: str, one: str, other: str) -> None:
    """These two are kept apart."""
    assert _groups(mark, type, one, other) == [[one], [other]]


def test_bare_surname_goes_to_the_most_mentioned(mark: Mark) -> None:
    """Of several people with a surname the one with most mentions gets it alone."""
    found = _groups(mark, "PERSON", "Ali Yalman", "Galip Yalman", "Mr Galip Yalman", "Yalman")
    assert found == [["Ali Yalman"], ["Galip Yalman", "Mr Galip Yalman", "Yalman"]]


def test_then_to_the_nearest(mark: Mark) -> None:
    """Between equally many mentions the distance decides."""
    found = _groups(mark, "PERSON", "Ali Yalman", "Galip Yalman", "Yalman")
    assert found == [["Ali Yalman"], ["Galip Yalman", "Yalman"]]


def test_title_goes_to_whom_it_fits(mark: Mark) -> None:
    """A title decides before the number of mentions does."""
    found = _groups(mark, "PERSON", "Mr John Smith", "John Smith", "Mrs Mary Smith", "Mrs Smith")
    assert found == [["Mr John Smith", "John Smith"], ["Mrs Mary Smith", "Mrs Smith"]]


def test_a_couple_without_titles_of_their_own(mark: Mark) -> None:
    """Where titles do not tell which Smith is meant, each title is an entity of its own."""
    found = _groups(mark, "PERSON", "J. Smith", "M. Smith", "Mr Smith", "Mrs Smith", "Mr. Smith")
    assert found == [["J. Smith"], ["M. Smith"], ["Mr Smith", "Mr. Smith"], ["Mrs Smith"]]


def test_given_names_tell_a_couple(mark: Mark) -> None:
    """A given name of one gender takes the title of that gender."""
    groups = _groups(mark, "PERSON", "John Smith", "Mary Smith", "Mrs Smith", "Mr Smith")
    assert groups == [["John Smith", "Mr Smith"], ["Mary Smith", "Mrs Smith"]]


def test_title_before_a_mention_counts(mark: Mark) -> None:
    """A title that was left out of the mention still tells the gender."""
    text = "Peter Berg, Anna Holm-Berg. Today Ms Berg called."
    groups = _groups(mark, "PERSON", "Peter Berg", "Anna Holm-Berg", "Berg", text=text)
    assert groups == [["Peter Berg"], ["Anna Holm-Berg", "Berg"]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("First name: Anna\nSurname: Berg", ["Anna", "Berg"]),
        ('{"last_name": "Berg", "first_name": "Anna"}', ["Berg", "Anna"]),
        ("id,surname,forename\n1,Berg,Anna\n", ["Berg", "Anna"]),
        ("| First name | Last name |\n|---|---|\n| Anna | Berg |", ["Anna", "Berg"]),
        ("N:Berg;Anna;;;", ["Berg", "Anna"]),
        ("BERG, Anna was here", ["BERG", "Anna"]),
        ("Prof. Anna Berg", ["Prof. Anna", "Berg"]),
        ("Anna Berg, also known as Nana Wolff", ["Anna Berg", "Nana Wolff"]),
        ("Anders Berggren (AB)", ["Anders Berggren", "AB"]),
    ],
)
def test_words_between_make_one_person(mark: Mark, text: str, names: list[str]) -> None:
    """Fields of one record, halves of one name and aliases are one person's."""
    assert _groups(mark, "PERSON", *names, text=text) == [names]


def test_fields_keep_people_of_one_surname_apart(mark: Mark) -> None:
    """A row gives its given name its surname, and the next row another person."""
    text = "surname,forename\nBerg,Anna\nBerg,Jonas\nNote: Jonas Berg and Anna Berg"
    groups = _groups(
        mark, "PERSON", "Berg", "Anna", "Berg", "Jonas", "Jonas Berg", "Anna Berg", text=text
    )
    assert ["Jonas", "Jonas Berg"] in [
        [name for name in group if name != "Berg"] for group in groups
    ]


def test_neighbours_in_a_list_are_two(mark: Mark) -> None:
    """A comma alone makes no one name of two."""
    assert _groups(mark, "PERSON", "Nazar", "Krystyna", text="Nazar, Krystyna") == [
        ["Nazar"],
        ["Krystyna"],
    ]


def test_initial_and_surname_of_two_people_are_neither(mark: Mark) -> None:
    """An initial that fits two cousins is an entity of its own."""
    groups = _groups(mark, "PERSON", "Peter Holm", "Paul Holm", "P. Holm")
    assert groups == [["Peter Holm"], ["Paul Holm"], ["P. Holm"]]


@pytest.mark.parametrize(
    ("surface", "type", "kind", "joined"),
    [
        ("fatou.ndiaye", "CODE", "user_name", True),
        ("fatou.ndiaye", "CODE", "", False),
        ("Ndiaye", "ORG", "", True),
        ("Ndiaye", "LOC", "", False),
        ("NDIAYE Fatou", "MISC", "", True),
        ("Ndiaye", "DEM", "", False),
        ("Ndiaye", "QUANTITY", "", False),
    ],
)
def test_other_types_that_name_a_person(
    mark: Mark, surface: str, type: str, kind: str, joined: bool
) -> None:
    """User names and names taken for something else join the person, who stays a PERSON."""
    text = f"Fatou Ndiaye; {surface}"
    person, peer = mark(text, ("Fatou Ndiaye", "PERSON"), (surface, type))
    peer = replace(peer, p_mask=1.0, p_direct=1.0, kind=kind)
    entities = link(Document("d", text), (person, peer))
    assert [entity.type for entity in entities] == (["PERSON"] if joined else ["PERSON", type])


def test_one_title_tells_the_other(mark: Mark) -> None:
    """Once one of a couple has a title, the other title is the other one's."""
    found = _groups(mark, "PERSON", "Mr John Smith", "Mary Smith", "Mrs Smith", "Mr Smith")
    assert found == [["Mr John Smith", "Mr Smith"], ["Mary Smith", "Mrs Smith"]]


def test_a_title_without_its_counterpart(mark: Mark) -> None:
    """With one title only, the most mentioned person of that surname has it."""
    found = _groups(mark, "PERSON", "John Smith", "Mary Smith", "John Smith", "Mr Smith")
    assert found == [["John Smith", "John Smith", "Mr Smith"], ["Mary Smith"]]


def test_initials_of_two_people_are_neither(mark: Mark) -> None:
    """Initials that fit two people are an entity of their own."""
    found = _groups(mark, "PERSON", "Galip Yalman", "Gül Yılmaz", "G.Y.")
    assert found == [["Galip Yalman"], ["Gül Yılmaz"], ["G.Y."]]


@pytest.mark.parametrize(
    ("text", "long", "short"),
    [
        ("the Prison Service (PS). PS", "Prison Service", "PS"),
        (
            "European Court of Human Rights (“the ECHR”): ECHR",
            "European Court of Human Rights",
            "ECHR",
        ),
        ("Kurdistan Workers’ Party (hereinafter “PKK”), PKK", "Kurdistan Workers’ Party", "PKK"),
    ],
)
def test_acronym_joins_its_definition(mark: Mark, text: str, long: str, short: str) -> None:
    """An acronym in parentheses after a name names the same organisation."""
    assert _groups(mark, "ORG", long, short, short, text=text) == [[long, short, short]]


def test_acronym_before_its_definition(mark: Mark) -> None:
    """An acronym may come first and be spelt out in parentheses."""
    text = "the PS (Prison Service)"
    assert _groups(mark, "ORG", "PS", "Prison Service", text=text) == [["PS", "Prison Service"]]


def test_country_code_is_no_acronym_of_a_place(mark: Mark) -> None:
    """A place joins an acronym only if it spells it."""
    assert _groups(mark, "LOC", "Kraków", "PL", text="Kraków (PL)") == [["Kraków"], ["PL"]]


def test_equal_strings_of_two_types_are_one(mark: Mark) -> None:
    """A string is one entity whatever its types, with the most certain one."""
    text = "Turkey and Turkey"
    one, other = mark(text, ("Turkey", "ORG"), ("Turkey", "LOC"))
    entities = link(Document("d", text), (replace(one, p_mask=0.5, p_direct=0.1), other))
    assert [(entity.type, len(entity.mentions)) for entity in entities] == [("LOC", 2)]


def test_a_place_that_describes_somebody_once_is_a_place(mark: Mark) -> None:
    """A Djibouti national, written of twice as living in Djibouti, lives in no nationality."""
    text = "A Djibouti national lives in Djibouti, and never left Djibouti."
    found = mark(text, ("Djibouti", "DEM"), ("Djibouti", "LOC"), ("Djibouti", "LOC"))
    said = [replace(item, p_mask=0.9 if item.type == "DEM" else 0.7) for item in found]
    (entity,) = link(Document("d", text), said)
    assert entity.type is SemanticType.LOC
    (entity,) = link(Document("d", text), said[:2])
    assert entity.type is SemanticType.DEM


def test_names_and_numbers_follow_the_text(mark: Mark) -> None:
    """Ids count entities, numbers those of a type, both by first mention."""
    text = "Ali Yalman, Ankara, Mehmet Kaya, Yalman"
    mentions = mark(
        text,
        ("Ali Yalman", "PERSON"),
        ("Ankara", "LOC"),
        ("Mehmet Kaya", "PERSON"),
        ("Yalman", "PERSON"),
    )
    entities = link(Document("d", text), mentions)
    assert [(entity.id, entity.type, entity.number) for entity in entities] == [
        ("e1", "PERSON", 1),
        ("e2", "LOC", 1),
        ("e3", "PERSON", 2),
    ]


@pytest.mark.parametrize("names", ["same surname", "same given name", "same initials", "free"])
def test_thousands_of_mentions_take_linear_time(names: str) -> None:
    """Linking stays near-linear when all names look for the same people."""
    assert_linear(lambda size: _link_people(names, size), 1_500)


def _link_people(names: str, size: int) -> None:
    shuffle = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"

    def word() -> str:
        return "".join(shuffle.choices(letters, k=7)).title()

    make: Callable[[], str] = {
        "same surname": lambda: f"{word()} Yalman",
        "same given name": lambda: f"Galip {word()}",
        "same initials": lambda: f"{shuffle.choice(letters)}.{shuffle.choice(letters)}. Yalman",
        "free": lambda: f"{word()} {word()}",
    }[names]
    pieces, mentions, position = [], [], 0
    for _ in range(size):
        name = make()
        pieces.append(name)
        span = Span(position, position + len(name))
        mentions.append(Mention(span, SemanticType.PERSON, 0.9, 0.1, MentionSource.NEURAL))
        position += len(name) + 2
    entities = link(Document("d", "; ".join(pieces)), mentions)
    assert sum(len(entity.mentions) for entity in entities) == size


def test_two_hyphens_have_no_part_of_a_name_between_them(mark: Mark) -> None:
    """People whose surnames were written so are two, as those of any other surname."""
    assert len(_groups(mark, "PERSON", "Anna Berg--Ost", "Otto Berg--Ost")) == 2


def test_one_huge_word() -> None:
    """A mention of a million letters is linked."""

    def linked(size: int) -> None:
        mention = Mention(Span(0, size), SemanticType.PERSON, 0.9, 0.1, MentionSource.NEURAL)
        assert len(link(Document("d", "a" * size), (mention,))) == 1

    assert_linear(linked, 250_000)


def test_no_mentions_no_entities() -> None:
    """An empty document has no entities."""
    assert link(Document("d", ""), ()) == ()
