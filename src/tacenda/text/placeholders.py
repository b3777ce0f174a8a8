r"""Placeholders such as ``[PERSON_1]``, as written and as language models return them.

The number identifies the entity, and a letter after it the form of its name: ``[PERSON_1]`` is
*Anna Berg*, ``[PERSON_1B]`` *Anna*. Models change placeholders; these changes are understood:

| changed | examples |
|---|---|
| case, blanks, brackets | ``[person 1]`` ``[ PERSON-1 ]`` ``[PERSON1]`` ``<PERSON_1>`` ``{PERSON_1}`` ``【PERSON_1】`` |
| inflection | ``[PERSON_1]'s`` ``[PERSON_1's]`` ``[PERSONS_1]`` ``[PERSON_1s]`` |
| mark-up | ``**[PERSON_1]**`` ``[**PERSON_1**]`` ``[PERSON\_1]`` ``\[PERSON\_1\]`` ``&#91;PERSON_1&#93;`` |
| no brackets | ``PERSON_1`` ``Person_1`` ``PERSON 1``; not ``Person 1`` or ``person_1``, which anyone might write |
| another language, abbreviation | ``[PERSONNE_1]`` ``[ORG_1]``; other words if only one placeholder has the number |
| broken over lines | ``[PERSON_`` and ``1]``, ``[PER-`` and ``SON_1]`` |

If a user's text already contains something like this, it is never used for something else: the
guard hides it as ``[TEXT_1]``, and tags skip its number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..document import SemanticType, Span
from ..wording import LANGUAGES, TAG_TYPES, TAGS

LITERAL = "TEXT"
"""The word of what looked like a placeholder already."""
_KINDS = {"email": "EMAIL", "phone": "PHONE", "street_address": "ADDRESS"}
WORDS = tuple(dict.fromkeys((*TAGS.values(), *_KINDS.values(), LITERAL)))

_TYPES = TAG_TYPES | {
    "EMAIL": SemanticType.CODE,
    "PHONE": SemanticType.CODE,
    "ADDRESS": SemanticType.LOC,
}

_LETTERS = "ABCDEFGHIJKLMNOPQRTUVWXYZ"
"""Letters of the forms; without S, which would be a plural."""
_OTHER_WORDS = {
    "PERSON": "persons people name names pers personnes personas pessoas personen osoby henkilö "
    "személy kişi персона человек лицо 人 人物 人名 사람 nom nombre nome naam namn navn nazwisko "
    "имя 姓名",
    "CODE": "codes codigo number id ident kode код 代码 コード",
    "PLACE": "places location locations loc lieux orte local место 地点 場所 city",
    "ADDRESS": "addresses address adresse adressen dirección direccion indirizzo endereço adres "
    "location loc адрес 地址",
    "ORGANISATION": "organisations organization organizations org orgs organizacion organisationen firma "
    "company организация 组织 組織",
    "DETAIL": "details",
    "DATE": "dates daten дата 日期 日付 dob",
    "TIME": "times heure hora ora uhrzeit время 时间",
    "QUANTITY": "quantities",
    "ITEM": "items élément elemento objekt",
    "EMAIL": "emails mail mails e-mail courriel correo posta",
    "PHONE": "phones telephone téléphone teléfono telefono telefone telefon telefoon tel телефон "
    "电话 電話",
    LITERAL: "texts texte texto testo tekst",
}
"""Other words of models by label, beside those of ``data/languages``."""
_ALIASES: dict[str, set[str]] = {word.casefold(): {word} for word in WORDS}
for _language in LANGUAGES.values():
    for _key, _other in _language.tags.items():
        _ALIASES.setdefault(_other.casefold(), set()).add(TAGS[_key])
for _word, _others in _OTHER_WORDS.items():
    for _other in _others.split():
        _ALIASES.setdefault(_other.casefold(), set()).add(_word)

# A line end or an invisible character inside a word.
_BREAK = r"(?:\u00ad|[\u200b-\u200d\u2060]|-?\r?\n[ \t]{0,4})"
_INVISIBLE = re.compile(_BREAK)
_FILL = r"(?:[\s*_`~]|\\n|\\){0,4}?"
_GAP = r"(?:[\s_\-–—:.#*`~\u200b-\u200d\u2060]|\\n|\\|&#95;|&lowbar;|&nbsp;){0,4}"
_NAME = rf"[^\W\d_](?:(?:{_BREAK}|-)?[^\W\d_]){{0,14}}?"
_NUMBER = r"[0-9]{1,6}"
_PAIRS = (
    (r"(?:\\?\[|&#91;|&lbrack;|&lsqb;|[【［])", r"(?:\\{0,2}\]|&#93;|&rbrack;|&rsqb;|[】］])"),
    (r"(?:<|&lt;)", r"(?:>|&gt;)"),
    (r"\{", r"\}"),
)


def _inside(n: int) -> str:
    return (
        rf"{_FILL}(?P<word{n}>{_NAME})(?P<gap{n}>{_GAP})(?P<number{n}>{_NUMBER})"
        rf"(?P<form{n}>[A-Za-z]{{0,2}}?)(?P<ending{n}>['’]?s|){_FILL}"
    )


_CAPITALS = "|".join(sorted(WORDS, key=len, reverse=True))
_TITLES = "|".join(word.capitalize() for word in sorted(WORDS, key=len, reverse=True))
_BARE = (
    rf"(?<![\w\\])(?:(?P<word3>{_CAPITALS})(?P<gap3>_|\\{{1,2}}_|-|[ \u00a0]|)|(?P<word4>{_TITLES})(?P<gap4>_|\\{{1,2}}_))"
    rf"(?P<number3>{_NUMBER})(?P<form3>[A-Z]{{0,2}}?)(?P<ending3>s|)(?!\w)"
)
_PATTERN = re.compile(
    "|".join(
        [
            *(opening + _inside(n) + closing for n, (opening, closing) in enumerate(_PAIRS)),
            _BARE,
        ]
    )
)
_LONGEST = 64
_FEWEST_OF_A_CODE = 1_000
"""A larger number may be a code itself: ``[ID 4711]``."""
# An open bracket or a word at the end may still become a placeholder.
_OPEN = re.compile(
    r"\\\Z|(?:\\?\[|[【［<{]|&(?:#91|lbrack|lsqb|lt);)"
    rf"(?:[\w\s\\*~`&#;:.\-–—'’\u00ad\u200b-\u200d\u2060]){{0,{_LONGEST}}}\Z"
    r"|&#?\w{0,6}\Z"
)
_WORD_AT_END = re.compile(
    r"(?<![\w\\])([A-Za-z]{1,13})((?:_|-|\\{1,2}_?|[ \u00a0])?)([0-9]{1,6}[A-Za-z]{0,3})?\Z"
)


@dataclass(frozen=True, slots=True, order=True)
class Label:
    """What a placeholder refers to: a form of an entity.

    Attributes:
        word: the word for its type.
        number: the entity's number among those with this word, from 1.
        form: number of its form, from 0.
    """

    word: str
    number: int
    form: int = 0

    def __str__(self) -> str:
        return f"[{self.token}]"

    @property
    def token(self) -> str:
        """The label for places that don't allow brackets."""
        return f"{self.word}_{self.number}{_letters(self.form)}"


def word_of(type: SemanticType, kind: str) -> str:
    """Return the word for a mention, given its type and its detector's name for it."""
    return _KINDS.get(kind) or TAGS[type]


def _letters(form: int) -> str:
    letters = ""
    while form > 0:
        form, digit = divmod(form, len(_LETTERS))
        letters = _LETTERS[digit] + letters
    return letters


def _form(letters: str) -> int:
    form = 0
    for letter in letters.upper():
        form = form * len(_LETTERS) + max(0, _LETTERS.find(letter))
    return form


@dataclass(frozen=True, slots=True)
class PlaceholderReading:
    """A string that looks like a placeholder.

    Attributes:
        start, end: its position in the text, in code points.
        word: the word as written, in lowercase.
        number: the entity's number.
        form: the form of its name.
        ending: an inflection that follows, such as ``'s``.
    """

    start: int
    end: int
    word: str
    number: int
    form: int
    ending: str

    def label(self, labels: Collection[Label]) -> Label | None:
        """Return the label that it refers to, None if there is none, or several if it is ambiguous."""
        words = _ALIASES.get(self.word, set())
        numbered = {label.word for label in labels if label.number == self.number}
        exact = {word for word in numbered if word.casefold() == self.word}
        known = exact or numbered & words
        if not known and not words:
            begun = {word for word in numbered if word.casefold().startswith(self.word)}
            known = begun or numbered
        if len(known) != 1:
            return None
        (word,) = known
        label = Label(word, self.number, self.form)
        return label if label in labels else Label(word, self.number)


def readings(text: str) -> Iterator[PlaceholderReading]:
    """Yield everything that looks like a placeholder, in text order."""
    for match in _PATTERN.finditer(text):
        reading = _reading(match)
        if reading is not None:
            yield reading


def _reading(match: re.Match[str]) -> PlaceholderReading | None:
    if len(match[0]) > _LONGEST:
        return None
    groups = match.groupdict()
    values = {
        name: next((v for n in "01234" if (v := groups.get(f"{name}{n}")) is not None), "")
        for name in ("word", "gap", "number", "form", "ending")
    }
    word = _INVISIBLE.sub("", values["word"]).casefold()
    # [Figure 3] and {x1} aren't meant as placeholders.
    if word not in _ALIASES and ("_" not in values["gap"] or match[0][0] in "<{&"):
        return None
    return PlaceholderReading(
        *match.span(), word, int(values["number"]), _form(values["form"]), values["ending"]
    )


def taken_numbers(text: str) -> dict[SemanticType, set[int]]:
    """Return the numbers of placeholders that a text already contains, by each type they may have."""
    numbers: dict[SemanticType, set[int]] = {type: set() for type in SemanticType}
    for item in readings(text):
        for word in _ALIASES.get(item.word, set()) & _TYPES.keys():
            numbers[_TYPES[word]].add(item.number)
    return numbers


def own_tags(text: str) -> list[Span]:
    """Return the placeholders in a text that only a program would write, in order."""
    return [
        Span(item.start, item.end)
        for item in readings(text)
        if item.word.upper() in _TYPES
        and item.number < _FEWEST_OF_A_CODE
        and not text[item.start : item.end].replace(" ", "").isalnum()
    ]


def pending(text: str) -> int:
    """Return the position from which a text may become a placeholder, depending on what follows; its length if nowhere."""
    start = len(text)
    if match := _OPEN.search(text, max(0, len(text) - _LONGEST - 8)):
        start = match.start()
    if (match := _WORD_AT_END.search(text, max(0, len(text) - 32))) and match.start() < start:
        word = match[1].upper()
        is_whole = word in WORDS
        if is_whole or (not any(match.group(2, 3)) and any(w.startswith(word) for w in WORDS)):
            start = match.start()
    # A placeholder is never cut, whatever may start inside it.
    return next((item.start for item in readings(text) if item.start < start < item.end), start)
