"""Numbers of accounts, cards, people and their papers."""

from __future__ import annotations

import pytest

from tacenda.detect.patterns.bank_numbers import passes_luhn


@pytest.mark.parametrize(
    "number",
    [  # the examples of the IBAN registry
        "GB82 WEST 1234 5698 7654 32",
        "DE89370400440532013000",
        "NO93 8601 1117 947",
        "MT84MALT011000012345MTLCAST001S",
    ],
)
def test_an_iban_is_found_by_country_length_and_check_digits(find, number):
    """In groups of four or solid."""
    assert find(f"to {number}, please") == [("iban", number)]


@pytest.mark.parametrize(
    "number", ["GB83 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654", "DE893704004405320130001"]
)
def test_wrong_check_digits_or_length_are_no_iban(find, number):
    """One digit changed, one group left out, one digit too many."""
    assert find(number, "iban") == []


@pytest.mark.parametrize(
    ("digits", "right"),
    [("79927398713", True), ("79927398710", False), ("0", True), ("18", True), ("81", False)],
)
def test_luhn_doubles_every_second_digit_from_the_right(digits, right):
    """79927398713 is the usual worked example."""
    assert passes_luhn(digits) is right


@pytest.mark.parametrize(
    "number",
    ["4111 1111 1111 1111", "5500-0000-0000-0004", "378282246310005", "3782 822463 10005"],
)
def test_a_card_number_is_found_as_printed(find, number):
    """Groups of four, the groups of American Express, or solid."""
    assert find(f"card {number}.", "card") == [("card", number)]


@pytest.mark.parametrize(
    "number", ["4111 1111 1111 1112", "9111111111111111", "4111 1111-1111 1111"]
)
def test_a_wrong_check_digit_issuer_or_grouping_is_no_card(find, number):
    """All three have to be right."""
    assert find(number, "card") == []


@pytest.mark.parametrize(
    "number",
    [
        "44051401359",  # Poland
        "131052-308T",  # Finland
        "RSSMRA85T10A562S",  # Italy
        "12345678Z",  # Spain
        "X2482300W",  # Spain, foreigners
        "811228-9874",  # Sweden
        "710319/2745",  # Czechia
        "756.9217.0769.85",  # Switzerland
        "536-90-4399",  # United States
        "AB 12 34 56 C",  # United Kingdom
        "1630615123457",  # Romania
    ],
)
def test_a_national_number_with_check_digits_is_found_alone(find, number):
    """These are the examples of python-stdnum and of the authorities."""
    assert find(f"is {number} and", "national_id") == [("national_id", number)]


@pytest.mark.parametrize("number", ["44051401358", "131052-308U", "12345678A", "710319/2746"])
def test_a_wrong_check_digit_is_no_national_number(find, number):
    """One sign changed."""
    assert find(f"is {number} and", "national_id") == []


def test_a_weakly_checked_number_needs_a_word_of_identity(find):
    """Ten digits pass the check of the NHS once in eleven times: the word decides."""
    assert find("his NHS record says 943 476 5919 today") == [("national_id", "943 476 5919")]
    assert find("a total of 943 476 5919 today", "national_id") == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("passport no. X1234567 was", "X1234567"),
        ("identity card (no. AB 123456)", "AB 123456"),
        ("SSN 078-05-1120", "078-05-1120"),
        ("his ID: 12345678.", "12345678"),
        ("National Insurance number is QQ 12 34 56 C.", "QQ 12 34 56 C"),
        ("Policy no. LF-7730-2291", "LF-7730-2291"),
        ("sort code 20-00-00,", "20-00-00"),
        ("s/c 20-00-00", "20-00-00"),
    ],
)
def test_an_announced_number_needs_no_check_digit(find, text, number):
    """The words before it are evidence enough."""
    assert find(text) == [("identity_number", number)]


@pytest.mark.parametrize(
    "text", ["health insurance (1994)", "the client of 2003", "identity in 1999", "service 12"]
)
def test_a_number_near_such_a_word_is_not_announced_by_it(find, text):
    """Without ``no.``, a colon or an abbreviation it is something else."""
    assert find(text, "identity_number") == []


@pytest.mark.parametrize(
    ("text", "plate"),
    [
        ("a car, AB12 CDE, was", "AB12 CDE"),
        ("the Peugeot AA-123-BB", "AA-123-BB"),
        ("ein B-AB 1234 war", "B-AB 1234"),
        ("licence plate no. 34 ABC 123", "34 ABC 123"),
        ("registration number YK19 XTV", "YK19 XTV"),
    ],
)
def test_a_plate_is_found_by_its_form_or_after_its_word(find, text, plate):
    """Forms that many things have need the word."""
    assert find(text) == [("licence_plate", plate)]
    assert find("he lost 34 ABC 123 then", "licence_plate") == []
