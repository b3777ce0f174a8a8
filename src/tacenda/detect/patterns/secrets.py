r"""Secrets that give access to an account or a machine, and the users whose folders a path names.

| in the text | hit |
|---|---|
| ``AKIA…``, ``ghp_…``, ``xoxb-…``, ``sk_live_…``, ``eyJ….eyJ….…`` | keys and tokens with a form of their own, as a whole |
| ``-----BEGIN PRIVATE KEY-----`` | the lines up to the end of the key |
| ``Authorization: Bearer …`` | the token |
| ``postgres://anna:hunter2@db/x`` | the password; the user, unless it is a service's |
| ``password=hunter2``, ``"api_key": "9f8a…"``, ``the passphrase (is) "…"``, ``otp 882 104`` | the value |
| ``/home/anna/``, ``/Users/anna``, ``C:\Users\anna\`` | the user |
| ``password=****``, ``token = get()``, ``password: str`` | nothing: a placeholder, code |
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...shipped import shipped_patterns
from ...text.word_lists import word_list_of
from .base import Hit, before

_PATTERNS = shipped_patterns("pattern_forms", "secrets")

_W = r"[A-Za-z0-9_-]"
_FORMS = {
    mark: re.compile(rf"(?<!{_W}){form}(?!{_W})")
    for mark, form in (
        ("AKIA", r"AKIA[A-Z0-9]{16}"),  # Amazon
        ("ASIA", r"ASIA[A-Z0-9]{16}"),
        ("gh", r"gh[opsur]_[A-Za-z0-9]{36,76}"),
        ("github_pat_", r"github_pat_\w{22,90}"),
        ("glpat-", rf"glpat-{_W}{{20,60}}"),
        ("xox", rf"xox[abeoprs]-{_W}{{10,120}}"),  # Slack
        ("_live_", r"[srp]k_live_[A-Za-z0-9]{16,120}"),  # Stripe
        ("_test_", r"[srp]k_test_[A-Za-z0-9]{16,120}"),
        ("sk-", rf"sk-(?=[A-Za-z_-]{{0,40}}[0-9]){_W}{{20,200}}"),
        ("AIza", rf"AIza{_W}{{35}}"),  # Google
        ("ya29.", rf"ya29\.{_W}{{20,300}}"),
        ("SG.", rf"SG\.{_W}{{16,32}}\.{_W}{{16,64}}"),
        ("npm_", r"npm_[A-Za-z0-9]{36}"),
        ("pypi-", rf"pypi-{_W}{{32,300}}"),
        ("hf_", r"hf_[A-Za-z0-9]{30,60}"),
        ("dop_v1_", r"dop_v1_[a-f0-9]{64}"),
        ("shp", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
        # JSON Web Tokens, RFC 7519
        ("eyJ", rf"eyJ{_W}{{8,2000}}\.eyJ{_W}{{8,4000}}\.{_W}{{8,1000}}"),
        ("earer ", r"(?<=[Bb]earer )(?P<value>[A-Za-z0-9._~+/-]{16,2000}={0,2})"),
        ("asic ", r"(?<=[Bb]asic )(?P<value>[A-Za-z0-9+/]{16,2000}={0,2})"),
    )
}
"""Forms by a string that each has, which is searched for faster."""

_KEY_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----")
_KEY_BODY = re.compile(r"[^-]{0,200}?(?P<key>(?:[A-Za-z0-9+/=]{16,80}(?:\s|\\[nr]){0,4}){1,200})")

_LOGIN = _PATTERNS["login"]
_NAME = (
    r"(?P<word>pass(?:word|wd|phrase|wort|ord)|pwd|(?<![A-Za-z])pass(?:code)?|kennwort|mot de passe|contraseña|wachtwoord|lösenord"
    r"|adgangskode|hasło|senha)"
    r"|secret(?:[_-]?(?:access[_-]?)?key(?:[_-]base)?)?|(?<![A-Za-z])(?:(?:api|access|auth|private|signing|encryption|account)[_-]?key"
    r"|(?:(?:access|auth|api|refresh|bearer|session|csrf|id)[_-]?)?token|client[_-]?secret|credential|session)"
    r"|sess(?:ion)?[_-]?id|(?<![A-Za-z])[cj]?sid"
)
_NAMED = before(rf"(?i:{_NAME})s?[\"']?\s?")
_SIGN = re.compile(r"[:=]>?|>|\b(?:is|was)\b:?|['’]s(?=\s[\"'“‘])")
_LAST_LETTERS = frozenset("dytnlesaoDYTNLESAO\"' ")
_VALUE = _PATTERNS["value"]
_HEADER = _PATTERNS["header"]
# Numbers that open something once, or open a door.
_PIN = _PATTERNS["pin"]
# Several words up to the line end: passphrase: correct staple rainy moth.
_WORDS = _PATTERNS["words"]
# curl -u anna:hunter2, --user anna:hunter2
_LOGIN_OPTION = _PATTERNS["login_option"]
_CODE_WORDS = r"(?:recovery|backup|activation|redeem|redemption|voucher|gift|licen[cs]e|access|invite)\s(?:code|key)|(?:api|access|auth|bearer|refresh|session)?[ _-]?token"
# Groups and runs of letters and digits after only a word: recovery code 8KX2-9QPL-77ZM, token
# 8f3a9c1d2e4b5a6f.
_RUN = re.compile(
    rf"\b(?i:{_CODE_WORDS})(?:\sis|:)?\s(?P<bare>[A-Z0-9]{{4,8}}(?:-[A-Z0-9]{{4,8}}){{1,6}}|[A-Za-z0-9_-]{{16,200}})(?![\w-])"
)
# Only quotation marks: the passphrase 'correct staple rainy moth' unlocks it.
_QUOTED = _PATTERNS["quoted"]
_OPTION = _PATTERNS["option"]
PLACEHOLDER = _PATTERNS["placeholder"]
_CODE = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+")
_LETTERS = re.compile(r"[A-Za-z]")
_UNLIKE_WORDS = re.compile(r"[0-9!@#$%^*?+=/]")
_SHORTEST_TOKEN = 8


def find_secrets(text: str) -> Iterator[Hit]:
    """Yield keys, tokens and passwords (kind ``secret``), and users in addresses with a password."""
    for mark, form in _FORMS.items():
        if mark in text:
            for match in form.finditer(text):
                if "value" not in form.groupindex or _is_random(match["value"]):
                    yield Hit(match.start(), match.end(), "secret")
    for begin in _KEY_BEGIN.finditer(text):
        body = _KEY_BODY.match(text, begin.end())
        if body is not None:
            yield Hit(body.start("key"), begin.end() + len(body[0].rstrip()), "secret")
    if "://" in text and "@" in text:
        for match in _LOGIN.finditer(text):
            if not PLACEHOLDER.fullmatch(match["value"]):
                yield Hit(match.start("value"), match.end("value"), "secret")
                if names_somebody(match["user"]):
                    yield Hit(match.start("user"), match.end("user"), "user_name")
    yield from _assigned(text)
    for pattern in (_HEADER, _PIN, _WORDS, _LOGIN_OPTION, _RUN):
        for match in pattern.finditer(text):
            if not PLACEHOLDER.fullmatch(match["bare"]) and (
                pattern is not _RUN or _is_random(match["bare"])
            ):
                yield Hit(*match.span("bare"), "secret")
                if pattern is _LOGIN_OPTION and names_somebody(match["user"]):
                    yield Hit(*match.span("user"), "user_name")
    for match in _QUOTED.finditer(text):
        group = match.lastgroup or "bare"
        if _is_value(match[group], is_password=True, is_quoted=True):
            yield Hit(*match.span(group), "secret")
    for match in _OPTION.finditer(text):
        if _is_value(match["bare"], is_password=True, is_quoted=False):
            yield Hit(match.start("bare"), match.end("bare"), "secret")


def _assigned(text: str) -> Iterator[Hit]:
    """Yield the values after a secret's name and a colon or equals sign."""
    for sign in _SIGN.finditer(text):
        if text[sign.start() - 1 : sign.start()] not in _LAST_LETTERS:
            continue
        value = _VALUE.match(text, sign.end())
        name = value and _NAMED.match(text, sign.start())
        if value is None or name is None:
            continue
        group = value.lastgroup or "bare"
        if group == "phrase" and not name["word"]:
            continue
        # PASSWORD=correcthorse in a shell or a log; in code, a bracket or a comma follows
        is_assigned = sign[0] == "=" and value.start(group) == sign.end()
        is_sure = group != "bare" or (is_assigned and not text.startswith((")", ","), value.end()))
        if _is_value(value[group], bool(name["word"]), is_sure):
            yield Hit(value.start(group), value.end(group), "secret")


def _is_value(value: str, is_password: bool, is_quoted: bool) -> bool:
    """Return whether the value of a pair is a secret rather than a placeholder or code."""
    if PLACEHOLDER.fullmatch(value) or _CODE.fullmatch(value):
        return False
    if not is_password:
        return _is_random(value)
    return is_quoted or bool(_LETTERS.search(value) and _UNLIKE_WORDS.search(value))


def _is_random(value: str) -> bool:
    """Return whether letters and digits are mixed in a way no ordinary word is."""
    return (
        len(value) >= _SHORTEST_TOKEN
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
    )


# Folders of users: ``/home/anna``, ``/Users/anna``, ``C:\Users\anna``, with ``\\`` as in JSON.


_HOME = _PATTERNS["home"]
_HOMES = ("/home/", "/Users/", "/var/", ":\\")
_REQUEST = before(r"\b(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s")
FILE = _PATTERNS["file"]
_OF_NOBODY = word_list_of("secrets_of_nobody")
"""Accounts of machines and services, and those of examples."""


def find_home_folders(text: str) -> Iterator[Hit]:
    """Yield the users whose folders a path names (kind ``user_name``)."""
    if not any(mark in text for mark in _HOMES):
        return
    for match in _HOME.finditer(text):
        if (
            names_somebody(match["name"])
            and not FILE.fullmatch(match["name"])
            and not _REQUEST.match(text, match.start())
        ):
            yield Hit(match.start("name"), match.end("name"), "user_name")


def names_somebody(user: str) -> bool:
    """Return whether the name of an account belongs to neither a service nor an example."""
    return user.lower() not in _OF_NOBODY and any(map(str.isalpha, user))
