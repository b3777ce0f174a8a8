"""What a sentence says about a name: a noun for its class, or the long form of an abbreviation.

| rule | example | noun |
|---|---|---|
| apposition before | "the novel **Ubik**", "comedy duo **Jarinus**" | novel, comedy duo |
| apposition after | "**Ubik**, a novel", "**Ubik** (1969 novel)", "**Ubik** is a short novel" | novel |
| list | "films such as **Loser** (2000), **Zodiac** and **42**" | film |
| study | "his son studies **law**" | field of study |
| quotation | said: "**no one saw it**" | quotation |
| verb | "a striker who plays for **Emelec**", "competed in the **Norisring**" | sports team, competition |
| abbreviation | "the National Basketball League (**NBL**)" | by the long form |

The nouns before and after a name come from the ontology. A rule only proposes them; the linker
decides whether the class fits the type of the mention.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...document import SemanticType
from ...shipped import shipped_patterns

_PATTERNS = shipped_patterns("english_contexts", "nouns_said")
_WORDS_OF_QUOTATION = 4
_TYPES = {SemanticType.ORG, SemanticType.MISC, SemanticType.LOC}


def nouns_said(text: str, type: SemanticType, context: str) -> Iterator[str]:
    """Yield the nouns that a sentence uses for a name, the most certain first; none for words that describe people."""
    if type not in _TYPES:
        return
    for before, after in _around(text, context):
        of = _PATTERNS["place_of"].search(before) if type is SemanticType.LOC else None
        match = of or _PATTERNS["before"].search(before)
        if match:
            yield from _ends(match[1])
        match = _PATTERNS["after"].match(after)
        if match:
            yield from _ends(_PATTERNS["more"].split(match[1])[0])
        match = _PATTERNS["list"].search(before)
        if match and not _PATTERNS["item"].sub("", match["items"]).strip():
            yield from _ends(match[1])
        yield from _by_verb(text, type, before, after, context)


def _says(name: str, string: str) -> bool:
    return _PATTERNS[name].search(string) is not None


def _by_verb(text: str, type: SemanticType, before: str, after: str, context: str) -> Iterator[str]:
    if type is SemanticType.LOC:
        return
    if _says("of_the_year", text):
        yield "award"
    if _says("on_air", text):
        yield "broadcaster"
    if _says("in_band", before) and _says("music", context):
        yield "band"
    if _PATTERNS["age_group"].fullmatch(text) and _says("sport", context):
        yield "sports team"
    if type is SemanticType.ORG and _says("league", text) and _says("sport", context):
        yield "sports league"
    if type is SemanticType.ORG and _says("plays", before) and _says("sport", context):
        yield "sports team"
    if _says("competes", before):
        yield "competition"
    if type is SemanticType.MISC:
        if _is_quotation(text, before):
            yield "quotation"
        if _says("credited", before) and _says("on_stage", context) and not _says("sport", context):
            yield "creative work"
        if _PATTERNS["best"].match(text) and _says("nominated", before):
            yield "award"
        if _says("plays_in", before) and _says("sport", context):
            yield "competition"
        if _says("in_part", before) and _says("on_stage", context) and not _says("sport", context):
            yield "creative work"
        if _PATTERNS["dated"].match(after) or (
            _says("quoted", before) and _says("of_works", context)
        ):
            yield "creative work"
        for pattern, noun in (
            (_PATTERNS["honoured"], "award"),
            (_PATTERNS["also_honoured"], "award"),
            (_PATTERNS["made"], "creative work"),
            (_PATTERNS["enacted"], "legal instrument"),
        ):
            if pattern.search(before):
                yield noun


def _is_quotation(text: str, before: str) -> bool:
    """Return whether a string in quotation marks is something a person said, not a title."""
    words = text.split()
    small = sum(word[:1].islower() for word in words)
    return bool(
        _PATTERNS["quoted"].search(before)
        and len(words) >= _WORDS_OF_QUOTATION
        and small * 2 > len(words)
    )


def is_sport(context: str) -> bool:
    """Return whether a text is about sports."""
    return bool(_PATTERNS["sport"].search(context))


def is_clause(text: str, context: str) -> bool:
    """Return whether lowercase words say what a person does: "broke my leg", "(to) study law"."""
    if not text.islower() or " " not in text:
        return False
    return bool(_PATTERNS["verb_phrase"].match(text)) or any(
        _PATTERNS["after_subject"].search(before) for before, _ in _around(text, context)
    )


def is_studied(text: str, context: str) -> bool:
    """Return whether a lowercase word is what a person studies, teaches or has a degree in."""
    return text.islower() and any(
        _PATTERNS["studied"].search(before) for before, _ in _around(text, context)
    )


def is_spoken(text: str, context: str) -> bool:
    """Return whether an adjective always means a language: "fluent in **Dutch**", "(**Dutch**: "."""
    places = [*_around(text, context)] if text[:1].isupper() else []
    return bool(places) and all(
        (_PATTERNS["spoken"].search(before) and _PATTERNS["ends_there"].match(after))
        or (_PATTERNS["in_language"].search(before) and after.startswith(":"))
        for before, after in places
    )


def takes_article(text: str, context: str) -> bool:
    """Return whether a name follows "the" and no noun after it could own the article."""
    places = [*_around(text, context)]
    return bool(places) and all(
        _PATTERNS["the"].search(before) and _PATTERNS["no_noun_after"].match(after)
        for before, after in places
    )


def long_form(text: str, context: str) -> str:
    """Return the name before an abbreviation in parentheses, or an empty string if there is none."""
    if not _PATTERNS["abbreviation"].fullmatch(text):
        return ""
    for before, after in _around(text, context):
        match = _PATTERNS["long_form"].search(before)
        if match and after.startswith(")"):
            return match[1]
    return ""


def _around(text: str, context: str) -> Iterator[tuple[str, str]]:
    """Yield the text before and after a name in its sentence, for each place it occurs."""
    start = context.find(text)
    while start >= 0:
        before = _PATTERNS["sentence"].split(context[:start])[-1]
        yield before, context[start + len(text) :]
        start = context.find(text, start + 1)


def _ends(phrase: str) -> Iterator[str]:
    words = phrase.split()
    for start in range(len(words)):
        yield " ".join(words[start:])
