"""Places: only towns, street addresses and postcodes.

| original | becomes |
|---|---|
| ``12 Baker Street`` · ``Flat 3, 12 Baker Street, Leeds LS1 4AP`` · ``ul. Marszałkowska 12`` | ``57 Kirkby Street`` … |
| a postcode, by its pattern | another of the same form |
| ``Drammen``, a known town | another town of Norway, of its region where it has many, about as large |

This excludes names of countries or regions (also if a town has the same name), addresses that
contain one, and towns in longer names ("Treaty of Lisbon", "Boston Marathon"). Street names are
made from surnames in the text's language. Either every part of an address has a surrogate, or none
has.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from rapidfuzz.distance import Levenshtein

from ...document import Document, SemanticType, Span
from ...models.tables import Substitute, load_substitutes
from ...shipped import shipped_patterns
from ...text.names import sound
from ...text.normal_form import fold_text, name_key
from ...text.spans import edited_text
from ...text.word_lists import word_list_of
from ..ontology import shipped
from ..ontology.senses import nearness, of_type
from ..ontology.store import Sense, ancestors
from .certainty import is_common, is_latin, is_thing
from .cultures import COUNTRIES, DEFAULT, culture_of, names
from .drawing import COMMON, Draw, Taken, cased
from .numbers import like

_WORD = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*(?:(?<=s)['’](?= ))?")
_WITHIN = re.compile(
    r"[ -]| (?:(?:de|del|la|las|los|sur|sous|les|upon|on|am|an|der|den|di|da|do) ){1,2}"
)
_ORDINAL = re.compile(r"([0-9]+)(?:st|nd|rd|th)")
_BRITISH = re.compile(r"£|(?<!\w)[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}(?!\w)")
_PATTERNS = shipped_patterns("english_contexts", "places")
_WAYS = word_list_of("street_words")
"""Words for kinds of streets, folded."""
KEPT = COMMON | _WAYS | word_list_of("address_words")
"""Folded words of an address that name nothing."""
_STATE = re.compile(r"[A-Z]{2}(?=,? [0-9]{5})")
_DUTCH = re.compile(r"[0-9]{4} [A-Z]{2}(?![A-Za-z])")
_NUMBERED = re.compile(r"(?=[^\W_]*[0-9])[^\W_]+")
_SETTLEMENTS = frozenset(("city", "town", "town or village", "village", "hamlet", "big city"))
_COUNTRIES = frozenset(("country", "U.S. state"))
_KNOWN = 4.0
"""Weight of a town of 10,000 people: of smaller ones too many have the name of something else."""
_KNOWN_NEARBY = 3.3
"""Weight of a town of 2,000 people, where the text names its region or country."""
_KNOWN_ABROAD = 5.9
"""Weight of such a town that a British text may mean: Toronto."""
_APART = 0.8
"""Ratio by which a town is better known than a namesake that is not meant."""
_PLACE_TRIES = 60
_SHORTEST_TOWN = 3
_FEWEST, _ALIKE = 6, 16
"""Towns of which one is drawn: at least, at most."""
_TOO_SIMILAR = 0.6
_SIMILAR = 0.7
"""Largest difference of the logarithms of the populations of towns of one region."""
_BEFORE = 40
_AROUND = 100_000
"""Code points of a text that are searched for the country of a town."""


@dataclass(frozen=True, slots=True)
class Town:
    """A known town: its case-folded country and region, and log10 of its population."""

    country: str
    regions: tuple[str, ...]
    size: float


class Places:
    """Makes surrogates for homes.

    Args:
        draw: the keyed choices.
        document: the document with the places.
        registry: the forbidden words.
        usual: the culture of the document's language.
    """

    def __init__(
        self, draw: Draw, document: Document, registry: Taken, usual: str = DEFAULT
    ) -> None:
        self._usual = usual
        self._draw = draw
        self._text = document.text
        british = " british " if _BRITISH.search(document.text) else " "
        self._around = f" {name_key(document.text[:_AROUND])}{british}"
        self._taken = registry
        self._towns: dict[str, Town | None] = {}

    def write(self, span: Span, kind: str) -> str | None:
        """Return another place in the form of the one at ``span``, or None unless it is certainly a home.

        Args:
            span: a mention of type LOC.
            kind: the pattern's name for it; may be empty.
        """
        string = span.of(self._text)
        if kind == "postcode":
            return like(string, self._draw.source("postcode", fold_text(string)))
        # A recognizer calls any line of an address a street; a town alone has no number.
        numbered = any(map(str.isdigit, string))
        if (kind == "street_address" and numbered) or _is_address(string):
            return self._address(string)
        return None if is_part_of_name(self._text, span) else self.town(string)

    def town(self, name: str) -> str | None:
        """Return another town in the same country and of about the same size, or None for anything else."""
        key = name_key(name)
        if key not in self._towns:
            self._towns[key] = known_town(name, self._around)
        original = self._towns[key]
        return None if original is None else self._peer(original, name)

    def _peer(self, original: Town, name: str) -> str | None:
        question = ("town", original.country, name_key(name))
        pool = peers(original, name_key(name))
        fake = self._taken.drawn(self._draw, pool, _PLACE_TRIES, *question)
        return fake and cased(fake, name)

    def _address(self, string: str) -> str | None:
        """Return another address (number, street, town and postcode, each in its form), or None if a part has no surrogate."""
        if any(is_country(part.strip()) for part in string.split(",")[1:]):
            return None
        edits: list[tuple[int, int, str]] = []
        for start, end in _names(string):
            name = string[start:end]
            ending = _PATTERNS["street_ending"].search(name)
            if ending is None and _is_town_of(string, start, end):
                size = Town(COUNTRIES[self._usual], (), _KNOWN)
                fake = self.town(name) or self._peer(size, name)
            else:
                fake = self._street(name)
            if fake is None:
                return None
            edits.append((start, end, fake + (ending[0] if ending else "")))
        source = self._draw.source("numbers", fold_text(string))
        return _NUMBERED.sub(lambda match: _number(match[0], source), edited_text(string, edits))

    def _street(self, name: str) -> str | None:
        surnames = self._surnames(name)
        question = ("named", "street", fold_text(name))
        candidates = self._draw.names(surnames, surnames, _PLACE_TRIES, *question)
        fake = self._taken.first_free(candidates, " ".join(question))
        return fake and cased(fake, name)

    def _surnames(self, name: str) -> tuple[str, ...]:
        latin = is_latin(name)
        culture = self._usual if latin else culture_of(name, (), fold_text(name))
        return names(culture, latin=latin).male_surnames


def _number(string: str, source: random.Random) -> str:
    """Return another number of the same shape: 57 for 12, 41st for 23rd, 8b for 7a."""
    if (ordinal := _ORDINAL.fullmatch(string)) is None:
        return like(string, source)
    number = like(ordinal[1], source)
    endings = {"1": "st", "2": "nd", "3": "rd"}
    return number + ("th" if number[-2:-1] == "1" else endings.get(number[-1], "th"))


def known_town(name: str, around: str) -> Town | None:
    """Return the town that a name means in a text, or None if it may not be a town or may be a word.

    Args:
        name: the name as written in the text.
        around: the text, folded by ``name_key``.
    """
    key = name_key(name)
    if key in COMMON or is_common(key) or is_thing(name) or not name[:1].isupper():
        return None
    store = shipped().store
    senses, _ = of_type(store, store.find(key), SemanticType.LOC, name)
    scored = sorted(
        (
            (sense.weight + nearness(store, _elsewhere(sense, key), around), sense)
            for sense in senses
        ),
        key=lambda pair: -pair[0],
    )
    towns = [(score, sense) for score, sense in scored if _is_town(sense)]
    if not towns:
        return None
    score, town = towns[0]
    country = store.places[town.places[-1]]
    minimum = _KNOWN_NEARBY if score > town.weight else _KNOWN
    rivals = (
        (other, sense)
        for other, sense in scored
        if not (_is_town(sense) and store.places[sense.places[-1]] == country)
        and not _is_of_country(sense, country)
    )
    # Halifax in a British text isn't the Canadian one.
    elsewhere = (
        _PATTERNS["british_names"].fullmatch(country) and score == town.weight < _KNOWN_ABROAD
    )
    if elsewhere and _PATTERNS["british"].search(around):
        return None
    if town.weight < minimum or any(other > score - _APART for other, _ in rivals):
        return None
    regions = tuple(store.places[id] for id in town.places[:-1])
    # Dhekelia is British, and no town of Britain.
    if not regions and town.weight < _KNOWN_ABROAD and _has_regions(country):
        return None
    return Town(country, regions, town.weight)


def _elsewhere(sense: Sense, key: str) -> Sense:
    """Return a sense without a region of the same name, which the text names in any case."""
    places = shipped().store.places
    return replace(sense, places=tuple(id for id in sense.places if places[id] != key))


def _is_town(sense: Sense) -> bool:
    return bool(sense.places) and not _SETTLEMENTS.isdisjoint(_texts(sense.classes))


def _is_of_country(sense: Sense, country: str) -> bool:
    """Return whether a sense is the town's own district, or a row about it without a place."""
    texts = _texts(sense.classes)
    if not _COUNTRIES.isdisjoint(texts):
        return False
    if not sense.places:
        return not _SETTLEMENTS.isdisjoint(texts)
    return bool(shipped().store.places[sense.places[-1]] == country)


@lru_cache(maxsize=4096)
def _texts(classes: tuple[int, ...]) -> frozenset[str]:
    """Return the texts of some classes and all classes above them."""
    store = shipped().store
    return frozenset(store.classes[id].text for id in ancestors(store, classes))


@cache
def _by_country(kind: str) -> dict[str, tuple[Substitute, ...]]:
    groups: dict[str, list[Substitute]] = {}
    for row in load_substitutes().get(kind, ()):
        groups.setdefault(row.country, []).append(row)
    return {country: tuple(rows) for country, rows in groups.items()}


@cache
def _has_regions(country: str) -> bool:
    return any(row.division for row in _by_country("town").get(country, ()))


@lru_cache(maxsize=4096)
def peers(town: Town, key: str) -> tuple[str, ...]:
    """Return the names of the most similar towns by country, region and size.

    Args:
        town: the original.
        key: its name, which is left out.
    """
    rows = _by_country("town").get(town.country, ())
    within = [row for row in rows if row.division or not _has_regions(town.country)]
    others = [row for row in within if not _is_similar(name_key(row.name), key)]
    division = next(
        (
            row.division
            for row in rows
            if name_key(row.name) == key and abs(row.size - town.size) < _SIMILAR
        ),
        "",
    )
    near = [
        row for row in others if row.division == division != "" and abs(row.size - town.size) < 1
    ]
    pool = near if len(near) >= _FEWEST else others
    pool = sorted(pool, key=lambda row: (abs(row.size - town.size), row.name))
    similar = sum(abs(row.size - town.size) <= _SIMILAR for row in pool)
    return tuple(row.name for row in pool[: min(max(similar, _FEWEST), _ALIKE)])


def _is_similar(name: str, key: str) -> bool:
    """Return whether two case-folded names could be mistaken for each other: Salkhad, Shalakhid."""
    return bool(Levenshtein.normalized_similarity(sound(name), sound(key)) > _TOO_SIMILAR)


def universities(country: str) -> tuple[str, ...]:
    """Return the universities of a country.

    Args:
        country: case-folded name of the country.
    """
    return tuple(row.name for row in _by_country("university").get(country, ()))


def is_part_of_name(text: str, span: Span) -> bool:
    """Return whether a name is part of a longer one: "Treaty of Lisbon", "Boston Marathon"."""
    before = text[max(0, span.start - _BEFORE) : span.start]
    if _PATTERNS["of_a_name"].search(before) or _PATTERNS["goes_on"].match(text, span.end):
        return True
    article = _PATTERNS["after_article"].search(before) and not _PATTERNS["noun_after"].match(
        text, span.end
    )
    return bool(article or _PATTERNS["begins_before"].search(before))


def is_region(name: str) -> bool:
    """Return whether a name may be a country's or a state's, or belongs to no town at all."""
    is_state, is_town = _state_and_town(name)
    return is_state or is_town is False


def is_country(name: str) -> bool:
    """Return whether a name may be a country's or a state's and not a town's."""
    is_state, is_town = _state_and_town(name)
    return is_state and not is_town


def _state_and_town(name: str) -> tuple[bool, bool | None]:
    """Return whether a name may be a country's or a state's, and whether a town's, or None if it isn't a place."""
    store = shipped().store
    senses, _ = of_type(store, store.find(name_key(name)), SemanticType.LOC, name)
    classes = [_texts(sense.classes) for sense in senses]
    is_state, is_town = (
        any(group & kinds for group in classes) for kinds in (_COUNTRIES, _SETTLEMENTS)
    )
    return is_state, is_town if classes else None


def _is_address(string: str) -> bool:
    """Return whether a string has a number and a street word, or a town and its postcode."""
    words = [match[0] for match in _WORD.finditer(string)]
    if not any(map(str.isdigit, string)) or len(words) < 2:
        return False
    ways = any(
        fold_text(word).rstrip(".") in _WAYS or _PATTERNS["street_ending"].search(word)
        for word in words
    )
    towns = [string[start:end] for start, end in _names(string) if _is_town_of(string, start, end)]
    return ways or any(
        len(name) >= _SHORTEST_TOWN and not is_common(name_key(name)) for name in towns
    )


def _is_town_of(string: str, start: int, end: int) -> bool:
    """Return whether a name in an address is where the town belongs: next to the postcode, or after a comma."""
    if _PATTERNS["postcode_before"].search(string[:start]) or _PATTERNS["postcode_after"].match(
        string, end
    ):
        return (
            start == 0
            or _PATTERNS["postcode_after"].match(string, end) is None
            or "," in string[:start]
        )
    following = _WORD.search(string, end)
    is_part = following is not None and fold_text(following[0]) in KEPT  # Unit 4, Bede Estate
    after_comma = string[:start].rstrip().endswith(",") and not is_part
    return any(map(str.isalpha, string[:start])) and after_comma


def _names(string: str) -> Iterator[tuple[int, int]]:
    """Yield the positions of the names in an address: runs of uncommon words."""
    start = end = -1
    for match in _WORD.finditer(string):
        word = fold_text(match[0])
        numbered = any(map(str.isdigit, word))
        # S. Prairie Ave., 3.º D: neither letter names anything.
        named = len(word) > 1 and word not in KEPT and not match[0].islower() and not numbered
        is_name = named and not _STATE.match(string, match.start())
        is_name = is_name and not _DUTCH.match(string, max(0, match.start() - 5))
        if is_name and start >= 0 and _WITHIN.fullmatch(string, end, match.start()):
            end = match.end()
        elif is_name:
            if start >= 0:
                yield start, end
            start, end = match.span()
        elif start >= 0 and not _WITHIN.match(string, end):
            yield start, end
            start = -1
    if start >= 0:
        yield start, end
