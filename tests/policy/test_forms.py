"""Forms that rules may name."""

from __future__ import annotations

import re
from datetime import date

import pytest

from tacenda import load
from tacenda.deciding import Analysis, complete
from tacenda.document import Document, IdentifierType, Mention, MentionSource, SemanticType, Span
from tacenda.errors import PolicyError
from tacenda.policy import Policy
from tacenda.policy.forms import FORMS
from tacenda.policy.loading import shipped
from tests.examples import for_each

_STRINGS = {
    "time": ("10:30|at 5 pm|noon|this morning|14:05:33|10.30 a.m.", "10|1:2|25:00"),
    "weekday": ("Monday|next Friday evening|tomorrow|Sat|on Tuesday", "Monda|Sun Li"),
    "duration": (
        "two weeks|3 days ago|every 6 hours|daily|twice a week|for the last 3 months|a year later",
        "weeks|12|the day",
    ),
    "measure": (
        "5 mg|132/88 mmHg|BP 132/88|HbA1c 7.2 %|37.9 °C|0.5 mg/kg/day|8 mg po bid|WBC 12.3|2 x 3 cm"
        "|98%|72 bpm|1,200 mL|120/80",
        "Room B|X1234567|John 5 mg|1931|00482913|88|3/7",
    ),
    "age": ("23 years old|aged 93|7-year-old|45yo|45 y/o|ninety-two-year-old", "23 years|93"),
    "age_under_90": ("89 years old|67-year-old|aged 42|3-month-old", "67|90|93-year-old|120"),
    "age_over_89": (
        "93-year-old|aged 90|ninety-two years old|102 yo|97yrs|93 years",
        "89 years old|93 years ago",
    ),
    "date": (
        "12 March 1994|3/12/2024|May 2020|March 3|2024-01-05|2024-01-05T07:02:11Z|28/Oct/2018:23:36:33 +0000|12.03.94|14-Mar-2019"
        "|06.12|02.09|Tue, 3 Sep 2024 10:00:00 +0200|3 Sep 2024 10:00 GMT|3-9 May|3 to 9 May 2024|1st June '24|3–9/5|13-19/5|May–June|May/June 2024",
        "1994|132/88|May|5/5|1/2|3-4/5|2-3/10|7.12|06.13|0.12",
    ),
    "day": (
        "12/9|11.08|3-14|02.04.|13 March|September 9|3-9 May|3–9/5|3 to 9 May|28/4-3/5|May 3 and 9",
        "13/32|1994|12/9/24|13 March 2024|3-9 May 2024",
    ),
    "lone_age_over_89": ("97|104|97 yrs|centenarian", "89|930|97 mg"),
    "year": ("2019|the 1990s|2019-2021|in 2020", "1949|2019/05/01"),
    "early_year": ("1931|12 March 1931|born 1925", "1950|21931"),
    "us_state": ("Ohio|the United States|State of Maine", "New York|Washington"),
    "us_zip": ("02139|MA 02139-4301|TX, 75001", "021391|ZZ 02139"),
    "url": ("https://example.org/x?a=1|www.example.org", "example.org|http|a@www.b.org"),
    "picture_file": ("IMG_4471.jpg|face.PNG|ct-scan.dcm", "note.txt|jpg|a b.png"),
}


@for_each("form", FORMS)
def test_a_form_matches_its_strings_alone(form: str) -> None:
    """The first strings are of the form, the others are near it."""
    ours, others = (strings.split("|") for strings in _STRINGS[form])
    pattern = FORMS[form]  # type: ignore[index]
    assert [string for string in ours if not pattern.fullmatch(string)] == []
    assert [string for string in others if pattern.fullmatch(string)] == []


def test_early_years_are_of_people_over_89() -> None:
    """Who was born in the last of them is at least 90 some day of a year before 2040."""
    assert date.today().year < 2040


def _text(policy: Policy, text: str, string: str, source: MentionSource) -> str:
    """What becomes of a text with one mention, taken for a direct identifier."""
    start = text.index(string)
    span = Span(start, start + len(string))
    mention = Mention(span, SemanticType.CODE, 1.0, 1.0, source, "case_number")
    return complete(Analysis(Document("d", text), (mention,)), policy, 0.2).sanitized.text


def test_an_allowed_form_keeps_what_the_recognizer_takes_for_an_identifier() -> None:
    """What a pattern is sure of yields to no form."""
    policy = Policy(allow=({"form": "measure"},))
    text = "with BP 132/88 at rest"
    assert _text(policy, text, "BP 132/88", MentionSource.NEURAL) == text
    assert _text(policy, text, "BP 132/88", MentionSource.PATTERN) == "with [CODE 1] at rest"


def test_a_denied_form_is_masked_wherever_it_stands() -> None:
    """It needs no other detector."""
    policy = Policy(deny=({"form": "date"},), recognizer=False, patterns=False, threshold=0.2)
    result = load(policy).sanitize("Seen on 12 March 2024 with 5/5 strength.")
    assert result.text == "Seen on [ITEM 1] with 5/5 strength."


def test_a_threshold_of_a_type_holds_for_what_the_recognizer_takes_for_direct() -> None:
    """Whoever sets one for a type means it; what a pattern is sure of is masked all the same."""
    text = "order 4711 of pages"
    mention = Mention(Span(6, 10), SemanticType.CODE, 0.9, 0.9, MentionSource.NEURAL)
    analysis = Analysis(Document("d", text), (mention,))
    strict = Policy(threshold=1.0)
    lax = Policy(thresholds={SemanticType.CODE: 0.95})
    assert complete(analysis, strict, 0.2).sanitized.text == "order [CODE 1] of pages"
    assert complete(analysis, lax, 0.2).sanitized.text == text


def test_a_rule_has_one_way_to_match() -> None:
    """A form is one of four."""
    with pytest.raises(PolicyError, match="exactly one of exact, regex, fuzzy and form"):
        Policy(allow=({"form": "time", "exact": "noon"},))


def test_the_identifier_of_a_kept_form_is_told() -> None:
    """The reasons say that it would have been masked."""
    text = "temp 37.9 °C"
    mention = Mention(Span(5, 12), SemanticType.QUANTITY, 1.0, 1.0, MentionSource.NEURAL)
    policy = Policy(allow=({"form": "measure"},))
    (decision,) = complete(
        Analysis(Document("d", text), (mention,)), policy, 0.2
    ).sanitized.decisions
    assert not decision.masked
    assert decision.identifier is IdentifierType.DIRECT
    assert [reason.effect for reason in decision.reasons][:2] == ["keep", "would_mask"]


@for_each(
    "sentence",
    ["R/v {} in clinic", "TCI {} for op", "w/c {} off sick", "appt: {} pm", "adm {} with LRTI", "sent {} by post", "back {} from leave", "ingresado el {} por",
     "opéré le {} à", "am {} operiert", "sutures out {}", "jab {} given"],
)  # fmt: skip
@for_each("day", ["6/8", "4/9", "06.12", "22.11", "19/01"])
def test_a_day_without_its_year_is_a_date_behind_its_word(sentence: str, day: str) -> None:
    """Where a note says what happened on it, in several languages."""
    text = sentence.format(day)
    assert day in [match[0] for match in FORMS["date"].finditer(text)]


@for_each(
    "text", ["GCS 6/8", "TA 13/8", "PA 12/8", "at 06.12", "INR 2.06", "pain 4/10", "dose 0.12 mg"]
)
def test_scores_pressures_and_times_are_no_days(text: str) -> None:
    """Their word says what they are."""
    assert list(FORMS["date"].finditer(text)) == []


@for_each("value", ["TA 140/85", "TA 13/8", "PA 130/70", "FC 84", "FR 18", "SatO2 97%"])
def test_values_of_other_languages_are_measures(value: str) -> None:
    """The same blood pressure, pulse and breathing, in Romance languages."""
    assert FORMS["measure"].fullmatch(value)


@pytest.mark.parametrize("policy", sorted(shipped()))
def test_a_labeled_date_of_birth_never_stays(policy: str) -> None:
    """In text, records, requests and addresses, also where the policy allows dates: an allow by form yields to a stricter form."""
    lines = (
        "DOB: {}|{'dob': '{}'}|Born {} in Leeds.|Geburtsdatum: {}|Née le {}|birth_date={} ok"
        "|GET /patients?dob={}&page=2 HTTP/1.1|https://acme.io/f?dob={}|https://acme.io/f?x=1&birthDate={}#top"
        "|2024-01-01T10:22:01Z INFO user=7 born={} ok"
    ).split("|")
    dates = ("1980-02-03", "17/11/1980")
    texts = [line.replace("{}", date) for line in lines for date in dates]
    for text, result in zip(texts, load(policy).pipe(texts), strict=True):
        assert not {"02-03", "17/11"} & set(re.findall(r"02-03|17/11", result.text)), text
