"""The ways in which a name is written, each a function of the name and chance."""

from __future__ import annotations

import base64
import html
import quopri
import unicodedata
from collections.abc import Callable
from random import Random
from urllib.parse import quote

from .people import Person

Spelling = Callable[[Person, Random], str]

_IGNORABLE = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\ufe0f\ufe00\u200e\u202a\u202c\U000e0061\u0001\u0008\u180e"
_SYMBOLS = ("🎂🎂", "✓", "💜", "👍🏽", "❤️", "👩\u200d💻", "™", "€", "†", "¡", "★", "§", "\ue000")
_STACKED = "\u0301\u0302\u0327\u0335\u0338\u0489"


def _middle(word: str, random: Random) -> int:
    """A place inside a word, behind a letter and its marks."""
    places = [
        place
        for place in range(1, len(word))
        if not unicodedata.combining(word[place]) and word[place].isalpha()
    ]
    return random.choice(places) if places else len(word)


def _inside(text: str, added: str, random: Random) -> str:
    place = _middle(text, random)
    return text[:place] + added + text[place:]


def _divided(word: str, random: Random) -> str:
    """A word over a line's end; one of a letter can't be divided."""
    if len(word) == 1:
        return word
    hyphen = random.choice(("-", "\u00ad"))
    return _inside(word, hyphen + random.choice(("\n", "\n> ", " \n")), random)


def _bare(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(each for each in decomposed if not unicodedata.combining(each))


def _wide(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


def _quoted_printable(text: str) -> str:
    return quopri.encodestring(text.encode()).decode().replace("=\n", "")


def _in_letters(text: str, between: str) -> str:
    """A name with something between its letters, and twice that between its words."""
    letters = (
        character if unicodedata.combining(character) else between + character
        for character in unicodedata.normalize("NFC", text).replace(" ", between)
    )
    return "".join(letters).removeprefix(between)


def _words(person: Person) -> list[str]:
    return [_bare(word).replace("'", "") for word in (person.given, person.surname)]


SPELLINGS: dict[str, Spelling] = {
    "plain": lambda who, _: who.name,
    "lower": lambda who, _: who.name.lower(),
    "upper": lambda who, _: who.name.upper(),
    "surname": lambda who, _: who.surname,
    "reversed": lambda who, _: f"{who.surname}, {who.given}",
    "decomposed": lambda who, _: unicodedata.normalize("NFD", who.name),
    "bare": lambda who, _: _bare(who.name),
    "possessive": lambda who, random: who.name + random.choice(("'s", "’s", "s", "s'")),
    "plural": lambda who, _: f"the {who.surname}s",
    "initial": lambda who, random: f"{who.given[0]}.{random.choice((' ', '', ' '))}{who.surname}",
    "hashtag": lambda who, _: "#Free" + "".join(_words(who)),
    "file": lambda who, random: (
        "".join(_words(who)) + random.choice(("CV.pdf", "_2.docx", "7.jpg"))
    ),
    "snake": lambda who, _: f"user_{'_'.join(_words(who)).lower()}_id",
    "kebab": lambda who, _: "-".join(_words(who)).lower(),
    "glued": lambda who, _: "".join(_words(who)).lower(),
    "hyphenated": lambda who, random: f"{who.given} {_divided(who.surname, random)}",
    "ignorable": lambda who, random: (
        f"{who.given} {_inside(who.surname, random.choice(_IGNORABLE), random)}"
    ),
    "stacked": lambda who, random: (
        f"{who.given} {_inside(who.surname, ''.join(random.choices(_STACKED, k=random.randint(1, 6))), random)}"
    ),
    "wide": lambda who, _: _wide(who.name.replace(" ", "\u3000")),
    "percent": lambda who, random: quote(who.name, safe=random.choice(("", " "))),
    "url": lambda who, _: (
        f"https://host.example/people/{quote('-'.join((who.given, who.surname)).lower())}?q=1"
    ),
    "word_q": lambda who, _: f"=?utf-8?q?{_quoted_printable(who.name).replace(' ', '_')}?=",
    "word_b": lambda who, _: f"=?UTF-8?B?{base64.b64encode(who.name.encode()).decode()}?=",
    "printable": lambda who, _: _quoted_printable(who.name),
    "reference": lambda who, _: "".join(f"&#{ord(each)};" for each in who.name),
    "entity": lambda who, _: html.escape(who.name),
    "spaced": lambda who, _: _in_letters(who.name, " "),
    "lines": lambda who, random: _in_letters(who.surname, random.choice(("\n", "\n\n", " \n"))),
    "cells": lambda who, random: _in_letters(who.surname, random.choice((" | ", "\t", "|"))),
    "symbol": lambda who, random: who.name + random.choice(_SYMBOLS),
    "symbols": lambda who, random: random.choice(_SYMBOLS) + who.name + random.choice(_SYMBOLS),
    "break": lambda who, _: f"{who.given}\n{who.surname}",
}
"""By name. Each is searched for by ``reading.survives``."""
