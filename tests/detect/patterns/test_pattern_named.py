"""People by what stands beside their names."""

from __future__ import annotations

import itertools
import json

import pytest

NAMES = (
    "Beto",
    "Petronella",
    "kwasi",
    "Þórdís",
    "Łukasz",
    "Nguyễn",
    "Oluwaseun",
    "Håkon",
    "Siobhán",
    "दीपा",
)


@pytest.mark.parametrize("key", ["from", "sender", "author", "user", "to"])
def test_who_sends_a_message_is_a_person(find, key):
    """The value of such a key beside the text of a message, before or after it."""
    for name, text in itertools.product(NAMES, ("text", "message", "body")):
        for record in ({key: name, text: "at gate B"}, {"id": 7, text: "omw", key: name}):
            source = json.dumps(record, ensure_ascii=False)
            assert find(source, "person") == [("person", name)]


@pytest.mark.parametrize(
    "text",
    [
        '{"from": "London", "to": "Paris"}',
        '{"from": "system", "text": "joined"}',
        "a function called 'Frobnicate'",
        "Seen by GP and reviewed by the NHS",
        "signed by her son",
        "his son 07700900642",
    ],
)
def test_what_names_nobody_stays(find, text):
    """A record without a message, a program's part, a thing's name, a known abbreviation, a word in small letters."""
    assert find(text, "person") == []


@pytest.mark.parametrize(
    "frame",
    [
        "prefers to be called '{}'",
        "goes by “{}” at work",
        'his mates call him "{}"',
        "daughter-in-law {} 07700900642",
        "NOK: {} (0113) 496 0021",
    ],
)
def test_a_nickname_in_quotes_and_kin_with_a_number_are_people(find, frame):
    """Whatever the culture of the name, where it begins with a capital."""
    for name in NAMES:
        if name[0].isupper():
            assert find(frame.format(name), "person") == [("person", name)]


@pytest.mark.parametrize("initials", ["RvdS", "JMcK", "HvD", "AdlR"])
def test_initials_that_sign_are_a_person(find, initials):
    """Of small and capital letters, behind what somebody did."""
    for deed in ("Countersigned", "signed off", "Reviewed"):
        assert find(f"{deed} by {initials} on site.", "person") == [("person", initials)]


@pytest.mark.parametrize("post", ["PC", "PCSO", "WPC", "DI", "Sgt.", "Cllr", "HCA", "CFO", "GP"])
def test_whoever_has_a_rank_or_post_is_a_person(find, post):
    """Unless an ordinary word stands there: PC World, GP Surgery."""
    for name in ("Iqbal", "Nkemelu", "O'Neill", "Çelik", "Kowalski", "Marsh", "Smith-Okafor"):
        assert find(f"told {post} {name} about it", "person") == [("person", name)]
    assert find(f"{post} World, {post} Surgery, the {post}, {post}/BIANCHI", "person") == []


_PLACES = "Israel Chad Georgia Paris Geneva Kenya Aspen Phoenix Havana Oslo Zürich".split()
_ACTS = (
    "drove|drove home|drove us to the airport|cried|phoned|hugged me|fell asleep|woke up late|got married|is pregnant|gave birth last night"
    "|rang|rang me|came round|picked us up|forgot his keys|has a cold|had flu|cooked dinner"
).split("|")


@pytest.mark.parametrize("act", _ACTS)
def test_a_name_of_a_place_is_a_person_who_does_what_people_do(find, act):
    """At the beginning, within a sentence, alone and with others, in any order."""
    frames = "We left; {} {}.|We left and {} and {} {}.|Then {}, {} and {} {}.|I think {} {}\nbye"
    for frame in frames.split("|"):
        count = frame.count("{}") - 1
        for start in range(len(_PLACES) - count + 1):
            names = _PLACES[start : start + count]
            hits = find(frame.format(*names, act), "person")
            assert hits == [("person", name) for name in names]


@pytest.mark.parametrize(
    "text",
    [
        "Israel drove a hard bargain; Chad drove growth.",
        "Patients cried. Everybody slept. Mum phoned. Officers laughed.",
        "The Georgia slept at anchor.",
        "America cried wolf.",
        "On Friday Israel said so, and Paris met Oslo.",
        "Letter from Barclays arrived. Aspen from Colorado grows.",
        "Monday rang. The Prime Minister cried.",
    ],
)
def test_a_place_a_word_or_a_day_is_no_person(find, text):
    """Where states, clubs and towns do the same, where a word begins a sentence, and in longer names."""
    assert find(text, "person") == []


@pytest.mark.parametrize("employer", ["Barclays", "the Co-op", "Acme Ltd", "J. P. Morgan"])
def test_who_rings_from_an_employer_is_a_person(find, employer):
    """Although the name may be the employer's, too."""
    for name, act in itertools.product(
        ("Barclay", "Israel", "Marsh"), ("rang", "e-mailed", "will call")
    ):
        assert find(f"{name} from {employer} {act}", "person") == [("person", name)]


@pytest.mark.parametrize(
    "hello", ["hey its", "Hi, it's", "morning this is", "hello I’m just", "yo im"]
)
def test_who_says_hello_is_a_person(find, hello):
    """In small letters, too, unless it is an ordinary word."""
    for name in ("tash", "kwasi", "Łukasz", "shaz"):
        assert find(f"{hello} {name} from no 12", "person") == [("person", name)]
    assert find(f"{hello} coming from work", "person") == []
