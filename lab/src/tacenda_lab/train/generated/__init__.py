"""Generated documents: annotated posts, letters, notes and forms, for variety beside judgments.

Frames (``frames/``, plain text) are filled with people, places and numbers of 40 countries. The
annotation follows TAB's guidelines (section 4.2); most sentences hold no mention at all, so that
the recognizer learns to leave ordinary words alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from ..noise import (
    break_lines,
    disturb_spaces,
    drop_punctuation,
    lower_case,
    misspell,
    strip_diacritics,
    upper_case,
)
from .frames import (
    Frame,
    FrameChoice,
    FrameReference,
    FrameSlot,
    Literal,
    Sections,
    WordBank,
    kinds,
    load_words,
)
from .world import World

# An annotated document of the generated variety.


ABROAD = "abroad"
"""The kind in other languages than English."""

# Offsets [start, end) in code points, semantic type, identifier type.
Mention = tuple[int, int, str, str]


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """A generated document with its annotation after TAB's guidelines (section 4.2).

    Attributes:
        kind: name of its frame file, such as ``forum_post``.
        text: the document.
        mentions: in order of the text, without overlaps; the identifier type is relative to the
            subject or author of the document.
        people: for each mention the role of the person it belongs to, such as ``me``; empty for
            all else.
    """

    kind: str
    text: str
    mentions: tuple[Mention, ...]
    people: tuple[str, ...]


# How a document is typed: with capitals or without, with care or in haste.


# Kinds that people type for one another, not for a file.
_CASUAL = frozenset(
    "ordinary post chat classified comment dating forum medical_forum prompt reddit travel tweet "
    "review question_answer gaming neighbourhood survey parenting confession".split()
)


def apply_style(sample: GeneratedText, random: Random) -> GeneratedText:
    """Return the document as one of its kind may be typed; most stay as they are."""
    text, mentions = sample.text, sample.mentions
    casual = sample.kind in _CASUAL
    chance = random.random()
    if casual and chance < 0.2:
        text, mentions = lower_case(text, mentions)
    elif chance > (0.97 if casual else 0.985):
        text, mentions = upper_case(text, mentions)
    if casual and random.random() < 0.12:
        text, mentions = drop_punctuation(text, mentions, random, random.choice((0.4, 1.0)))
    if random.random() < (0.3 if casual else 0.06):
        text, mentions = misspell(text, mentions, random, random.choice((0.02, 0.06)))
    if random.random() < 0.06:
        text, mentions = disturb_spaces(text, mentions, random)
    if random.random() < 0.06:
        text, mentions = strip_diacritics(text, mentions)
    if not casual and random.random() < 0.08:
        text, mentions = break_lines(text, mentions, random)
    return GeneratedText(sample.kind, text, mentions, sample.people)


# Annotated documents of many kinds, made from frames: a stream that is the same for a seed.


def generate(
    seed: int, count: int, data: Path | None = None, only: Collection[str] = ()
) -> Iterator[GeneratedText]:
    """Yield ``count`` documents; every kind comes once before any comes again.

    Args:
        seed: the same seed gives the same documents, for one version of frames, faker and data.
        count: their number.
        data: a folder with ``lists/`` and ``wikidata/entity_types.tsv.gz``, as source of further
            occupations, towns and organisations; only the package's own if None.
        only: kinds to take; all in English if empty.
    """
    words = load_words(data)
    every = {
        kind: frames
        for kind, frames in kinds().items()
        if (kind in only if only else kind != ABROAD)
    }
    order: list[str] = []
    for index in range(count):
        # One generator a document, so that a change of one kind leaves the others as they were.
        random = Random(f"{seed}:{index}")
        if not order:
            order = sorted(every)
            random.shuffle(order)
        kind = order.pop()
        yield apply_style(_DocumentComposer(random, words, every[kind]).write(kind), random)


class _DocumentComposer:
    """Writes one document, front to back."""

    def __init__(self, random: Random, words: WordBank, sections: Sections) -> None:
        self._random = random
        self._sections = sections
        self._world = World(random, words)
        self._text: list[str] = []
        self._length = 0
        self._mentions: list[Mention] = []
        self._people: list[str] = []
        self._used: dict[str, list[int]] = {}

    def write(self, kind: str) -> GeneratedText:
        self._section("document")
        text = "".join(self._text)
        return GeneratedText(kind, text, tuple(self._mentions), tuple(self._people))

    def _section(self, name: str) -> None:
        frames = self._sections[name]
        # Nothing is said twice before everything has been said once.
        queue = self._used.setdefault(name, [])
        if not queue:
            queue.extend(range(len(frames)))
            self._random.shuffle(queue)
        self._frame(frames[queue.pop()])

    def _frame(self, frame: Frame) -> None:
        for part in frame:
            match part:
                case Literal(text, type, identifier):
                    self._put(text, type, identifier)
                case FrameReference(section):
                    self._section(section)
                case FrameChoice(options):
                    self._frame(self._random.choice(options))
                case FrameSlot():
                    self._slot(part)

    def _slot(self, slot: FrameSlot) -> None:
        text, type, identifier = self._world.fill(slot.path, slot.same)
        if slot.mark == "^":
            text = text[0].upper() + text[1:]
        elif slot.mark == "a:":
            self._put(f"{_article(text)} ", "", "")
        role = slot.path.partition(".")[0]
        self._put(text, type, identifier, role if self._world.has_person(role) else "")

    def _put(self, text: str, type: str, identifier: str, person: str = "") -> None:
        if type:
            self._people.append(person)
            self._mentions.append((self._length, self._length + len(text), type, identifier))
        self._text.append(text)
        self._length += len(text)


def _article(text: str) -> str:
    """Return the indefinite article for a text, by its sound."""
    first = text.split()[0]
    if first.lower().startswith(("uni", "eu", "one")):
        return "a"
    # Letters that are spelt out: an MBA, an HGV driver.
    vowels = "AEFHILMNORSX" if first.isupper() else "AEIOU"
    return "an" if first[0].upper() in vowels else "a"
