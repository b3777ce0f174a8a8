"""The policy `clinical` and the eighteen identifiers of 45 CFR 164.514(b)(2), as docs/hipaa.md has them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from string import ascii_uppercase

import pytest

from tacenda import Sanitizer, load
from tacenda.detect.patterns.dates import MONTH_NAMES
from tacenda.document import SemanticType

PAGE = Path(__file__).parents[2] / "docs" / "hipaa.md"
_ROW = re.compile(r"^\| ([A-R]) \| [^|]+ \| `([^|]+)` \| ([^|]+) \|$", re.M)
ROWS = _ROW.findall(PAGE.read_text("utf-8"))
_GONE = {
    "A": ("Margaret", "Neill", "Feld"),
    "B": ("62704",),
    "C": ("March", "12", "93"),
    "D": ("217", "0182"),
    "E": ("217", "0199"),
    "F": ("ellen", "fischer", "example"),
    "G": ("078", "1120"),
    "H": ("00482913",),
    "I": ("HPB", "4482"),
    "J": ("99120477",),
    "K": ("F255", "9215"),
    "L": ("AB12", "CDE"),
    "M": ("SN-88211", "88211"),
    "N": ("portal", "482913"),
    "O": ("203", "113"),
    "P": ("2231",),
    "Q": ("4471",),
    "R": ("A8127BX",),
}
"""Strings of each example that must not be in the output."""


@pytest.fixture(scope="module")
def clinical() -> Sanitizer:
    """The shipped recognizer under the policy."""
    return load("clinical")


def test_the_page_has_all_eighteen() -> None:
    """A row for each letter of the rule, in its order."""
    assert [letter for letter, _, _ in ROWS] == list(ascii_uppercase[:18])


@pytest.mark.parametrize(("letter", "example", "replacements"), ROWS)
def test_an_identifier_becomes_what_the_page_says(
    clinical: Sanitizer, letter: str, example: str, replacements: str
) -> None:
    """Nothing of it is left, and the replacement stands there."""
    text = clinical.sanitize(example).text
    assert [string for string in _GONE[letter] if string in text] == []
    assert [string for string in re.findall(r"`([^`]+)`", replacements) if string not in text] == []


@pytest.mark.parametrize(("code", "area"), [("02139", "021"), ("MA 02139-4301", "021")])
def test_a_zip_code_keeps_three_digits_where_many_live(
    clinical: Sanitizer, code: str, area: str
) -> None:
    """The first three, of five digits or of nine."""
    assert f"[postal area {area}]" in clinical.sanitize(f"zip code {code}").text


# HHS, Guidance Regarding Methods for De-identification, 2012; HRSA, questions on UDS+, 2024.
HHS_2012 = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()
HRSA_2024 = "202 753 205 204 821 203 059 772 692 893 036 823 102 879 556 884 878 369".split()


@pytest.mark.parametrize("digits", sorted({*HHS_2012, *HRSA_2024}))
def test_a_zip_code_where_few_live_is_written_000(clinical: Sanitizer, digits: str) -> None:
    """Areas of 20,000 people and fewer by the census of 2000 or of 2020, as published."""
    assert "[postal area 000]" in clinical.sanitize(f"zip code {digits}01").text


_AGES = (
    "{name}, {n}, fell at home.|She turned {n} last week.|{n}F with chest pain.|Seen in clinic, F/{n}, well.|M/{n} admitted.|Her {n}th birthday."
    "|At {n} he still drives.|{n}-y/o man.|aged {n}, sleeps well.|{n} yrs old.|he is {n} and frail.|{name} ({n}) was seen.|{n} yo|who is {n}|Age: {n}|"
    "a {n}-year-old|a lady of {n}|{n} M, fall|ninety-one and well|a nonagenarian with dementia|two centenarians|in her late nineties|her ninetieth birthday"
    "|{name} is {n} and lives alone.|She'll be {n} soon.|Celebrated his {n}th.|Age/Sex: {n}/F|Age={n}|Nana is {n}."
    "|Her sister is {n}yrs.|{n} years, widowed|a {n} yrs lady|a {n}-yr-old|{n} YO male"
).split("|")
_DAYS = (
    "Admitted {d}.|Form signed {d}.|Pt seen {d} with 3/7 hx of cough.|Next INR check due {p}.|Pt fell {d} at home.|Review on {d}.|Ill since {d}.|Discharged {d}."
    "|Next appt {d}.|{l}: stable.|Died {d}.|LMP {d}.|ED {d}.|due {p}|CT {d}: clear.|Review {d} in clinic."
).split("|")
_VALUES = (
    "3/7 hx of cough|for 2/52|f/u 6/52|BP {b}|{b}|GCS 15/15|pain 8/10|power 4/5|K 5.2|VA 6/12|INR 2.6|T 101F|fever of 102F|sats 94, 97 and 98|HR 97|SpO2 is 95%|94 bpm"
    "|in 6/12|1/2 tab|2 x 3 cm|40 pack years|stage T{t}N1M0|pT2N0M0|MMSE 28/30|weight is 95 kg|ninety-five percent|every 10/12|Glasgow 15|1.5 mg|24/7 care|6/12 ago|Pulse is 96|Glucose is 94|AMTS 8/10|Waterlow 14"
).split("|")
_PEOPLE = "Mrs Vane|Mr Okonkwo|Ms Nguyen|Dr Iqbal|Mrs O'Neill|Mr Kowalski|Mrs Haddad|Mr Yamamoto|Ms Lindqvist|Mr García".split(
    "|"
)
DRAWS = int(os.environ.get("TACENDA_DRAWS", "150"))


def test_ages_over_89_and_days_without_a_year_go_and_values_stay(clinical: Sanitizer) -> None:
    """In each form and among other sentences; a fraction, a score, a dose and a blood pressure are none of them."""
    random = Random(32)
    for _ in range(DRAWS):
        # None is equal to a part of a value: what is masked is masked everywhere.
        n, day, month = (
            random.choice([90, 91, 92, 93, 96, 99, 100, 104, 107, 111]),
            random.randint(13, 31),
            random.randint(1, 12),
        )
        forms = {
            "name": random.choice(_PEOPLE),
            "n": n,
            "d": random.choice([f"{day}/{month}", f"{month}/{day}", f"{day:02}/{month:02}"]),
            "l": f"{month}/{day}",
            "p": f"{day}.{month:02}",
            "t": random.randint(0, 4),
            "b": f"{random.randint(90, 220)}/{random.randint(45, 120)}",
        }
        age, date, value = (random.choice(each).format(**forms) for each in (_AGES, _DAYS, _VALUES))
        text = clinical.sanitize(f"Sleeps well. {age} {date} Noted: {value}.").text
        gone = [
            *re.findall(
                r"\b(?:9\d|1[01]\d)(?=th|[FM]|\b)|ninety-one|nonagen|centenarian|nineties|ninetieth",
                age,
            ),
            *re.findall(r"\d{1,2}[/.]\d{1,2}(?! hx)", date),
        ]
        before = text.partition("Noted:")[0]
        assert [
            string for string in gone if re.search(rf"(?<!\w){re.escape(string)}", before)
        ] == [], text
        assert value in text


_PERIODS = (
    "{a}-{b} {month}|{a}–{b} {month}|{a} to {b} {month}|{a}th and {b}th of {month}|{month} {a}-{b}|{a} {month}|{a}/{m} to {b}/{m}|{a}–{b}/{m}"
    "|{a}th-{b}th {month}|{month}–{month}|{month}|early {month}|{a} {month} '{y:02}|{a}th {month} ’{y:02}|{a}-{b} {month} 20{y:02}|{month} 20{y:02}|{a}/{m}/20{y:02}"
).split("|")


def test_nothing_finer_than_a_year_is_written_or_offered_for_a_date(clinical: Sanitizer) -> None:
    """Of days, ranges of days and months, with their year and without, whoever decides later."""
    random = Random(33)
    for _ in range(DRAWS):
        a, b, m, y = (random.randint(*ends) for ends in ((6, 14), (15, 28), (1, 12), (1, 25)))
        period = random.choice(_PERIODS).format(a=a, b=b, m=m, y=y, month=MONTH_NAMES[m - 1])
        result = clinical.sanitize(f"Admitted {period} with a cough.")
        written = result.text.removeprefix("Admitted ").removesuffix(" with a cough.")
        assert re.findall(r"\d{1,2}/|half|quarter|\b\d{1,2}\b(?!\])", written) == [], written
        assert not any(name in written for name in MONTH_NAMES), written
        offers = [
            option.text
            for decision in result.decisions
            if decision.entity.type is SemanticType.DATETIME
            for option in decision.options
        ]
        assert not re.search("|".join((*MONTH_NAMES, "half of the year")), " ".join(offers)), offers


def test_a_year_after_an_apostrophe_is_one_of_this_time(clinical: Sanitizer) -> None:
    """1st June '24 is a day of 2024; '45 may be of two centuries, and no year is written."""
    assert "[2024]" in clinical.sanitize("Seen 1st June '24 in clinic.").text
    assert "45" not in clinical.sanitize("Seen 1st June '45 in clinic.").text


def test_a_year_that_tells_such_an_age_goes() -> None:
    """A birth date before 1950 keeps no year, a later one does."""
    policy = load("clinical")
    assert "1931" not in policy.sanitize("Date of birth: 12 March 1931.").text
    assert "1961" in policy.sanitize("Date of birth: 12 March 1961.").text


@pytest.mark.parametrize(
    "text",
    [
        "BP 132/88, HR 72, SpO2 96 %.",
        "500 mg po qid for 7 days",
        "HbA1c 7.2 %",
        "review in two weeks",
        "on Monday at 10:30",
        "37.9 °C",
        "2 x 3 cm",
        "67 years old",
    ],
)
def test_values_and_times_stay(clinical: Sanitizer, text: str) -> None:
    """What has the form of a dose, a value, an age up to 89 or a time of the week is kept."""
    assert text in clinical.sanitize(f"Seen again. {text}").text
