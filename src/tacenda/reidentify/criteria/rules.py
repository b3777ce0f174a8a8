"""Closure rules as patterns: what an attribute is called in texts by its bearer, and in texts about them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from .values import Attribute

# Rules by patterns: (attribute, rule, who speaks, probability, pattern, value or None for its group).


OWN: Final = "author"
OTHER: Final = "other"
ANY: Final = ""
POSSESSIVE: Final = r"(?:his|her|their)"
FEMALE: Final = "female"
MALE: Final = "male"


def _patterns() -> Iterator[tuple[Attribute, str, str, float, str, str]]:
    sex, relationship = Attribute.SEX, Attribute.RELATIONSHIP
    for value, spouse, partner, words, parent in (
        (
            FEMALE,
            "husband|hubby",
            "boyfriend|bf|fiancé|fiance",
            "woman|girl|lady|female|gal",
            "mother|mom|mum|mam",
        ),
        (
            MALE,
            "wife|wifey",
            "girlfriend|gf|fiancée|fiancee",
            "man|boy|guy|dude|bloke|male|lad",
            "father|dad|papa",
        ),
    ):
        yield (
            sex,
            "spouse of the other sex",
            OWN,
            0.93,
            rf"\bmy (?:\w+[ -]){{0,2}}?(?:{spouse})\b",
            value,
        )
        yield (
            sex,
            "partner of the other sex",
            OWN,
            0.85,
            rf"\bmy (?:\w+[ -]){{0,2}}?(?:{partner})\b",
            value,
        )
        yield (
            *(sex, "says so", OWN, 0.97),
            rf"\b(?:I['’]?m|I am|as|being) (?:just )?an? (?:[\w-]+ ){{0,3}}?(?:{words}|{parent}|grand(?:{parent}))\b",
            value,
        )
        yield (
            sex,
            "says so",
            OWN,
            0.95,
            rf"\b(?:fellow|us) (?:{words.split('|')[0].replace('man', 'men')}|{parent})\b",
            value,
        )
    for value, letter in ((FEMALE, "f"), (MALE, "m")):
        yield (
            sex,
            "age and letter",
            ANY,
            0.9,
            rf"(?:\bI(?:['’]m)? ?[(\[]? ?|\bme ?[(\[]|\A\W*)\d\d ?{letter}\b",
            value,
        )
        yield (
            sex,
            "age and letter",
            ANY,
            0.9,
            rf"(?:\bI|\bme|\bauthor) ?[(\[]{letter} ?/? ?\d\d\b",
            value,
        )
        yield sex, "field", ANY, 0.97, rf"\b(?:sex|gender)\s*[:=]\s*(?:{value}|{letter})\b", value
        yield (
            sex,
            "year-old",
            OTHER,
            0.95,
            rf"\b\d\d[ -]?(?:year|yr|yo)s?[ -]?(?:old)? (?:[\w-]+ )?{value}\b",
            value,
        )
    for value, titles, nouns in (
        (
            FEMALE,
            "Mrs|Ms|Miss|Madam|Lady|Dame",
            r"widow|née|maiden name|actress|businesswoman|(?:congress|chair|spokes|police|sales)woman|waitress|nun|"
            r"housewife|wife of|mother of|daughter of|(?:is|was) (?:an? )?(?:\w+ )?(?:woman|girl)",
        ),
        (
            MALE,
            "Mr|Sir|Lord",
            r"widower|businessman|(?:congress|chair|spokes|police|sales|fire|fisher)man|monk|"
            r"husband of|father of|son of|(?:is|was) (?:an? )?(?:\w+ )?(?:man|boy)",
        ),
    ):
        yield sex, "title", OTHER, 0.9, rf"\b(?:{titles})\b\.?(?= ?[A-Z*\[])", value
        yield sex, "noun of a sex", OTHER, 0.82, rf"\b(?:{nouns})\b", value
    yield (
        sex,
        "body",
        OWN,
        0.95,
        r"\bmy (?:own )?(?:pregnancy|period|periods|c-section|ovar\w+|womb|uterus|menopause)\b",
        FEMALE,
    )
    yield (
        sex,
        "body",
        OWN,
        0.95,
        r"\bwhen I (?:was|got) pregnant\b|\bI['’]?(?:m| am) (?:\d+ \w+ )?pregnant\b",
        FEMALE,
    )
    yield sex, "body", OWN, 0.95, r"\bmy (?:prostate|testic\w+|vasectomy|beard)\b", MALE
    yield (
        relationship,
        "widowed",
        OWN,
        0.93,
        r"\b(?:as a|I['’]?m a|I am a|being a) (?:\w+ )?widow(?:er|ed)?\b",
        "widowed",
    )
    yield (
        relationship,
        "late spouse",
        OWN,
        0.9,
        r"\bmy late (?:husband|wife|hubby|partner|spouse)\b",
        "widowed",
    )
    yield (
        relationship,
        "lost spouse",
        OWN,
        0.85,
        r"\b(?:lost my|my) (?:husband|wife) (?:passed|died)|\blost my (?:husband|wife)\b|\bwidow(?:ed|hood)\b",
        "widowed",
    )
    yield (
        relationship,
        "former spouse",
        OWN,
        0.88,
        r"\bmy ex[ -]?(?:husband|wife|hubby|spouse)\b|\bmy (?:own )?divorce\b|\b(?:I['’]?m|I am|I got|being|recently|newly|since) divorced\b|\bpost[ -]divorce\b",
        "divorced",
    )
    yield (
        relationship,
        "engaged",
        OWN,
        0.88,
        r"\bmy fianc[ée]e?\b|\bmy (?:wife|husband)[ -]to[ -]be\b|\bI['’]?m engaged\b",
        "engaged",
    )
    yield (
        relationship,
        "spouse",
        OWN,
        0.86,
        r"\bmy (?:\w+ )?(?:husband|wife|hubby|wifey|spouse|missus)\b|\b(?:I['’]?m|I am|we['’]re|been|got|happily) married\b|\bour (?:wedding )?anniversary\b|\bthe (?:missus|wife|hubby)\b",
        "married",
    )
    yield (
        relationship,
        "partner",
        OWN,
        0.8,
        r"\bmy (?:\w+ )?(?:boyfriend|girlfriend|partner|significant other|bf|gf)\b|\bin a relationship\b",
        "in a relationship",
    )
    yield (
        relationship,
        "single",
        OWN,
        0.85,
        r"\b(?:I['’]?m|I am|being|as a|still|happily|the) (?:\w+ )?single\b(?! (?:day|thing|time|one|most|biggest))|\bsingle life\b|\b(?:on|use) tinder\b|\bsingle[ -](?:guy|gal|lady|man|woman)\b",
        "single",
    )
    yield (
        relationship,
        "spouse",
        OTHER,
        0.88,
        rf"\b{POSSESSIVE} (?:husband|wife|spouse)\b|\b(?:is|was|got|be) married\b|\bmarried (?:to|in|on|[A-Z*\[])|\b(?:wife|husband) of\b|\bmarried (?:man|woman|couple)\b",
        "married",
    )
    yield (
        relationship,
        "widowed",
        OTHER,
        0.92,
        rf"\bwidow(?:er|ed)?\b|\b{POSSESSIVE} late (?:husband|wife)\b",
        "widowed",
    )
    yield (
        relationship,
        "divorced",
        OTHER,
        0.9,
        rf"\bdivorc(?:ed|ee|ée)\b|\b{POSSESSIVE} (?:ex-|former )(?:husband|wife)\b",
        "divorced",
    )
    yield (
        relationship,
        "partner",
        OTHER,
        0.8,
        rf"\b{POSSESSIVE} (?:boyfriend|girlfriend|partner|fianc[ée]e?)\b",
        "in a relationship",
    )
    yield (
        relationship,
        "single",
        OTHER,
        0.88,
        r"\b(?:unmarried|never married|bachelor(?!['’]?s? (?:of|degree|in))|spinster)\b",
        "single",
    )
    age = Attribute.AGE
    yield (
        age,
        "says so",
        OWN,
        0.95,
        r"\b(?:I['’]?m|I am|I just turned|at the age of|at my age of) (?:only |just |already |now |nearly |almost )?(\d\d)(?! ?(?:%|percent|minutes?|min|hours?|weeks?|days?|months?|miles?|km|kg|pounds|lbs|cm|\d|[.,]\d))\b",
        "",
    )
    yield (
        age,
        "says so",
        OWN,
        0.9,
        r"\b(?:as a|I['’]?m a|at|being) (\d\d)(?:[ -]?(?:year|yr|yo)s?[ -]?old|yo\b| (?:here|now|myself)\b)",
        "",
    )
    yield (
        age,
        "turned",
        OWN,
        0.88,
        r"\b(?:turned|turning|hit|hitting) (?:the big )?(\d\d)\b(?! ?(?:%|percent))",
        "",
    )
    yield (
        age,
        "age and letter",
        ANY,
        0.95,
        r"(?:\bI(?:['’]m)? ?[(\[]? ?|\bme ?[(\[]|\A\W*)[fm]? ?/?(\d\d) ?/?[fm]\b",
        "",
    )
    yield (
        age,
        "year-old",
        OTHER,
        0.9,
        r"\b(\d\d?)[ -]?(?:year|yr)s?[ -]old\b|\baged (\d\d?)\b|\bage\s*[:=]\s*(\d\d?)\b",
        "",
    )
    yield (
        age,
        "decade",
        OWN,
        0.75,
        r"\b(?:I['’]?m|am|we['’]re|being|now) (?:\w+ )?in (?:my|our) (?:early |late |mid-?)?(\d0)['’]?s\b",
        "",
    )
    for number, word in enumerate("twent thirt fort fift sixt sevent eight".split(), 2):
        yield (
            age,
            "decade",
            ANY,
            0.72,
            rf"\b(?:am|is|['’]m|['’]s|now) (?:\w+ )?in (?:my|his|her|their) (?:early |late |mid-?)?{word}ies\b",
            str(10 * number + 5),
        )
    yield (
        age,
        "retired",
        ANY,
        0.75,
        r"\b(?:(?:I['’]?m|I am|is|now|since I) retired|my (?:state )?pension|pensioner|(?:my|his|her) grand(?:children|kids|son|daughter)|(?:my|after|since) retirement|draws? (?:a|his|her|their) pension)\b",
        "70",
    )
    yield (
        age,
        "at school",
        OWN,
        0.75,
        r"\bmy (?:a-levels|gcses|sats|high school (?:teacher|friends|classes))\b|\bI['’]?m in (?:high school|year \d|\dth grade)\b",
        "16",
    )
    yield (
        age,
        "studies",
        OWN,
        0.72,
        r"\b(?:I['’]?m|I am) (?:a |still )?(?:\w+ )?(?:freshman|sophomore|undergrad\w*|uni student|college student|studying (?:at|for))\b|\bmy (?:dorm|lectures|professors|classmates|uni course)\b",
        "21",
    )
    yield (
        Attribute.BIRTH,
        "born",
        ANY,
        0.96,
        r"\b(?:[Bb]orn|[Bb]\.|[Dd]ate of [Bb]irth:?|DOB:?|[Bb]irthday:?)\b(?:(?!\bdied\b|[.;]\s|\bin the year\b)[^\n]){0,70}?\b(1[6-9]\d0s|20[012]0s|1[6-9]\d\d|20[012]\d)(?!\d)",
        "",
    )


RULES: Final = [
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
WORK: Final = (
    (
        r"\bmy (?:own )?(?:students?['’]? (?:essays|papers|work)|pupils|classroom)\b|\bgrading (?:papers|essays)\b",
        "teacher",
    ),
    (r"\bmy (?:restaurant|kitchen staff)\b|\bin my kitchen at work\b", "chef"),
    (r"\bmy clients['’]? (?:houses|buildings)\b|\bblueprints?\b", "architect"),
)
