"""Closure rules: what a text says of its subject, and what follows from that.

| the text has | guess |
|---|---|
| most pronouns are *she*; *Mrs*; *widow*; *née*; *my husband*; *38F*; *actress* | sex |
| *38M*; *aged 38*; *retired*; *my grandchildren* | age band |
| *born in 1908*; *born on a [date in the 1900s]* | year or decade of birth |
| *lives in Leeds*; *a Turkish national*; *45,000 euros* is too weak alone | place, country |
| *works as a nurse*; *I'm a nurse*; *my pupils* | occupation |
| *my husband*; *divorced*; *my late wife*; *fiancé* | relationship |
| *metformin*; *was diagnosed with leukaemia* | class of condition |

The subject is the author where a text says *I*, and else the person whom it mentions most. After the
inference test of WP216 (Article 29 Working Party, Opinion 05/2014, section 2.2.3); the attributes are
those of Staab et al., *Beyond memorization* (2024).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from ...document import Span
from ...models.tables import load_terms
from ...text.folding import normalize_text
from ...text.given_names import gender_by_names
from ..tokens import LABEL
from .values import (
    Attribute,
    age_band,
    conditions,
    country_of,
    country_of_people,
    is_country,
)

CONFIDENT: Final = 0.7
"""Probability from which a guess counts as confident."""
CERTAIN: Final = 0.85
"""Probability from which what an original says is taken for the truth."""


@dataclass(frozen=True, slots=True)
class Guess:
    """Guess of an attribute.

    Attributes:
        value: as in ``values``.
        probability: that it is right, a fixed estimate of the rule, or of a classifier.
        rule: the rule, or ``classifier``.
        span: the place in the text; None where it is all of it.
    """

    value: str
    probability: float
    rule: str
    span: Span | None = None


Guesses = Mapping[Attribute, Guess]


@lru_cache(maxsize=16_384)
def infer(text: str) -> Guesses:
    """Return the likeliest guess for each attribute that a text says something of."""
    plain = LABEL.sub(lambda match: " " * len(match[0]), text)
    reading = _Reading(plain, _is_by_subject(plain))
    guesses: dict[Attribute, Guess] = {}
    for attribute, guess in (*_of_patterns(reading), *_of_pronouns(reading), *_of_places(reading)):
        if attribute not in guesses or guess.probability > guesses[attribute].probability:
            guesses[attribute] = guess
    return MappingProxyType(guesses)


# Who speaks of whom.


_QUOTED: Final = re.compile(r"[“\"][^“”\"\n]{0,400}[”\"]")
_FIRST: Final = re.compile(r"\b(?:I|I['’](?:m|ve|d|ll)|i['’](?:m|ve|d|ll)|i|[Mm]y|[Mm]yself)\b")
_SHE: Final = re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE)
_HE: Final = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text without the labels of masks, and whether its subject is its author."""

    text: str
    by_subject: bool


def _is_by_subject(text: str) -> bool:
    spoken = _QUOTED.sub("", text)
    first = len(_FIRST.findall(spoken))
    third = len(_SHE.findall(spoken)) + len(_HE.findall(spoken))
    return first >= 1 and 2 * first >= third


def _of_pronouns(reading: _Reading) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the sex of a subject in the third person: that of three in four pronouns."""
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


# Rules by patterns: (attribute, rule, who speaks, probability, pattern, value or None for its group).


_OWN: Final = "author"
_OTHER: Final = "other"
_ANY: Final = ""
_POSSESSIVE: Final = r"(?:his|her|their)"
_F: Final = "female"
_M: Final = "male"


def _patterns() -> Iterator[tuple[Attribute, str, str, float, str, str]]:
    sex, relationship = Attribute.SEX, Attribute.RELATIONSHIP
    for value, spouse, partner, words, parent in (
        (
            _F,
            "husband|hubby",
            "boyfriend|bf|fiancé|fiance",
            "woman|girl|lady|female|gal",
            "mother|mom|mum|mam",
        ),
        (
            _M,
            "wife|wifey",
            "girlfriend|gf|fiancée|fiancee",
            "man|boy|guy|dude|bloke|male|lad",
            "father|dad|papa",
        ),
    ):
        yield (
            sex,
            "spouse of the other sex",
            _OWN,
            0.93,
            rf"\bmy (?:\w+[ -]){{0,2}}?(?:{spouse})\b",
            value,
        )
        yield (
            sex,
            "partner of the other sex",
            _OWN,
            0.85,
            rf"\bmy (?:\w+[ -]){{0,2}}?(?:{partner})\b",
            value,
        )
        yield (
            *(sex, "says so", _OWN, 0.97),
            rf"\b(?:I['’]?m|I am|as|being) (?:just )?an? (?:[\w-]+ ){{0,3}}?(?:{words}|{parent}|grand(?:{parent}))\b",
            value,
        )
        yield (
            sex,
            "says so",
            _OWN,
            0.95,
            rf"\b(?:fellow|us) (?:{words.split('|')[0].replace('man', 'men')}|{parent})\b",
            value,
        )
    for value, letter in ((_F, "f"), (_M, "m")):
        yield (
            sex,
            "age and letter",
            _ANY,
            0.9,
            rf"(?:\bI(?:['’]m)? ?[(\[]? ?|\bme ?[(\[]|\A\W*)\d\d ?{letter}\b",
            value,
        )
        yield (
            sex,
            "age and letter",
            _ANY,
            0.9,
            rf"(?:\bI|\bme|\bauthor) ?[(\[]{letter} ?/? ?\d\d\b",
            value,
        )
        yield sex, "field", _ANY, 0.97, rf"\b(?:sex|gender)\s*[:=]\s*(?:{value}|{letter})\b", value
        yield (
            sex,
            "year-old",
            _OTHER,
            0.95,
            rf"\b\d\d[ -]?(?:year|yr|yo)s?[ -]?(?:old)? (?:[\w-]+ )?{value}\b",
            value,
        )
    for value, titles, nouns in (
        (
            _F,
            "Mrs|Ms|Miss|Madam|Lady|Dame",
            r"widow|née|maiden name|actress|businesswoman|(?:congress|chair|spokes|police|sales)woman|waitress|nun|"
            r"housewife|wife of|mother of|daughter of|(?:is|was) (?:an? )?(?:\w+ )?(?:woman|girl)",
        ),
        (
            _M,
            "Mr|Sir|Lord",
            r"widower|businessman|(?:congress|chair|spokes|police|sales|fire|fisher)man|monk|"
            r"husband of|father of|son of|(?:is|was) (?:an? )?(?:\w+ )?(?:man|boy)",
        ),
    ):
        yield sex, "title", _OTHER, 0.9, rf"\b(?:{titles})\b\.?(?= ?[A-Z*\[])", value
        yield sex, "noun of a sex", _OTHER, 0.82, rf"\b(?:{nouns})\b", value
    yield (
        sex,
        "body",
        _OWN,
        0.95,
        r"\bmy (?:own )?(?:pregnancy|period|periods|c-section|ovar\w+|womb|uterus|menopause)\b",
        _F,
    )
    yield (
        sex,
        "body",
        _OWN,
        0.95,
        r"\bwhen I (?:was|got) pregnant\b|\bI['’]?(?:m| am) (?:\d+ \w+ )?pregnant\b",
        _F,
    )
    yield sex, "body", _OWN, 0.95, r"\bmy (?:prostate|testic\w+|vasectomy|beard)\b", _M
    yield (
        relationship,
        "widowed",
        _OWN,
        0.93,
        r"\b(?:as a|I['’]?m a|I am a|being a) (?:\w+ )?widow(?:er|ed)?\b",
        "widowed",
    )
    yield (
        relationship,
        "late spouse",
        _OWN,
        0.9,
        r"\bmy late (?:husband|wife|hubby|partner|spouse)\b",
        "widowed",
    )
    yield (
        relationship,
        "lost spouse",
        _OWN,
        0.85,
        r"\b(?:lost my|my) (?:husband|wife) (?:passed|died)|\blost my (?:husband|wife)\b|\bwidow(?:ed|hood)\b",
        "widowed",
    )
    yield (
        relationship,
        "former spouse",
        _OWN,
        0.88,
        r"\bmy ex[ -]?(?:husband|wife|hubby|spouse)\b|\bmy (?:own )?divorce\b|\b(?:I['’]?m|I am|I got|being|recently|newly|since) divorced\b|\bpost[ -]divorce\b",
        "divorced",
    )
    yield (
        relationship,
        "engaged",
        _OWN,
        0.88,
        r"\bmy fianc[ée]e?\b|\bmy (?:wife|husband)[ -]to[ -]be\b|\bI['’]?m engaged\b",
        "engaged",
    )
    yield (
        relationship,
        "spouse",
        _OWN,
        0.86,
        r"\bmy (?:\w+ )?(?:husband|wife|hubby|wifey|spouse|missus)\b|\b(?:I['’]?m|I am|we['’]re|been|got|happily) married\b|\bour (?:wedding )?anniversary\b|\bthe (?:missus|wife|hubby)\b",
        "married",
    )
    yield (
        relationship,
        "partner",
        _OWN,
        0.8,
        r"\bmy (?:\w+ )?(?:boyfriend|girlfriend|partner|significant other|bf|gf)\b|\bin a relationship\b",
        "in a relationship",
    )
    yield (
        relationship,
        "single",
        _OWN,
        0.85,
        r"\b(?:I['’]?m|I am|being|as a|still|happily|the) (?:\w+ )?single\b(?! (?:day|thing|time|one|most|biggest))|\bsingle life\b|\b(?:on|use) tinder\b|\bsingle[ -](?:guy|gal|lady|man|woman)\b",
        "single",
    )
    yield (
        relationship,
        "spouse",
        _OTHER,
        0.88,
        rf"\b{_POSSESSIVE} (?:husband|wife|spouse)\b|\b(?:is|was|got|be) married\b|\bmarried (?:to|in|on|[A-Z*\[])|\b(?:wife|husband) of\b|\bmarried (?:man|woman|couple)\b",
        "married",
    )
    yield (
        relationship,
        "widowed",
        _OTHER,
        0.92,
        rf"\bwidow(?:er|ed)?\b|\b{_POSSESSIVE} late (?:husband|wife)\b",
        "widowed",
    )
    yield (
        relationship,
        "divorced",
        _OTHER,
        0.9,
        rf"\bdivorc(?:ed|ee|ée)\b|\b{_POSSESSIVE} (?:ex-|former )(?:husband|wife)\b",
        "divorced",
    )
    yield (
        relationship,
        "partner",
        _OTHER,
        0.8,
        rf"\b{_POSSESSIVE} (?:boyfriend|girlfriend|partner|fianc[ée]e?)\b",
        "in a relationship",
    )
    yield (
        relationship,
        "single",
        _OTHER,
        0.88,
        r"\b(?:unmarried|never married|bachelor(?!['’]?s? (?:of|degree|in))|spinster)\b",
        "single",
    )
    age = Attribute.AGE
    yield (
        age,
        "says so",
        _OWN,
        0.95,
        r"\b(?:I['’]?m|I am|I just turned|at the age of|at my age of) (?:only |just |already |now |nearly |almost )?(\d\d)(?! ?(?:%|percent|minutes?|min|hours?|weeks?|days?|months?|miles?|km|kg|pounds|lbs|cm|\d|[.,]\d))\b",
        "",
    )
    yield (
        age,
        "says so",
        _OWN,
        0.9,
        r"\b(?:as a|I['’]?m a|at|being) (\d\d)(?:[ -]?(?:year|yr|yo)s?[ -]?old|yo\b| (?:here|now|myself)\b)",
        "",
    )
    yield (
        age,
        "turned",
        _OWN,
        0.88,
        r"\b(?:turned|turning|hit|hitting) (?:the big )?(\d\d)\b(?! ?(?:%|percent))",
        "",
    )
    yield (
        age,
        "age and letter",
        _ANY,
        0.95,
        r"(?:\bI(?:['’]m)? ?[(\[]? ?|\bme ?[(\[]|\A\W*)[fm]? ?/?(\d\d) ?/?[fm]\b",
        "",
    )
    yield (
        age,
        "year-old",
        _OTHER,
        0.9,
        r"\b(\d\d?)[ -]?(?:year|yr)s?[ -]old\b|\baged (\d\d?)\b|\bage\s*[:=]\s*(\d\d?)\b",
        "",
    )
    yield (
        age,
        "decade",
        _OWN,
        0.75,
        r"\b(?:I['’]?m|am|we['’]re|being|now) (?:\w+ )?in (?:my|our) (?:early |late |mid-?)?(\d0)['’]?s\b",
        "",
    )
    for number, word in enumerate("twent thirt fort fift sixt sevent eight".split(), 2):
        yield (
            age,
            "decade",
            _ANY,
            0.72,
            rf"\b(?:am|is|['’]m|['’]s|now) (?:\w+ )?in (?:my|his|her|their) (?:early |late |mid-?)?{word}ies\b",
            str(10 * number + 5),
        )
    yield (
        age,
        "retired",
        _ANY,
        0.75,
        r"\b(?:(?:I['’]?m|I am|is|now|since I) retired|my (?:state )?pension|pensioner|(?:my|his|her) grand(?:children|kids|son|daughter)|(?:my|after|since) retirement|draws? (?:a|his|her|their) pension)\b",
        "70",
    )
    yield (
        age,
        "at school",
        _OWN,
        0.75,
        r"\bmy (?:a-levels|gcses|sats|high school (?:teacher|friends|classes))\b|\bI['’]?m in (?:high school|year \d|\dth grade)\b",
        "16",
    )
    yield (
        age,
        "studies",
        _OWN,
        0.72,
        r"\b(?:I['’]?m|I am) (?:a |still )?(?:\w+ )?(?:freshman|sophomore|undergrad\w*|uni student|college student|studying (?:at|for))\b|\bmy (?:dorm|lectures|professors|classmates|uni course)\b",
        "21",
    )
    yield (
        Attribute.BIRTH,
        "born",
        _ANY,
        0.96,
        r"\b(?:[Bb]orn|[Bb]\.|[Dd]ate of [Bb]irth:?|DOB:?|[Bb]irthday:?)\b(?:(?!\bdied\b|[.;]\s|\bin the year\b)[^\n]){0,70}?\b(1[6-9]\d0s|20[012]0s|1[6-9]\d\d|20[012]\d)(?!\d)",
        "",
    )


_RULES: Final = [
    (
        attribute,
        rule,
        by,
        probability,
        re.compile(
            pattern, re.IGNORECASE if attribute is not Attribute.BIRTH and rule != "title" else 0
        ),
        value,
    )
    for attribute, rule, by, probability, pattern, value in _patterns()
]
_JOB: Final = re.compile(
    r"(?:\b(?:I['’]?m|I am|I was|he is|she is|he was|she was|they are|is|was|as|became|being|job as|employed as|"
    r"works? as|working as|worked as|trained as|career as) (?:currently |now |still |also |just )?(?:an?|the)"
    r"|(?:\A|[.;(\n] ?)(?:An?|The|Former|Retired)|[Oo]ccupation:|[Jj]ob:|[Pp]rofession:|[(,]) "
    r"(?P<job>(?:[\w'’/-]+ ){0,4}[\w'’-]+)"
)
_OWN_JOB: Final = re.compile(
    r"\b(?:I['’]?m|I am|as|being|I work as|job as|working as|worked as|career as) "
    r"(?:currently |now |still |also |just )?(?:an?|the) (?P<job>(?:[\w'’/-]+ ){0,4}[\w'’-]+)"
)
_WORK: Final = (
    (
        r"\bmy (?:own )?(?:students?['’]? (?:essays|papers|work)|pupils|classroom)\b|\bgrading (?:papers|essays)\b",
        "teacher",
    ),
    (r"\bmy (?:restaurant|kitchen staff)\b|\bin my kitchen at work\b", "chef"),
    (r"\bmy clients['’]? (?:houses|buildings)\b|\bblueprints?\b", "architect"),
)


def _of_patterns(reading: _Reading) -> Iterator[tuple[Attribute, Guess]]:
    by = _OWN if reading.by_subject else _OTHER
    for attribute, rule, speaker, probability, pattern, value in _RULES:
        if speaker not in (_ANY, by):
            continue
        match = pattern.search(reading.text)
        if match is None:
            continue
        string = value or next(group for group in match.groups() if group)
        if attribute is Attribute.AGE:
            string = age_band(int(string))
        yield attribute, Guess(string, probability, rule, Span(*match.span()))
    yield from _of_names(reading, by)
    yield from _of_work(reading, by)
    yield from _of_health(reading)


_SIGNED: Final = re.compile(
    r"(?:\b(?:I['’]?m|[Mm]y name is|I am|[Nn]ame:|[Yy]ours,|[Ll]ove,|[Rr]egards,|[Tt]hanks,|[Cc]heers,)\s+|\A)"
    r"([A-Z][^\W\d_]{2,})(?= [A-Z]| ?[.,!\n]|\Z)"
)


def _of_names(reading: _Reading, by: str) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the sex of the bearer of a given name."""
    for match in _SIGNED.finditer(reading.text):
        gender = gender_by_names((normalize_text(match[1]),))
        if gender and (by == _OTHER or match.start() < match.start(1)):
            yield (
                Attribute.SEX,
                Guess(_F if gender == "f" else _M, 0.9, "given name", Span(*match.span(1))),
            )
            return


@cache
def _jobs() -> frozenset[str]:
    terms = load_terms()
    return frozenset((*terms["occupation"], *terms["position"], *terms["military_rank"]))


_NO_JOBS: Final = frozenset(
    "member person leader child student friend lot fan native parent".split()
)


def _of_work(reading: _Reading, by: str) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the first occupation that the subject is said to have."""
    pattern = _OWN_JOB if by == _OWN else _JOB
    for match in pattern.finditer(reading.text):
        words = normalize_text(match["job"]).split()
        for end in range(len(words), 0, -1):
            for start in range(end):
                job = " ".join(words[start:end]).strip("'’-")
                if job in _jobs() and job not in _NO_JOBS:
                    span = Span(*match.span("job"))
                    yield Attribute.OCCUPATION, Guess(job, 0.85, "says so", span)
                    return
    if by == _OWN:
        for expression, job in _WORK:
            clue = re.search(expression, reading.text, re.IGNORECASE)
            if clue:
                yield Attribute.OCCUPATION, Guess(job, 0.7, "work", Span(*clue.span()))
                return


def _of_health(reading: _Reading) -> Iterator[tuple[Attribute, Guess]]:
    names = sorted(conditions(normalize_text(reading.text)))
    if len(names) == 1:
        yield Attribute.HEALTH, Guess(names[0], 0.85, "condition or drug")


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


def _of_places(reading: _Reading) -> Iterator[tuple[Attribute, Guess]]:
    """Yield the country and the place that most places of the text are in, those of life first."""
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
        if country := country_of_people(normalize_text(match[1])):
            countries[country] += 2
            spans.setdefault(country, Span(*match.span(1)))
    for attribute, counts in ((Attribute.COUNTRY, countries), (Attribute.PLACE, towns)):
        for value, weight in counts.most_common(1):
            share = weight / sum(counts.values())
            probability = min(0.92, share * (0.75 if weight == 1 else 0.9))
            yield attribute, Guess(value, probability, "place named", spans[value])


def _names(string: str) -> Iterator[str]:
    """Yield the beginnings of a run of capitalised words, folded, the longest first."""
    words = normalize_text(string).replace(",", "").split()
    for end in range(len(words), 0, -1):
        yield " ".join(words[:end])
