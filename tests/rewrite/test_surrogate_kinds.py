"""Surrogates typed by what is there: people, places, organisations, dates and contacts of one text."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stdnum import luhn

from tacenda.document import Document
from tacenda.models.tables import load_substitutes
from tacenda.rewrite.surrogate.cultures import culture_of, gender_of, is_name, options
from tacenda.rewrite.surrogate.places import known_town, peers
from tacenda.text.normal_form import fold_text, name_key
from tests.building import entity, mention
from tests.examples import for_each

from .test_surrogate import surrogates


@cache
def countries(kind: str) -> dict[str, set[str]]:
    """Return the countries of each town or university by its name."""
    found: dict[str, set[str]] = {}
    for row in substitutes()[kind]:
        found.setdefault(row.name, set()).add(row.country)
    return found


substitutes = cache(load_substitutes)
town_names = st.deferred(lambda: st.sampled_from(sorted(countries("town"))))


def written(text: str, *items: tuple[str, str], key: bytes = b"k" * 32) -> list[str]:
    """Return what becomes of strings with their types, each an entity of its own."""
    document = Document("d", text)
    entities = [
        entity(f"e{n}", mention(document, string, type), number=n)
        for n, (string, type) in enumerate(items, start=1)
    ]
    return surrogates(document, *entities, key=key)


@given(name=town_names, key=st.binary(min_size=16, max_size=16))
def test_a_town_becomes_another_town_of_its_country(name: str, key: bytes) -> None:
    """Or the tag, where its name may be something else; never itself or one that sounds like it."""
    (output,) = written(f"She lives in {name}.", (name, "LOC"), key=key)
    town = known_town(name, "  ")
    if town is None:
        assert output == "[PLACE 1]"
    else:
        assert output.startswith("[") or town.country in countries("town")[output]
        assert name_key(output) != name_key(name)


def test_a_british_text_means_no_namesake_overseas() -> None:
    """Halifax is not the one of Nova Scotia, unless the text names that."""
    assert known_town("Halifax", " needle exchange in halifax british ") is None
    overseas = known_town("Halifax", " he moved from britain to halifax nova scotia canada ")
    assert overseas is not None
    assert overseas.country == "canada"


def test_a_town_is_about_as_large_and_near() -> None:
    """Of the largest towns of the region where it has many, of the country where it has few."""
    town = known_town("Bergen", " he moved from bergen to oslo norway ")
    assert town is not None
    assert town.country == "norway"
    sizes = {row.name: row.size for row in substitutes()["town"] if row.country == "norway"}
    assert all(abs(sizes[name] - town.size) < 1 for name in peers(town, "bergen"))


@pytest.mark.parametrize(("name", "division"), [("Cardiff", "WLS"), ("Perth", "SCT")])
def test_a_town_stays_in_its_part_of_the_country(name: str, division: str) -> None:
    """A release on licence isn't moved to another jurisdiction."""
    town = known_town(name, f" {name.casefold()} dundee scotland wales ")
    assert town is not None
    divisions = {
        row.name: row.division for row in substitutes()["town"] if row.country == town.country
    }
    assert {divisions[peer] for peer in peers(town, name.casefold())} == {division}


def test_a_base_abroad_is_no_town_of_the_country() -> None:
    """Dhekelia is British, and on Cyprus."""
    assert known_town("Dhekelia", " he served at dhekelia british ") is None


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("23rd Avenue", r"\d\d(?:st|nd|rd|th) Avenue"),
        ("1409 S. Prairie Ave.", r"\d{4} S\. [A-Z][a-z]+ Ave\."),
        ("8 Weavers' Row", r"\d [A-Z][\w-]+ Row"),
        ("3.º D, 45600 Talavera de la Reina", r"\d\.º D, \d{5} [^,]+"),
    ],
)
def test_an_address_keeps_its_form(address: str, form: str) -> None:
    """Ordinals stay ordinals, a letter isn't a name, and an apostrophe goes with its name."""
    document = Document("d", f"He lives at {address}")
    item = mention(document, address, "LOC", kind="street_address")
    (fake,) = surrogates(document, entity("e1", item))
    assert re.fullmatch(form, fake)


# The string in brackets has no surrogate.
TAGS = {
    ("LOC", "PLACE"): """The Treaty of [Lisbon] entered into force. | She ran the [Boston] Marathon.
        | He was Archdeacon of [Bristol]. | They went to [New York]. | They left [Georgia]. | It was at the [Drammen].""",
    ("ORG", "ORGANISATION"): """It went to the [Supreme Court]. | The [Ministry of Finance] paid.
        | It went to the [Supreme Court of Norway]. | The [Labour Party] won. | The [Court of Cassation] sat.
        | The [Bank of England] paid. | The [Constitutional Court] sat. | The [Third Section] sat. | The [United Nations] met.""",
    (
        "PERSON",
        "PERSON",
    ): """There [Secretary of State] came. | There [U.S. Senator] came. | There [Deputy Secretary] came.
        | There [Minister] came. | There [Mr. President] came. | There [Madam Speaker] came.
        | There [line photographer] came. | There [VI-D-iv] came. | There [United States] came.""",
    (
        "DATETIME",
        "DATE",
    ): """He rowed at the [1996] Summer Olympics. | They won the [2013] World Series.
        | She was at Expo [2000] then. | See Smith ([1991]) for more. | On Christmas, [25 December 1994], he left.
        | Following the adoption of the new Civil Code on [3 May 1994], he left. | In the winter, on [3 January 1994], he left.
        | In Berg v. Norway (judgment of [3 May 1994]) it was said.""",
}


@for_each(
    ("type", "tag", "marked"),
    [(*kind, text) for kind, texts in TAGS.items() for text in texts.split("|")],
)
def test_what_there_is_only_one_of_is_a_tag(type: str, tag: str, marked: str) -> None:
    """A thing, an office, a role or the date of an event: another one would be another fact."""
    string = marked.partition("[")[2].partition("]")[0]
    text = marked.replace("[", "").replace("]", "").strip()
    assert written(text, (string, type)) == [f"[{tag} 1]"]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("Hansen Logistics AS", r"[\w-]+ Logistics AS"),
        ("Baker & Sons", r"[\w-]+ & Sons"),
        ("St Anne's Hospital", r"St [\w-]+'s Hospital"),
        ("Lublin District Court", r"[\w -]+ District Court"),
        ("LUBLIN DISTRICT COURT", r"[A-ZĄĆĘŁŃÓŚŹŻ -]+ DISTRICT COURT"),
    ],
)
def test_an_organisation_keeps_its_kind_and_form(name: str, form: str) -> None:
    """The name in it becomes another; legal form and kind stay."""
    (output,) = written(f"It went to {name}, they said.", (name, "ORG"))
    assert re.fullmatch(form, output)
    assert output != name


def test_a_university_is_another_one_of_the_country_in_the_same_form() -> None:
    """Where its name begins with the word, so does the other."""
    (first,) = written("She was at the University of Bergen then.", ("University of Bergen", "ORG"))
    (second,) = written("He was at Stanford University then.", ("Stanford University", "ORG"))
    assert first.startswith("University of ")
    assert countries("university")[first] == {"norway"}
    assert second.endswith("University")
    assert countries("university")[second] == {"united states"}


def test_the_town_in_the_name_of_a_court_is_the_one_in_the_text() -> None:
    """Where the town stands alone and in a longer name, it becomes one town."""
    town, court = written(
        "He lives in Lublin, Poland. The Lublin District Court ruled.",
        ("Lublin", "LOC"),
        ("Lublin District Court", "ORG"),
    )
    assert court == f"{town} District Court"


def test_a_role_beside_a_name_is_the_tag_where_it_stands_alone() -> None:
    """Whoever is called Secretary Lindqvist in one place has no surname Secretary."""
    document = Document("d", "Deputy Secretary Anna Lindqvist came. The Deputy Secretary left.")
    item = entity(
        "e1",
        mention(document, "Anna Lindqvist"),
        mention(document, "Deputy Secretary", nth=1),
    )
    name, role = surrogates(document, item)
    assert not name.startswith("[")
    assert role == "[PERSON 1]"


def test_an_office_before_a_name_stays_like_a_title() -> None:
    """The surname is the one that stands alone elsewhere."""
    document = Document("d", "Senator Lindqvist came. LINDQVIST, he said. Jon Lindqvist left.")
    strings = ("Senator Lindqvist", "LINDQVIST", "Jon Lindqvist")
    item = entity("e1", *(mention(document, string) for string in strings))
    office, capitals, whole = surrogates(document, item)
    assert office == f"Senator {whole.split()[1]}"
    assert capitals == whole.split()[1].upper()


@pytest.mark.parametrize(
    ("name", "said", "culture"),
    [
        ("Nuri Akalın", "a Turkish national", "tr_TR"),
        ("Aron Xyzzer", "a Dutch television maker", "nl_NL"),
        ("Hwang Hee-Chan", "a Swedish newspaper wrote", "ko"),
        ("Paul Smith", "a Chinese friend of his", "en_GB"),
    ],
)
def test_the_culture_is_said_by_the_name_then_by_the_text(
    name: str, said: str, culture: str
) -> None:
    """What the lists know of a name counts more than what stands around it."""
    given, surname = fold_text(name).split()
    if culture == "ko":
        given, surname = surname, given
    assert culture_of(name, (given,), surname, (said,)) == culture


@pytest.mark.parametrize(
    ("text", "gender"),
    [
        (
            "Qorlan Smith spoke. She said that her work was done. Qorlan Smith left when she could.",
            "f",
        ),
        (
            "Qorlan Smith spoke. He said that his work was done. Qorlan Smith left when he could.",
            "m",
        ),
        ("He came with his wife Qorlan Smith to us.", "f"),
        ("He came. Wife Qorlan Smith to call.", "f"),
    ],
)
def test_a_name_of_unknown_gender_has_that_of_the_pronouns(text: str, gender: str) -> None:
    """And of the kin before it; so no "Lisa" is a he."""
    name = re.findall(r"Qorlan [A-Z][a-z]+(?= (?:spoke|to))", text)[0]
    document = Document("d", text)
    item = entity("e1", *(mention(document, name, nth=n) for n in range(text.count(name + " "))))
    output = surrogates(document, item)[0]
    assert gender_of(fold_text(output.split()[0]), "") == gender


@given(
    body=st.text("0123456789", min_size=12, max_size=15), key=st.binary(min_size=16, max_size=16)
)
def test_check_digits_are_right(body: str, key: bytes) -> None:
    """Of whatever card number, the one written has its check digit and no issuer."""
    number = f"4{body}"
    number += luhn.calc_check_digit(number)
    document = Document("d", f"Paid by {number} today")
    item = entity("e1", mention(document, number, "CODE", kind="card"))
    (output,) = surrogates(document, item, key=key)
    assert output == "[CODE 1]" or (luhn.is_valid(output) and output.startswith("9999"))
    assert output != number


def test_dates_of_one_year_stay_in_one_year_and_nobody_acts_as_a_child() -> None:
    """A month and a day in it agree; who was of age at the next date is of age."""
    text = "Born on 3 May 1970. In May 2007 he came; on 6 May 2007 he left. He died in 2019."
    strings = ["3 May 1970", "May 2007", "6 May 2007", "2019"]
    for key in (bytes([n]) * 16 for n in range(12)):
        born, month, day, died = written(text, *((one, "DATETIME") for one in strings), key=key)
        years = [int(one[-4:]) for one in (born, month, day, died)]
        assert years[1] == years[2]
        assert day.split()[1] == month.split()[0]
        assert years[1] - years[0] >= 16
        assert years[0] < years[1] < years[3] <= 2019
        assert years[3] >= 2019 - 7, "out of its time"


def test_moved_dates_keep_their_order_with_those_that_stay() -> None:
    """What isn't masked is a fixed point."""
    from tacenda.document import Decision, IdentifierType
    from tacenda.rewrite.surrogate.operator import Surrogate
    from tests.building import reason

    document = Document("d", "In 1990, in 1999, in 2003 and in 2015.")
    items = [
        entity(f"e{n}", mention(document, year, "DATETIME"))
        for n, year in enumerate(("1990", "1999", "2003", "2015"))
    ]
    masked = [True, True, False, True]
    decided = [
        Decision(item, mask, "surrogate", IdentifierType.QUASI, 0.9, (reason(),))
        for item, mask in zip(items, masked, strict=True)
    ]
    for key in (bytes([n]) * 16 for n in range(8)):
        operator = Surrogate(key, document, decided)
        outputs = [
            operator.write(document, item, item.mentions[0].span)
            for item, mask in zip(items, masked, strict=True)
            if mask
        ]
        first, second, last = (int(one) for one in outputs if not one.startswith("["))
        assert first < second <= 2003 <= last


def test_names_of_english_lists_read_as_english_names() -> None:
    """No name of another culture, no word, and of one gender."""
    pools = [options("en_GB", True, gender, False) for gender in "mf"]
    assert set(pools[0]).isdisjoint(pools[1])
    surnames = options("en_US", True, "m", True)
    assert {"Garcia", "Nguyen", "Wang", "Khan", "Bishop", "Hill"}.isdisjoint(surnames)
    assert all(is_name(fold_text(name), latin=True) for name in surnames)
