"""What stands in an address is found in it, and the rest of the address stays."""

from __future__ import annotations

import base64
import os
import random
import string
from collections.abc import Callable, Iterator
from urllib.parse import quote, quote_plus

import pytest

import tacenda
from tacenda.detect.patterns.bank_numbers import passes_luhn
from tacenda.detect.patterns.detector import PatternDetector
from tacenda.policy.loading import shipped
from tests.examples import for_each

DRAWS = int(os.environ.get("TACENDA_DRAWS", "150"))
_ALNUM = string.ascii_letters + string.digits
_Random = random.Random


def _of(rng: _Random, characters: str, length: int) -> str:
    return "".join(rng.choices(characters, k=length))


def _mixed(rng: _Random, length: int) -> str:
    """A string of small letters, capitals and digits, as a machine draws it."""
    kinds = (string.ascii_lowercase, string.ascii_uppercase, string.digits, string.digits)
    drawn = [rng.choice(kind) for kind in kinds] + rng.choices(_ALNUM, k=length - len(kinds))
    rng.shuffle(drawn)
    return "".join(drawn)


def _card(rng: _Random) -> str:
    while True:
        number = rng.choice(("4", "51", "37")) + _of(rng, string.digits, 15)
        number = number[: 15 if number.startswith("37") else 16]
        if passes_luhn(number):
            return number


def _iban(rng: _Random) -> str:
    account = _of(rng, string.digits, 18)
    return f"DE{98 - int(account + '131400') % 97:02}{account}"


def _nhs(rng: _Random) -> str:
    while True:
        digits = _of(rng, string.digits, 9)
        check = 11 - sum(int(d) * w for d, w in zip(digits, range(10, 1, -1), strict=True)) % 11
        if check != 10:
            return digits + str(check % 11)


def _jwt(rng: _Random) -> str:
    parts = (f'{{"alg":"{_of(rng, "RSH", 2)}256"}}', f'{{"sub":"{_of(rng, string.digits, 10)}"}}')
    head, body = (base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
    return f"{head}.{body}.{_of(rng, _ALNUM, 43)}"


def _octet(rng: _Random) -> str:
    return str(rng.choice((*range(30, 127), *range(128, 250))))


# Each with the keys and path segments that come before it; a path of "" is none.
FORMS: dict[str, tuple[Callable[[_Random], str], str, str]] = {
    "card": (_card, "card cardNumber pan cc", "cards pay"),
    "ssn": (lambda rng: f"{rng.randint(100, 600)}-{rng.randint(10, 99)}-{rng.randint(1000, 9999)}", "ssn patient_ssn", "ssn"),
    "iban": (_iban, "iban account to", "accounts transfer"),
    "nhs": (_nhs, "nhs nhs_number nhsNumber patientId", "nhs patients"),
    "ip": (lambda rng: ".".join(_octet(rng) for _ in range(4)), "ip client_ip host", "hosts whois"),
    "phone": (lambda rng: f"+4477009{_of(rng, string.digits, 5)}", "phone tel to msisdn", "call"),
    "client secret": (lambda rng: _mixed(rng, 24), "client_secret clientSecret", ""),
    "api key": (lambda rng: _of(rng, "0123456789abcdef", 24), "api_key apikey key", ""),
    "access key": (lambda rng: "AKIA" + _of(rng, string.ascii_uppercase + string.digits, 16), "AWSAccessKeyId x", "f"),
    "jwt": (_jwt, "jwt id_token t", "verify"),
    "oauth token": (lambda rng: "ya29." + _mixed(rng, 40), "access_token oauth_token", ""),
    "session": (lambda rng: _of(rng, "0123456789abcdef", 32), "session sid PHPSESSID", ""),
    "meeting": (lambda rng: _of(rng, "123456789", 11), "", "j meeting"),
    "passcode": (lambda rng: _mixed(rng, 6), "pwd passcode", ""),
    "shared file": (lambda rng: _mixed(rng, rng.randint(10, 33)), "", "s d file/d folders share"),
    "signature": (lambda rng: _mixed(rng, 43), "sig Signature X-Amz-Signature", ""),
    "user": (lambda rng: rng.choice(("anna.berg", "mkwame", "oyinkan91", "x_ibrahim")), "user username", "users u people"),
    "email": (lambda rng: f"{rng.choice(('anna', 'o.nuala', 'li+wei'))}@post{rng.randint(1, 99)}.org", "email to e u", "unsubscribe contact"),
}  # fmt: skip


def addresses(draws: int, seed: int = 32) -> Iterator[tuple[str, str, str]]:
    """Yield a text with an address, the string in it that nobody may read, and its form."""
    rng = random.Random(seed)
    for draw in range(draws):
        form = list(FORMS)[draw % len(FORMS)]
        make, keys, paths = FORMS[form]
        value = make(rng)
        encoded = rng.choice((quote(value, safe=""), quote_plus(value), value))
        host = rng.choice(("acme.io", "app.shop.example", "api.example.com:8443", "www.bank.co.uk"))
        scheme = rng.choice(("https://", "http://", "", "", "ftp://"))
        before = rng.choice(("", "lang=en&", "x=1&", "page=2;"))
        after = rng.choice(("", "&lang=en", "&utm_source=mail", "#top"))
        if keys and (not paths or rng.random() < 0.6):
            mark = rng.choice("??#")
            place = rng.choice(("f", "v1/items", "a/b.html", ""))
            rest = f"{place}{mark}{before}{rng.choice(keys.split())}={encoded}{after}"
        else:
            rest = f"{rng.choice(paths.split())}/{encoded}{rng.choice(('', '/edit', '?x=1'))}"
        sentence = rng.choice(
            (
                "Please open {} now",
                "{}",
                "see ({}), she said",
                "GET {} 200",
                "href: <{}>",
                "from {}.",
            )
        )
        yield sentence.format(f"{scheme}{host}/{rest}"), encoded, form


def test_a_certain_identifier_inside_an_address_is_found(find):
    """With and without a scheme, encoded or not, in a query, a fragment or a path."""
    left = [
        (form, text)
        for text, secret, form in addresses(DRAWS)
        if secret.rstrip("=") not in " ".join(item for kind, item in find(text) if kind != "url")
    ]
    assert not left


@for_each("policy", sorted(shipped()))
def test_it_is_masked_under_every_policy(policy):
    """Also where the recognizer takes the whole address for nothing, or a piece of it for something else."""
    cases = list(addresses(DRAWS // 4, seed=len(policy)))
    results = tacenda.load(policy, threads=1).pipe(text for text, _, _ in cases)
    left = [
        (form, result.text)
        for (text, secret, form), result in zip(cases, results, strict=True)
        for start in [text.index(secret)]
        for masked in [
            {i for r in result.replacements for i in range(r.original.start, r.original.end)}
        ]
        if {i for i in range(start, start + len(secret)) if text[i].isalnum()} - masked
    ]
    assert not left


@for_each(
    ("text", "rest"),
    [
        ("open https://acme.io/f?card=5425233430109903 now", "open https://acme.io/f?card=* now"),
        ("https://a.org/?e=x%40b.org&c=1", "https://a.org/?e=*&c=1"),
        ("https://a.org/?e=x@b.org", "https://a.org/?e=*"),
        ("https://a.org/j/93811200417?pwd=QmFuYW5h.", "https://a.org/j/*?pwd=*."),
        ("https://a.org/patients/4471880", "https://a.org/patients/*"),
        ("acme.io/v1?customerId=4471880&n=2", "acme.io/v1?customerId=*&n=2"),
    ],
)
def test_the_rest_of_the_address_stays(text, rest):
    """Only what is sure is cut out of it."""
    for mention in reversed(PatternDetector().detect(text)):
        if mention.kind != "url":
            text = text[: mention.span.start] + "*" + text[mention.span.end :]
    assert text == rest


@pytest.mark.parametrize(
    "address",
    [
        "https://pypi.org/project/requests/2.31.0/",
        "https://github.com/psf/requests/commit/0e322af87745eff34caffe4df68456ebc20d9068",
        "https://files.pythonhosted.org/packages/9d/be/10918a2eac4ae9f02f6cfe6414b7a155ccd8f7f9d4380d62/requests-2.31.0.tar.gz",
        "https://www.nuget.org/packages/Newtonsoft.Json/13.0.3.1/",
        "https://docs.example.com/join/left-join-2",
        "https://docs.python.org/3/library/re.html#re.compile",
        "https://example.org/2024/05/12/spring-news?page=2&sort=asc",
        "https://docs.github.com/en/rest/tokens?apiVersion=2022-11-28",
        "https://fonts.gstatic.com/s/roboto/v30/KFOmCnqEu92Fr1Mu4mxK.woff2",
        "https://youtu.be/dQw4w9WgXcQ",
        "https://arxiv.org/abs/1706.03762v5",
    ],
)
def test_an_address_of_a_page_is_only_that(find, address):
    """Versions, dates, commits, files and slugs are no identifiers."""
    assert find(f"See {address} for it") == [("url", address)]
