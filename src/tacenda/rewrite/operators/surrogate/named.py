"""Places, organisations and whatever else has a name: the name is another, the common words stay.

"the University of Ankara" becomes "the University of Marlowton", "Telenor ASA" "Harwood ASA",
"12 Baker Street" "57 Kirkby Street". A name that is a country becomes another country, a demonym
another demonym, a short form another short form. Made-up places are a surname with an ending
that English places have, so that hardly any of them exists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from ....document import Entity, SemanticType
from ....folding import fold_text
from ....forms.acronyms import is_acronym
from .common import COMMON
from .cultures import culture_of, names
from .dates import Dates
from .draw import Draw
from .numbers import ordinal
from .shapes import like
from .taken import Taken

_WORD = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_ENDINGS = ("ton", "ford", "bury", "ham", "wick", "field", "mouth", "ley", "stead", "worth")
_BODIES = ("Association", "Institute", "Office", "Forum", "Alliance", "Circle", "Bureau")
_DEMONYMS = tuple(
    """Albanian Argentine Armenian Australian Austrian Belgian Bolivian Brazilian Bulgarian Canadian
    Chilean Colombian Croatian Cuban Cypriot Czech Danish Dutch Egyptian Estonian Ethiopian Finnish
    French Georgian German Ghanaian Greek Hungarian Icelandic Indian Indonesian Iranian Iraqi Irish
    Israeli Italian Jamaican Japanese Kenyan Korean Latvian Lebanese Lithuanian Maltese Mexican
    Moldovan Moroccan Nepalese Nigerian Norwegian Pakistani Peruvian Polish Portuguese Romanian
    Russian Serbian Slovak Slovenian Somali Spanish Swedish Swiss Syrian Thai Tunisian Turkish
    Ukrainian British American Chinese Kurdish English Scottish Welsh""".split()
)
_JOB = re.compile(r"[a-z]+(?:er|or|ist|ian|eer|ant|man|woman|wright|smith)", re.IGNORECASE)
_NUMBERED = re.compile(r"(?=[^\W_]*\d)(?:(\d+)(st|nd|rd|th)\b|[^\W_]+)")
_TRIES = 60


class Named:
    """Writes the names of a document that are no people's."""

    def __init__(self, draw: Draw, taken: Taken, dates: Dates) -> None:
        self._draw = draw
        self._taken = taken
        self._dates = dates

    def write(self, entity: Entity, string: str) -> str | None:
        """Return ``string`` with another name in it; None where there is none to be had."""
        if is_acronym(string):
            return self._first(entity, string, self._acronyms(string))
        country = self._country(entity, string)
        if country is not None:
            return country
        runs = list(_names(string))
        if not runs:
            return self._nameless(entity, string)
        parts: list[str] = []
        position = 0
        for start, end in runs:
            name = self._instead(entity, string[start:end], string[:start])
            if name is None:
                return None
            parts += [string[position:start], name]
            position = end
        return _renumbered("".join([*parts, string[position:]]), string, self._draw)

    def _instead(self, entity: Entity, name: str, before: str) -> str | None:
        folded = fold_text(name)
        country = self._country(entity, name)
        if country is not None:
            return country
        if folded in _folded_demonyms():
            options = [d for d in _DEMONYMS if fold_text(d) != folded]
            return _cased(self._chosen(entity, name, options), name)
        culture = culture_of(name, (), folded)
        latin = re.search(r"[\u0370-\uffff]", name) is None
        surnames = list(names(culture if not latin else "en_GB", latin=latin).male_surnames)
        place = latin and (
            entity.type is SemanticType.LOC or fold_text(before).rstrip().endswith((" of", " in"))
        )
        return _cased(self._chosen(entity, name, surnames, place=place), name)

    def _country(self, entity: Entity, name: str) -> str | None:
        """Return another country for one, None for what is none; ``the`` goes with its name."""
        countries = _countries()
        folded = fold_text(name).removeprefix("the ")
        if folded not in countries:
            return None
        others = [country for country in countries.values() if country.isalpha()]
        return _cased(self._chosen(entity, folded, others), name)

    def _nameless(self, entity: Entity, string: str) -> str | None:
        """Return what stands for common words alone: an occupation, or a body of another name."""
        if entity.type is SemanticType.DEM and _JOB.fullmatch(string.split()[-1]):
            found = self._chosen(entity, string.lower(), _occupations())
            return found if found is None else _cased(found, string)
        if entity.type is SemanticType.ORG and string[:1].isalpha():
            said = fold_text(string)
            bodies = [body for body in _BODIES if body.lower() not in said]
            source = self._draw.source("body", said)
            name = self._chosen(entity, said, list(names("en_GB", latin=True).male_surnames))
            return None if name is None else f"{name} {source.choice(bodies)}"
        return self._dates.write(string)

    def _chosen(
        self, entity: Entity, name: str, options: list[str], *, place: bool = False
    ) -> str | None:
        question = ("named", fold_text(name))
        single = self._draw.choices(options, _TRIES, *question)
        if place:
            endings = self._draw.choices(_ENDINGS, _TRIES, *question, "ending")
            single = (
                f"{one.rstrip('aeiouy')}{end}" for one, end in zip(single, endings, strict=True)
            )
        doubled = self._draw.choices(options, _TRIES, *question, "second")
        pairs = zip(self._draw.choices(options, _TRIES, *question, "first"), doubled, strict=True)
        joined = (f"{one}-{other}" for one, other in pairs)
        return self._first(entity, name, chain(single, joined))

    def _first(self, entity: Entity, name: str, candidates: Iterator[str]) -> str | None:
        return self._taken.first_free(candidates, f"named {fold_text(name)}")

    def _acronyms(self, string: str) -> Iterator[str]:
        source = self._draw.source("acronym", fold_text(string))
        return (like(string, source) for _ in range(_TRIES))


def _names(string: str) -> Iterator[tuple[int, int]]:
    """Yield where the names in ``string`` stand: runs of words that are not common ones."""
    start = end = -1
    for match in _WORD.finditer(string):
        word = fold_text(match[0])
        numbered = any(map(str.isdigit, word))
        named = word not in COMMON and not match[0].islower() and not numbered
        if named and start >= 0 and string[end : match.start()] in (" ", "-"):
            end = match.end()
        elif named:
            if start >= 0:
                yield start, end
            start, end = match.span()
        elif start >= 0:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _renumbered(written: str, string: str, draw: Draw) -> str:
    """Return ``written`` with its digits drawn anew: house numbers and postcodes."""
    if not any(map(str.isdigit, string)):
        return written
    source = draw.source("numbers", fold_text(string))

    def instead(match: re.Match[str]) -> str:
        if match[2] is not None:
            return f"{(number := source.randrange(4, 10))}{ordinal(number)}"
        return like(match[0], source)

    return _NUMBERED.sub(instead, written)


def _cased(fake: str | None, like_this: str) -> str | None:
    if fake is None:
        return None
    letters = "".join(filter(str.isalpha, like_this))
    if len(letters) > 1 and letters.isupper():
        return fake.upper()
    if letters.islower():
        return fake.lower()
    return fake[:1].upper() + fake[1:] if letters[:1].isupper() else fake


@lru_cache(maxsize=1)
def _folded_demonyms() -> frozenset[str]:
    return frozenset(map(fold_text, _DEMONYMS))


@lru_cache(maxsize=1)
def _countries() -> dict[str, str]:
    """Return countries by their folded names."""
    from faker.providers.address.en import Provider

    short = ("America", "Britain", "England", "Great Britain", "Iran", "Korea", "Moldova", "Russia")
    more = ("Scotland", "Syria", "Turkey", "UK", "USA", "United States", "Vietnam", "Wales")
    found = (name for name in Provider.countries if name.replace(" ", "").isalpha())
    return {fold_text(name): name for name in (*found, *short, *more)}


@lru_cache(maxsize=1)
def _occupations() -> list[str]:
    """Return occupations of one or two words that read as in a sentence."""
    from faker.providers.job.en_US import Provider

    return [
        name.lower()
        for name in Provider.jobs
        if re.fullmatch(r"[A-Z][a-z]+(?: [a-z]+)?", name) and _JOB.fullmatch(name.split()[-1])
    ]
