"""The language of the frame files, and the frame files themselves."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

pytest.importorskip("faker", reason="needs the extra 'train'")

from tacenda.errors import InputError
from tacenda_lab.train.generated.frames import (
    Frame,
    FrameChoice,
    FrameReference,
    FrameSlot,
    Literal,
    Part,
    countries,
    kinds,
    load_words,
    parse,
    parse_frame,
)
from tacenda_lab.train.generated.person import name_bank
from tacenda_lab.train.generated.world import World


def parts(frame: Frame) -> Iterator[Part]:
    """Yield all parts, those of choices included."""
    for part in frame:
        yield part
        if isinstance(part, FrameChoice):
            for option in part.options:
                yield from parts(option)


def test_frame_is_read_as_written() -> None:
    """A slot, a reference, an annotated literal and a nested choice."""
    assert parse_frame("I am {a:job#2}, {DEM-!shy} [or|and [so|]] {>plain}", "here") == (
        Literal("I am "),
        FrameSlot("job", "2", "a:"),
        Literal(", "),
        Literal("shy", "DEM", "NO_MASK"),
        Literal(" "),
        FrameChoice(
            ((Literal("or"),), (Literal("and "), FrameChoice(((Literal("so"),), ())))),
        ),
        Literal(" "),
        FrameReference("plain"),
    )


def test_section_keeps_lines_and_blocks_apart() -> None:
    """A line is one alternative, and so are the lines of a block."""
    sections = parse("@one\nfirst\n# comment\n<<<\nsecond\n\nline\n>>>\n", "here")
    assert sections == {"one": ((Literal("first"),), (Literal("second\n\nline"),))}


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("a {job", "never closed"),
        ("[a|b", "never closed"),
        ("{Job!}", "not a slot"),
        ("{}", "not a slot"),
    ],
)
def test_bad_frame_is_refused_with_its_place(source: str, what: str) -> None:
    """The message says where and what."""
    with pytest.raises(InputError, match=what) as caught:
        parse(f"@one\n{source}\n", "kind.txt")
    assert "line 2 of kind.txt" in str(caught.value)


def test_every_slot_and_reference_of_every_frame_exists() -> None:
    """No frame asks for what the world does not have."""
    world = World(Random(1), load_words(None))
    for kind, sections in kinds().items():
        for name, frames in sections.items():
            for part in (part for frame in frames for part in parts(frame)):
                if isinstance(part, FrameReference):
                    assert part.section in sections, (kind, name, part)
                elif isinstance(part, FrameSlot):
                    text, type, identifier = world.fill(part.path)
                    assert text.strip() == text != "", (kind, name, part)
                    assert bool(type) == bool(identifier)


def test_every_country_has_names_and_lists() -> None:
    """Each language of a country has names of both genders."""
    keys = set(countries()[0].lists)
    for country in countries():
        assert set(country.lists) == keys, country.code
        for language in country["names"]:
            bank = name_bank(language)
            assert min(map(len, (bank.male, bank.female, bank.last_male, bank.last_female))) > 8


def test_unknown_language_is_refused() -> None:
    """The message names the language."""
    with pytest.raises(InputError, match="xx_XX"):
        name_bank("xx_XX")


def test_no_name_has_white_space_at_its_edges() -> None:
    """Spans end where names end, whatever the lists of names hold."""
    languages = {language for country in countries() for language in country["names"]}
    for language in sorted(languages):
        bank = name_bank(language)
        for name in (*bank.male, *bank.female, *bank.last_male, *bank.last_female):
            assert name == name.strip(), (language, name)
