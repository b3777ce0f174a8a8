"""Codes of the same shape: digit for digit, letter for letter, all else as it stands.

| kind | becomes |
|---|---|
| card number | one that begins with 9999, which no issuer has, with a right check digit |
| IBAN | of the same country, right check digits, a bank code of 9s or Zs that no bank has |
| MAC address | one of the range for documentation, 00:00:5E:00:53 (RFC 7042, section 2.1.1) |
| IP address | one of the ranges for documentation (RFC 5737; RFC 3849) |
| anything else | digits and letters drawn anew; a leading digit other than 0 stays other than 0 |
"""

from __future__ import annotations

import random
import re

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BANK = 4
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")
_SHORTEST_CARD = 12
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


def card(string: str, source: random.Random) -> str:
    """Return a card number that nobody has."""
    length = sum(map(str.isdigit, string))
    if length < _SHORTEST_CARD:
        return like(string, source)
    body = "9999" + "".join(str(source.randrange(10)) for _ in range(length - 5))
    doubled = [int(sign) * (2 if place % 2 == 0 else 1) for place, sign in enumerate(body[::-1])]
    check = -sum(value // 10 + value % 10 for value in doubled) % 10
    return filled(string, f"{body}{check}")


def iban(string: str, source: random.Random) -> str:
    """Return an account number that nobody has."""
    signs = "".join(filter(str.isalnum, string)).upper()
    if _IBAN.fullmatch(signs) is None:
        return like(string, source)
    account = like(signs[4 + _BANK :], source)
    bank = "".join("9" if sign.isdigit() else "Z" for sign in signs[4 : 4 + _BANK])
    number = "".join(str(int(sign, 36)) for sign in f"{bank}{account}{signs[:2]}00")
    return filled(string, f"{signs[:2]}{98 - int(number) % 97:02}{bank}{account}")


def mac(string: str, source: random.Random) -> str:
    """Return a hardware address of the range for documentation."""
    written = f"00005e0053{source.randrange(256):02x}"
    return filled(string, written.upper() if string.upper() == string else written)


def ip(string: str, source: random.Random) -> str:
    """Return an Internet address of a range for documentation; a port or mask stays."""
    if ":" in string and string.count(".") != 3:
        return f"2001:db8::{source.randrange(1, 65536):x}:{source.randrange(1, 65536):x}"
    tail = string[len(string.rstrip("0123456789")) :] if "/" in string else ""
    address = f"{source.choice(_NETWORKS)}.{source.randrange(1, 255)}"
    return f"{address}/{tail}" if tail else address
