"""E-mail, web, network and telephone addresses."""

from __future__ import annotations

import pytest

from tacenda.detect.patterns.detector import PatternDetector


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Write to jane.doe+x@mail.example.co.uk, please.", "jane.doe+x@mail.example.co.uk"),
        ("(o'neill_1@example.org)", "o'neill_1@example.org"),
        ("<john@例え.jp>", "john@例え.jp"),
        ("mailto:a@b.example", "a@b.example"),
    ],
)
def test_an_email_address_is_found_without_its_punctuation(find, text, address):
    """An address ends where its domain ends."""
    assert find(text) == [("email", address)]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("GET /profile?email=jane%40doe.org&name=x", "jane%40doe.org"),
        ("u=jane.doe%2Bnews%40mail.doe.co.uk HTTP/1.1", "jane.doe%2Bnews%40mail.doe.co.uk"),
        ("q=email%3Djane%40doe.org%26lang%3Den", "jane%40doe.org"),
        ("to=%3Cjane%2540doe.org%3E", "jane%2540doe.org"),
        ("?q=o%27neill%40example.org", "o%27neill%40example.org"),
        ("u=j%C3%BCrgen%40doe.org&l=de", "j%C3%BCrgen%40doe.org"),
        ("GET /x?email=jane%2Btag@doe.org", "jane%2Btag@doe.org"),
    ],
)
def test_an_email_address_of_a_query_is_found_encoded(find, text, address):
    """Whole, with the marks that are encoded in it, and without the key and the separators around it."""
    assert find(text) == [("email", address)]


@pytest.mark.parametrize("text", ["50%40 doe.org", "100%40a", "x=%40handle.com", "a.%40doe.org"])
def test_a_percentage_is_no_part_of_an_email_address(find, text):
    """Local part and domain are needed here, too."""
    assert find(text, "email") == []


@pytest.mark.parametrize("text", ["a@b", "@handle", "x @ y.com", "a.@example.org"])
def test_what_lacks_a_part_is_no_email_address(find, text):
    """Local part, domain and top-level domain are all needed."""
    assert find(text, "email") == []


@pytest.mark.parametrize(
    ("text", "kind", "address"),
    [
        ("See www.echr.coe.int.", "url", "www.echr.coe.int"),
        ("(https://example.org/a_(b))", "url", "https://example.org/a_(b)"),
        (
            "at https://www.facebook.com/jane.doe!",
            "personal_url",
            "https://www.facebook.com/jane.doe",
        ),
        ("http://uni.example/~doe", "personal_url", "http://uni.example/~doe"),
        ("https://example.org/?user=12", "personal_url", "https://example.org/?user=12"),
        ("https://a.org/react@18.2.0/x.js", "url", "https://a.org/react@18.2.0/x.js"),
    ],
)
def test_a_web_address_is_personal_where_it_names_an_account(find, text, kind, address):
    """Closing punctuation stays outside; profiles and accounts are a kind of their own."""
    assert find(text) == [(kind, address)]


@pytest.mark.parametrize(
    "address",
    ["192.0.2.1", "203.0.113.0/24", "2001:db8::8a2e:370:7334", "fe80::1%eth0", "::ffff:192.0.2.1"],
)
def test_an_ip_address_is_found_whole(find, address):
    """Version 4 and 6, compressed, with zone or prefix."""
    assert find(f"from {address}, on") == [("ip", address)]


@pytest.mark.parametrize(
    "text", ["section 1.2.3.4", "version 1.2.3.4", "256.1.1.1", "std::vector", "a::b", "1.2.3.4.5"]
)
def test_numbered_sections_and_code_are_no_ip_address(find, text):
    """What looks like an address and can't be, or is introduced otherwise, is left."""
    assert find(text, "ip") == []


@pytest.mark.parametrize("address", ["127.0.0.1", "127.0.0.0/8", "0.0.0.0", "::1"])
def test_an_address_that_every_machine_has_is_nobodys(find, address):
    """The loopback address and the one of all interfaces single out nothing."""
    assert find(f"listening on {address}", "ip") == []


def test_an_ip_address_stands_in_a_row_of_values(find):
    """A comma parts it from a number."""
    assert find("anna75,203.0.113.9,login", "ip") == [("ip", "203.0.113.9")]


@pytest.mark.parametrize("address", ["00:1A:2b:3c:4d:5e", "00-1A-2B-3C-4D-5E", "001a.2b3c.4d5e"])
def test_a_mac_address_is_found_in_its_three_forms(find, address):
    """Pairs with colons or hyphens, and three groups of four."""
    assert find(f"card {address}.") == [("mac", address)]


@pytest.mark.parametrize("text", ["00:1A:2b:3c:4d", "00:1A:2b:3c:4d:5e:6f", "00:1A-2b:3c:4d:5e"])
def test_another_number_of_pairs_is_no_mac_address(find, text):
    """Six pairs with one separator, no fewer and no more."""
    assert find(text, "mac") == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("on +44 20 7946 0018.", "+44 20 7946 0018"),
        ("on (020) 7946 0018.", "(020) 7946 0018"),
        ("or 07700 900123 at", "07700 900123"),
        ("her daughter (07700 900123).", "07700 900123"),
        ("or +1 (202) 555-0143 at", "+1 (202) 555-0143"),
        ("or 202-555-0143 at", "202-555-0143"),
        ("or 0049 30 12345678 at", "0049 30 12345678"),
        ("tel. 22 621 03 35", "22 621 03 35"),
        ("Fax: 345-899-3560x4587", "345-899-3560x4587"),
    ],
)
def test_a_telephone_number_is_found_in_national_and_international_form(find, text, number):
    """By country code, by region, by North American groups, or by the word before it."""
    assert find(text) == [("phone", number)]


@pytest.mark.parametrize(
    "text", ["0 1 2 3 4 5 6 7 8", "12 345 678 people", "1994 1995 1996", "no. 0201234567/89"]
)
def test_numbers_that_are_not_dialled_are_no_telephone_number(find, text):
    """Counts, years and numbers of cases are left by this family."""
    assert find(text, "phone") == []


def test_national_numbers_count_only_in_the_regions_asked_for():
    """A British national number isn't one to somebody who asked for the United States."""
    assert PatternDetector(["GB"]).detect("020 7946 0018")
    assert not PatternDetector(["US"]).detect("020 7946 0018")
