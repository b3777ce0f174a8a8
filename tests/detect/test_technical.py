"""Names of machines, software and products: they stay, and people who share them don't."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest

from tacenda.detect.technical import without_technical_names
from tacenda.document import Mention, MentionSource, SemanticType, Span
from tacenda.shipped import shipped_table
from tacenda.text.word_lists import word_list_of
from tests.examples import for_each

DRAWS = int(os.environ.get("TACENDA_DRAWS", "200"))
_ADJECTIVES = "brisk copper silent golden lucid quiet rapid fuzzy crimson hollow frosty misty bold eager late long".split()
_NOUNS = "lantern meadow otter falcon river harbour pebble comet willow badger canyon glacier valley moon".split()
_LETTERS = "0123456789abcdef"
_TECHNICAL = (
    "Container {} is running on node {}.|kubectl logs {} -n staging|git checkout {}|Merge branch '{}' into main|docker stop {}"
    "|ssh deploy@{} uptime|Host {} is unreachable; failing over to {}.|2024-03-01T10:22:01Z INFO worker={} started"
    '|npm install {}|<div class="{} {}">|Error: job {} failed on runner {}'
).split("|")
_PEOPLE = (
    "Maria Powell-Mensah|jean-luc|anna-berg|Jean-Luc|mary-ann-okafor|oluwaseun-adeyemi|Ahmed-Al Rashid|Siân Rhys-Jones|li-wei"
).split("|")
_LETTERS_TO_PEOPLE = (
    "Hi {}, Docker is down again.|Dear {},\nthe Jira board is ready.|{} said the Python build is broken.|We moved to Kubernetes, {}."
    "|Ask {} to restart Docker and Helm.|cc {}, GitHub is slow.|My sister {} writes Python.|Thanks, {}|{}'s Docker image is old."
    "|I met {} and Maria about Jupyter.|Mr {} runs Heroku.|{} is on leave; use SQLite.|{} 3.5.71, Python course|The nurse, {}, came."
).split("|")
_SHARED = (
    "Jenkins Hudson Travis Ruby Julia Ada Pascal Claude Alexa Siri Watson Cassandra Swift".split()
)


def _kept(text: str, name: str, type: SemanticType = SemanticType.PERSON) -> list[str]:
    """Return what is left of a mention of each place of a name."""
    place, mentions = text.find(name), []
    while place >= 0:
        span = Span(place, place + len(name))
        mentions.append(Mention(span, type, 0.9, 0.5, MentionSource.NEURAL))
        place = text.find(name, place + 1)
    return [item.span.of(text) for item in without_technical_names(text, mentions)]


def _slugs() -> Iterator[tuple[str, str]]:
    draw = random.Random(32)
    for _ in range(DRAWS):
        words = [draw.choice(_ADJECTIVES), draw.choice(_NOUNS)]
        tail = "".join(draw.choices(_LETTERS, k=draw.randint(4, 10)))
        slug = "-".join(draw.choice([words, [*words, f"{tail}7a"], [words[1], "service", tail]]))
        context = draw.choice(_TECHNICAL)
        yield context.replace("{}", slug), slug


def test_slugs_of_machines_are_no_names() -> None:
    """Whatever words they are of, in commands, records and sentences about machines."""
    assert [text for text, slug in _slugs() if _kept(text, slug)] == []


def test_hyphenated_names_of_people_stay() -> None:
    """A given name is somebody's in any context; capitals are no slug."""
    draw = random.Random(33)
    for _ in range(DRAWS):
        name = draw.choice(_PEOPLE)
        context = draw.choice((*_TECHNICAL, "/home/{}/notes.txt", "Seen by {}.", "user {} left"))
        text = context.replace("{}", name)
        assert set(_kept(text, name)) == {name}, text


def test_people_with_names_of_software_stay() -> None:
    """In letters, notes and chats, among names of software, spoken to or spoken of."""
    draw = random.Random(34)
    for _ in range(DRAWS):
        name = draw.choice(_SHARED)
        text = draw.choice(_LETTERS_TO_PEOPLE).replace("{}", name)
        assert _kept(text, name) == [name], text


@pytest.mark.parametrize(
    "text",
    [
        "Use Flask 3.0 with *Pandas*, *Jenkins*, Ruby, *Julia*, Ada and *Pascal* on Heroku.",
        "In SAP, post it; *Power BI* reads it from *Snowflake*, *Tableau* from Redshift.",
        "*Microsoft Teams* and Adobe Acrobat crash on *Dell Latitude 5440*.",
        "Draw a *Gantt chart* and fit a *Weibull model*.",
        "We call *Claude* and *Gemini* through LiteLLM.",
    ],
)
def test_names_of_software_products_and_methods_are_innocent(text: str) -> None:
    """A coined name alone; a word or a name that people have only beside one."""
    plain = text.replace("*", "")
    for name in text.split("*")[1::2]:
        assert _kept(plain, name, SemanticType.ORG) == [], name


_KINDS = shipped_table("word_lists")["technical_kinds"]


@pytest.mark.parametrize("kind", _KINDS)
def test_five_products_of_a_kind_are_products(kind: str) -> None:
    """Wherever they stand, if people have no more than three of the names; with fewer, a name may be a person's."""
    people = [name for name in kind.split() if name in word_list_of("technical_of_people")]
    others = [name for name in kind.split() if name not in people]
    draw = random.Random(36)
    for _ in range(DRAWS // 4):
        name, *more = draw.sample(people, draw.randint(1, min(3, len(people))))
        fewer = f"Hey {name}, ask for " + ", then for ".join([*more, *draw.sample(others, 1)])
        assert _kept(fewer, name) == [name], fewer
        rest = draw.sample(others, min(len(others), 5))
        text = f"Hey {name}, ask for " + ", then for ".join([*more, *rest])
        assert _kept(text, name) == [], text
        assert _kept(text.replace(name, f"{name} Berg"), f"{name} Berg") == [f"{name} Berg"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("She works at GitHub.", "GitHub"),
        ("Taylor Swift writes Python and Swift.", "Taylor Swift"),
        ("Snowflake is his nickname.", "Snowflake"),
        ("Jenkins, Travis and Julia are in.", "Julia"),
    ],
)
def test_employers_longer_names_and_words_alone_stay(text: str, name: str) -> None:
    """Where nothing says that it is software, the recognizer is believed."""
    assert name in _kept(text, name)


def test_a_uuid_is_masked_whole_or_not_at_all() -> None:
    """A mention of a part of it grows to the whole."""
    text = "id 550e8400-e29b-41d4-a716-446655440000 ok"
    assert _kept(text, "e29b-41d4", SemanticType.CODE) == [text[3:-3]]


_PRODUCT_LABELS = (
    "SKU: {}|SKU {} is sold out.|sku #{}|Part: {}|part no. {}, two of them|Spare part number {}|P/N {}|MPN: {}|Item no: {}|Item #{} in oak"
    "|Article number {}|Art. no. {}|Model: {}|model number (EU): {}|Product no. {}|Stock no. {}|Cat. no. {} was used at 1:500."
    "|Catalogue number {} (Abcam)|Drawing no. {} rev. C|Part [a]: {}|Part: [7]\n{}|Qty 2\nSKU:\n{}"
).split("|")
_IDENTIFIER_LABELS = (
    "Order: {}|Invoice no: {}|VAT reg: {}|Customer number: {}|Account: {}|account no. {}|Passport: {}|Policy {}|Serial: {}|Case no. {}"
    "|Staff no. {}|Patient number {}|Part of case no. {}|Account: Model:\n{}|Passport:\nModel:\n{}|Model: account {}|compart: {}"
    "|The model, {}, signed.|item {}|Part {}|Product key: {}|part: name {}|Party: {}|Model:\n\n{}"
).split("|")


def _numbers() -> Iterator[str]:
    draw = random.Random(41)
    for _ in range(DRAWS):
        letters = "".join(draw.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=draw.randint(1, 4)))
        digits = "".join(draw.choices("0123456789", k=8))
        shapes = f"{letters}{digits[:6]} {letters}-{digits[:5]} {letters}{digits[:4]}-{digits[4:7]} {letters}{digits[:3]}.{digits[3:]}"
        yield draw.choice(shapes.split())


def test_numbers_of_products_are_not_masked() -> None:
    """Behind the label of a part, an item or a model, whatever type the recognizer gives to the number."""
    draw = random.Random(42)
    for number in _numbers():
        text, type = (
            draw.choice(_PRODUCT_LABELS).replace("{}", number),
            draw.choice([*SemanticType]),
        )
        assert _kept(text, number, type) == [], text


def test_numbers_of_people_are_masked() -> None:
    """Behind any other label, between two labels, and behind words that only begin or end like one of a product."""
    draw = random.Random(43)
    for number in _numbers():
        text = draw.choice(_IDENTIFIER_LABELS).replace("{}", number)
        assert _kept(text, number, SemanticType.CODE) == [number], text


@for_each(
    "text",
    "Model: 2019|Part: 14 May 1984|Item: MILLER-88125|Model: anna-berg|P/N 448812|SKU: tom4411@mail.example|SKU 44-1".split(
        "|"
    ),
)
def test_other_values_behind_labels_of_products_are_masked(text: str) -> None:
    """Years, dates, names, addresses, and numbers that may count people."""
    value = text.split(maxsplit=1)[1]
    assert _kept(text, value, SemanticType.CODE) == [value]


def test_number_of_product_that_is_masked_elsewhere_is_masked() -> None:
    """The same string may be somebody's number, too; its other places are found by their string."""
    text, number = "Customer number: K77-2041\nItem no. K77-2041", "K77-2041"
    span = Span(text.rindex(number), len(text))
    mention = Mention(span, SemanticType.CODE, 0.9, 0.5, MentionSource.PROPAGATION)
    assert list(without_technical_names(text, [mention])) == [mention]
