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
