"""ID numbers come from a range that is never issued, if the scheme has one.

| scheme | range | kept by |
|---|---|---|
| US Social Security | areas 900 to 999, groups 01 to 49 (no taxpayer number either) | SSA, IRS |
| UK NHS | 999, with its check digit: for tests | NHS Digital |
| UK National Insurance | prefix QQ | HMRC |

For other schemes with check digits, no number is made up: a valid one might be someone's.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_interface

from stdnum import luhn
from stdnum.gb import nhs

from ...text.normal_form import fold_text
from ...text.word_lists import PARTICLES, word_list_of
from .cultures import names

# Codes of the same shape: digit for digit, letter for letter, all else as it stands.
#
# | kind | becomes |
# |---|---|
# | card number | one that starts with 9999, which no issuer has, with a valid check digit |
# | IBAN | one of the same country, with valid check digits and a bank code of 9s or Zs that no bank has |
# | MAC address | one from the documentation range, 00:00:5E:00:53 (RFC 7042, section 2.1.1) |
# | IP address | one from a documentation range (RFC 5737; RFC 3849) |
# | identity numbers, postcodes | digits and letters redrawn; a leading digit other than 0 stays other than 0 |


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BANK = 4
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
_CARD = re.compile(r"[0-9](?:[ -]?[0-9]){11,18}")
_NETWORKS = ("192.0.2", "198.51.100", "203.0.113")


def like(string: str, source: random.Random) -> str:
    """Return another string of the same shape."""
    return "".join(
        _sign(sign, source, first=place == 0 or not string[place - 1].isdigit())
        for place, sign in enumerate(string)
    )


def _sign(sign: str, source: random.Random, *, first: bool) -> str:
    if sign.isdecimal():
        return str(source.randrange(1 if first and sign != "0" else 0, 10))
    if sign.isalpha():
        letter = source.choice(_LETTERS)
        return letter if sign in _LETTERS else letter.lower()
    return sign


def filled(string: str, signs: str, replaced: Callable[[str], bool] = str.isalnum) -> str:
    """Return ``string`` with its letters and digits, or those in ``replaced``, exchanged one by one for ``signs``."""
    rest = iter(signs)
    return "".join(next(rest, "") if replaced(sign) else sign for sign in string)


def looks_like_account(string: str) -> bool:
    """Return whether a string has the length and form of a card number or an IBAN."""
    return bool(_CARD.fullmatch(string) or _IBAN.fullmatch(_alphanumeric(string)))


def is_card(string: str) -> bool:
    """Return whether a string has the digits of a card number and a valid Luhn check digit."""
    return _CARD.fullmatch(string) is not None and luhn.is_valid(_alphanumeric(string))


def is_iban(string: str) -> bool:
    """Return whether a string is an IBAN with valid check digits (ISO 13616)."""
    signs = _alphanumeric(string).upper()
    return _IBAN.fullmatch(signs) is not None and _remainder(signs) == 1


def card(string: str, source: random.Random) -> str | None:
    """Return a card number that belongs to no issuer, or None unless ``string`` is a card number."""
    if not is_card(string):
        return None
    length = sum(map(str.isdigit, string))
    body = "9999" + "".join(str(source.randrange(10)) for _ in range(length - 5))
    return filled(string, body + luhn.calc_check_digit(body))


def iban(string: str, source: random.Random) -> str | None:
    """Return an IBAN that belongs to no bank, or None unless ``string`` is an IBAN."""
    if not is_iban(string):
        return None
    signs = _alphanumeric(string).upper()
    account = like(signs[4 + _BANK :], source)
    bank = "".join("9" if sign.isdigit() else "Z" for sign in signs[4 : 4 + _BANK])
    check = 98 - _remainder(f"{signs[:2]}00{bank}{account}")
    return filled(string, f"{signs[:2]}{check:02}{bank}{account}")


def _remainder(signs: str) -> int:
    """Return an IBAN modulo 97, with each letter read as two digits."""
    return int("".join(str(int(sign, 36)) for sign in signs[4:] + signs[:4])) % 97


def _alphanumeric(string: str) -> str:
    return "".join(filter(str.isalnum, string))


def mac(string: str, source: random.Random) -> str:
    """Return a MAC address from the documentation range."""
    address = f"00005e0053{source.randrange(256):02x}"
    return filled(string, address.upper() if string.upper() == string else address)


def ip(string: str, source: random.Random) -> str | None:
    """Return an IP address from a documentation range, keeping a netmask, or None if it isn't an address."""
    _, slash, mask = string.partition("/")
    try:
        version = ip_interface(string).version
    except ValueError:
        return None
    if version == 6:
        address = f"2001:db8::{source.randrange(1, 65536):x}:{source.randrange(1, 65536):x}"
    else:
        address = f"{source.choice(_NETWORKS)}.{source.randrange(1, 255)}"
    return f"{address}{slash}{mask}"


_SOCIAL_SECURITY = re.compile(r"[0-9]{3}([ -])[0-9]{2}\1[0-9]{4}")
_NATIONAL_INSURANCE = re.compile(r"[A-Z]{2}(?: ?[0-9]{2}){3} ?[A-D]")
_TRIES = 40
_NHS = re.compile(r"[0-9]{3}([ -]?)[0-9]{3}\1[0-9]{4}")


def national(string: str, source: random.Random) -> str | None:
    """Return a number from the scheme's unassigned range, or None if it has none."""
    if _SOCIAL_SECURITY.fullmatch(string):
        area = f"9{source.randrange(100):02}{source.randrange(1, 50):02}"
        return filled(string, f"{area}{source.randrange(1, 10_000):04}")
    if _NATIONAL_INSURANCE.fullmatch(string):
        return "QQ" + like(string[2:-1], source) + string[-1]
    if _NHS.fullmatch(string) and nhs.is_valid(string):
        # A tenth of all bodies have no check digit.
        bodies = (f"999{source.randrange(1_000_000):06}" for _ in range(_TRIES))
        candidates = (f"{body}{check}" for body in bodies for check in range(10))
        number = next(filter(nhs.is_valid, candidates), None)
        return None if number is None else filled(string, number)
    return None


def coded(string: str, source: random.Random) -> str | None:
    """Return a number of the same form; for a national scheme, one from its own range."""
    return national(string, source) or like(string, source)


# Licence plates: of a combination of letters that the country doesn't issue, where its form is known.
#
# | form | written |
# |---|---|
# | British since 2001, AB12 CDE | first letter J, T, U or Z, which no memory tag has (DVLA) |
# | German, B-XY 123 | district Q, QX or QXX |
# | any other | another of the same form |


_BRITISH_PLATE = re.compile(r"[A-Z]{2}[0-9]{2} ?[A-Z]{3}")
_GERMAN_PLATE = re.compile(r"(?P<district>[A-ZÄÖÜ]{1,3})[ -][A-Z]{1,2}[ -]?[0-9]{1,4}[EH]?")


def plate(string: str, source: random.Random) -> str:
    """Return a license plate in the form of ``string``."""
    output = like(string, source)
    if _BRITISH_PLATE.fullmatch(string):
        return source.choice("JTUZ") + output[1:]
    if german := _GERMAN_PLATE.fullmatch(string):
        length = len(german["district"])
        # The letter after the number marks an electric or a classic car.
        ending = string[-1] if string[-1].isalpha() else ""
        return "QXX"[:length] + output[length : len(output) - len(ending)] + ending
    return output


# Telephone numbers of ranges that are kept for fiction, of the countries that keep one.
#
# | country | range | kept by |
# |---|---|---|
# | GB | 07700 900000-900999, 01632 960000-960999, 020 7946 0000-0999 | Ofcom |
# | US, CA | 555-0100 to 555-0199 of any area | NANPA |
# | FR | 01 99 00 00 00-99 99, 06 39 98 00 00-99 99 | ARCEP |
# | DE | 030 23125 000-999, 0171 39200 00-99 | Bundesnetzagentur |
# | AU | 02 5550 0000-0999, 0491 570 156-159 | ACMA |
# | SE | 08-465 004 00-99, 070-174 06 05-34 | PTS |


# Country code; the national number without its leading 0; the number of free digits at its end, and
# the first and last of them. A mobile number is one that starts with the first entry's digits.
_RANGES: dict[str, tuple[tuple[str, str, int, int, int], ...]] = {
    "44": (("7", "7700900", 3, 0, 999), ("2", "2079460", 3, 0, 999), ("", "1632960", 3, 0, 999)),
    "33": (("6", "639980", 3, 0, 999), ("7", "639980", 3, 0, 999), ("", "19900", 4, 0, 9999)),
    "49": (("1", "17139200", 2, 0, 99), ("", "3023125", 3, 0, 999)),
    "61": (("4", "491570", 3, 156, 159), ("", "255500", 3, 0, 999)),
    "46": (("7", "7017406", 2, 5, 34), ("", "846500", 3, 400, 499)),
}
_AREAS = ("202", "212", "305", "312", "404", "415", "503", "617", "702", "713")
_NORTH_AMERICAN = re.compile(r"(?:\+?1[ .-]?)?\(?[2-9]\d{2}\)?[ .-]?[2-9]\d{2}[ .-]?\d{4}")
_EXTENSION = re.compile(r"\s?(?:x|ext\.?)\s?\d{1,5}$", re.IGNORECASE)
_HOMES = {"en": ("GB", "44"), "de": ("DE", "49"), "fr": ("FR", "33"), "sv": ("SE", "46")}
"""Country of telephone numbers without one, by language, with its code; others keep no numbers for fiction."""


def phone(string: str, source: random.Random, language: str = "en") -> str | None:
    """Return a phone number in the layout of ``string``, or None if its country reserves none or it isn't one.

    Args:
        string: the original.
        source: random number generator.
        language: language of the text, which decides the country of a number without a country
            code.
    """
    extension = _EXTENSION.search(string)
    if extension:
        number = phone(string[: extension.start()], source, language)
        tail = "".join(filter(str.isdigit, like(extension[0], source)))
        return number and number + filled(extension[0], tail, str.isdigit)
    digit_string = "".join(filter(str.isdigit, string))
    international = "+" in string or digit_string.startswith("00")
    if _NORTH_AMERICAN.fullmatch(string.strip()):
        lead = digit_string[:-10]
        number = f"{lead}{source.choice(_AREAS)}55501{source.randrange(100):02}"
        return filled(string, number, str.isdigit)
    home = _HOMES.get(language, ("", ""))
    if not _is_possible(string if "+" in string else digit_string, international, home[0]):
        return None
    if international:
        digits = digit_string.removeprefix("00") if "+" not in string else digit_string
        code = next(filter(digits.startswith, _RANGES), None)
        if code is None:
            return None
        prefix = digit_string[: digit_string.index(code) + len(code)]
        trunk = "0" if digit_string[len(prefix) :].startswith("0") else ""
        return _laid_out(string, prefix + trunk, digit_string[len(prefix + trunk) :], code, source)
    if home[1] and digit_string.startswith("0"):
        return _laid_out(string, "0", digit_string[1:], home[1], source)
    return None


def _is_possible(number: str, international: bool, home: str) -> bool:
    """Return whether a number has a valid length, with or without its country code."""
    import phonenumbers

    if international and not number.startswith("+"):
        number = "+" + number.removeprefix("00")
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(number, home or None))
    except phonenumbers.NumberParseException:
        return False


def _laid_out(
    string: str, prefix: str, national: str, code: str, source: random.Random
) -> str | None:
    ranges = _RANGES[code]
    _, base, free, low, high = next(entry for entry in ranges if national.startswith(entry[0]))
    number = f"{prefix}{base}{source.randint(low, high):0{free}}"
    slots = sum(map(str.isdigit, string))
    return filled(string, number, str.isdigit).rstrip(" -./(") if len(number) <= slots else None


# E-mail and web addresses in the domains that are reserved for examples (RFC 2606).


_DOMAINS = ("example.com", "example.net", "example.org")
_PART = re.compile(r"\d+|[^\W\d_]+")
_PIECE = re.compile(r"\d+|[^\W\d_]+(?:-[^\W\d_]+)*")
_SHORTEST_NAME, _SHORTEST_BEGINNING = 2, 3
_PARTICLES = PARTICLES | word_list_of("particles_of_made_up_names")
_ROLES = word_list_of("shared_mailboxes")
"""Pieces that name no one."""
_PATH = re.compile(r"[\w/.~-]*")
_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]*://)?(?P<www>www\.)?[^/?#\s]+(?P<rest>.*)", re.I | re.S
)


def email(
    string: str, source: random.Random, people: Sequence[Mapping[str, str]], culture: str
) -> str:
    """Return an email address whose local part has the same number of names, initials and digits.

    Args:
        string: the original.
        source: random number generator.
        people: for each person in the text, the made-up names by case-folded real name.
        culture: culture of names that belong to no one in the text.
    """
    local = string.partition("@")[0]
    scheme = "mailto:" if local.lower().startswith("mailto:") else ""
    name = user_name(local[len(scheme) :], source, people, culture)
    return f"{scheme}{name}@{source.choice(_DOMAINS)}"


def user_name(
    string: str, source: random.Random, people: Sequence[Mapping[str, str]], culture: str
) -> str:
    """Return a user name with the same number of names, initials and digits.

    A name of a person in the text becomes that person's made-up name; if it could be several
    people's, that of the one whose names cover most of it.
    """
    lists = names(culture, latin=True)
    given, surnames = (
        [_letters(fold_text(name)) for name in pool]
        for pool in (lists.given(""), lists.surnames(""))
    )
    whole = _letters(fold_text(string))
    known: dict[str, str] = {}
    initials: dict[str, str] = {}
    for fakes in sorted(people, key=lambda fakes: -_covered(whole, fakes)):
        for name, fake in fakes.items():
            if len(_letters(name)) >= _SHORTEST_NAME:
                known.setdefault(_letters(name), _letters(fold_text(fake)))
            if _letters(name) not in whole:
                initials.setdefault(name[:1], fold_text(fake)[:1])
    several = len(_PART.findall(string)) > 1
    first = True

    def instead(match: re.Match[str]) -> str:
        nonlocal first
        piece = fold_text(match[0])
        if match[0].isdigit():
            return like(match[0], source)
        if piece in _ROLES:
            return match[0]
        if len(piece) == 1:
            output = initials.get(piece, "") or like(match[0], source)
        else:
            output = _known(piece, known, initials)
            if not output and "-" in piece:
                return _PART.sub(instead, match[0])
            output = output or source.choice(given if first and several else surnames)
            first = False
        if len(match[0]) > 1 and match[0].isupper():
            return output.upper()
        return output.capitalize() if match[0][0].isupper() else output

    return _PIECE.sub(instead, string)


def _covered(whole: str, fakes: Mapping[str, str]) -> int:
    """Return how many letters of a user name come from a person's names."""
    spellings = (whole, _plain(whole))
    pieces = filter(None, map(_letters, fakes))
    return sum(
        len(name) for name in pieces if len(name) > 1 and any(name in one for one in spellings)
    )


def _known(piece: str, known: Mapping[str, str], initials: Mapping[str, str]) -> str:
    """Return the made-up form of a name, or of several names written as one, or an empty string."""
    letters = _letters(piece)
    for spelling in (letters, _plain(letters)):
        output = known.get(spelling) or _joined(spelling, known, initials)
        output = output or _shortened(spelling, known)
        rest = _shortened(spelling[1:], known)
        if not output and rest and spelling[0] in initials:
            output = initials[spelling[0]] + rest
        if output:
            return output
    return ""


def _shortened(piece: str, known: Mapping[str, str]) -> str:
    """Return the start of the made-up name for the name that starts with ``piece``, or an empty string."""
    fakes = (fake for name, fake in known.items() if name.startswith(piece))
    return next(fakes, "")[: len(piece)] if len(piece) >= _SHORTEST_BEGINNING else ""


def _plain(name: str) -> str:
    """Return a case-folded name with ä, ö, ü, å in place of their two-letter spellings."""
    return re.sub("(?<=[aou])e|(?<=a)a", "", name)


def _joined(piece: str, known: Mapping[str, str], initials: Mapping[str, str]) -> str:
    """Return the made-up form of a name joined to an initial or another name, or an empty string."""
    for name in sorted(known, key=lambda name: (-len(name), name)):
        for before in (True, False):
            if piece.endswith(name) if before else piece.startswith(name):
                rest = piece.removesuffix(name) if before else piece.removeprefix(name)
                if rest in _PARTICLES:
                    return known[name]
                other = known.get(rest) or (initials.get(rest, "") if len(rest) == 1 else "")
                if other:
                    return other + known[name] if before else known[name] + other
    return ""


def _letters(name: str) -> str:
    return "".join(filter(str.isalpha, name))


def url(string: str, source: random.Random) -> str:
    """Return a URL with the same scheme and a path of the same shape, and nothing after it."""
    match = _URL.fullmatch(string)
    if match is None:
        return f"https://{source.choice(_DOMAINS)}"
    # The part after the path has its own syntax.
    rest = like(_PATH.match(match["rest"])[0], source)  # type: ignore[index]
    return f"{match['scheme'] or ''}{match['www'] or ''}{source.choice(_DOMAINS)}{rest}"
