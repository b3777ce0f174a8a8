"""Puts an option into its sentence, so that it reads as English with and without brackets.

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

"Before 1994" doesn't become "before the 1990s" but "before a date in the 1990s". The first of the
``RULES`` that applies to a noun's place decides what is written before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from ...document import Option, SemanticType, Span
from ...shipped import shipped_patterns
from ...text.dates import find_dates, keys_and_gaps
from ..edits import MASK
from .nouns import OF_GROUPS, OF_ROLES, TAIL, WORDS, article, capital, is_counted, is_plural, plural
from .place import DETERMINERS, STOP, SentenceContext, sentence_context

# Months, years, decades and centuries after the prepositions of dates.


_PATTERNS = shipped_patterns("english_contexts", "phrases")
DATE_PHRASE = _PATTERNS["date_phrase"]
"""The words of a period: what is in it, whether it is a stretch of it, and its name."""


def place_date(place: SentenceContext, text: str) -> tuple[str, str]:
    """Return the words before the brackets and the words in them."""
    match = DATE_PHRASE.fullmatch(text)
    noun = match["noun"] if match else "date"
    rest = match["rest"] if match else text
    stretch = bool(match and match["from"])
    link = "from" if stretch else "in"
    order = f"{match['order']} " if match and match["order"] else ""
    full = f"{order}{noun} {link} {rest}"
    lead = "" if noun == "dates" else article(full)
    is_day = _is_day(place.original)
    prefix = _PATTERNS["own"].match(place.original)
    if prefix is not None:
        word = prefix[1].lower()
        if word == "dated":
            return "", f"from {rest}"  # orders from the 1990s
        if word in WORDS["of_ranges"] and place.following in WORDS["within_ranges"]:
            return (f"{word} {lead}", full) if is_day and not stretch else ("", f"{word} {rest}")
        if word in WORDS["absorbed"]:
            return "", f"{order}{link} {rest}"
        if word in WORDS["of_periods"] and not stretch and not is_day:
            return "", f"{word} {rest}"
        return f"{word} {lead}".rstrip(), full
    if place.after_part:
        # The end of 1998 isn't the end of the 1990s, but of some year in them.
        return "a", f"{'year' if place.original.isdecimal() else 'time'} in {rest}"
    if place.starts_sentence:
        return "", f"{lead} {full}".lstrip()
    listed = place.after_date and not place.before_dash
    if place.word in WORDS["of_dates"] or (is_day and (place.word in WORDS["of_either"] or listed)):
        return lead, full
    if place.word == "between" and (stretch or " or " in rest):
        return "", rest.replace(" to ", " and ").replace(" or ", " and ")
    if stretch and place.word == "from":
        return "", rest
    if stretch:
        return (lead, full) if place.word in WORDS["of_periods"] else ("", f"from {rest}")
    if is_day and place.word in WORDS["of_objects_of_time"]:
        return lead, full
    if place.word in DETERMINERS or place.word.endswith(("'s", "’s")):
        return "", rest.removeprefix("the ")
    if _PATTERNS["verb"].fullmatch(place.word):
        return "", f"{order}in {rest}"
    # Seen on 12 March 1994; Seen: 12 March 1994; on two days, 3 and 4 March 1994.
    as_date = is_day and not stretch and (place.labelled or noun == "dates")
    return "", full if as_date else rest


def _is_day(original: str) -> bool:
    return any(date.day for date in find_dates(*keys_and_gaps(original)))


_PERIODS = "half-year month year decade decades century".split()
DATE_SOURCES = frozenset(f"rule:{name}" for name in _PERIODS)
"""Sources of the options that are periods of the calendar."""


# Nouns: their article, and the form that fits the words around.


_TIMES_OF_DAY = frozenset(("morning", "afternoon", "evening", "night"))
_NUMBERS = frozenset(("nos", "numbers"))
_BEFORE_NAMES = WORDS["naming"] | WORDS["sides"]
_BEFORE_OFFICES = WORDS["becoming"] | (STOP - {"and", "or"})
_NOT_DESCRIBED = STOP | WORDS["auxiliaries"]
_OF_OBJECTS = (WORDS["prepositions"] - {"per", "via"}) | WORDS["have"] | {"as"}
"""Words after which a noun without an article is not counted: of arson, has asthma."""
_BEFORE_CODES = WORDS["prepositions"] | WORDS["reaching"] | {"is", "was", "as"}
_NAMES = frozenset((SemanticType.LOC, SemanticType.ORG, SemanticType.MISC))
"""Types that are mostly names; what is not written large is a common noun."""
_OF_PEOPLE = frozenset(("inhabitant", "nationality"))
_TRAILING = re.compile(r"(?:[,;:–—-]|(?<=[a-z]{4})\.|\s?\()+\Z")
_OWN_ARTICLE = re.compile(r"(the|an?|his|her|its|their|my|our|your)\s", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Noun:
    """A noun phrase to write, and what it stands for.

    Attributes:
        place: the grammatical context.
        type: semantic type of what it replaces.
        phrase: the words to write.
        own: the article or possessive at the start of the original, in lower case.
        name: the original without that word.
    """

    place: SentenceContext
    type: SemanticType
    phrase: str = field(repr=False)
    own: str
    name: str = field(repr=False)

    @property
    def is_large(self) -> bool:
        """Whether the original is written as a name."""
        words = self.name.split() if self.name[:1].isdigit() else [self.name]
        return any(word[:1].isupper() for word in words)

    @property
    def is_common(self) -> bool:
        """Whether the original is a common noun, which has its own article if it needs one."""
        return self.type is SemanticType.DEM or (self.type in _NAMES and not self.is_large)

    @property
    def is_name(self) -> bool:
        """Whether the original is a name without an article."""
        return self.type in _NAMES and not self.own


@dataclass(frozen=True, slots=True)
class GrammarRule:
    """A rule for the words before a noun phrase.

    Attributes:
        example: an original and what is written.
        applies: returns whether the rule applies to a phrase.
        lead: the words before the phrase; may be empty.
    """

    example: str
    applies: Callable[[_Noun], bool]
    lead: Callable[[_Noun], str]


def _none(_: _Noun) -> str:
    return ""


def _indefinite(noun: _Noun) -> str:
    return article(noun.phrase)


def _definite(noun: _Noun) -> str:
    return "" if noun.own in {"a", "an"} else noun.own


def _as_own(noun: _Noun) -> str:
    return article(noun.phrase) if noun.own in {"a", "an"} else noun.own


RULES = (
    GrammarRule("he paid 23 € → he paid [between 10 and 50 €]", lambda n: bool(_PATTERNS["bare"].match(n.phrase)) and not _is_language(n), _none),
    GrammarRule("the drummers → the [musicians]", lambda n: n.is_common and is_plural(n.phrase), _definite),
    GrammarRule("a drummer → a [musician]", lambda n: n.is_common and bool(n.own), _as_own),
    GrammarRule("he speaks Swedish → he speaks a [language]",
         lambda n: n.is_common and _is_language(n) and n.place.word not in {"", *DETERMINERS}, _indefinite),
    GrammarRule("he was elected President → he was elected a [politician]",
         lambda n: n.is_common and _is_office(n), _indefinite),
    GrammarRule("guilty of arson → guilty of a [crime]", lambda n: n.is_common and _is_uncounted(n), _indefinite),
    GrammarRule("Mayor Wick → [politician] Wick", lambda n: n.is_common, _none),
    GrammarRule("the University of Oslo → the [university]",
         lambda n: n.place.determined or n.place.after_name or n.place.quoted, _none),
    GrammarRule("account 1234567 → account [bank account number]",
         lambda n: n.type is SemanticType.CODE and n.place.word not in _BEFORE_CODES, _none),
    GrammarRule("Employer: Skorb Ltd → Employer: [company]", lambda n: n.place.labelled, _none),
    GrammarRule("The Grange, Ludlow → The Grange, [town]", lambda n: n.is_name and n.place.apposed, _none),
    GrammarRule("the Norway coach → the [country] coach", lambda n: n.is_name and is_attributive(n.place), _none),
    GrammarRule("the club Akropolis → the club [sports club]",
         lambda n: n.is_name and n.place.word in _BEFORE_NAMES, _none),
    GrammarRule("in Ulm and Trier → in [towns]", lambda n: n.is_name and is_plural(n.phrase), _none),
    GrammarRule("he left the following day → he left on a [later date]",
         lambda n: n.phrase in {"later date", "earlier date"} and n.place.word not in {"on", "at", "until", "by"},
         lambda n: f"on {article(n.phrase)}"),
    GrammarRule("at Oslo University → at a [university]", lambda _: True, _indefinite),
)  # fmt: skip
"""The first that applies is followed."""


@lru_cache(maxsize=1024)
def realise(text: str, span: Span, type: SemanticType, option: Option) -> str:
    """Return the text that replaces ``span``, with the option in square brackets.

    Args:
        text: the original document.
        span: the replaced stretch.
        type: semantic type of the entity.
        option: the generalization.
    """
    if option.text == MASK:
        return MASK
    place = sentence_context(text, span)
    if option.source in DATE_SOURCES:
        lead, phrase = place_date(place, option.text)
    elif option.text == "DATE":
        lead, phrase = _some_date(place)
    elif option.text in _TIMES_OF_DAY:
        lead, phrase = _time_of_day(place, option.text)
    else:
        noun = _fitted(place, type, option.text)
        lead = next(rule.lead(noun) for rule in RULES if rule.applies(noun))
        phrase = noun.phrase
    phrase += _possessive(place.original, phrase)
    first = place.original[:1]
    # "won.In 2012": a preposition is capitalized only at the start of a sentence.
    starts = place.starts_sentence or bool(
        first.isupper() and _PATTERNS["own"].match(place.original)
    )
    if starts and (first.isupper() or first.isdigit()):
        lead, phrase = (capital(lead), phrase) if lead else ("", capital(phrase))
    output = f"{lead} [{phrase}]" if lead else f"[{phrase}]"
    trailing = _TRAILING.search(place.original)
    return _in_parentheses(place.original, output + (trailing[0] if trailing else ""))


def own_words(original: str, phrase: str) -> str:
    """Return words of the original in square brackets, after its article or preposition."""
    match = _OWN_ARTICLE.match(original) or _PATTERNS["own"].match(original)
    lead = match[1] if match else ""
    if lead.lower() in {"a", "an"}:
        lead = lead[0] + article(phrase)[1:]
    return f"{lead} [{phrase}]".lstrip()


def _fitted(place: SentenceContext, type: SemanticType, phrase: str) -> _Noun:
    """Return a noun phrase in the form its place requires."""
    match = _OWN_ARTICLE.match(place.original)
    own = match[1].lower() if match else ""
    noun = _Noun(
        place, type, phrase, own, place.original[match.end() :] if match else place.original
    )
    attributive = is_attributive(place)
    if type is SemanticType.DEM:
        if noun.is_large:
            phrase = _describing(place, phrase)
        phrase = OF_GROUPS.get(phrase, phrase)
        # A drummer isn't a profession, but a person with one.
        phrase = phrase if attributive else OF_ROLES.get(phrase, phrase)
    elif attributive and type in _NAMES and noun.is_large:
        # "The city in Norway suburb" is not English.
        phrase = TAIL.split(phrase)[0]
    # "A teacher and writer" is one person.
    both = " and " in place.original and not (
        place.apposed or place.word in ("a", "an", "the") or own in ("a", "an", "the")
    )
    several = noun.is_common and (is_plural(place.original) or both)
    if several or (type is SemanticType.CODE and place.word in _NUMBERS):
        phrase = phrase if _PATTERNS["bare"].match(phrase) else plural(phrase)
    return _Noun(place, type, phrase, own, noun.name)


def is_attributive(place: SentenceContext) -> bool:
    """Return whether a name modifies the noun after it: the Norway coach, Ulm based."""
    return place.following in WORDS["named"] or place.following.removesuffix("s") in WORDS["named"]


def _is_language(noun: _Noun) -> bool:
    return noun.phrase.split()[-1] == "language"


def _is_office(noun: _Noun) -> bool:
    """Return whether an office has no article: someone elected President becomes a politician."""
    place = noun.place
    if place.determined or noun.phrase.endswith("nationality"):
        return False
    if place.following == "of":
        return place.word in _BEFORE_OFFICES or not place.word
    return place.word in WORDS["becoming"] and (
        not place.following or place.following in _NOT_DESCRIBED
    )


def _is_uncounted(noun: _Noun) -> bool:
    """Return whether a word has no article because it is uncountable or an adjective, while its class is countable."""
    place = noun.place
    return (
        (noun.name.islower() or noun.name.isupper())
        and noun.phrase.islower()
        and (
            place.word in _OF_OBJECTS | WORDS["predicates"]
            or (place.word in {"and", "or"} and bool(_PATTERNS["things"].search(noun.phrase)))
        )
        and (not place.following or place.following in _NOT_DESCRIBED)
        and is_counted(noun.phrase)
    )


def _some_date(place: SentenceContext) -> tuple[str, str]:
    """Return the words for a date about which nothing is said."""
    noun = "age" if re.search(r"\bage\b", place.original) else "date"
    is_adverb = _PATTERNS["adverbial"].match(place.original)
    if is_adverb and place.word not in (STOP - WORDS["coordinated"]) | DETERMINERS:
        return "", "at some time"
    if place.determined or place.apposed or place.labelled:
        return "", noun
    if noun == "age":
        return "an" if place.following == "of" else "", noun
    if place.word == "at":
        return "", "some point in time"  # at Easter
    if _PATTERNS["verb"].fullmatch(place.word):
        return "", "at some time"
    if place.word in {"in", "during", "throughout", "within"}:
        return "a", "certain period"
    return "a", "date"


def _time_of_day(place: SentenceContext, phrase: str) -> tuple[str, str]:
    """Return the words for a part of the day: "at half past nine" is some time in the morning."""
    if place.word in WORDS["of_moments"]:
        return "", f"some time {'at' if phrase == 'night' else 'in the'} {phrase}"
    if place.determined:
        return "", phrase
    return "", "at night" if phrase == "night" else f"in the {phrase}"


def _describing(place: SentenceContext, phrase: str) -> str:
    """Return the replacement for the name of a people, its adjective, or a language."""
    of_people = phrase in _OF_PEOPLE
    # The Spanish and the Turkish movement, but the Spaniards and the Turks.
    coordinate = place.following in {"and", "or"} and not is_plural(place.original)
    alone = not place.following or place.following in _NOT_DESCRIBED
    if place.languages and alone and (of_people or phrase[:1].isupper()):
        return "language" if of_people else f"{phrase} language"
    if not of_people:
        return phrase
    if coordinate or not alone:
        # "Of nationality nationality" is not English.
        return "some" if place.following.startswith("nationalit") else "nationality"
    return phrase


def _possessive(original: str, phrase: str) -> str:
    if not original.endswith(("'s", "’s", "s'", "s’")) or phrase.endswith(("'", "’", "'s")):
        return ""
    return "'" if phrase.endswith("s") else "'s"


def _in_parentheses(original: str, output: str) -> str:
    if not original.startswith("("):
        # It closes a bracket that was opened before.
        return f"{output})" if original.endswith(")") and "(" not in original else output
    return f"({output})" if original.count(")") == original.count("(") else f"({output}"
