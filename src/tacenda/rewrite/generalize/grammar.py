"""An option put into its sentence, so that it reads as English with and without brackets.

| original | written |
|---|---|
| born on 12 March 1994 | born on a [date in the 1990s] |
| in 1994 · in March 1994 | in [the 1990s] |
| born 22 March 1991 | born [in the 1990s] |
| the 1994 election | the [1990s] election |
| from 3 to 5 May 1994 | [in the 1990s] |
| studied at University of Oslo | studied at a [university] |
| 12 March 1994 was a Saturday. | [A date in the 1990s] was a Saturday. |
| he studied ballet · new ballets | he studied [dancing] · new [dances] |
| a Turkish national · of Turkish descent | a [European] national · of [nationality] descent |

"Before 1994" does not say "before the 1990s", but "before a date in the 1990s".
"""

from __future__ import annotations

import re

from ...document import Option, SemanticType, Span
from ..operators.suppress import MASK
from .articles import article, plural
from .dates_in_sentences import place_date
from .surroundings import STOP, Surroundings, surroundings

_PERIODS = frozenset(f"rule:{name}" for name in ("month", "year", "decade", "decades", "century"))
# Phrases that are no singular nouns: they stand without an article.
_BARE = re.compile(
    r"(?:between|in|of|under|over|aged?|less|underage|night)\b|\w+s (?:later|earlier)\Z|[^a-z]"
    r"|[^ ]*X(?!\w)"
)
_NUMBER_SIGNS = frozenset(".:#(№=")
_NUMBER_WORDS = frozenset(("no", "nos", "number", "numbers", "nr"))
_PLURAL = re.compile(r"(?:[^\Ws]{2,}[^su\W]s|men|women|people|children|sses)\Z")
_NOT_DESCRIBED = STOP | frozenset(
    "also has have had said says will would can could may might did does do became won".split()
)
"""Words before which a name of a people stands alone: the French said."""
_NAMES = frozenset((SemanticType.LOC, SemanticType.ORG, SemanticType.MISC))
"""Types that are mostly names; what is not written large is a common noun."""
_OF_PEOPLE = frozenset(("inhabitant", "nationality"))
_TRAILING = re.compile(r"[,;:–—]+\Z")
_OWN_ARTICLE = re.compile(r"(the|an?)\s", re.IGNORECASE)


def realise(text: str, span: Span, type: SemanticType, option: Option, brackets: bool) -> str:
    """Return what is written in the place of ``span``.

    Args:
        text: the original document.
        span: what is replaced.
        type: semantic type of the entity.
        option: what is to be said of it.
        brackets: whether what is written instead stands in square brackets.
    """
    if option.text == MASK:
        return MASK
    place = surroundings(text, span)
    if option.source in _PERIODS:
        lead, phrase = place_date(place, option.text)
    else:
        lead, phrase = _lead(place, type, option.text)
    phrase += _possessive(place.original, phrase)
    first = place.original[:1]
    if place.starts_sentence and (first.isupper() or first.isdigit()):
        lead, phrase = (_capital(lead), phrase) if lead else ("", _capital(phrase))
    written = f"{lead} [{phrase}]" if lead else f"[{phrase}]"
    if not brackets:
        written = f"{lead} {phrase}".lstrip()
    trailing = _TRAILING.search(place.original)
    return _in_parentheses(place.original, written + (trailing[0] if trailing else ""))


def _lead(place: Surroundings, type: SemanticType, phrase: str) -> tuple[str, str]:
    """Return the article of a noun phrase, empty if it needs none, and the phrase."""
    if _BARE.match(phrase):
        return "", phrase
    if phrase in {"morning", "afternoon", "evening"}:
        if place.word in {"at", "around", "about", "by", "until", "before", "after"}:
            return "", f"some time in the {phrase}"
        return ("", phrase) if place.determined else ("", f"in the {phrase}")
    own = _OWN_ARTICLE.match(place.original)
    name = place.original[own.end() :] if own else place.original
    if type is SemanticType.DEM and name[:1].isupper() and phrase in _OF_PEOPLE:
        phrase = _describing(place, phrase)
    if type is SemanticType.DEM or (type in _NAMES and name[:1].islower()):
        # A common noun brings its own article, and where it has none there is none.
        if _PLURAL.search(place.original):
            phrase = plural(phrase)
            return (own[1].lower() if own and own[1].lower() == "the" else ""), phrase
        if own is None:
            return "", phrase
        return "the" if own[1].lower() == "the" else article(phrase), phrase
    announced = place.word in _NUMBER_WORDS or place.sign in _NUMBER_SIGNS
    if place.determined or place.after_name or (type is SemanticType.CODE and announced):
        return "", phrase
    lead = article(phrase)
    if phrase in {"later date", "earlier date"} and place.word not in {"on", "at", "until", "by"}:
        # "He left the following day" has no preposition.
        return f"on {lead}", phrase
    return lead, phrase


def _describing(place: Surroundings, phrase: str) -> str:
    """Return what stands for the name of a people, which describes the noun that follows it."""
    if not place.following or place.following in _NOT_DESCRIBED:
        return phrase
    # "Of nationality nationality" is not English.
    return "some" if place.following.startswith("nationalit") else "nationality"


def _possessive(original: str, phrase: str) -> str:
    if not original.endswith(("'s", "’s", "s'", "s’")) or phrase.endswith(("'", "’", "'s")):
        return ""
    return "'" if phrase.endswith("s") else "'s"


def _in_parentheses(original: str, written: str) -> str:
    if not original.startswith("("):
        # The end of what began before.
        return f"{written})" if original.endswith(")") and "(" not in original else written
    return f"({written})" if original.count(")") == original.count("(") else f"({written}"


def _capital(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]
