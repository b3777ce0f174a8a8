"""Other people in the same document: names, places, dates and numbers replaced by their like.

A judgment teaches the recognizer the names of one state's people; the same judgment with names of
another state teaches it the form of any name. Replacement is consistent: a word of a name becomes
the same word everywhere, a place the same place, and the years of a document move together, so
coreference is preserved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random

from tacenda.evaluate.gold import load_gold
from tacenda.models.encoding import TextEncoder

from .corpus import by_annotator
from .examples import MASKS, AnnotatedText, Edit, Example, MarkedSpan, Mention, apply_edits, example
from .generated import Sample, generate
from .generated.frames import Country, WordBank, countries, load_words
from .generated.person import name_bank

_TITLES = frozenset(
    "mr mrs ms miss dr prof professor judge sir lady lord madam mx the late and of to de van von "
    "der den la le el al bin ben ibn jr sr st ii iii judge justice colonel captain president".split()
)
_GENDERS = {"mr": True, "sir": True, "lord": True, "mrs": False, "ms": False, "miss": False,
            "lady": False, "madam": False}  # fmt: skip
_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MONTH = re.compile("|".join(_MONTHS))
_DAY = re.compile(r"(?<!\d)(?:[12]?\d|3[01])(?=(?:st|nd|rd|th)? (?:of )?[A-Z])")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def substitute_names(
    text: str,
    mentions: Sequence[Mention],
    random: Random,
    data: Path | None = None,
    share: float = 1.0,
) -> AnnotatedText:
    """Return the document with its people, places, dates, codes and quantities replaced.

    Demographic and other mentions stay: they depend on their sentence. So do mentions overlapping
    another with other edges, and organisations and places with a common noun (``Sofia City Court``
    keeps ``City Court``).

    Args:
        text: the document.
        mentions: its annotation.
        random: source of all choices.
        data: a folder with longer lists of towns (see ``load_words``).
        share: share in [0, 1] of the kinds of mention to replace, drawn once a document.
    """
    swapper = _Swapper(random, load_words(data))
    types = [type for type in _BY_TYPE if random.random() < share]
    edits: dict[tuple[int, int], Edit] = {}
    candidates = _isolated_mentions(mentions)
    # In the order of the table: organisations carry names of people and places met before.
    for type in types:
        for start, end, of, _ in candidates:
            if of == type and (start, end) not in edits:
                edits[start, end] = (start, end, _BY_TYPE[type](swapper, text[start:end]))
    return apply_edits(text, mentions, edits.values())


def _isolated_mentions(mentions: Sequence[Mention]) -> list[Mention]:
    """Return the mentions without overlaps, apart from mentions of the same span."""
    ordered = sorted(mentions)
    result = []
    reach = 0
    for index, mention in enumerate(ordered):
        same = mention[:2] == ordered[index - 1][:2] if index else False
        following = next(
            (candidate for candidate in ordered[index + 1 :] if candidate[:2] != mention[:2]), None
        )
        clear = same or mention[0] >= reach
        if clear and (following is None or following[0] >= mention[1]):
            result.append(mention)
        reach = max(reach, mention[1])
    return result


class _Swapper:
    """Replacements of words, places and numbers, consistent within one document."""

    def __init__(self, random: Random, words: WordBank) -> None:
        self._random = random
        self._words = words
        self._country: Country = random.choice(countries())
        self._bank = name_bank(random.choice(self._country["names"]))
        # Of people without a title; one answer a document keeps a person of one gender.
        self._male = random.random() < 0.5
        self._names: dict[str, str] = {}
        self._places: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        self._years = random.randint(-9, 9)
        self._days = random.randint(1, 27)
        self._months = random.randint(1, 11)

    def person(self, old: str) -> str:
        """Return a name with its words replaced; titles, particles and initials' dots stay."""
        titles = {match[0].lower() for match in _WORD.finditer(old)} & _GENDERS.keys()
        male = _GENDERS[min(titles)] if titles else self._male
        bearers = [match for match in _WORD.finditer(old) if match[0].lower() not in _TITLES]
        last = bearers[-1].start() if bearers else -1

        def renamed(match: re.Match[str]) -> str:
            word = match[0]
            if word.lower() in _TITLES:
                return word
            if len(word) <= 2:
                return self._remember(
                    self._names, word, lambda: self._random.choice("ABCDEFGHIJKLMNOPRSTVZ")
                )
            key = word.title()
            new = self._remember(self._names, key, lambda: self._name(match.start() == last, male))
            return new.upper() if word.isupper() else new.lower() if word.islower() else new

        return _WORD.sub(renamed, old)

    def place(self, old: str) -> str:
        """Return another town, country or address; digits of addresses change too."""
        if old in {name for country in countries() for name in country["country"]}:
            return self._remember(self._places, old, self._other_country)
        if any(char.isdigit() for char in old):
            return self.code(old)
        if " " in old and any(word.islower() and len(word) > 3 for word in old.split()):
            return old
        return self._remember(self._places, old, self._town)

    def organisation(self, old: str) -> str:
        """Return the name with a town or surname of it replaced where one is known."""
        return _WORD.sub(
            lambda match: self._places.get(match[0]) or self._names.get(match[0]) or match[0], old
        )

    def moment(self, old: str) -> str:
        """Return the date moved, written in the same way."""

        def month(match: re.Match[str]) -> str:
            return _MONTHS[(_MONTHS.index(match[0]) + self._months) % 12]

        date = _DAY.sub(lambda match: str((int(match[0]) + self._days) % 28 + 1), old)
        date = _MONTH.sub(month, date)
        return _YEAR.sub(lambda match: str(int(match[0]) + self._years), date)

    def code(self, old: str) -> str:
        """Return a code of the same shape: digits for digits, the rest as it was."""
        return re.sub(r"\d+", lambda match: self._number(match[0]), old)

    def _number(self, old: str) -> str:
        def other() -> str:
            first = self._random.choice("123456789") if old[0] != "0" else "0"
            return first + "".join(self._random.choice("0123456789") for _ in old[1:])

        return self._remember(self._codes, old, other)

    def _name(self, last: bool, male: bool) -> str:
        if last:
            name = self._random.choice(self._bank.last_male if male else self._bank.last_female)
        else:
            name = self._random.choice(self._bank.male if male else self._bank.female)
        return name

    def _other_country(self) -> str:
        return self._random.choice(self._random.choice(countries())["country"])

    def _town(self) -> str:
        towns = [
            town
            for place in self._country["data"]
            for town in self._words.by_country.get(("city", place), ())
        ]
        return self._random.choice(towns or self._country["cities"])

    def _remember(self, memory: dict[str, str], key: str, make: Callable[[], str]) -> str:
        if key not in memory:
            memory[key] = make()
        return memory[key]


_BY_TYPE = {
    "PERSON": _Swapper.person,
    "LOC": _Swapper.place,
    "ORG": _Swapper.organisation,
    "DATETIME": _Swapper.moment,
    "CODE": _Swapper.code,
    "QUANTITY": _Swapper.code,
}


# Documents varied from epoch to epoch: other people, other texts.
#
# Repeated documents are memorized; documents with other people, or newly generated ones, teach the
# rule.


SWAPPED = 0.3
GENERATED = 400


class Variations:
    """Variations of judgments, and new documents, by epoch.

    Args:
        judgments: TAB standoff JSON with the judgments to vary.
        encoder: makes the subwords.
        data: a folder with longer lists of words (see ``load_words``).
    """

    def __init__(self, judgments: Path, encoder: TextEncoder, data: Path | None = None) -> None:
        self._data = data
        self._encoder = encoder
        self._judgments = {document.id: document for document in load_gold(judgments)}

    def judgments(self, examples: Sequence[Example], epoch: int) -> list[Example]:
        """Return the judgments, a share of them with other people, drawn anew each epoch."""
        return [
            self._swapped(judgment.doc_id, draw) if draw.random() < SWAPPED else judgment
            for judgment in examples
            for draw in (Random(f"{epoch}:{judgment.doc_id}"),)
        ]

    def _swapped(self, doc_id: str, random: Random) -> Example:
        """Return a judgment with other people, the same ones for all of its annotators."""
        source = self._judgments[doc_id]
        mentions = [
            (m.span.start, m.span.end, m.type, f"{m.identifier}:{annotator}")
            for annotator, group in enumerate(by_annotator(source))
            for m in group
        ]
        text, new_mentions = substitute_names(source.text, mentions, random, self._data)
        annotations: list[list[MarkedSpan]] = [[] for _ in source.annotators]
        for start, end, type, mark in new_mentions:
            identifier, _, annotator = mark.partition(":")
            annotations[int(annotator)].append(MarkedSpan(start, end, type, MASKS[identifier]))
        return example(doc_id, text, annotations, self._encoder, "judgment")

    def new(self, epoch: int, number: int = GENERATED) -> list[Example]:
        """Return ``number`` generated documents of many kinds."""
        samples = generate(100 + epoch, number, self._data)
        return labelled_examples(samples, self._encoder, f"generated-{epoch}")


def labelled_examples(samples: Iterable[Sample], encoder: TextEncoder, name: str) -> list[Example]:
    """Return generated documents as examples, called ``name`` and a number."""
    return [
        example(
            f"{name}-{index}",
            sample.text,
            [[MarkedSpan(s, e, type, MASKS[mask]) for s, e, type, mask in sample.mentions]],
            encoder,
            "variety",
        )
        for index, sample in enumerate(samples)
    ]
