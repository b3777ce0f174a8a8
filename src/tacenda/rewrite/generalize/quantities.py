"""Time spans: ``two years`` → between 1 and 5 years · X years; ``18 months`` → 1 to 5 years.

A count of small units is also given in the next coarser ones: 895 days are between 1 and 5 years,
nine months less than a year.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from ...document import Document, Entity, Mention, Option, SemanticType
from ...shipped import shipped_patterns
from .candidates import Candidate, build_options, strings
from .date_parsing import parse_month
from .nouns import WORDS as GRAMMAR
from .numerals import (
    COARSE,
    DIGITS,
    FINE,
    FINER,
    SCALES,
    WORDS,
    around,
    fold_numerals,
    readings,
    share,
)
from .place import STOP

_UNITS = "second minute hour day week month year decade century"
_DAYS = (1 / 86_400, 1 / 1_440, 1 / 24, 1.0, 7.0, 30.44, 365.25, 3652.5, 36_525.0)
UNIT_DAYS = dict(zip(_UNITS.split(), _DAYS, strict=True))
_COARSER = {"minute": "hour", "hour": "day", "day": "month", "week": "month", "month": "year"}
SPANS = 36_525.0 * 1_440
"""Scope of spans of time: minutes of a century."""

_PATTERNS = shipped_patterns("english_contexts", "quantities", words=WORDS)
_JOIN = re.compile(r"'?(?:,\s?|\s)(?:and\s)?")
_TAIL = re.compile(r"(?:'s?|-long|\slong)?")


def duration_candidates(document: Document, entity: Entity) -> list[Candidate]:
    """Return the candidates for a time span, or none if it isn't one."""
    originals = [fold_numerals(original) for original in strings(document, entity)]
    parsed = [parse_duration(original) for original in originals]
    durations = [duration for duration in parsed if duration is not None]
    if len(durations) != len(parsed) or len(set(durations)) > 1:
        return []
    days, unit, adjective = durations[0]
    margin = _MARGIN if _is_approximate(document, entity) else 0.0
    label = f"X-{unit}" if adjective else f"X {_plural(unit)}"
    candidates = [Candidate(label, "rule:unit", SPANS / 10, SPANS)]
    if days is not None:
        units = [unit, _COARSER[unit]] if unit in _COARSER else [unit]
        for grain in units:
            candidates += _bin(days, grain, adjective, margin)
    return candidates


def parse_duration(text: str) -> tuple[float | None, str, bool] | None:
    """Return the length in days, the largest unit, and whether it is an adjective, or None if it isn't a time span.

    The length is None if the text gives only a bound.
    """
    lead = _PATTERNS["duration_lead"].match(text)
    sided = None if lead else _PATTERNS["sided"].match(text)
    position = lead.end() if lead else sided.end() if sided else 0
    days = 0.0
    unit = ""
    adjective = False
    while (part := _PATTERNS["part"].match(text, position)) is not None:
        values = readings(part["number"])
        if not values:
            return None
        unit_name = part["unit"].rstrip("s")
        unit = unit or unit_name
        days += (values[0] + (0.5 if part["half"] else 0.0)) * UNIT_DAYS[unit_name]
        adjective = part["join"] == "-" or not part["unit"].endswith("s")
        adjective = adjective and values[0] != 1
        position = part.end()
        join = _JOIN.match(text, position)
        if join is None or _PATTERNS["part"].match(text, join.end()) is None:
            break
        position = join.end()
    if not unit or _TAIL.fullmatch(text, position) is None:
        return None
    return (None if sided else days), unit, adjective


def _bin(days: float, unit: str, adjective: bool, margin: float) -> list[Candidate]:
    size = UNIT_DAYS[unit]
    value = days / size
    grain = 1.0 if size >= 7 else 1 / 1_440
    if value * (1 + margin) < 1:
        if adjective:
            return []
        article = "an" if unit == "hour" else "a"
        text = f"less than {article} {unit}"
        return [Candidate(text, "rule:coarser", size / grain, SPANS)]
    # Three years would leave only four between two and five.
    steps = FINER if value >= 10 else FINE
    bin = around(value * (1 - margin), value * (1 + margin), steps)
    if bin is None:
        return []
    low = bin.low if bin.low >= 1 else 0.0  # nobody says half a year to two years
    if adjective:
        text = f"{low:g}-to-{bin.high:g}-{unit}" if low else ""
    elif low:
        text = bin.between(after=f" {_plural(unit)}")
    else:
        text = f"less than {bin.high:g} {_plural(unit)}"
    if not text:
        return []
    return [Candidate(text, "rule:duration", (bin.high - low) * size / grain, SPANS)]


def _plural(unit: str) -> str:
    return "centuries" if unit == "century" else f"{unit}s"


# Ages in years: ``aged 42`` → in their forties · of adult age (from 18 on).
#
# The string or the words around it show that the number is an age: in ``at the age of 65``, only 65
# is marked. An age is a date of birth known to the year, so dates of birth are counted.


_LIVES = 36_525.0
"""Scope of ages: days of birth in a century."""
_YEAR = 365.25
_ADULT = 18
_OLDEST = 90

_COUNT = rf"([0-9]{{1,3}}|{WORDS})"
_FORMS = (
    ("aged", re.compile(rf"aged\s{_COUNT}")),
    ("aged", re.compile(rf"{_COUNT}\syears?\s(?:old|of\sage)")),
    ("of", re.compile(rf"(?:the\s)?age\s(?:of\s)?(?:just\s|only\s)?{_COUNT}")),
    ("adjective", re.compile(rf"{_COUNT}[\s-]?(?:years?-old|(?:years?|yrs?|y)[\s./-]?o\b\.?)")),
    ("bare", re.compile(rf"\(?{_COUNT}\s?[fm]\)?")),  # 34F, as in forums
)
_OF_BABIES = re.compile(rf"{_COUNT}[\s-](?:day|week|month)s?[\s-]old")
_BARE = re.compile(_COUNT)
_AFTER_NAME = re.compile(r"\w\s\(\Z|\w,\s\Z")
_APPOSITION_ENDS = re.compile(r"[),]")
_NEAR_AGE = 24
DECADES = "twenties thirties forties fifties sixties seventies eighties".split()


def age_candidates(document: Document, entity: Entity) -> list[Candidate]:
    """Return the candidates for an age, or none if it isn't one."""
    results = {_parse(document.text, mention) for mention in entity.mentions}
    parsed = results.pop()
    if results or parsed is None:
        return []
    form, age, noun = parsed
    candidates = []
    if (decade := _decade(form, age)) is not None:
        text, years = decade
        candidates.append(Candidate(f"{text}{noun}", "rule:age", years * _YEAR, _LIVES))
    adult = age >= _ADULT
    years = 100 - _ADULT if adult else _ADULT
    text = {"aged": "of adult age" if adult else "under age", "of": "", "bare": ""}.get(
        form, "adult" if adult else "underage"
    )
    if text:
        candidates.append(Candidate(f"{text}{noun}", "rule:adult", years * _YEAR, _LIVES))
    return candidates


def _parse(text: str, mention: Mention) -> tuple[str, int, str] | None:
    """Return the form of an age, its years, and a word for people of that age."""
    string = fold_numerals(mention.span.of(text))
    person = _PATTERNS["who"].search(string)
    noun = person[0] if person else ""
    string = string.removesuffix(noun)
    for form, pattern in _FORMS:
        if (match := pattern.fullmatch(string)) is not None and (form == "adjective" or not noun):
            return _age(form, match[1], noun)
    if (match := _OF_BABIES.fullmatch(string)) is not None:
        return _age("adjective", "1", "") if readings(match[1]) else None
    if noun or not _BARE.fullmatch(string):
        return None
    start, end = mention.span.start, mention.span.end
    before = text[max(0, start - _NEAR_AGE) : start]
    is_said = _PATTERNS["before_duration"].search(before) or _PATTERNS["after"].match(text, end)
    if mention.type is SemanticType.DATETIME:
        # "I am 58 and work", "Zofia (11)": a date would be written otherwise.
        is_said = is_said or (
            _PATTERNS["said_of_one"].search(before) and _PATTERNS["clause_ends"].match(text, end)
        )
        is_said = is_said or (_AFTER_NAME.search(before) and _APPOSITION_ENDS.match(text, end))
    return _age("bare", string, "") if is_said else None


def _age(form: str, number: str, noun: str) -> tuple[str, int, str] | None:
    values = readings(number)
    return (form, int(values[0]), noun) if values and values[0] <= 120 else None


def _decade(form: str, age: int) -> tuple[str, int] | None:
    """Return the words for the decade of life around ``age``, and how many years it has."""
    if age >= _OLDEST:
        # Few people live that long, so there is one class for all of them, as in HIPAA's Safe
        # Harbor. "90 or over" would name the age of people who are 90.
        words = {"aged": "aged over 89", "of": "age over 89", "bare": "more than 89"}
        return words.get(form, "over-89"), 11
    if form == "aged" and age >= 20:
        return f"in their {DECADES[age // 10 - 2]}", 10
    if form == "aged" and age >= 13:
        return "in their teens", 7
    low = age // 10 * 10
    # The bin must not name the age: 50 is between 45 and 54.
    if age == low:
        low -= 5
    elif age == low + 9:
        low += 5
    if low < 1:
        under = age + 5
        words = {
            "aged": f"under {under}",
            "of": f"age under {under}",
            "bare": f"no more than {under - 1}",
        }
        return (words[form], under) if form in words else None
    if form == "adjective":
        return f"{low}-to-{low + 9}-year-old", 10
    head = {"aged": "aged ", "of": "age "}.get(form, "")
    return f"{head}between {low} and {low + 9}", 10


# Amounts as texts write them: a number or a range of numbers with its unit before or after.


_NUMBER = re.compile(rf"{DIGITS}|{WORDS}")
_BEFORE = re.compile(r"(?:[a-z]{1,3}\s?)?[€£¥₺₽₹₴₪₩฿$]\s?|[a-z]{2,4}\.?\s?(?=[0-9])")
_RANK = re.compile(r"(?:nos?|nr)\.?\s?")
_TO = re.compile(r"\s?(?:-|to|and|or)\s?")
_SCALE = re.compile(rf"[\s-](?P<word>{'|'.join(SCALES)})\b|\s?(?P<short>m|bn|k)(?=\s|$)")
_SHORT = {"m": 1_000_000, "bn": 1_000_000_000, "k": 1_000}
# Units have no digits; other text with digits repeats the amount and is dropped.
_UNIT = re.compile(r"(?:\s?[%°‰€£¥₺₽₹₴₪₩฿$]|[\s-]?[^\W\d_][^\d()\[\],;/#]*(?:/[a-z]{1,3}\b)?)")
_OF = re.compile(r"\s?of\s")
_TIMES = frozenset(("once", "twice", "thrice"))
_SEVERAL_NUMBERS = re.compile(r"\s?(?:/|x|by|,|;)\s?[0-9]")
_MORE = re.compile(r"\s?[0-9]")
APPROXIMATELY = _PATTERNS["approximately"]
"""Words before a number that make it approximate."""
ORDINAL = _PATTERNS["ordinal"]
_SCALE_ALONE = re.compile(rf"(?:{'|'.join(SCALES)})\b")
_WIDEST = 100
"""How many times as much as the least one the largest reading of a number may be."""
_MARGIN = 0.1
"""How far, at most, a number that is said to be approximate is from the true one."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A parsed quantity.

    Attributes:
        low: smallest possible value, or None if the value is unknown.
        high: largest possible value.
        before: unit before the number, with its space.
        scale: scale word after the number, with its space.
        after: unit after the number, with its space or hyphen.
        factor: multiplier of the scale.
    """

    low: float | None
    high: float
    before: str = field(default="", repr=False)
    scale: str = ""
    after: str = field(default="", repr=False)
    factor: float = 1.0


def parse_amount(original: str) -> Amount:
    """Return the amount in ``original``; its value is None if it isn't clear."""
    stripped = " ".join(original.strip("()[] #,;:").split())
    text = fold_numerals(stripped)
    # Units keep the case of the original (EUR, not eur) if folding keeps their positions.
    source = stripped if len(stripped) == len(text) else text
    lead = _PATTERNS["lead"].match(text)
    of_range = _PATTERNS["of_range"].match(text)
    start = lead.end() if lead else of_range.end() if of_range else 0
    before = _BEFORE.match(text, start)
    sign = source[before.start() : before.end()] if before else ""
    start = before.end() if before else start
    ordinal = ORDINAL.match(text, start)
    number = None if ordinal else _NUMBER.match(text, start)
    alone = _SCALE_ALONE.match(text, start)  # several "thousand documents"
    known = ordinal or alone
    if number is None or alone:
        if known is None and lead is None:
            return Amount(None, 0.0)
        unit, _ = _unit(source, text, known.end() if known else start)
        return Amount(None, 0.0, sign, after=_OF.sub(" ", unit) if lead else unit)
    values = list(readings(number[0]))
    end = number.end()
    to = _TO.match(text, end)
    second = _NUMBER.match(text, to.end()) if to else None
    if second is not None:
        values += readings(second[0])
        end = second.end()
    scale = _SCALE.match(text, end)
    if scale is not None and scale["short"] and not sign:
        scale = None  # metres, not millions
    after = scale.end() if scale else end
    unit, rest = _unit(source, text, after)
    if number[0] in _TIMES:
        unit = " times"
    if not values or _SEVERAL_NUMBERS.match(text, after) or _PATTERNS["fraction"].match(unit):
        return Amount(None, 0.0, sign)
    if unit.startswith("-") and _MORE.match(rest.lstrip("-")):
        return Amount(None, 0.0, sign)
    if second is not None and values[-1] < values[0] and scale is None:
        return Amount(None, 0.0, sign, after=unit)  # a result, such as 115–56
    if max(values) > _WIDEST * max(min(values), 1e-9) or _RANK.fullmatch(sign.lower()):
        return Amount(None, 0.0, sign, after=unit)
    if lead is not None and lead["sided"]:
        return Amount(None, 0.0, sign, after=unit)
    # Digits after the unit make it more precise: 5 ft 9 in is less than 6 ft.
    low, high = min(values), max(values) + (1.0 if _MORE.match(rest) else 0.0)
    if lead is not None:
        low, high = low * (1 - _MARGIN), high * (1 + _MARGIN)
    factor = float(SCALES.get(scale["word"]) or _SHORT[scale["short"]]) if scale else 1.0
    return Amount(low, high, sign, source[end:after], unit, factor)


def _unit(source: str, text: str, start: int) -> tuple[str, str]:
    """Return the unit at ``start`` as written in ``source``, and the text after it."""
    match = _UNIT.match(text, start)
    if match is None:
        return "", text[start:]
    return source[match.start() : match.end()].rstrip(" .,;:-"), text[match.end() :]


# QUANTITY: a bin around the amount, its unit, ``X`` (Olstad et al., section 3.1, and bins).
#
# | original | options |
# |---|---|
# | ``23 €`` | between 10 and 50 € · between 10 and 100 € · X € |
# | ``$1,654,120`` | between $1,000,000 and $5,000,000 · between $1,000,000 and $10,000,000 · $X |
# | ``45 %`` | between 25 and 50 % · X % |
# | ``more than 90 books`` | X books: a bin would not be true |
# | ``sixth``, ``2/3``, ``15 x 10 mm`` | X, X, X mm |


AMOUNTS = 1e12
"""Scope of amounts: cents up to ten thousand million."""

_PROPER = re.compile(r"(?<=\s)[A-Z][^\W\d_]+\s(?=[a-z])")
_CURRENCIES = 4
"""How many units of a name there are: liras, crowns, dollars."""
_PERCENT = re.compile(r"\s?(?:%|per\s?cent\b)")
MONEY_SIGN = re.compile(r"[€£¥₺₽₹₴₪₩฿$]")


class Quantity:
    """The rule for amounts (as bins with their unit), ages and time spans."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return bins, ``X`` with its unit, and ``***``."""
        originals = strings(document, entity)
        special = age_candidates(document, entity) or duration_candidates(document, entity)
        other = any(_is_no_amount(document.text, mention) for mention in entity.mentions)
        amounts = [] if other else amount_candidates(originals, _is_approximate(document, entity))
        # An age has only its unit as a further option, and no bin of numbers.
        units = [item for item in amounts if item.source == "rule:unit"]
        return build_options(document, entity, [*special, *units] if special else amounts)


_DIGITS = re.compile(r"[0-9]+")
_COUNTED_DIGITS = 3
_COUNTED = re.compile(rf"[\s-](?!(?:{'|'.join(sorted(STOP | GRAMMAR['auxiliaries']))})\b)[a-z]")


def _is_no_amount(text: str, mention: Mention) -> bool:
    """Return whether a number is a name or an end of a change: dial 999, rose from 3 to 5."""
    before = text[max(0, mention.span.start - _BEFORE_AMOUNT) : mention.span.start]
    string = mention.span.of(text)
    if string.lower().startswith("from "):
        return bool(_PATTERNS["changes"].search(before))
    if not _DIGITS.fullmatch(string):
        return False
    alone = len(string) > _COUNTED_DIGITS and not _COUNTED.match(text, mention.span.end)
    return alone or bool(_PATTERNS["named_by"].search(before))


_BEFORE_AMOUNT = 16
"""Characters before an amount in which a word for its precision stands."""


def _is_approximate(document: Document, entity: Entity) -> bool:
    """Return whether the words before a mention say that it isn't exact."""
    return any(
        APPROXIMATELY.search(
            document.text[max(0, mention.span.start - _BEFORE_AMOUNT) : mention.span.start]
        )
        for mention in entity.mentions
    )


def amount_candidates(originals: tuple[str, ...], approximate: bool = False) -> list[Candidate]:
    """Return the candidates for all of ``originals``, which are forms of one amount.

    Args:
        originals: the strings of the mentions.
        approximate: whether the words before one of them say that it isn't exact.
    """
    parsed = [parse_amount(original) for original in originals]
    if approximate:
        parsed = [_widened(amount) for amount in parsed]
    amounts, first = set(parsed), parsed[0]
    if not any(_PATTERNS["has_number"].search(fold_numerals(original)) for original in originals):
        return []  # its detector mistook something else for an amount
    candidates = _bins(first) if len(amounts) == 1 else []
    if parse_month(first.after) is not None:  # its detector mistook a date for an amount
        return [Candidate("X", "rule:unit", AMOUNTS, AMOUNTS)]
    candidates.append(Candidate(f"{first.before}X{first.after}", "rule:unit", AMOUNTS, AMOUNTS))
    common = _PROPER.sub("", first.after)
    if common != first.after and common.strip():
        # Turkish liras are still liras where Turkey must not be mentioned.
        amount = replace(first, after=common)
        bins = _bins(amount) if len(amounts) == 1 else []
        others = [*bins, Candidate(f"{first.before}X{common}", "rule:unit", AMOUNTS, AMOUNTS)]
        candidates += [replace(item, fitting=item.fitting * _CURRENCIES) for item in others]
    return candidates


def _widened(amount: Amount) -> Amount:
    if amount.low is None:
        return amount
    return replace(amount, low=amount.low * (1 - _MARGIN), high=amount.high * (1 + _MARGIN))


def _bins(amount: Amount) -> list[Candidate]:
    if amount.low is None:
        return []
    percent = _PERCENT.fullmatch(amount.after) is not None
    if percent:
        bins = [("rule:share", share(amount.low, amount.high))]
    else:
        bins = [
            ("rule:bin", around(amount.low, amount.high, FINE)),
            ("rule:magnitude", around(amount.low, amount.high, COARSE)),
        ]
    money = bool(amount.before) or MONEY_SIGN.search(amount.after) is not None
    grain = 0.1 if percent else 0.01 if money or amount.low != int(amount.low) else 1.0
    return [
        Candidate(
            bin.between(amount.before, amount.scale, amount.after),
            source,
            (bin.high - bin.low) * amount.factor / grain,
            AMOUNTS,
        )
        for source, bin in bins
        if bin is not None
    ]
