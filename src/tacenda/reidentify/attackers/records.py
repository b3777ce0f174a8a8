"""Record linkage as an attack: the typed values in a text against the fields of a register.

    score(person) = Σ over values of the text that the person has of log(m / u)

In Fellegi and Sunter (1969), m is the probability that a text about a person gives a value as in
the register, and u the probability that another person's value agrees by chance, which is the share
of people who have it. Values that agree only partly (a year without a day, an adjacent year, a name
spelled differently) have their own m and a larger u. Only agreement counts, so masking a word never
raises a score.

A date consists of day, month and year; if some are masked, the rest still counts. The number of
days between two dates in the text is compared with that between two dates in the register, since
shifting dates doesn't change it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from ...background.people import People
from ...background.values import LONGEST_VALUE, interval_key
from ...rewrite.ontology import shipped
from ...text.dates import FoundDate, find_dates
from ...text.normal_form import fold_text
from ...text.numerals import read_number
from ...text.place_codes import SCHEMES, places_of
from ..tokens import STOP_WORDS, TokenizedDocument
from .lexical import AdditiveAttacker, Contributions, WordContribution

# Probabilities that a text agrees with the register if both are about the same person. Record
# linkage starts with such constants before it can estimate them from texts (Christen, *Data
# Matching*, 2012, section 6.3); ``estimate`` estimates them without knowing whom the texts are
# about, ``adaptive`` from pairs.


M: Final = {
    "near": 0.3,
    "year": 0.8,
    "month": 0.9,
    "date": 0.9,
    "day": 0.5,
    "decade": 0.9,
    "life": 0.95,
    "interval": 0.3,
    "number": 0.5,
    "place": 0.8,
    "within": 0.4,
    "value": 0.6,
    "name": 0.5,
    "spelling": 0.3,
    "alike": 0.4,
}
"""Precisions of a date, each given the coarser one."""
_CHANCE: Final = {"year": 1 / 3, "month": 1 / 12, "date": 1 / 30}
"""Chance of agreeing in a precision, for two people who agree in the coarser one."""
_PSEUDO: Final = 5
"""People whose agreement by ``_CHANCE`` is counted beside that seen, since the register has few of one month."""
_ALIKE: Final = 88
"""Similarity from which two spellings are of one name, of 100 (rapidfuzz ``ratio``)."""
_SHORTEST: Final = 5
"""Letters of a name that is compared by its spelling."""
_PLACE_WORDS: Final = 4
_DATES: Final = 16
"""Dates of a text that intervals are taken of."""
_FEWEST: Final = 20
"""Texts that m is estimated from, at least."""
_MOST: Final = 100
_PRIOR: Final = 20
"""Values of each kind whose agreement by ``M`` is counted beside those of the texts."""
_ROUNDS: Final = 20
_STILL: Final = 0.005
"""Largest change of an m at which the rounds end."""

_Key = tuple[str, str]
_Feature = tuple[_Key, tuple[int, ...]]
"""Agreements, with the places of their words."""


class _Agreement(NamedTuple):
    """The people whose register entry agrees in a value.

    Attributes:
        people: their indexes.
        chance: u, the probability for another person.
        coarser: the people who agree in the coarser precision; None if there is none.
    """

    people: NDArray[np.int32]
    chance: float
    coarser: NDArray[np.int32] | None


class RecordLinkage(AdditiveAttacker):
    """Ranks people by agreement of typed values.

    Args:
        people: the background knowledge.
    """

    name = "records"
    family = "records"

    def __init__(self, people: People) -> None:
        self._people = people
        self.n_people = len(people)
        self._spellings = [key[5:] for key in people.terms_from("name ")]
        self._spellings = [name for name in self._spellings if len(name) >= _SHORTEST]
        self._values = [key[6:] for key in people.terms_from("value ")]
        self._known = frozenset(self._values)
        self._has_places = bool(people.terms_from("place "))
        self._m: Mapping[str, float] = M
        self._agreement = lru_cache(maxsize=8192)(self._agreement_of)
        self._row = lru_cache(maxsize=8192)(self._weighted)
        self._alike = lru_cache(maxsize=8192)(self._similar)

    def estimate(self, documents: Sequence[TokenizedDocument]) -> Mapping[str, float]:
        """Estimate m of each kind from texts without knowing whom they are about, and use it from now on.

        Uses expectation maximization (Winkler, 1988): the last round's m gives the probability that
        a text is about each person; the new m is the share of values that agree, over texts and
        people. u is counted in the register and needn't be estimated.

        Args:
            documents: with fewer than ``_FEWEST`` nothing changes; of more than ``_MOST`` only a
                sample is used.
        """
        if len(documents) < _FEWEST:
            return self._m
        sample = [documents[n] for n in range(0, len(documents), -(-len(documents) // _MOST))]
        texts = [self._evidence(document) for document in sample]
        m = dict(M)
        for _ in range(_ROUNDS):
            agreeing, said = defaultdict[str, float](float), defaultdict[str, float](float)
            for evidence in texts:
                probabilities = self._probabilities(evidence, m)
                for (kind, _), _, (people, _, coarser) in evidence:
                    agreeing[kind] += float(probabilities[people].sum())
                    said[kind] += 1.0 if coarser is None else float(probabilities[coarser].sum())
            last, m = (
                m,
                {kind: (agreeing[kind] + _PRIOR * M[kind]) / (said[kind] + _PRIOR) for kind in M},
            )
            if max(abs(m[kind] - last[kind]) for kind in M) < _STILL:
                break
        self._m = m
        self._row.cache_clear()
        return m

    def _evidence(self, document: TokenizedDocument) -> list[tuple[_Key, float, _Agreement]]:
        """Return the statements in a text that agree with a person's register entry, each with its share."""
        features = self._mentions(document)
        n_years = sum(key[0] == "life" for key in features)
        return [
            (key, len(mentions) * _share(key, len(mentions), n_years), agreement)
            for key, mentions in features.items()
            if len((agreement := self._agreement(key)).people)
        ]

    def _probabilities(
        self, evidence: Sequence[tuple[_Key, float, _Agreement]], m: Mapping[str, float]
    ) -> NDArray[np.float64]:
        """Return the probability that a text is about each person, [people]."""
        scores = np.zeros(self.n_people)
        for (kind, _), share, (people, chance, _) in evidence:
            scores[people] += share * max(math.log(m[kind] / chance), 0.0)
        odds = np.exp(scores - scores.max())
        return np.asarray(odds / odds.sum())

    def row(self, term: str) -> WordContribution:
        """Return the agreement of people with a name."""
        return self._row(("name", term))

    def contributions(self, document: TokenizedDocument) -> Contributions:
        """Return a document as its typed values."""
        return self.typed(document)[0]

    def typed(self, document: TokenizedDocument) -> tuple[Contributions, tuple[str, ...]]:
        """Return a document as its typed values, and each row's kind (in ``M``); the first has none."""
        features = self._mentions(document)
        nothing = WordContribution(np.zeros(0, np.int32), np.zeros(0))
        rows, joint, kinds = [nothing], [], [""]
        n_years = sum(key[0] == "life" for key in features)
        for key, mentions in features.items():
            people, values = self._row(key)
            if not len(people):
                continue
            share = _share(key, len(mentions), n_years)
            joint += [(places, len(rows)) for places in mentions]
            rows.append(WordContribution(people, values * share))
            kinds.append(key[0])
        word_rows = np.zeros(len(document), dtype=np.intp)
        return Contributions(tuple(rows), word_rows, tuple(joint)), tuple(kinds)

    def _mentions(self, document: TokenizedDocument) -> dict[_Key, list[tuple[int, ...]]]:
        """Return the values in a document, each with the indexes of its words."""
        features: dict[_Key, list[tuple[int, ...]]] = {}
        for key, places in self._features(document):
            if places not in features.setdefault(key, []):
                features[key].append(places)
        return features

    def _features(self, document: TokenizedDocument) -> Iterator[_Feature]:
        keys = document.keys
        text = document.document.text
        ends = [span.end for span in document.spans]
        starts = [*(span.start for span in document.spans[1:]), len(text)]
        gaps = [
            " " if start == end + 1 and text[end] == " " else fold_text(text[end:start])
            for end, start in zip(ends, starts, strict=False)
        ]
        dates = list(find_dates(keys, gaps))
        dated = {place for date in dates for place in date.places}
        yield from _of_dates(dates)
        yield from _of_numbers(keys, dated)
        yield from self._of_phrases(document, gaps)

    # Phrases: names, places and other values.

    def _of_phrases(self, document: TokenizedDocument, gaps: Sequence[str]) -> Iterator[_Feature]:
        keys, text = document.keys, document.document.text
        for first, span in enumerate(document.spans):
            if keys[first] in STOP_WORDS and text[span.start].islower():
                continue
            capital = text[span.start].isupper()
            if capital:
                yield ("name", keys[first]), (first,)
                if (name := self._alike(keys[first], "name")) is not None:
                    yield ("spelling", name), (first,)
            for last in range(first, min(first + LONGEST_VALUE, len(keys))):
                if last > first and any(mark in gaps[last - 1] for mark in ";:!?\n("):
                    break
                places = tuple(range(first, last + 1))
                phrase = " ".join(keys[first : last + 1])
                if phrase in self._known:
                    yield ("value", phrase), places
                elif (
                    capital
                    and last > first
                    and text[document.spans[last].start].isupper()
                    and (value := self._alike(phrase, "value")) is not None
                ):
                    yield ("alike", value), places
                if capital and self._has_places and last < first + _PLACE_WORDS:
                    yield from ((key, places) for key in _places_named(phrase))

    def _similar(self, string: str, kind: str) -> str | None:
        """Return the most similar name or value in the register that isn't the string itself."""
        choices = self._spellings if kind == "name" else self._values
        if len(string) < _SHORTEST or (
            kind == "name" and len(self._people.posting(f"name {string}").people)
        ):
            return None
        best = process.extractOne(string, choices, scorer=fuzz.ratio, score_cutoff=_ALIKE)
        return None if best is None else str(best[0])

    # Agreement weights.

    def _weighted(self, key: _Key) -> WordContribution:
        """Return log(m / u) for the people whose register entry agrees, if that is above 0."""
        people, chance, _ = self._agreement(key)
        weight = math.log(self._m[key[0]] / chance) if len(people) else 0.0
        return _positive(people, np.full(len(people), weight))

    def _agreement_of(self, key: _Key) -> _Agreement:
        kind, value = key
        people = self._agreeing(kind, value)
        if kind not in _COARSER:
            return _Agreement(people, (len(people) + 0.5) / (self.n_people + 1), None)
        # The gain over the coarser precision, whose agreement is a separate feature.
        coarser = self._agreeing(_COARSER[kind], value[: 7 if kind == "date" else 4])
        chance = len(people) - 1 + _PSEUDO * _CHANCE[kind]
        u = chance / (max(len(coarser), len(people)) - 1 + _PSEUDO)
        return _Agreement(people, u, coarser)

    def _agreeing(self, kind: str, value: str) -> NDArray[np.int32]:
        """Return the people who agree in a value, however informative that is."""
        if kind in ("near", "decade"):
            first, last = (-1, 2) if kind == "near" else (0, 10)
            keys = [f"year {year}" for year in range(int(value) + first, int(value) + last)]
            return np.unique(np.concatenate([self._people.posting(key).people for key in keys]))
        if kind == "life":
            alive = (self._people.first_years <= int(value)) & (
                int(value) <= self._people.last_years
            )
            return np.flatnonzero(alive).astype(np.int32)
        field = _FIELD.get(kind, kind)
        return self._people.posting(f"{field} {value}").people


_COARSER: Final = {"date": "month", "month": "year", "year": "near"}
_FIELD: Final = {"within": "place", "spelling": "name", "alike": "value"}


def _share(key: _Key, n_mentions: int, n_years: int) -> float:
    """Return what share of each mention of a value counts.

    Repeating a value hardly makes it more certain, and the years of one life are one piece of
    evidence.
    """
    return 1 / math.sqrt(n_mentions) / (n_years if key[0] == "life" else 1)


def _positive(people: NDArray[np.int32], values: NDArray[np.float64]) -> WordContribution:
    above = values > 0
    return WordContribution(people[above], values[above])


def _of_dates(dates: Sequence[FoundDate]) -> Iterator[_Feature]:
    """Yield each date at each precision, with the words it needs, and intervals."""
    days = []
    for found in dates:
        year, month, day = found.places
        if found.decade:
            yield ("decade", str(found.decade)), (year,)
            continue
        if found.day:
            yield ("day", f"{found.month:02}-{found.day:02}"), (month, day)
        if not found.year:
            continue
        yield ("near", str(found.year)), (year,)
        yield ("year", str(found.year)), (year,)
        yield ("life", str(found.year)), (year,)
        if found.month:
            yield ("month", f"{found.year}-{found.month:02}"), (year, month)
        if found.day:
            yield ("date", f"{found.year}-{found.month:02}-{found.day:02}"), found.places
            days.append(found)
    for first, second in combinations(days[:_DATES], 2):
        key = interval_key(first.calendar(), second.calendar())
        if key:
            kind, value = key.split()
            yield (kind, value), (*first.places, *second.places)


def _of_numbers(keys: Sequence[str], dated: set[int]) -> Iterator[_Feature]:
    """Yield whole numbers, in digits or words, that aren't part of a date."""
    place = 0
    while place < len(keys):
        number = None if place in dated else read_number(keys, place)
        if number is None:
            place += 1
            continue
        value, length = number
        yield ("number", str(value)), tuple(range(place, place + length))
        place += length


@lru_cache(maxsize=1 << 14)
def _places_named(phrase: str) -> tuple[_Key, ...]:
    """Return the states and countries that a phrase names, or that contain what it names."""
    keys: dict[_Key, None] = {}
    for scheme in SCHEMES:
        place = places_of(scheme).get(phrase)
        if place is not None:
            keys["place", f"{scheme} {place.codes[0]}"] = None
    if not keys:
        store = shipped().store
        for sense in store.find(phrase)[:2]:
            for outer in sense.places:
                for scheme in SCHEMES:
                    holder = places_of(scheme).get(store.places[outer])
                    if holder is not None:
                        keys["within", f"{scheme} {holder.codes[0]}"] = None
    return tuple(keys)
