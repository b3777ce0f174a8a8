"""Certain names of people and identity numbers; all else takes the tag.

A recognizer errs, and a surrogate would make another fact of a fact: of a drug a man, of a dose
another dose. So the string itself must show its kind.

| a person's name | |
|---|---|
| has the form | titles, particles, initials, words with capitals; no digit, at most eight words |
| is none | in the ontology as a common noun, a drug, an illness or a country, a word with the stem of a drug's name |
| and one form of it has | ``Mr`` and the like; another title and a word other than a common noun; or a given name or surname of the lists, and beside it only such and unknown words |
| a word alone | must be in the lists and no common noun |

| an identity number | |
|---|---|
| has | five digits and more, in groups of digits, or of letters and digits, or of two letters at most |
| is none | like a card or account number with wrong check digits; before a unit or after a currency, after the word for a law or an article, part of a longer number |
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from ...document import Document, Entity, Span
from ...text.folding import normalize_text
from ...text.names import PersonName, is_initial, parse_name
from ...text.word_lists import PARTICLES, SUFFIXES, TITLES
from ..ontology import shipped
from ..ontology.linking import singular
from ..ontology.store import ancestors, key_of
from ..rewrite import canonical
from .dates import Grain, WrittenDate
from .drawing import (
    COMMON,
    MONTH,
    Draw,
    Taken,
    culture_of,
    gender_of,
    is_given_name,
    is_name,
    names,
    options,
)
from .numbers import looks_like_account

_LONGEST_NAME = 8
_POSSESSIVE = re.compile(r"['’]s?$")
_CONNECTED = frozenset(("and", "&", "et", "und", "y"))
_WORD = re.compile(r"[^\W\d_]+(?:['’.\u2010\u2011-][^\W\d_]+)*\.?")
_SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,5}")
_THINGS = frozenset(("drug", "disease", "medical procedure", "substance", "country", "language"))
_STEM = re.compile(
    # International nonproprietary names (WHO, "Stem book", 2018): a choice of frequent stems.
    r"\w{3,}(?:olol|alol|sartan|statin|prazole|conazole|nidazole|dipine|gliptin|gliflozin|glitazone"
    r"|xaban|gatran|parin|triptan|setron|oxetine|triptyline|pramine|azepam|zolam|zepine|barbital"
    r"|caine|cillin|mycin|micin|floxacin|cycline|cyclovir|ciclovir|navir|tegravir|buvir|vudine"
    r"|tinib|ciclib|parib|limus|mab|cept|platin|taxel|rubicin|trexate|afil|terol|tropium|lukast"
    r"|thiazide|semide|pril|prilat|profen|coxib|fentanil|orphan|peridone|piprazole|tiapine|apine"
    r"|formin|glutide|dronate|sone|solone|onide|cort|tadine|rizine|codone|morphone)"
)
_GROUP = r"(?:[0-9]+|[A-Za-z]{1,2}|(?=[A-Za-z]*[0-9])[A-Za-z0-9]+)"
_IDENTITY = re.compile(
    rf"{_GROUP}(?:-{_GROUP})*|(?:[0-9]+|[A-Z]{{1,2}})(?: (?:[0-9]+|[A-Z]{{1,2}}))*"
)
_HYPHEN = re.compile("[\u2010\u2011-]")
_HONORIFIC = re.compile(
    r"(?:mr|mister|mrs|ms|miss|mx|messrs|herr|frau|monsieur|madame|mme|mlle|senor|dr|prof)(?![\w])"
)
_ROMAN = re.compile(r"[\s-][IVXLC]+$")
_FEWEST_DIGITS = 5
_UNIT = re.compile(
    r"[\s-]?(?:[mµkcn]?g|mcg|[mdcµk]?l|[mµn]?mol|i\.?u|[mck]?m|mmhg|bpm|kcal|k?pa|k?w|hz|units?|drops?"
    r"|tablets?|capsules?|puffs?|doses?|times|hours?|hrs?|h|days?|weeks?|months?|years?|minutes?"
    r"|mins?|seconds?|people|persons|euros?|dollars?|pounds?|eur|usd|gbp)(?![\w])"
    r"|\s?[%‰°€$£¥×]",
    re.IGNORECASE,
)
_NUMBER_BEFORE = re.compile(r"[0-9][.,:/–-]?\Z|[\w#]\Z")
_NUMBER_AFTER = re.compile(r"[.,:/–-]?[0-9]|\w")
_CURRENCY = re.compile(r"(?:[€$£¥<>≤≥±~]|\b(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|TRY|PLN))\s?\Z")
_LAW = (
    r"(?:Law|Act|Decree|Code|Ordinance|Convention|Regulation|Directive|Constitution|Treaty|Protocol"
    r"|Statute|Rule|Resolution|Recommendation|Circular|Order|Bill|Amendment|Covenant|Charter"
    r"|Instrument|Article|Section|Paragraph|Schedule|Art\.|Sec\.|§)s?"
)
_AFTER_LAW = re.compile(
    rf"(?:\b|(?=§)){_LAW},?(?:\s\(?[Nn]os?\.?\s?[\w/-]{{0,12}}\)?,?)?(?:\s(?:of|from|dated|the))*\s?\(?\Z"
)
_BEFORE_LAW = re.compile(rf"\s(?:\(?[A-Z][\w'’-]{{1,20}}\)?\s){{0,3}}{_LAW}\b")
_DATE_BEFORE = re.compile(
    rf"(?:\b(?:{MONTH})\.?,?|(?<![\w.,])[0-9]{{1,2}}(?:st|nd|rd|th|\.)?(?:\sof)?)[\s-]\Z",
    re.IGNORECASE,
)
_YEAR_AFTER = re.compile(r",?[\s/-](?:of\s)?[12][0-9]{3}\b")
_AROUND = 60


def is_person(strings: Collection[str]) -> bool:
    """Return whether an entity's strings are surely the name of a person.

    Args:
        strings: all of its mentions.
    """
    names = [string for string in strings if has_form_of_name(string)]
    return any(_is_surely_a_name(string) and not is_thing(string) for string in names)


def has_form_of_name(string: str) -> bool:
    """Return whether a string has the form of a person's name."""
    if _SPACELESS.fullmatch(string):
        return True
    tokens = _POSSESSIVE.sub("", string.strip()).replace(",", " ").split()
    if not 0 < len(tokens) <= _LONGEST_NAME:
        return False
    small = string.islower()
    return all(
        token in _CONNECTED
        or is_initial(normalize_text(token))
        or (_WORD.fullmatch(token) and (small or _may_be_named(token)))
        for token in tokens
    )


def _may_be_named(token: str) -> bool:
    # Letters without capitals are as good as any.
    return (
        token[0].isupper()
        or token[0].lower() == token[0].upper()
        or normalize_text(token) in PARTICLES
        or "'" in token[:3]
        or "’" in token[:3]
    )


def _is_surely_a_name(string: str) -> bool:
    if _SPACELESS.fullmatch(string):
        return any(is_name(string[:length], latin=False) for length in (1, 2))
    titled, words = _words(string)
    if not words:
        return titled
    name_flags = [is_name(word, latin=is_latin(string)) for word in words]
    common = [word in COMMON or is_common(word) for word in words]
    if any(map(_STEM.fullmatch, words)):
        return False
    if titled:
        # Only people are called Mr; a judge advocate and an officer in charge are none.
        return _HONORIFIC.match(normalize_text(string)) is not None or not all(
            flag and not listed for flag, listed in zip(common, name_flags, strict=True)
        )
    if len(words) == 1 and not _has_initials(string):
        return name_flags[0] and not common[0]
    if any(flag and not listed for flag, listed in zip(common, name_flags, strict=True)):
        return False
    return any(name_flags)


def is_latin(string: str) -> bool:
    """Return whether the letters of a string are Latin ones."""
    return re.search(r"[\u0370-\uffff]", string.replace("’", "'")) is None


def _words(string: str) -> tuple[bool, list[str]]:
    """Return whether there is a title, and the folded words but titles and initials."""
    tokens = normalize_text(_POSSESSIVE.sub("", string)).replace(",", " ").split()
    titled = len(tokens) > 1 and tokens[0].rstrip(".") in TITLES
    rest = [token.strip(".") for token in tokens if not is_initial(token)]
    titles = TITLES if titled else frozenset()
    rest = [word for word in rest if word not in PARTICLES | SUFFIXES | _CONNECTED | titles]
    return titled, [piece for word in rest for piece in _HYPHEN.split(word) if piece]


def _has_initials(string: str) -> bool:
    return any(map(is_initial, normalize_text(string).split()))


@lru_cache(maxsize=4096)
def is_common(word: str) -> bool:
    """Return whether a folded word is a common noun in the ontology."""
    return any(
        sense.common for form in {word, singular(word)} for sense in shipped().store.find(form)
    )


@lru_cache(maxsize=4096)
def is_thing(string: str) -> bool:
    """Return whether a whole string is a drug, an illness, a treatment, a country or a language."""
    store = shipped().store
    key = key_of(string)
    return any(
        not _THINGS.isdisjoint(store.classes[id].text for id in ancestors(store, sense.classes))
        for form in {key, singular(key)}
        for sense in store.find(form)
    )


def is_identity_number(string: str) -> bool:
    """Return whether a string of type CODE has the form of an identity number."""
    return (
        sum(map(str.isdigit, string)) >= _FEWEST_DIGITS
        and _IDENTITY.fullmatch(string) is not None
        and _ROMAN.search(string) is None
        and not looks_like_account(string)
    )


def is_measured(text: str, span: Span) -> bool:
    """Return whether digits are cut out of a longer number or word, or are of an amount."""
    before = text[max(0, span.start - _AROUND) : span.start]
    first, last = text[span.start], text[span.end - 1]
    cut = (first.isdigit() and _NUMBER_BEFORE.search(before)) or (
        last.isdigit() and _NUMBER_AFTER.match(text, span.end)
    )
    if cut:
        return True
    amount = first.isdigit() and _CURRENCY.search(before)
    return bool(amount or (last.isdigit() and _UNIT.match(text, span.end)))


def is_part_of_date(text: str, span: Span, date: WrittenDate) -> bool:
    """Return whether a date goes on outside its mention: the year of "25 October 1983" alone."""
    before = text[max(0, span.start - _AROUND) : span.start]
    if date.grain is not Grain.DAY and _DATE_BEFORE.search(before):
        return True
    return not date.has_year and _YEAR_AFTER.match(text, span.end) is not None


def is_of_statute(text: str, span: Span) -> bool:
    """Return whether a number or a date is of a law."""
    before = text[max(0, span.start - _AROUND) : span.start]
    return bool(_AFTER_LAW.search(before) or _BEFORE_LAW.match(text, span.end))


# People: a fake name as long, of the same culture and gender, in the parts that stand there.
#
# "Mr Galip Yalman", "G. Yalman", "Yalman" and "Galip" of one entity become "Mr Kemal Sezgin",
# "K. Sezgin", "Sezgin" and "Kemal". Given names go by the whole name, surnames by the surname, so
# that families stay families. Titles stay; particles go.


_TOKEN = re.compile(r"\S+")
_CORE = re.compile(r"^([^\w]*)(.*?)((?:['’]s?)?[^\w.]*)$", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")
_HANDLE = re.compile(r"\S*[@\d_.]\S*")
_SHORTEST_INSIDE = 4
_TRIES = 60


@dataclass(slots=True)
class _Persona:
    """A person's names, folded, with their fakes; ``order`` is given names first."""

    order: list[str]
    fakes: dict[str, str]
    gender: str
    culture: str
    latin: bool


class People:
    """Surrogates of a document's people."""

    def __init__(self, draw: Draw, document: Document, registry: Taken) -> None:
        self._draw = draw
        self._document = document
        self._taken = registry
        self._personas: dict[str, _Persona | None] = {}
        self._surnames: dict[str, str] = {}

    def write(self, entity: Entity, string: str) -> str | None:
        """Return the fake name in the form of ``string``; None where there is none to be had."""
        if entity.id not in self._personas:
            self._personas[entity.id] = self._persona(entity)
        persona = self._personas[entity.id]
        if persona is None:
            return None
        if _SPACELESS.fullmatch(string):
            return _without_spaces(string, persona)
        if _is_handle(string, persona):
            return self._handle(string, persona)
        return self._name(string, persona) if has_form_of_name(string) else None

    def _persona(self, entity: Entity) -> _Persona | None:
        strings = sorted({mention.span.of(self._document.text) for mention in entity.mentions})
        parsed = [parse for string in strings if (parse := parse_name(normalize_text(string)))]
        key = canonical(self._document, entity)
        fullest = max(parsed, key=_fullness, default=None)
        text = " ".join(strings)
        if fullest is None:
            order = ["", key[0] if _SPACELESS.fullmatch(key) else key]
        else:
            order = _in_order(fullest)
        culture = culture_of(text, order[:-1], order[-1])
        latin = not re.search(r"[\u0370-\uffff]", text)
        gender = next((name.gender for name in parsed if name.gender), "") or next(
            (gender for given_name in order[:-1] if (gender := gender_of(given_name, culture))), ""
        )
        if not gender:
            gender = self._draw.source("gender", key).choice("mf")
        persona = _Persona(order, {}, gender, culture, latin)
        for place, name in enumerate(order):
            surname = place == len(order) - 1
            if name and not self._add(persona, name, "" if surname else f"{key}\0{place}"):
                return None
        return persona

    def _add(self, persona: _Persona, name: str, person: str) -> bool:
        """Give ``name`` its fake: a given name of ``person``, or the surname where that is empty.

        Of a double surname each part has its own, and a surname has one in the whole document.
        """
        if not person and name in self._surnames:
            persona.fakes[name] = self._surnames[name]
            return True
        if not person and "-" in name.strip("-"):
            parts = [part for part in name.split("-") if part]
            if not all(self._add(persona, part, "") for part in parts):
                return False
            persona.fakes[name] = "-".join(persona.fakes[part] for part in parts)
            return True
        kind = persona.gender, not person
        pool = options(persona.culture, persona.latin, *kind)
        length = 0 if is_initial(name) else len(name)
        matches = options(persona.culture, persona.latin, *kind, length)
        question = ("given", person) if person else ("surname", name)
        single = self._draw.choices(matches, _TRIES, *question)
        pairs = zip(
            self._draw.choices(pool, _TRIES, *question, "first"),
            self._draw.choices(pool, _TRIES, *question, "second"),
            strict=True,
        )
        doubled = (f"{first}-{second}" for first, second in pairs if first != second)
        owner = f"given {person}" if person else f"surname {name}"
        fake = self._taken.first_free(islice(chain(single, doubled), 2 * _TRIES), owner)
        if fake is None:
            return False
        persona.fakes[name] = fake
        if not person:
            self._surnames[name] = fake
        return True

    def _name(self, string: str, persona: _Persona) -> str | None:
        tokens = list(_TOKEN.finditer(string))
        parts: list[str] = []
        position = place = 0
        for number, token in enumerate(tokens):
            before, core, after = _CORE.fullmatch(token[0]).groups()  # type: ignore[union-attr]
            gap = string[position : token.start()]
            position = token.end()
            folded = normalize_text(core)
            bare = folded.rstrip(".")
            last = number == len(tokens) - 1
            if (not last and (bare in TITLES or folded in _CONNECTED)) or (
                number and bare in SUFFIXES
            ):
                output = core
            elif bare in PARTICLES and bare not in persona.fakes and not last:
                continue
            elif is_initial(folded):
                output, place = _initials(core, persona, place)
            else:
                fake = self._part(folded, persona, place, last=_is_last(tokens, number))
                if fake is None:
                    return None
                output = _cased(fake, core)
                place += 1
            parts += [gap, before, output, after]
        return "".join([*parts, string[position:]]).lstrip() if parts else None

    def _part(self, folded: str, persona: _Persona, place: int, *, last: bool) -> str | None:
        fakes = persona.fakes
        if folded in fakes and not is_initial(folded):
            return fakes[folded]
        pieces = folded.split("-")
        if len(pieces) > 1 and any(piece in fakes for piece in pieces):
            results = [self._part(piece, persona, place, last=last) for piece in pieces if piece]
            return "-".join(filter(None, results)) or None
        if last:
            return fakes.get(persona.order[-1]) or fakes[persona.order[0]]
        # A given name in another form: Bob of Robert.
        if place < len(persona.order) - 1 and persona.order[place] in fakes:
            return fakes[persona.order[place]]
        return fakes[folded] if self._add(persona, folded, f"{persona.order}\0{folded}") else None

    def _handle(self, string: str, persona: _Persona) -> str:
        fakes = [
            normalize_text(persona.fakes[name]) for name in persona.order if name in persona.fakes
        ]
        stem = "".join(fake[0] for fake in fakes[:-1]) + fakes[-1].replace(" ", "")
        digits = self._draw.source("handle", string)
        tail = "".join(str(digits.randrange(10)) for sign in string if sign.isdigit())
        return ("@" if string.startswith("@") else "") + stem + tail


def _is_handle(string: str, persona: _Persona) -> bool:
    """Return whether a string is a user name: with @ before it, or a name of the person in it."""
    if _HANDLE.fullmatch(string) is None or is_initial(normalize_text(string)):
        return False
    folded = normalize_text(string)
    names = [name for name in persona.fakes if len(name) >= _SHORTEST_INSIDE]
    return string.startswith("@") or any(name in folded for name in names)


def _fullness(name: PersonName) -> tuple[int, int, tuple[str, ...]]:
    full_tokens = [token for token in name.tokens if not is_initial(token)]
    return len(full_tokens), len("".join(name.tokens)), name.tokens


def _in_order(name: PersonName) -> list[str]:
    """Return given names, then the surname; empty where a given name is all there is."""
    if not name.surname:
        return [*name.initials]
    if not name.given and is_given_name(name.surname) and not name.gender:
        return [name.surname, ""]
    return [*name.given, name.surname]


def _is_last(tokens: list[re.Match[str]], number: int) -> bool:
    """Return whether no other name follows; before a comma stands the surname."""
    if tokens[number][0].endswith(",") and number == 0:
        return True
    comma = tokens[0][0].endswith(",") and len(tokens) > 1
    return not comma and all(
        normalize_text(t[0]).strip(".,") in SUFFIXES for t in tokens[number + 1 :]
    )


def _initials(core: str, persona: _Persona, place: int) -> tuple[str, int]:
    """Return initials of the fake names, and the place of the next name."""

    def instead(match: re.Match[str]) -> str:
        nonlocal place
        letter = normalize_text(match[0])
        places = range(place, len(persona.order))
        at = next((i for i in places if persona.order[i][:1] == letter), place)
        name = persona.order[min(at, len(persona.order) - 1)]
        place = at + 1
        fake = persona.fakes.get(name, next(iter(persona.fakes.values())))
        return fake[0].upper() if match[0].isupper() else fake[0].lower()

    return _LETTER.sub(instead, core), place


def _cased(fake: str, like: str) -> str:
    letters = [sign for sign in like if sign.isalpha()]
    if len(letters) > 1 and all(map(str.isupper, letters)):
        return fake.upper()
    return fake.lower() if letters and all(map(str.islower, letters)) else fake


def _without_spaces(string: str, persona: _Persona) -> str | None:
    """Return a name in a script without spaces, its surname first."""
    surname = persona.fakes.get(persona.order[-1])
    if surname is None:
        return None
    pool = names(persona.culture, latin=False).given(persona.gender)
    return surname if len(string) == 1 else surname + pool[len(surname + string) % len(pool)]
