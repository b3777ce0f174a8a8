"""Postal addresses, postcodes and coordinates."""

from __future__ import annotations

import itertools

import pytest


@pytest.mark.parametrize(
    "address",
    ["12 Baker Street, London NW1 6XE", "221B Baker St.", "Flat 3, 14 Church Lane, Oxford OX1 4BH",
     "1600 Pennsylvania Avenue", "ul. Marszałkowska 12/4, 00-590 Warszawa", "Hauptstraße 5, 10115 Berlin",
     "PO Box 123", "Via Roma 5, 00184 Roma", "12, rue de la Paix, 75002 Paris",
     "Keizersgracht 100, 1015 AA Amsterdam", "Atatürk Caddesi No: 7", "Storgatan 12, 111 23 Stockholm",
     "Calle Mayor 7, 28013 Madrid", "14 Lindenfield Road\nHarrowby\nLeeds LS6 2QT"],
)  # fmt: skip
def test_a_street_address_goes_on_to_its_postcode_and_town(find, address):
    """English and other European orders, on one line or several."""
    assert [string.rstrip(".") for _, string in find(f"lives at {address} now")] == [
        address.rstrip(".")
    ]


@pytest.mark.parametrize(
    "address", ["Amselweg 12, 37073 Göttingen", "Lijsterbeslaan 8, 9203 KL Drachten"]
)
def test_the_lines_above_an_address_are_no_part_of_it(find, address):
    """Who signs a letter stands there, or whom it is for."""
    assert [s for _, s in find(f"Mit freundlichen Grüßen\nSwantje Voßberg\n{address}")] == [address]


@pytest.mark.parametrize(
    "text",
    ["the 2004 Act. The Court of Appeal", "3 December 2004 Street", "Peter Coon. During 2008",
     "the Third Brigade 12 men", "Article 5 Court", "on 12 Mondays"],
)  # fmt: skip
def test_a_number_beside_capitals_is_no_address(find, text):
    """A word for street belongs to the form."""
    assert [s for _, s in find(text, "street_address") if "December" not in s] == []


@pytest.mark.parametrize(
    "text",
    ["NHS number\n943 476 5919\nConsultant\nDr S. Okafor", "Bed\n12\nSenior Consultant Dr Okafor",
     "Room 4\nChurch St Hilda's"],
)  # fmt: skip
def test_a_title_in_a_cell_behind_a_number_is_no_street(find, text):
    """Cells of a table are lines; a house number and its street are seldom parted, and a title has a name behind it."""
    assert find(text, "street_address") == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("in SW1A 1AA,", "SW1A 1AA"),
        ("in K1A 0B1,", "K1A 0B1"),
        ("in CA 90210,", "CA 90210"),
        ("in 1012 AB Amsterdam", "1012 AB"),
        ("in 00-950 Warszawa", "00-950"),
        ("ZIP: 53650", "53650"),
    ],
)
def test_a_postcode_with_a_form_of_its_own_is_found(find, text, code):
    """Where the form is that of any number, its word or the town says it."""
    assert find(text) == [("postcode", code)]


def test_the_stage_of_a_tumour_is_no_postcode(find):
    """All of T0N0M0 to T4N3M1 have its form; a blank or a province says that one is a postcode."""
    for t, n, m in itertools.product("01234", "0123", "01"):
        assert find(f"staged T{t}N{n}M{m}.", "postcode") == []
    assert find("Calgary T2N 1M0", "postcode") == [("postcode", "T2N 1M0")]
    assert find("Calgary AB T2N1M0", "postcode") == [("postcode", "T2N1M0")]
    assert find("Calgary T2N1N4", "postcode") == [("postcode", "T2N1N4")]


@pytest.mark.parametrize(
    "position",
    ["52.5200° N, 13.4050° E", "40.7128, -74.0060", "52°31′12″N 13°24′18″E", "52.5200 N, 13.4050 E",
     "N 52.520 E 13.405", "-33.8688, 151.2093"],
)  # fmt: skip
def test_a_position_is_found_as_one_mention(find, position):
    """Degrees in decimals, or in minutes and seconds; signs belong to it."""
    assert find(f"at {position};") == [("coordinates", position)]


@pytest.mark.parametrize(
    "text", ["12.5, 13.5", "91.2345, 10.1234", "10.1234, 181.2345", "20° today"]
)
def test_other_decimals_are_no_position(find, text):
    """Fewer than four decimals, or outside the globe."""
    assert find(text, "coordinates") == []
