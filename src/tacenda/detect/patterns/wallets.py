"""Cryptocurrency wallet addresses and keys, recognized by their checksums.

| form | check |
|---|---|
| Bitcoin, Litecoin, Dogecoin, Dash, Tron, Zcash and others, extended and private keys | Base58Check: SHA-256 twice |
| Ripple | the same with its own alphabet |
| Bitcoin, Litecoin, Cardano, Cosmos and others from SegWit on | Bech32 and Bech32m (BIP 173, BIP 350) |
| Ethereum and similar: ``0x`` and 40 digits; 64 for a transaction | the length |
| Monero, Solana, mistyped addresses | Base58 characters after a word such as *wallet*, or as many as Bitcoin's |
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from .base import Hit, before

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_RIPPLE = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
_RUN = re.compile(r"(?<![^\W_])[1-9A-HJ-NP-Za-km-z]{25,112}(?![^\W_])")
_MIXED = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])[^0-9]*[0-9]")
_LIKELY = re.compile(r"[13LMDTXr].{32,34}")
_SEGWIT = re.compile(
    r"(?<![^\W_])[A-Za-z]{1,12}1(?P<data>[02-9ac-hj-np-z]{20,110}|[02-9AC-HJ-NP-Z]{20,110})(?![^\W_])"
)
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_HEXADECIMAL = re.compile(r"\b0x(?!0{40})(?:[0-9a-fA-F]{64}|[0-9a-fA-F]{40})(?!\w)")
_ANNOUNCED = before(
    r"(?i:\b(?:wallet|address|bitcoin|ethereum|litecoin|monero|solana|crypto)|\b(?:BTC|ETH|LTC|XMR|SOL|XRP|USDT)\b).{0,24}"
)


def find_wallets(text: str) -> Iterator[Hit]:
    """Yield wallet addresses, keys and transactions (kind ``wallet``)."""
    for match in _RUN.finditer(text):
        is_likely = _LIKELY.fullmatch(match[0]) or (
            len(match[0]) > 31 and _ANNOUNCED.match(text, match.start())
        )
        if any(_is_checked(match[0], alphabet) for alphabet in (_BASE58, _RIPPLE)) or (
            is_likely and _MIXED.match(match[0])
        ):
            yield Hit(*match.span(), "wallet")
    for match in _SEGWIT.finditer(text):
        if _is_bech32(match[0].lower()):
            yield Hit(*match.span(), "wallet")
    for match in _HEXADECIMAL.finditer(text) if "0x" in text else ():
        yield Hit(*match.span(), "wallet")


def _is_checked(run: str, alphabet: str) -> bool:
    """Return whether the last four bytes are the checksum of the others."""
    number = 0
    for character in run:
        number = number * 58 + alphabet.index(character)
    zeros = len(run) - len(run.lstrip(alphabet[0]))
    payload = bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8)
    return sha256(sha256(payload[:-4]).digest()).digest()[:4] == payload[-4:]


def _is_bech32(run: str) -> bool:
    """Return whether the checksum polynomial leaves the constant of Bech32 or Bech32m."""
    prefix, _, data = run.rpartition("1")
    codes = [ord(character) for character in prefix]
    checksum = 1
    for value in (
        *(code >> 5 for code in codes),
        0,
        *(code & 31 for code in codes),
        *map(_BECH32.index, data),
    ):
        top = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATOR):
            checksum ^= generator if top >> bit & 1 else 0
    return checksum in (1, 0x2BC830A3)
