"""Codes of the same shape: digit for digit, letter for letter, all else as it stands.

| kind | becomes |
|---|---|
| card number | one that begins with 9999, which no issuer has, with a right check digit |
| IBAN | of the same country, right check digits, a bank code of 9s or Zs that no bank has |
| MAC address | one of the range for documentation, 00:00:5E:00:53 (RFC 7042, section 2.1.1) |
| IP address | one of the ranges for documentation (RFC 5737; RFC 3849) |
| identity numbers, postcodes | digits and letters drawn anew; a leading digit other than 0 stays other than 0 |
"""

from __future__ import annotations

import random
import re
from ipaddress import ip_interface

from stdnum import luhn

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
    if sign.isalpha() and sign.upper() in _LETTERS:
        letter = source.choice(_LETTERS)
        return letter if sign.isupper() else letter.lower()
    if sign.isalpha():
        return source.choice(_LETTERS).lower()
    return sign


def filled(string: str, signs: str) -> str:
    """Return ``string`` with its letters and digits replaced, one by one, by ``signs``."""
    rest = iter(signs)
    return "".join(next(rest, "") if sign.isalnum() else sign for sign in string)


def looks_like_account(string: str) -> bool:
    """Tell whether a string is as long as a card number or an IBAN, and written like one."""
    return bool(_CARD.fullmatch(string) or _IBAN.fullmatch(_alphanumeric(string)))


def is_card(string: str) -> bool:
    """Tell whether a string has the digits of a card number, and Luhn's check digit."""
    return _CARD.fullmatch(string) is not None and luhn.is_valid(_alphanumeric(string))


def is_iban(string: str) -> bool:
    """Tell whether a string is an account number with right check digits (ISO 13616)."""
    signs = _alphanumeric(string).upper()
    return _IBAN.fullmatch(signs) is not None and _remainder(signs) == 1


def card(string: str, source: random.Random) -> str | None:
    """Return a card number that nobody has; None for what is none."""
    if not is_card(string):
        return None
    length = sum(map(str.isdigit, string))
    body = "9999" + "".join(str(source.randrange(10)) for _ in range(length - 5))
    return filled(string, body + luhn.calc_check_digit(body))


def iban(string: str, source: random.Random) -> str | None:
    """Return an account number that nobody has; None for what is none."""
    if not is_iban(string):
        return None
    signs = _alphanumeric(string).upper()
    account = like(signs[4 + _BANK :], source)
    bank = "".join("9" if sign.isdigit() else "Z" for sign in signs[4 : 4 + _BANK])
    check = 98 - _remainder(f"{signs[:2]}00{bank}{account}")
    return filled(string, f"{signs[:2]}{check:02}{bank}{account}")


def _remainder(signs: str) -> int:
    """Return what is left of an account number divided by 97, a letter being two digits."""
    return int("".join(str(int(sign, 36)) for sign in signs[4:] + signs[:4])) % 97


def _alphanumeric(string: str) -> str:
    return "".join(filter(str.isalnum, string))


def mac(string: str, source: random.Random) -> str:
    """Return a hardware address of the range for documentation."""
    written = f"00005e0053{source.randrange(256):02x}"
    return filled(string, written.upper() if string.upper() == string else written)


def ip(string: str, source: random.Random) -> str | None:
    """Return an Internet address of a range for documentation, a mask kept; None for no address."""
    _, slash, mask = string.partition("/")
    try:
        version = ip_interface(string).version
    except ValueError:
        return None
    if version == 6:
        made = f"2001:db8::{source.randrange(1, 65536):x}:{source.randrange(1, 65536):x}"
    else:
        made = f"{source.choice(_NETWORKS)}.{source.randrange(1, 255)}"
    return f"{made}{slash}{mask}"
