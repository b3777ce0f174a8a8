"""Annotated documents of many kinds, made from frames: a stream that is the same for a seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from .frames import Choice, Frame, Literal, Reference, Sections, Slot, kinds
from .sample import Mention, Sample
from .style import styled
from .words import Words, load_words
from .world import World


def generate(seed: int, count: int, data: Path | None = None) -> Iterator[Sample]:
    """Yield ``count`` documents; every kind comes once before any comes again.

    Args:
        seed: the same seed gives the same documents, for one version of frames, faker and data.
        count: how many.
        data: a folder with ``lists/`` and ``wikidata/entity_types.tsv.gz``, whose occupations,
            towns and organisations join the package's own; only the latter if None.
    """
    words = load_words(data)
    every = kinds()
    order: list[str] = []
    for index in range(count):
        # One generator a document, so that a change of one kind leaves the others as they were.
        random = Random(f"{seed}:{index}")
        if not order:
            order = sorted(every)
            random.shuffle(order)
        kind = order.pop()
        yield styled(_Writer(random, words, every[kind]).write(kind), random)


class _Writer:
    """Writes one document, front to back."""

    def __init__(self, random: Random, words: Words, sections: Sections) -> None:
        self._random = random
        self._sections = sections
        self._world = World(random, words)
        self._text: list[str] = []
        self._length = 0
        self._mentions: list[Mention] = []
        self._used: dict[str, list[int]] = {}

    def write(self, kind: str) -> Sample:
        self._section("document")
        return Sample(kind, "".join(self._text), tuple(self._mentions))

    def _section(self, name: str) -> None:
        frames = self._sections[name]
        # Nothing is said twice before everything has been said once.
        left = self._used.setdefault(name, [])
        if not left:
            left.extend(range(len(frames)))
            self._random.shuffle(left)
        self._frame(frames[left.pop()])

    def _frame(self, frame: Frame) -> None:
        for part in frame:
            match part:
                case Literal(text, type, identifier):
                    self._put(text, type, identifier)
                case Reference(section):
                    self._section(section)
                case Choice(options):
                    self._frame(self._random.choice(options))
                case Slot():
                    self._slot(part)

    def _slot(self, slot: Slot) -> None:
        text, type, identifier = self._world.fill(slot.path, slot.same)
        if slot.mark == "^":
            text = text[0].upper() + text[1:]
        elif slot.mark == "a:":
            self._put(f"{_article(text)} ", "", "")
        self._put(text, type, identifier)

    def _put(self, text: str, type: str, identifier: str) -> None:
        if type:
            self._mentions.append((self._length, self._length + len(text), type, identifier))
        self._text.append(text)
        self._length += len(text)


def _article(text: str) -> str:
    """Return the indefinite article that goes before a text, by its sound."""
    first = text.split()[0]
    if first.lower().startswith(("uni", "eu", "one")):
        return "a"
    # Letters that are spelt out: an MBA, an HGV driver.
    vowels = "AEFHILMNORSX" if first.isupper() else "AEIOU"
    return "an" if first[0].upper() in vowels else "a"
