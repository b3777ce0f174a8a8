"""Homes: street addresses, postcodes, towns and villages; no other place.

| original | becomes |
|---|---|
| ``12 Baker Street`` · ``Flat 3, 12 Baker Street, Leeds LS1 4AP`` · ``ul. Marszałkowska 12`` | ``57 Kirkby Street`` … |
| a postcode, by its pattern | another of the same form |
| ``Drammen``, a town of 10,000 people and more in every sense of its name | ``Marlowton`` |

Made-up places are a surname with an ending of English places, so hardly any of them
exists. A possible name of a country or a region is none of these, nor is an address with one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from ...document import SemanticType
from ...text.folding import normalize_text
from ..ontology import shipped
from ..ontology.linking import of_type
from ..ontology.store import ancestors, key_of
from .drawing import COMMON, Draw, Taken, culture_of, names
from .numbers import like
from .people import is_common, is_thing

_WORD = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_ENDINGS = ("ton", "ford", "bury", "ham", "wick", "field", "mouth", "ley", "stead", "worth")
_STREET = re.compile(
    r"(?:(?:Flat|Apartment|Apt\.?|Unit|Suite|Room) [0-9]{1,4}[A-Za-z]?, ?)?"
    r"[0-9]{1,5}[A-Za-z]?,? (?:[NSEW]\.? )?(?:[^\W\d_][\w'’-]*\.? ){1,4}"
    r"(?:Street|Road|Avenue|Lane|Drive|Close|Court|Gardens|Hill|Place|Terrace|Way|Boulevard|Square"
    r"|St|Rd|Ave|Ln|Dr|Blvd)\.?"
)
_STREET_ENDING = re.compile(
    r"(?:stra(?:ß|ss)e|str\.?|gasse|weg|platz|allee|gata|gaten|vej|straat)$"
)
_KEPT = COMMON | frozenset(
    """flat apartment apt unit suite room ste box po p.o blvd dr ln drive rue avenue place quai
    chemin impasse allee cours route ul pl al calle via piazza rua plaza postfach""".split()
)
_NUMBERED = re.compile(r"(?=[^\W_]*[0-9])[^\W_]+")
_SETTLEMENTS = frozenset(("city", "town", "village", "hamlet", "big city"))
_KNOWN = 4.0
"""Weight of a town of 10,000 people: of smaller ones too many have the name of something else."""
_COUNTRIES = frozenset(("country", "U.S. state"))
_TRIES = 60


class Places:
    """Surrogates of homes.

    Args:
        draw: the keyed choices.
        registry: the forbidden words.
    """

    def __init__(self, draw: Draw, registry: Taken) -> None:
        self._draw = draw
        self._taken = registry

    def write(self, string: str, kind: str) -> str | None:
        """Return another place in the form of ``string``; None unless it is surely a home.

        Args:
            string: of type LOC.
            kind: the pattern's own name for it; may be empty.
        """
        if kind == "postcode":
            return like(string, self._draw.source("postcode", normalize_text(string)))
        if kind == "street_address" or _STREET.fullmatch(string):
            return self._address(string)
        return self._town(string) if is_settlement(string) else None

    def _address(self, string: str) -> str | None:
        parts: list[str] = []
        position = 0
        for start, end in _names(string):
            name = string[start:end]
            ending = _STREET_ENDING.search(name)
            town = ending is None and "," in string[:start]
            if town and is_region(name):
                return None
            fake = self._town(name) if town else self._name(name)
            if fake is None:
                return None
            parts += [string[position:start], fake, ending[0] if ending else ""]
            position = end
        output = "".join([*parts, string[position:]])
        source = self._draw.source("numbers", normalize_text(string))
        return _NUMBERED.sub(lambda match: like(match[0], source), output)

    def _name(self, name: str) -> str | None:
        return self._chosen(name, _surnames(name), "street")

    def _town(self, name: str) -> str | None:
        surnames = _surnames(name)
        endings = self._draw.choices(
            _ENDINGS, len(surnames), "named", normalize_text(name), "ending"
        )
        towns = [f"{one.rstrip('aeiouy')}{end}" for one, end in zip(surnames, endings, strict=True)]
        return self._chosen(name, tuple(towns), "town")

    def _chosen(self, name: str, options: tuple[str, ...], kind: str) -> str | None:
        question = ("named", kind, normalize_text(name))
        single = self._draw.choices(options, _TRIES, *question)
        pairs = zip(
            self._draw.choices(options, _TRIES, *question, "first"),
            self._draw.choices(options, _TRIES, *question, "second"),
            strict=True,
        )
        candidates = chain(single, (f"{first}-{second}" for first, second in pairs))
        return _cased(self._taken.first_free(candidates, " ".join(question)), name)


def is_settlement(name: str) -> bool:
    """Return whether a name is a well-known town's, no other place's and no word."""
    word = key_of(name)
    if word in COMMON or is_common(word) or is_thing(name):
        return False
    classes = _classes(name)
    best = max((sense.weight for sense in shipped().store.find(word)), default=0.0)
    return best >= _KNOWN and bool(classes) and all(group & _SETTLEMENTS for group in classes)


def is_region(name: str) -> bool:
    """Return whether a name may be a country's or a state's, or is of no town at all."""
    classes = _classes(name)
    return any(group & _COUNTRIES for group in classes) or (
        bool(classes) and not any(group & _SETTLEMENTS for group in classes)
    )


@lru_cache(maxsize=4096)
def _classes(name: str) -> list[frozenset[str]]:
    """Return the classes of each place of a name, with all above."""
    store = shipped().store
    senses, _ = of_type(store, store.find(key_of(name)), SemanticType.LOC, name)
    return [
        frozenset(store.classes[id].text for id in ancestors(store, sense.classes))
        for sense in senses
    ]


def _surnames(name: str) -> tuple[str, ...]:
    latin = re.search(r"[\u0370-\uffff]", name) is None
    culture = "en_GB" if latin else culture_of(name, (), normalize_text(name))
    return names(culture, latin=latin).male_surnames


def _names(string: str) -> Iterator[tuple[int, int]]:
    """Yield the places of the names in an address: runs of words other than common ones."""
    start = end = -1
    for match in _WORD.finditer(string):
        word = normalize_text(match[0])
        numbered = any(map(str.isdigit, word))
        is_name = word not in _KEPT and not match[0].islower() and not numbered
        if is_name and start >= 0 and string[end : match.start()] in (" ", "-"):
            end = match.end()
        elif is_name:
            if start >= 0:
                yield start, end
            start, end = match.span()
        elif start >= 0:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _cased(fake: str | None, like_this: str) -> str | None:
    if fake is None:
        return None
    letters = "".join(filter(str.isalpha, like_this))
    if len(letters) > 1 and letters.isupper():
        return fake.upper()
    return fake.lower() if letters.islower() else fake
