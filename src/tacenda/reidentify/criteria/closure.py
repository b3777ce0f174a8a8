"""Closure rules: what a text says about its subject, and what follows from it.

| the text has | guess |
|---|---|
| most pronouns are *she*; *Mrs*; *widow*; *née*; *my husband*; *38F*; *actress* | sex |
| *38M*; *aged 38*; *retired*; *my grandchildren* | age band |
| *born in 1908*; *born on a [date in the 1900s]* | year or decade of birth |
| *lives in Leeds*; *a Turkish national*; *45,000 euros* is too weak alone | place, country |
| *works as a nurse*; *I'm a nurse*; *my pupils* | occupation |
| *my husband*; *divorced*; *my late wife*; *fiancé* | relationship |
| *metformin*; *was diagnosed with leukaemia* | class of condition |
| *high school diploma*; *has a doctorate* | level of education |

The subject is the author if a text says *I*, otherwise the person it mentions most. This follows
the inference test of WP216 (Article 29 Working Party, Opinion 05/2014, section 2.2.3); the
attributes are those of Staab et al., *Beyond memorization* (2024).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Final

from ...document import Span
from ...models.tables import load_terms
from ...shipped import by_word, shipped_table
from ...text.folding import fold_aligned
from ...text.given_names import gender_by_names
from ...text.normal_form import fold_text
from ...text.numerals import read_number
from ..tokens import LABEL
from .values import (
    CONDITIONS,
    EDUCATIONS,
    Attribute,
    age_band,
    country_of,
    country_of_people,
    is_country,
)

# Closure rules as patterns: how people express an attribute about themselves, and how others do.


OWN: Final = "author"
OTHER: Final = "other"
PERSON: Final = "person"
"""Scope of rules for texts that are all about one person, author or not."""
ANY: Final = ""
FEMALE: Final = "female"
MALE: Final = "male"


@dataclass(frozen=True, slots=True)
class ClosureRule:
    """A pattern that expresses an attribute.

    Attributes:
        attribute: the attribute that it expresses.
        name: the rule's name.
        by: who is speaking: ``OWN``, ``OTHER``, ``ANY`` or ``PERSON``.
        probability: the probability that it is true.
        pattern: the pattern of the words.
        value: the attribute's value; empty if a group of the pattern gives it.
    """

    attribute: Attribute
    name: str
    by: str
    probability: float
    pattern: re.Pattern[str]
    value: str


def _rule(row: dict[str, Any]) -> ClosureRule:
    pattern = re.compile(row["pattern"], 0 if row.get("cased") else re.IGNORECASE)
    value = row.get("value", "")
    return ClosureRule(
        Attribute(row["attribute"]),
        row["rule"],
        row.get("by", ANY),
        row["probability"],
        pattern,
        value,
    )


_TABLE = shipped_table("closure_rules")
RULES: Final = tuple(map(_rule, _TABLE["rule"]))
WORK: Final = tuple(
    _rule(
        {"attribute": "occupation", "rule": "work", "by": OWN, "probability": 0.7}
        | row
        | {"value": row.get("occupation", "")}
    )
    for row in _TABLE["work"]
)


JOB: Final = re.compile(
    r"(?:\b(?:I['’]?m|I am|I was|he is|she is|he was|she was|they are|is|was|as|became|being|job as|employed as|"
    r"works? as|working as|worked as|trained as|career as) (?:currently |now |still |also |just )?(?:an?|the)"
    r"|(?:\A|[.;(\n] ?)(?:An?|The|Former|Retired)|[Oo]ccupation:|[Jj]ob:|[Pp]rofession:|[(,]) "
    r"(?P<job>(?:[\w'’/-]+ ){0,4}[\w'’-]+)"
)
OWN_JOB: Final = re.compile(
    r"\b(?:I['’]?m|I am|as|being|I work as|job as|working as|worked as|career as) "
    r"(?:currently |now |still |also |just )?(?:an?|the) (?P<job>(?:[\w'’/-]+ ){0,4}[\w'’-]+)"
)


CONFIDENT: Final = 0.7
"""Probability from which a guess counts as confident."""
CERTAIN: Final = 0.85
"""Probability from which a statement of an original counts as true."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess of an attribute.

    Attributes:
        value: a value in the form of ``values``.
        probability: the probability that it is right, estimated by the rule or a classifier.
        rule: the rule, or ``classifier``.
        span: its position in the text; None for the whole text.
    """

    value: str
    probability: float
    rule: str
    span: Span | None = None


Guesses = Mapping[Attribute, Guess]


@lru_cache(maxsize=16_384)
def infer(text: str) -> Guesses:
    """Return the likeliest guess for each attribute that a text mentions."""
    plain = LABEL.sub(lambda match: " " * len(match[0]), text)
    guesses: dict[Attribute, Guess] = {}
    ailments = set()
    for attribute, guess in _all_guesses(_SubjectText(plain, is_by_subject(plain))):
        if attribute is Attribute.HEALTH:
            ailments.add(guess.value)
        if attribute not in guesses or guess.probability > guesses[attribute].probability:
            guesses[attribute] = guess
    # If a text has several conditions, any of them may be another person's.
    if len(ailments) > 1:
        del guesses[Attribute.HEALTH]
    return MappingProxyType(guesses)


def infer_all(words: str, *, by_subject: bool) -> Mapping[Attribute, tuple[Guess, ...]]:
    """Return all guesses for each attribute from the words about one person, likeliest first.

    Args:
        words: a text with spaces in place of words about others.
        by_subject: whether the person is its author.
    """
    guesses: dict[Attribute, list[Guess]] = {}
    for attribute, guess in _all_guesses(_SubjectText(words, by_subject, of_person=True)):
        guesses.setdefault(attribute, []).append(guess)
    return {
        attribute: tuple(sorted(items, key=lambda guess: -guess.probability))
        for attribute, items in guesses.items()
    }


def value_span(text: str, guess: Guess) -> Span | None:
    """Return the part of a guess's span that gives the value; the whole span if the value isn't written there."""
    if guess.span is None:
        return None
    start = guess.span.of(text).casefold().find(guess.value)
    if start < 0:
        return guess.span
    return Span(guess.span.start + start, guess.span.start + start + len(guess.value))


# Speakers and subjects.


_QUOTED: Final = re.compile(r"[“\"][^“”\"\n]{0,400}[”\"]")
_FIRST: Final = re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|i['’](?:m|ve|d|ll)|i|[Mm]y|[Mm]yself)\b")
_SHE: Final = re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE)
_HE: Final = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _SubjectText:
    """A text without the labels of masks, whether its subject is its author, and whether all of it is about the subject."""

    text: str
    by_subject: bool
    of_person: bool = False


def _all_guesses(reading: _SubjectText) -> Iterator[tuple[Attribute, Guess]]:
    yield from _of_patterns(reading)
    yield from _of_pronouns(reading)
    yield from _of_places(reading)


def is_by_subject(text: str) -> bool:
    """Return whether a text is by the person it is about, and therefore mostly in the first person."""
    spoken = _QUOTED.sub("", text)
    first = len(_FIRST.findall(spoken))
    third = len(_SHE.findall(spoken)) + len(_HE.findall(spoken))
    return first >= 1 and 2 * first >= third


def _of_pronouns(reading: _SubjectText) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the sex of a subject in the third person: that of at least three in four pronouns."""
    if reading.by_subject:
        return
    counts = {"female": len(_SHE.findall(reading.text)), "male": len(_HE.findall(reading.text))}
    value = max(counts, key=lambda sex: counts[sex])
    total = sum(counts.values())
    if not total or counts[value] / total < 0.75:
        return
    pattern = _SHE if value == "female" else _HE
    match = pattern.search(reading.text)
    probability = 0.96 if counts[value] >= 2 and counts[value] / total >= 0.85 else 0.85
    span = Span(*match.span()) if match else None
    yield Attribute.SEX, Guess(value, probability, "pronoun", span)


def _of_patterns(reading: _SubjectText) -> Iterator[tuple[Attribute, Guess]]:
    by = OWN if reading.by_subject else OTHER
    speakers = (ANY, by, PERSON) if reading.of_person else (ANY, by)
    for rule in RULES:
        if rule.by not in speakers:
            continue
        for match in rule.pattern.finditer(reading.text):
            string = rule.value or next(group for group in match.groups() if group)
            if rule.attribute is Attribute.AGE:
                string = age_band(_years(string))
            yield rule.attribute, Guess(string, rule.probability, rule.name, Span(*match.span()))
            if not reading.of_person:
                break
    yield from _of_names(reading, by)
    yield from _of_work(reading, by)
    yield from _of_table(reading, Attribute.HEALTH, CONDITIONS, "condition or drug")
    yield from _of_table(reading, Attribute.EDUCATION, EDUCATIONS, "level of education")


def _years(number: str) -> int:
    """Return an age given in digits or words."""
    if number.isdecimal():
        return int(number)
    value = read_number(fold_text(number).replace("-", " ").split(), 0)
    return value[0] if value else 0


_SIGNED: Final = re.compile(
    r"(?:\b(?:I['’]?m|[Mm]y name is|I am|[Nn]ame:|[Yy]ours,|[Ll]ove,|[Rr]egards,|[Tt]hanks,|[Cc]heers,)\s+|\A)"
    r"([A-Z][^\W\d_]{2,})(?= [A-Z]| ?[.,!\n]|\Z)"
)


def _of_names(reading: _SubjectText, by: str) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the sex that a given name shows."""
    for match in _SIGNED.finditer(reading.text):
        gender = gender_by_names((fold_text(match[1]),))
        if gender and (by == OTHER or match.start() < match.start(1)):
            yield (
                Attribute.SEX,
                Guess(FEMALE if gender == "f" else MALE, 0.9, "given name", Span(*match.span(1))),
            )
            return


@cache
def _jobs() -> frozenset[str]:
    terms = load_terms()
    return frozenset((*terms["occupation"], *terms["position"], *terms["military_rank"]))


@cache
def _counted_jobs() -> frozenset[str]:
    return _jobs() | by_word(shipped_table("population_terms")["occupation"]).keys()


_NO_JOBS: Final = frozenset(
    "member person leader child student friend lot fan native parent".split()
)


def _of_work(reading: _SubjectText, by: str) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the first occupation that the subject is said to have; all if all words are about the subject."""
    pattern = OWN_JOB if by == OWN else JOB
    for match in pattern.finditer(reading.text):
        job = _job(match["job"], _counted_jobs() if reading.of_person else _jobs())
        if job:
            span = Span(*match.span("job"))
            yield Attribute.OCCUPATION, Guess(job, 0.85, "says so", span)
            if not reading.of_person:
                return
    if by == OWN or reading.of_person:
        for clue in WORK:
            if clue.by not in (by, PERSON) or (clue.by == PERSON and not reading.of_person):
                continue
            for match in clue.pattern.finditer(reading.text):
                value = clue.value or fold_text(match[1])
                guess = Guess(value, clue.probability, clue.name, Span(*match.span()))
                yield Attribute.OCCUPATION, guess
                if not reading.of_person:
                    return


def _job(string: str, jobs: frozenset[str]) -> str:
    """Return the longest term for an occupation that starts these words; empty if there is none."""
    words = fold_text(string).split()
    for end in range(len(words), 0, -1):
        for start in range(end):
            job = " ".join(words[start:end]).strip("'’-")
            if job in jobs and job not in _NO_JOBS:
                return job
    return ""


def _of_table(
    reading: _SubjectText, attribute: Attribute, table: Mapping[str, re.Pattern[str]], rule: str
) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the values whose words are in a table."""
    folded = fold_aligned(reading.text)
    for value, pattern in table.items():
        for match in pattern.finditer(folded.text):
            span = folded.original(*match.span())
            yield attribute, Guess(value, 0.85, rule, span)
            if not reading.of_person:
                break


# Places.


_PLACE: Final = re.compile(
    r"\b(?P<cue>liv(?:e|es|ed|ing) (?:\w+ ){0,2}?(?:in|near)|based in|here in|back in|home in|moved to|resid\w+ (?:in|of)|"
    r"native of|comes? from|from|in|near) (?:the )?(?:\[(?:\w+ ){1,3}?(?:in|of) (?:the )?)?"
    r"(?P<name>[A-Z][\w-]+(?:,? (?:[A-Z][\w-]+|of(?= [A-Z]))){0,3})"
)
_HOME: Final = re.compile(r"(?:liv|based|here|resid|native|home|moved)")
_PEOPLE: Final = re.compile(
    r"\b([A-Z][a-z]{3,11})(?= (?:national|citizen|man|woman|nationality|born|[a-z]+er|[a-z]+or|[a-z]+ist)\b)"
)


def _of_places(reading: _SubjectText) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the country and the place that most places in the text are in, preferring places where the person lives."""
    countries: Counter[str] = Counter()
    towns: Counter[str] = Counter()
    spans: dict[str, Span] = {}
    for match in _PLACE.finditer(reading.text):
        weight = 3 if _HOME.match(match["cue"]) else 2 if match["cue"] == "from" else 1
        for name in _names(match["name"]):
            country = country_of(name)
            if country:
                countries[country] += weight
                if not is_country(name):
                    towns[name] += weight
                for value in (country, name):
                    spans.setdefault(value, Span(*match.span("name")))
                break
    for match in _PEOPLE.finditer(reading.text):
        if country := country_of_people(fold_text(match[1])):
            countries[country] += 2
            spans.setdefault(country, Span(*match.span(1)))
    for attribute, counts in ((Attribute.COUNTRY, countries), (Attribute.PLACE, towns)):
        for value, weight in counts.most_common(None if reading.of_person else 1):
            share = weight / sum(counts.values())
            probability = min(0.92, share * (0.75 if weight == 1 else 0.9))
            yield attribute, Guess(value, probability, "place named", spans[value])


def _names(string: str) -> Iterator[str]:
    """Yield the folded prefixes of a run of capitalized words, longest first."""
    words = fold_text(string).replace(",", "").split()
    for end in range(len(words), 0, -1):
        yield " ".join(words[:end])
