"""Words that reveal a sex or a relationship, their neutral forms, and the verbs next to pronouns."""

from __future__ import annotations

from typing import Final

from ...shipped import shipped_patterns, shipped_table, shipped_text

_TABLE = shipped_table("neutral_words")


def _words(name: str) -> frozenset[str]:
    return frozenset(_TABLE["words"][name].split())


def _by_word(name: str) -> dict[str, str]:
    return {word: key for key, words in _TABLE[name].items() for word in words.split()}


# Words of one sex, and the words for both.


def _table(*lines: str) -> dict[str, tuple[str, str]]:
    """Return (sex, neutral form) by word; a plural is written after a slash."""
    table: dict[str, tuple[str, str]] = {}
    for line in lines:
        feminine, masculine, neutral = (part.split() for part in line.split("|"))
        target = " ".join(neutral).split("/")
        for sex, words in (("f", feminine), ("m", masculine)):
            for word in words:
                singular, _, plural = word.partition("/")
                table[singular.replace("_", " ")] = (sex, target[0])
                several = plural or f"{singular}s"
                table[several] = (sex, target[1] if len(target) > 1 else f"{target[0]}s")
    return table


NOUNS: Final = _table(*shipped_text("gendered_nouns.txt").splitlines())
YOUNG: Final = _table("girl|boy|child/children")
GROWN: Final = _table("girl|boy|person/people")
SMALL: Final = _words("small")
TITLES: Final = _words("titles")
NEUTRAL_TITLE: Final = "Mx"
CALLS: Final = _words("calls")
CALLING: Final = _words("calling")
"""Before a call, which is to no one of a sex: *oh man*."""
OTHERS: Final = _by_word("others")
"""Words that refer to something other than a person, by the next word."""
LEFT: Final = shipped_patterns("neutral_words", "patterns")["left"]

# The same without relationship.


TIES: Final = _by_word("ties")
OF_PEOPLE: Final = _words("of_people")
STATUS_BEFORE: Final = _words("status_before")

# Verbs.


AGREEING: Final[dict[str, str]] = _TABLE["agreeing"]
AUXILIARIES: Final = frozenset(word for word in AGREEING if word != "goes")
NO_VERBS: Final = _words("no_verbs")
ADVERBS: Final = _words("adverbs")
NO_ADVERBS: Final = _words("no_adverbs")
JOINING: Final = _words("joining")
STOPPING: Final = _words("stopping")
FINITE: Final = _words("finite")
ASKING: Final = _words("asking")
BE_WITH: Final = _words("be_with")
PARTICIPLES: Final = _words("participles")
COMMON_VERBS: Final = _words("common_verbs")
"""Verbs that are rarely plural nouns after *and*, or oftener verbs."""
OF_PHRASES: Final = _words("of_phrases")

# *Her* is *their* before a noun and *them* before any of these; *his* is *theirs* before these.

NO_NOUNS: Final = _words("no_nouns")
LETTING: Final = _words("letting")
GIVING: Final = _words("giving")

# Pronouns.


OBJECTS: Final = _words("objects")
PRONOUNS: Final = OBJECTS | {"she", "he"}
FAMILY: Final = _words("family")
