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
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ...document import Option, SemanticType, Span
from ...text.dates import find_dates, keys_and_gaps
from ...text.passages import has_separator
from ..edits import MASK, Edit

# ``a`` or ``an``, plurals, and the article before a replaced string.


# Written with a vowel and spoken with a consonant, and the other way round.
_CONSONANT = re.compile(
    r"(?:uni(?!n|m)|us[aeiu]|ut[aeio]|eu|ewe|one\b|once\b|ub|u\b)", re.IGNORECASE
)
_VOWEL = re.compile(r"(?:[aeiou]|hour|honest|heir|honou?r|8|11\b|18\b)", re.IGNORECASE)
_SPELLED_OUT = re.compile(r"[A-Z]{2,}\b|[A-Z]\b")
_VOWEL_LETTERS = frozenset("AEFHILMNORSX")
_ARTICLE_BEFORE = re.compile(r"(?<!\w)([Aa])n?(\s+)\Z")
TAIL = re.compile(r"\s(?:of|in|on|for|at|from|with|by|to)\s")
_IRREGULAR = {"person": "people", "man": "men", "woman": "women", "child": "children"}


def article(phrase: str) -> str:
    """Return ``a`` or ``an``, as ``phrase`` is spoken."""
    if _SPELLED_OUT.match(phrase) and len(phrase.split()[0]) <= 4:
        return "an" if phrase[0] in _VOWEL_LETTERS else "a"
    return "an" if _VOWEL.match(phrase) and not _CONSONANT.match(phrase) else "a"


@lru_cache(maxsize=4096)
def plural(phrase: str) -> str:
    """Return the plural of a noun phrase: ``cities in Norway``."""
    end = tail.start() if (tail := TAIL.search(phrase)) else len(phrase)
    nouns = [noun.rpartition(" ") for noun in phrase[:end].split(" or ")]
    return " or ".join(f"{head} {_plural(word)}".lstrip() for head, _, word in nouns) + phrase[end:]


def _plural(word: str) -> str:
    if word in _IRREGULAR or _PLURAL.fullmatch(word):
        return _IRREGULAR.get(word, word)
    for singular, ending in (("man", "men"), ("person", "people")):
        if word.endswith(singular):
            return word.removesuffix(singular) + ending
    if re.search(r"[^aeiou]y\Z", word):
        return word[:-1] + "ies"
    return word + ("es" if re.search(r"(?:s|x|z|ch|sh)\Z", word) else "s")


def fix_articles(text: str, edits: Iterable[Edit], ids: Collection[str]) -> Iterator[Edit]:
    """Yield the edits, with ``a`` and ``an`` before them where their texts need the other.

    Such an article becomes part of the edit: "a drummer" is replaced by "an [artist]".

    Args:
        text: the original.
        edits: in order of the text.
        ids: entities replaced by words; other edits stay as they are.
    """
    end = 0
    for edit in edits:
        before = _ARTICLE_BEFORE.search(text, max(end, edit.span.start - 4), edit.span.start)
        end = edit.span.end
        phrase = edit.text.lstrip("[(")
        if before and phrase[:1].isalnum() and all(id in ids for id in edit.entities):
            word = article(phrase)
            if before[0].strip().lower() != word:
                capital = before[1] + word[1:]
                if has_separator(text, Span(*before.span(2))):
                    yield replace(edit, span=Span(before.start(), before.start(2)), text=capital)
                    yield edit
                    continue
                span = Span(before.start(), edit.span.end)
                yield replace(edit, span=span, text=f"{capital}{before[2]}{edit.text}")
                continue
        yield edit


# The surroundings of a replaced stretch, as far as grammar needs them.


DETERMINERS = frozenset(
    (
        "the a an his her its their my our your this that these those no any every each some "
        "another which whose"
    ).split()
)
_RELATIVE = frozenset(("which", "that"))
STOP = frozenset(
    (
        "of in on at from to by for with since during until till before after about around between "
        "and or but near into onto over under is was are were be been as than that who which when "
        "where while not via per against towards within without through"
    ).split()
)
_BEFORE = 60
_WORD = re.compile(r"([^\W_]+(?:['’]\w+)?)\s+\Z")
_PRIOR = re.compile(r"\b(?:prior to|as of|as at|up to)\s+\Z", re.IGNORECASE)
"""What stands before a date as "before" does."""
_NEXT = re.compile(r" ([^\W_]+)")
_DASH = re.compile(r"\s?[-\u2010-\u2015]")
_QUOTES = frozenset("\"'“‘«„<")
_QUOTED = re.compile(r"[,.]?[\"'”’»“>]")
_SENTENCE_START = re.compile(r"(?:\A|[.!?…][\"'”’)\]]*\s+|\n)[\s\"'“‘(\[]*\Z")
_PART = re.compile(
    r"\b(?:early|mid|late|later|(?:beginning|start|middle|end|half|quarter|spring|summer|autumn|fall"
    r"|winter)(?:\sof)?)(?:\sthe)?[\s-]+\Z",
    re.IGNORECASE,
)
_ABBREVIATED = re.compile(
    r"\b(?:nos?|mr|mrs|ms|dr|prof|st|sr|jr|esq|v|vs|art|arts|p|pp|para|paras|cf|e\.g|i\.e|approx"
    r"|[a-z])\.\s+[(\[\"“]*\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """Grammar of the place.

    Attributes:
        original: the replaced string.
        word: the word right before it, in lower case; empty after a sign or at the start.
        sign: the last character before it other than white space; empty at the start.
        determined: whether an article or another determiner is before it.
        after_name: whether a word with a capital, maybe of the same name, is right before it.
        starts_sentence: whether it begins a sentence.
        following: the word right after it, in lower case; empty before a sign or at the end.
        after_part: whether a part of it is named before: ``early``, ``the end of``.
        before_dash: whether a dash follows, as in a range.
        quoted: whether it stands in quotation marks or angle brackets, alone.
    """

    original: str = field(repr=False)
    word: str
    sign: str
    determined: bool
    after_name: bool
    starts_sentence: bool
    following: str
    after_part: bool
    before_dash: bool
    quoted: bool


def sentence_context(text: str, span: Span) -> SentenceContext:
    """Return the grammar around ``span`` of ``text``."""
    window = max(0, span.start - _BEFORE)
    before = text[window : span.start]
    starts = (window == 0 or before.strip() != "") and bool(_SENTENCE_START.search(before))
    match = _WORD.search(_PRIOR.sub("before ", before))
    after = _NEXT.match(text, span.end)
    return SentenceContext(
        original=span.of(text),
        word=match[1].lower() if match else "nos" if before.lower().endswith("nos. ") else "",
        sign=before.rstrip()[-1:],
        determined=_determined(before),
        after_name=match is not None and match[1][0].isupper() and match[1].lower() not in STOP,
        starts_sentence=starts and not _ABBREVIATED.search(before),
        following=after[1].lower() if after else "",
        after_part=bool(_PART.search(before)),
        before_dash=bool(_DASH.match(text, span.end)),
        quoted=text[max(0, span.start - 1) : span.start] in _QUOTES
        and bool(_QUOTED.match(text, span.end)),
    )


def _determined(before: str) -> bool:
    """Return whether one of the three words before is a determiner of the next one."""
    for _ in range(3):
        match = _WORD.search(before)
        if match is None:
            return False
        word = match[1].lower()
        # "The changes which occurred Monday" has no determiner of Monday.
        if word in DETERMINERS - _RELATIVE or word.endswith(("'s", "’s")):
            return True
        if word in STOP or word in _RELATIVE:
            return False
        before = before[: match.start()]
    return False


# Months, years, decades and centuries after the prepositions of dates.


DATE_PHRASE = re.compile(
    r"(?:(?P<order>later|earlier) )?(?P<noun>dates?|period) (?:in|(?P<from>from)) (?P<rest>.+)"
)
"""The words of a period: what is in it, whether it is a stretch of it, and its name."""
_OWN = re.compile(
    r"(from|between|dated|in|on|at|during|since|until|till|about|around|circa|before|after|by)\s",
    re.IGNORECASE,
)
# A period may stand after these: "began in 1994" entails "began in the 1990s".
_OF_PERIODS = frozenset(
    "in during since of around about circa throughout from to until till through between and or".split()
)
_OF_DATES = frozenset("on at by before after following preceding than".split())
# After these stands a day, or the name of a period: "from 3 May 1994", "from 1994".
_OF_EITHER = frozenset("of from to until till since between through about around and or".split())
# "Born 22 March 1991" has no preposition, and "born the 1990s" is not English.
_VERB = re.compile(r"\w{2,}ed|born|held|won|began|came|left|made|met|went|place|died")
_YEAR = re.compile(r"\d{4}")
_ABSORBED = frozenset("from between in on at during".split())
_OF_RANGES = frozenset(("from", "between"))
_WITHIN_RANGES = frozenset("to until till through and".split())
"""Words between the two ends of a range."""


def place_date(place: SentenceContext, text: str) -> tuple[str, str]:
    """Return the words before the brackets and those in them."""
    match = DATE_PHRASE.fullmatch(text)
    noun = match["noun"] if match else "date"
    rest = match["rest"] if match else text
    stretch = bool(match and match["from"])
    link = "from" if stretch else "in"
    order = f"{match['order']} " if match and match["order"] else ""
    full = f"{order}{noun} {link} {rest}"
    lead = "" if noun == "dates" else article(full)
    is_day = _is_day(place.original)
    prefix = _OWN.match(place.original)
    if prefix is not None:
        word = prefix[1].lower()
        if word == "dated":
            return "", f"from {rest}"  # orders from the 1990s
        if word in _OF_RANGES and place.following in _WITHIN_RANGES:
            return (f"{word} {lead}", full) if is_day and not stretch else ("", f"{word} {rest}")
        if word in _ABSORBED:
            return "", f"{order}{link} {rest}"
        if word in _OF_PERIODS and not stretch and not is_day:
            return "", f"{word} {rest}"
        return f"{word} {lead}".rstrip(), full
    if place.after_part:
        # The end of 1998 is not the end of the 1990s, but of some year of them.
        return "a", f"{'year' if _YEAR.fullmatch(place.original) else 'time'} in {rest}"
    if place.starts_sentence:
        return "", f"{lead} {full}".lstrip()
    if place.word in _OF_DATES or (
        is_day
        and (place.word in _OF_EITHER or (place.sign in {",", ";"} and not place.before_dash))
    ):
        return lead, full
    if place.word == "between" and (stretch or " or " in rest):
        return "", rest.replace(" to ", " and ").replace(" or ", " and ")
    if stretch and place.word == "from":
        return "", rest
    if stretch:
        return (lead, full) if place.word in _OF_PERIODS else ("", f"from {rest}")
    if place.word in DETERMINERS or place.word.endswith(("'s", "’s")):
        return "", rest.removeprefix("the ")
    if _VERB.fullmatch(place.word):
        return "", f"{order}in {rest}"
    return "", rest


def _is_day(original: str) -> bool:
    return any(date.day for date in find_dates(*keys_and_gaps(original)))


DATE_SOURCES = frozenset(
    f"rule:{name}" for name in ("half-year", "month", "year", "decade", "decades", "century")
)
"""Sources of the options that are periods of the calendar."""
# Phrases that are no singular nouns: they stand without an article.
_BARE = re.compile(
    r"(?:between|more|no more|in|of|under|over|aged|less|underage|night)\b|\w+s (?:later|earlier)\Z|[^a-z]"
    r"|[^ ]*X(?!\w)"
)
_NUMBER_SIGNS = frozenset(".:#(№=")
_NUMBER_WORDS = frozenset(("no", "nos", "number", "numbers", "nr"))
_PLURAL = re.compile(
    r"(?!(?:series|species|news|means|headquarters|diabetes|measles|mumps|herpes|rabies|shingles|\w*ics)\Z)(?:\w+[^\Wsui]s|\w+sses|men|\w+men|people|children)\Z",
    re.IGNORECASE,
)
_NOT_DESCRIBED = STOP | frozenset(
    "also has have had said says will would can could may might did does do became won".split()
)
"""Words before which a name of a people stands alone: the French said."""
_AS = frozenset(
    "is was be been being as became become becomes appointed elected named made remained remains".split()
)
"""Words after which an office stands without an article, and a class with one."""
NAMED = frozenset(
    (
        "club side team band group company firm town city village newspaper magazine label film series"
        " novel book album song single play opera ship party university school street county province"
        " state station channel show brand store pub restaurant hotel airline newspaper daily weekly"
    ).split()
)
"""Nouns whose names stand after them: the Swedish club Akropolis."""
_NOUN = re.compile(
    r"(?:based|born|trained|authorities|headquarters|series|(?:"
    r"activist|actor|administration|airport|album|ambassador|area|artist|author|award|band"
    r"|banker|board|branch|brand|campaign|campus|captain|chairman|championship|channel"
    r"|church|citizen|club|coach|company|competition|conference|contract|court|cup|dancer"
    r"|deal|debut|defender|designer|director|district|division|doctor|draft|economist"
    r"|editor|election|employee|engineer|executive|festival|film|final|flight|footballer"
    r"|founder|franchise|game|general|goalkeeper|government|graduate|group|guitarist"
    r"|historian|journalist|king|label|lawyer|leader|league|magazine|manager|market|match"
    r"|medal|member|midfielder|minister|movie|musician|national|native|network|newspaper"
    r"|novelist|office|officer|organisation|organization|painter|parliament|physician"
    r"|pianist|player|police|politician|president|prince|prize|producer|product|professor"
    r"|program|programme|project|queen|race|record|region|reporter|resident|roster|scene"
    r"|school|scientist|season|secretary|senator|show|side|singer|software|squad|station"
    r"|striker|student|subsidiary|suburb|system|teacher|team|technician|theatre|title"
    r"|tournament|university|writer"
    r")s?)"
)
"""Nouns that names stand before, as in the Norway coach; few of them are verbs too."""
_SIDES = frozenset(
    (
        "northern southern eastern western central north south east west northeastern northwestern"
        " southeastern southwestern rural downtown nearby neighbouring neighboring modern upper lower inner"
        " greater medieval ancient present-day modern-day mainland"
    ).split()
)
"""Adjectives of a name that has no article: southern Norway."""
_OF_LANGUAGES = frozenset(
    "in into speak speaks spoke spoken speaking fluent learn learned learnt study studied taught".split()
)
_NUMBERS = frozenset(("nos", "numbers"))
_NAMES = frozenset((SemanticType.LOC, SemanticType.ORG, SemanticType.MISC))
"""Types that are mostly names; what is not written large is a common noun."""
OF_ROLES = {
    "profession": "professional",
    "occupation": "person of some occupation",
    "military personnel": "member of the military",
}
OF_GROUPS = {"clergy": "cleric", "royalty": "royal"}
"""One of many, for a word of all of them."""
_OF_PEOPLE = frozenset(("inhabitant", "nationality"))
_TRAILING = re.compile(r"(?:[,;:–—-]|\s?\()+\Z")
_OWN_ARTICLE = re.compile(r"(the|an?|his|her|its|their|my|our|your)\s", re.IGNORECASE)


@lru_cache(maxsize=1024)
def realise(text: str, span: Span, type: SemanticType, option: Option) -> str:
    """Return the text in place of ``span``, the option in square brackets.

    Args:
        text: the original document.
        span: the replaced stretch.
        type: semantic type of the entity.
        option: the generalisation.
    """
    if option.text == MASK:
        return MASK
    place = sentence_context(text, span)
    if option.source in DATE_SOURCES:
        lead, phrase = place_date(place, option.text)
    else:
        lead, phrase = _lead(place, type, option.text)
    phrase += _possessive(place.original, phrase)
    first = place.original[:1]
    # "won.In 2012": a preposition is written large at the start of a sentence alone.
    starts = place.starts_sentence or bool(first.isupper() and _OWN.match(place.original))
    if starts and (first.isupper() or first.isdigit()):
        lead, phrase = (capital(lead), phrase) if lead else ("", capital(phrase))
    output = f"{lead} [{phrase}]" if lead else f"[{phrase}]"
    trailing = _TRAILING.search(place.original)
    return _in_parentheses(place.original, output + (trailing[0] if trailing else ""))


def _lead(place: SentenceContext, type: SemanticType, phrase: str) -> tuple[str, str]:
    """Return the article of a noun phrase, empty if it needs none, and the phrase."""
    if phrase == "DATE":
        return _some_date(place)
    if type is SemanticType.CODE and place.word in _NUMBERS:
        return "", plural(phrase)
    if _BARE.match(phrase):
        return "", phrase
    if phrase in {"morning", "afternoon", "evening"}:
        if place.word in {"at", "around", "about", "by", "until", "before", "after"}:
            return "", f"some time in the {phrase}"
        return ("", phrase) if place.determined else ("", f"in the {phrase}")
    match = _OWN_ARTICLE.match(place.original)
    own = match[1].lower() if match else ""
    name = place.original[match.end() :] if match else place.original
    is_large = name[:1].isupper()
    if type is SemanticType.DEM and is_large and phrase in _OF_PEOPLE:
        phrase = _describing(place, phrase)
    attributive = is_attributive(place)
    if type is SemanticType.DEM:
        phrase = OF_GROUPS.get(phrase, phrase)
    if type is SemanticType.DEM and not attributive:
        # A drummer is no profession, but somebody of one.
        phrase = OF_ROLES.get(phrase, phrase)
    if attributive and type in _NAMES and is_large:
        # "The city in Norway suburb" is not English.
        phrase = TAIL.split(phrase)[0]
    if type is SemanticType.DEM or (type in _NAMES and not is_large):
        # A common noun brings its own article, and where it has none there is none.
        if is_plural(place.original):
            phrase = plural(phrase)
            return (own if own not in {"a", "an"} else ""), phrase
        if match is None:
            # "(Russian: …" is no sentence.
            named = phrase == "language" and bool(place.word)
            needed = named or _is_office(place, phrase)
            return (article(phrase) if needed else ""), phrase
        return article(phrase) if own in {"a", "an"} else own, phrase
    announced = place.word in _NUMBER_WORDS or place.sign in _NUMBER_SIGNS
    if (
        place.determined
        or place.after_name
        or place.quoted
        or (type is SemanticType.CODE and announced)
    ):
        return "", phrase
    if type in _NAMES and match is None and (attributive or place.word in NAMED | _SIDES):
        return "", phrase
    if type in _NAMES and is_plural(phrase):
        return "", phrase
    lead = article(phrase)
    if phrase in {"later date", "earlier date"} and place.word not in {"on", "at", "until", "by"}:
        # "He left the following day" has no preposition.
        return f"on {lead}", phrase
    return lead, phrase


def is_plural(phrase: str) -> bool:
    """Return whether the head of a noun phrase is a plural: ministers of state."""
    head = TAIL.split(phrase)[0].rstrip(".,;:)'\"’”").split()
    return bool(head and _PLURAL.fullmatch(head[-1]))


def _is_office(place: SentenceContext, phrase: str) -> bool:
    """Return whether an office stands without an article: who is elected President is a politician."""
    if place.determined or phrase.endswith("nationality"):
        return False
    if place.following == "of":
        return place.word in (_AS | STOP) - {"and", "or"} or not place.word
    return place.word in _AS and (not place.following or place.following in _NOT_DESCRIBED)


def _some_date(place: SentenceContext) -> tuple[str, str]:
    """Return the words for a date of which nothing is said."""
    noun = "age" if re.search(r"\bage\b", place.original) else "date"
    if place.determined or noun == "age":
        return "" if place.determined else "an", noun
    if _VERB.fullmatch(place.word):
        return "", "at some time"
    if place.word in {"in", "during", "throughout", "within"}:
        return "a", "period"
    return "a", "date"


def is_attributive(place: SentenceContext) -> bool:
    """Return whether a name describes the noun after it: the Norway coach, Ulm based."""
    return bool(_NOUN.fullmatch(place.following))


def _describing(place: SentenceContext, phrase: str) -> str:
    """Return the replacement of the name of a people, of an adjective of it, or of a language."""
    # The Spanish and the Turkish movement, but the Spaniards and the Turks.
    coordinate = place.following in {"and", "or"} and not is_plural(place.original)
    if coordinate or (place.following and place.following not in _NOT_DESCRIBED):
        # "Of nationality nationality" is not English.
        return "some" if place.following.startswith("nationalit") else "nationality"
    return "language" if place.word in _OF_LANGUAGES else phrase


def _possessive(original: str, phrase: str) -> str:
    if not original.endswith(("'s", "’s", "s'", "s’")) or phrase.endswith(("'", "’", "'s")):
        return ""
    return "'" if phrase.endswith("s") else "'s"


def _in_parentheses(original: str, output: str) -> str:
    if not original.startswith("("):
        # A closing bracket of one opened before.
        return f"{output})" if original.endswith(")") and "(" not in original else output
    return f"({output})" if original.count(")") == original.count("(") else f"({output}"


def capital(phrase: str) -> str:
    """Return a phrase with a capital at its start."""
    return phrase[:1].upper() + phrase[1:]
