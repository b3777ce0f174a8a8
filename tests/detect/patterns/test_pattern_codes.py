"""Forms of codes: wallets, spelt e-mail addresses, accounts, serial numbers, positions, and their labels."""

from __future__ import annotations

import hashlib
import os
import random
import string
from collections.abc import Callable

import pytest

from tacenda.detect.patterns import wallets
from tacenda.detect.patterns.national_ids import modules_of
from tacenda.detect.values import without_values
from tacenda.document import Mention, MentionSource, SemanticType, Span
from tests.examples import for_each

DRAWS = int(os.environ.get("TACENDA_DRAWS", "150"))
_Random = random.Random
_CAPITALS = string.ascii_uppercase
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def _of(rng: _Random, characters: str, length: int) -> str:
    return "".join(rng.choices(characters, k=length))


def _digits(rng: _Random, length: int) -> str:
    return _of(rng, "123456789", 1) + _of(rng, string.digits, length - 1)


def _base58(rng: _Random) -> str:
    payload = bytes([rng.choice((0, 5, 30, 48, 65, 128))]) + rng.randbytes(20)
    payload += hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
    number, signs = int.from_bytes(payload), ""
    while number:
        number, place = divmod(number, 58)
        signs = _BASE58[place] + signs
    return "1" * (len(payload) - len(payload.lstrip(b"\0"))) + signs


def _name(rng: _Random) -> str:
    return rng.choice(("ondine", "li.wei", "o-nuala", "mkwame91", "zeynep", "saoirse"))


def _spelt(rng: _Random) -> str:
    at = rng.choice(("(at)", " (at) ", "[at]", " AT ", " [at] ", " at ", "{at}", " ät "))
    dot = (
        " dot "
        if at == " at "
        else rng.choice(("(dot)", " dot ", " DOT ", "[dot]", ".", " (dot) "))
    )
    host = rng.choice(("post", "uni-harzdorf", "mail.fastpost"))
    return f"{_name(rng)}{at}{host}{dot}{rng.choice(('example', 'org', 'com'))}"


def _polish_card(rng: _Random) -> str:
    while True:
        card = _of(rng, _CAPITALS, 3) + _of(rng, string.digits, 6)
        if (
            sum(int(c, 36) * w for c, w in zip(card, (7, 3, 1, 9, 7, 3, 1, 7, 3), strict=True)) % 10
            == 0
        ):
            return card


def _fiscal(rng: _Random) -> str:
    from stdnum.it import codicefiscale

    swap = dict(zip(string.digits, "LMNPQRSTUV", strict=True))
    person = (
        _of(rng, "BCDFGLMNPRSTVZ", 6)
        + f"{rng.randint(0, 99):02}{rng.choice('ABCDEHLMPRST')}{rng.randint(1, 28):02}"
    )
    number = f"{person}{rng.choice('ABCDEFGHIL')}{_digits(rng, 3)}"
    number = "".join(swap[c] if c.isdigit() and rng.random() < 0.4 else c for c in number)
    return number + codicefiscale.calc_check_digit(number)


def _groups(rng: _Random) -> str:
    sign = rng.choice("- ")
    groups = [
        _of(rng, _CAPITALS + string.digits, rng.randint(3, 5)) for _ in range(rng.randint(2, 5))
    ]
    return sign.join([*groups, _digits(rng, 4)])


def _grid(rng: _Random) -> str:
    length = rng.choice((3, 4, 5))
    return f"{rng.choice(('NY', 'SP', 'TQ', 'HU', 'SO'))} {_digits(rng, length)} {_digits(rng, length)}"


def _words(rng: _Random) -> str:
    return ".".join(
        rng.choice(("filled", "count", "soap", "index", "home", "raft")) for _ in range(3)
    )


# What draws a code, and the texts in which it stands; several by a bar.
FORMS: dict[str, tuple[Callable[[_Random], str], str]] = {
    "wallet": (_base58, "send to {} please|wallet={} amount=0.4|{}|I paid 0.04 BTC from {}."),
    "ethereum": (lambda rng: "0x" + _of(rng, "0123456789abcdefABCDEF", 40), "the rest to {} last night|wallet={} ok"),
    "basic": (lambda rng: _of(rng, string.ascii_letters, 12), "Authorization: Basic {}|-H 'Authorization: Bearer {}'"),
    "password": (lambda rng: _of(rng, string.ascii_lowercase, 12), "PASSWORD={}|DB_PASSWORD={}|login password={} user=x"),
    "pass phrase": (lambda rng: " ".join(_of(rng, string.ascii_lowercase, 5) for _ in range(3)), 'the passphrase is "{}"|password: "{}", he said|his passphrase was “{}”.|the passphrase \'{}\' unlocks it|the wifi key "{}" works|use passcode “{}”'),
    "pass phrase alone": (lambda rng: " ".join(_of(rng, string.ascii_lowercase, 5) for _ in range(4)), "passphrase: {}|pass phrase is {}|Backup passphrase {}"),
    "foreign password": (lambda rng: _of(rng, string.ascii_letters, 8) + "-7!", "Passwort: {}|mot de passe : {}|contraseña: {}|wachtwoord is {}|lösenord: {}|hasło: {}|senha: {}|adgangskode: {}|<password>{}</password>|the password's '{}' now"),
    "login": (lambda rng: _of(rng, string.ascii_letters, 9), "curl -u deploy:{} https://x.example|curl --user 'anna:{}' x|wget --proxy-user=kim:{} y"),
    "run": (lambda rng: f"{_of(rng, _CAPITALS, 3)}7-{_digits(rng, 4)}-{_of(rng, _CAPITALS, 3)}4", "recovery code {}|your backup code is {}.|Gift code: {}"),
    "cookie": (lambda rng: _of(rng, string.ascii_lowercase, 8) + _digits(rng, 8), "Set-Cookie: sid={}; Path=/|token {} expired|secret_key_base: {}|connect.sid={}"),
    "pin of a gate": (lambda rng: _digits(rng, 4), "the code for the gate is {}#|code to the alarm: {}"),
    "pin": (lambda rng: _digits(rng, 6), "otp {}, do not share|PIN: {}|the door code is {}|passcode {}"),
    "serial": (_groups, "Serial No. {}|S/N: {}|the product key is {}|serial number {} is"),
    "device": (lambda rng: f"{_digits(rng, 1)}{_of(rng, _CAPITALS, 2)}{_digits(rng, 4)}{_of(rng, _CAPITALS, 1)}", "service tag {}, asset|The laptop, serial {}, no longer starts"),
    "pager": (lambda rng: _digits(rng, 4), "reg, bleep {}.|pager {} all night|bleeped {}"),
    "extension": (lambda rng: f"ext. {_digits(rng, 4)}", "call me on {}.|desk, {}, ask"),
    "account": (lambda rng: _digits(rng, 8), "Sort code 20-00-00, a/c {} please|Barclays 20 00 00 / {}|acct: {}|to 20-00-00 {}"),
    "spelt": (_spelt, "Write to {} about the keys.|mail: {}|({})"),
    "polish card": (_polish_card, "dowód {} ważny|card {}."),
    "fiscal": (_fiscal, "codice fiscale {}|nata a Roma, {}."),
    "grid": (_grid, "at grid reference {}, near|({})|The tent was at {} then"),
    "three words": (_words, "what3words ///{}.|what3words: {}|it is at ///{} now"),
    "meeting": (lambda rng: f"{_digits(rng, 3)} {_digits(rng, 4)} {_digits(rng, 4)}", "Meeting ID: {}|meeting number {}, 9 am"),
    "of a person": (lambda rng: f"{rng.choice(('p-', 'C', ''))}{_digits(rng, 5)}", '<patient id="{}"><name/></patient>|{{"customerId": "{}", "n": 3}}|{{"patient": {{"id": "{}"}}}}'),
    "vehicle": (lambda rng: f"WVWZZZ1KZ8W{_digits(rng, 6)}", "VIN {}|VIN: {} | Colour"),
}  # fmt: skip


def test_a_code_is_found_in_all_its_spellings(find):
    """By a check sum, by its form, or by the word before it."""
    rng = random.Random(32)
    left = []
    for draw in range(DRAWS):
        form = list(FORMS)[draw % len(FORMS)]
        make, texts = FORMS[form]
        code = make(rng)
        text = rng.choice(texts.split("|") if form != "vehicle" else [texts]).format(
            code, code, code
        )
        if code not in " ".join(item for kind, item in find(text)):
            left.append((form, text, find(text)))
    assert not left


@for_each(
    "wallet",
    [  # examples of BIP 173, BIP 350 and the chains' own pages
        "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
        "BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
        "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
        "LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1",
        "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
    ],
)
def test_a_wallet_is_known_by_its_check_sum(wallet):
    """Of Base58Check, in two alphabets, and of Bech32."""
    assert [hit.end for hit in wallets.find_wallets(wallet)] == [len(wallet)]
    assert not list(wallets.find_wallets(wallet[:30]))


@pytest.mark.parametrize(
    "text",
    [
        "0x0000000000000000000000000000000000000000",
        "the sha256 of it is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "connect(user=u, password=secretvalue)",
        "the password is required",
        "works at acme.com, look at example.org",
        "She was at home dot.",
        "pin 4 of the plug",
        "a/b.c.d and //comment",
        "SD 1280 720",
        "/// see.the.docs",
        "ABC123456",
    ],
)
def test_what_only_looks_like_a_code_is_none(find, text):
    """Hashes, code, prose."""
    assert find(text) == []


def test_a_uuid_is_one_thing(find):
    """However its groups look; the recognizer says whether it is personal."""
    uuid = "90417712-3345-4410-8827-551903348812"
    assert find(f'{{"session.id": "{uuid}", "tokens": 1532}}') == [("uuid", uuid)]


def test_a_code_with_letters_for_digits_is_italian():
    """Of omocodia; a number of another shape has no module."""
    assert modules_of("RSSMRA85T10A56NH") == ("it.codicefiscale",)
    assert modules_of("QQ123456C") == ()


@for_each(
    ("text", "marked", "left"),
    [
        ("PESEL 44051401359", "PESEL", []),
        ("PESEL 44051401359", "PESEL 44051401359", [" 44051401359"]),
        ("NINO QQ 12 34 56 C", "NINO", []),
        ("Aadhaar no. 2345 6789 0124", "Aadhaar", []),
        ("Voter ID ABX1234567", "Voter", []),
        ("Ann Li VIN: WVWZZZ1KZ8W123456", "Ann Li VIN", ["Ann Li "]),
        ("otp 882 104", "otp", []),
        ("Fax: 020 7946 0992", "Fax", []),
        ("userName=EvelynTran&dob=1993", "EvelynTran&dob", ["EvelynTran"]),
        ("Nino Rossi, 57", "Nino", ["Nino"]),
        ("Reg Smith was 57", "Reg", ["Reg"]),
        ("NINO ROSSI", "NINO", ["NINO"]),
    ],
)
def test_the_label_of_a_number_is_no_mention(text, marked, left):
    """Whoever reads it as a name; a name like it stays one."""
    start = text.index(marked)
    mention = Mention(
        Span(start, start + len(marked)), SemanticType.PERSON, 0.9, 0.1, MentionSource.NEURAL
    )
    assert [part.span.of(text) for part in without_values(text, [mention])] == left
