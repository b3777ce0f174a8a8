"""Surrogates: of the same kind, the same for the same, and never what stood there."""

from __future__ import annotations

import datetime as dt
import os
import re
import subprocess
import sys
from pathlib import Path

import phonenumbers
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn

from tacenda.document import Decision, Document, Entity, IdentifierType, Mention, SemanticType, Span
from tacenda.folding import fold_text
from tacenda.passages import has_separator
from tacenda.rewrite.edits import edits
from tacenda.rewrite.operators.surrogate import Surrogate
from tests.building import entity, mention

KEY = b"k" * 32


def decision(item: Entity) -> Decision:
    """Return the decision to write a surrogate."""
    return Decision(item, True, "surrogate", IdentifierType.QUASI, 0.9, ("Why.",))


def surrogates(document: Document, *items: Entity, key: bytes = KEY) -> list[str]:
    """Return what is written, in order of the text."""
    decided = list(map(decision, items))
    operator = Surrogate(key, document, decided)
    return [edit.text for edit in edits(document, decided, {"surrogate": operator})]


def one(string: str, type: str, kind: str = "", key: bytes = KEY) -> str:
    """Return what becomes of a string that stands alone."""
    document = Document("d", f"It says {string} there.")
    return surrogates(document, entity("e1", mention(document, string, type, kind=kind)), key=key)[
        0
    ]


PEOPLE = Document(
    "d",
    "Mr Galip Yalman met Ayşe Yalman. G. Yalman left. YALMAN, Galip; Galip's bag; van der Berg.",
)
GALIP = entity(
    "e1",
    mention(PEOPLE, "Mr Galip Yalman"),
    mention(PEOPLE, "G. Yalman"),
    mention(PEOPLE, "YALMAN, Galip"),
    mention(PEOPLE, "Galip's"),
)
AYSE = entity("e2", mention(PEOPLE, "Ayşe Yalman"), number=2)


def test_all_forms_of_a_name_are_parts_of_one_fake_name() -> None:
    """Title, initials, order, capitals and the possessive stay; families share their surname."""
    full, wife, short, turned, first = surrogates(PEOPLE, GALIP, AYSE)
    title, given, surname = full.split()
    assert title == "Mr"
    assert short == f"{given[0]}. {surname}"
    assert turned == f"{surname.upper()}, {given}"
    assert first == given
    assert wife.split()[1] == surname
    assert wife.split()[0] != given


def test_the_same_name_is_the_same_in_another_document() -> None:
    """Under one key a person keeps the fake name; under another key they have another."""
    other = Document("e", "I saw Galip Yalman.")
    there = surrogates(other, entity("e9", mention(other, "Galip Yalman")))[0]
    assert surrogates(PEOPLE, GALIP)[0] == f"Mr {there}"
    assert one("Galip Yalman", "PERSON", key=b"l" * 32) != there


@pytest.mark.parametrize(
    ("name", "script"),
    [
        ("Анна Петрова", r"[А-Яа-яЁё -]+"),
        ("Γιώργος Παπαδόπουλος", r"[\u0370-\u03ff\u1f00-\u1fff -]+"),
        ("王小明", r"[\u4e00-\u9fff]+"),
        ("דוד כהן", r"[\u0590-\u05ff ־'\"-]+"),
        ("Anna Berg", r"[^\u0370-\uffff]+"),
    ],
)
def test_a_name_stays_in_its_script(name: str, script: str) -> None:
    """A fake name is written in the letters of the original."""
    assert re.fullmatch(script, one(name, "PERSON"))


def test_gender_follows_the_title_or_the_given_name() -> None:
    """Who is a Mrs has a woman's name."""
    from tacenda.rewrite.operators.surrogate.cultures import gender_of

    women = [one(name, "PERSON").split()[-2] for name in ("Mrs X. Smith", "Emily Smith")]
    men = [one(name, "PERSON").split()[-2] for name in ("Mr Kim Smith", "George Smith")]
    assert gender_of(fold_text(women[1]), "en_GB") != "m"
    assert all(gender_of(fold_text(name), "en_GB") != "f" for name in men)
    assert re.fullmatch(r"[A-Z]\.", women[0])


def test_intervals_between_dates_stay_true() -> None:
    """All dates of a document move by one number of days, each in its own format."""
    document = Document(
        "d", "On Monday, 3 May 1993, 12.06.1993 and 1993-07-01, then May 4th, 1993."
    )
    strings = ["Monday, 3 May 1993", "12.06.1993", "1993-07-01", "May 4th, 1993"]
    items = [entity(f"e{n}", mention(document, s, "DATETIME")) for n, s in enumerate(strings)]
    named, dotted, iso, american = surrogates(document, *items)
    first = dt.datetime.strptime(named, "%A, %d %B %Y")
    assert first.strftime("%A") == named.split(",")[0]
    assert dt.datetime.strptime(dotted, "%d.%m.%Y") - first == dt.timedelta(days=40)
    assert dt.datetime.strptime(iso, "%Y-%m-%d") - first == dt.timedelta(days=59)
    plain = re.sub(r"(?<=\d)(st|nd|rd|th)", "", american)
    assert dt.datetime.strptime(plain, "%B %d, %Y") - first == dt.timedelta(days=1)
    assert first.year < 1993


@pytest.mark.parametrize(
    ("string", "form"),
    [
        ("1994", r"19[89]\d"),
        ("the 1990s", r"the 19\d0s"),
        ("MARCH 1994", r"[A-Z]+ 19\d\d"),
        ("mars 1994", r"[a-zéû]+ 19\d\d"),
        ("14:30", r"\d\d?:\d\d"),
        ("9 and 10 May 1994", r"\d+( \w+)?( \d+)? and \d+ \w+ 19\d\d"),
        ("aged 42", r"aged (3[89]|4[0-6])"),
        ("five years", r"(three|four|six|seven) years"),
        ("Tuesday", r"(Mon|Wednes|Thurs|Fri|Satur|Sun)day"),
    ],
)
def test_dates_ages_and_durations_keep_their_form(string: str, form: str) -> None:
    """What is written is a date, an age, a duration like the one before, and another."""
    written = one(string, "DATETIME")
    assert re.fullmatch(form, written)
    assert written != string


def test_account_and_card_numbers_have_right_check_digits_and_no_owner() -> None:
    """The check digits hold; bank and issuer are such as do not exist."""
    account = one("GB33 BUKB 2020 1555 5555 55", "CODE", "iban")
    assert iban.is_valid(account) or account.startswith("GB")
    assert (
        int("".join(str(int(c, 36)) for c in (account[5:] + account[:4]).replace(" ", ""))) % 97
        == 1
    )
    assert account[5:9] == "ZZZZ"
    card = one("4111 1111 1111 1111", "CODE", "card")
    assert luhn.is_valid(card.replace(" ", ""))
    assert card.startswith("9999 ")


@pytest.mark.parametrize(
    ("number", "form"),
    [
        ("07911 123456", r"07700 900\d{3}"),
        ("+44 7911 123456", r"\+44 7700 900\d{3}"),
        ("0113 277 1234", r"0163 296 0\d{3}|0163 296 \d{4}"),
        ("020 8946 1234", r"020 7946 0\d{3}"),
        ("(415) 234-5678", r"\(\d{3}\) 555-01\d\d"),
        ("+33 1 23 45 67 89", r"\+33 1 99 00 \d\d \d\d"),
    ],
)
def test_telephone_numbers_are_of_the_ranges_for_fiction(number: str, form: str) -> None:
    """Where a country keeps numbers for fiction, one of these is written, in the same layout."""
    assert re.fullmatch(form, one(number, "CODE", "phone"))


def test_telephone_numbers_of_other_countries_are_not_valid() -> None:
    """No subscriber can have the number."""
    written = one("+48 22 345 67 89", "CODE", "phone")
    assert written.startswith("+4")
    assert not phonenumbers.is_valid_number(phonenumbers.parse(written, None))


@pytest.mark.parametrize(
    ("string", "type", "kind", "form"),
    [
        ("anna.berg7@hospital.no", "CODE", "email", r"[a-z]+\.[a-z]+\d@example\.(com|net|org)"),
        (
            "https://berg.no/anna",
            "CODE",
            "personal_url",
            r"https://example\.(com|net|org)/[a-z]{4}",
        ),
        ("192.168.3.4", "CODE", "ip", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+"),
        ("AA:BB:CC:DD:EE:FF", "CODE", "mac", r"00:00:5E:00:53:[0-9A-F]{2}"),
        ("LF-7730-x2", "CODE", "", r"[A-Z]{2}-\d{4}-[a-z]\d"),
        ("EUR 4,500", "QUANTITY", "", r"EUR \d,\d00"),
        ("95 %", "QUANTITY", "", r"\d\d %"),
        ("University of Ankara", "ORG", "", r"University of \w+"),
        ("Telenor ASA", "ORG", "", r"[\w-]+ ASA"),
        ("12 Baker Street", "LOC", "", r"\d\d [\w-]+ Street"),
        ("United Kingdom", "LOC", "", r"[A-Z].+"),
        ("Norwegian", "DEM", "", r"[A-Z][a-z]+"),
        ("Northern Ireland", "LOC", "", r"Northern [A-Z]\w+"),
        ("Borough of Southwark", "LOC", "", r"Borough of \w+"),
        ("1961", "DEM", "", r"19[56]\d"),
        ("QQ 12 34 56 C", "QUANTITY", "", r"[A-Z]{2} \d\d \d\d \d\d [A-Z]"),
        ("bus driver", "DEM", "", r"[a-z ]+"),
        ("ECHR", "ORG", "", r"[A-Z]{4}"),
    ],
)
def test_a_surrogate_has_the_form_of_the_original(
    string: str, type: str, kind: str, form: str
) -> None:
    """Common words and the layout stay, what names is another."""
    written = one(string, type, kind)
    assert re.fullmatch(form, written)
    assert fold_text(string) not in fold_text(written)


def test_what_can_not_be_made_up_is_a_tag() -> None:
    """Words without a name or a number have no fake of their kind."""
    assert one("the following day", "DATETIME") == "[DATETIME 1]"


def test_a_surrogate_is_no_other_word_of_the_document() -> None:
    """Every name that the lists would give is avoided where it stands in the text."""
    first = one("Anna Berg", "PERSON")
    document = Document("d", f"It says Anna Berg there, not {first}.")
    again = surrogates(document, entity("e1", mention(document, "Anna Berg")))[0]
    assert not set(first.split()) & set(again.split())


_WORDS = st.sampled_from(
    "Anna Berg Galip Yalman Bo Li Smith Jo Johnson Johnston May Петров 王明 García 12 4711 O'Neil "
    "the of Ltd Oslo Ankara 3 May 1994 1994-02-29 +44 a@b.no ' . - \u0301 \ud800 \x00".split(" ")
)


@settings(max_examples=200, deadline=None)
@given(words=st.lists(_WORDS, min_size=1, max_size=12), data=st.data())
def test_no_surrogate_leaks(words: list[str], data: st.DataObject) -> None:
    """Whatever is masked, no surrogate is or has its original or a masked name, and all is stable."""
    text = " ".join(words)
    starts = [0, *(found.end() for found in re.finditer(" ", text))]
    document = Document("d", text)
    items = []
    for number, start in enumerate(data.draw(st.lists(st.sampled_from(starts), max_size=6))):
        end = start + len(text[start:].split(" ")[0])
        if end == start:
            continue
        type = data.draw(st.sampled_from(list(SemanticType)))
        found = Mention(Span(start, end), type, 0.9, 0.0, "neural")
        items.append(Entity(f"e{number}", type, number + 1, (found,)))
    decided = list(map(decision, items))
    made = edits(document, decided, {"surrogate": Surrogate(KEY, document, decided)})
    names = {"anna", "berg", "galip", "yalman", "smith", "johnson", "johnston", "oslo", "ankara"}
    masked = {fold_text(edit.span.of(text)) for edit in made} & names
    for edit in made:
        original = fold_text(edit.span.of(text)).strip()
        assert fold_text(edit.text) != original
        if len(original) > 3 and not edit.text.startswith("["):
            assert original not in fold_text(edit.text)
        assert not masked & set(re.findall(r"\w+", fold_text(edit.text)))
    again = edits(document, decided, {"surrogate": Surrogate(KEY, document, decided)})
    assert made == again


_KINDS = ("", "email", "url", "phone", "iban", "card", "mac", "ip")
_SIGNS = st.characters() | st.sampled_from("0123456789 ,.-+@:/'AaİıſKMay١２²")


@settings(max_examples=200, deadline=None)
@given(
    text=st.text(_SIGNS, min_size=1, max_size=40),
    type=st.sampled_from(list(SemanticType)),
    kind=st.sampled_from(_KINDS),
)
def test_every_string_of_every_type_has_a_surrogate(
    text: str, type: SemanticType, kind: str
) -> None:
    """Whatever a detector takes for whatever, something else is written."""
    assume(not text.isspace() and not has_separator(text, Span(0, len(text))))
    document = Document("d", text)
    found = Mention(Span(0, len(text)), type, 0.9, 0.0, "pattern", kind)
    (written,) = surrogates(document, Entity("e1", type, 1, (found,)))
    assert written
    assert written != text


@pytest.mark.parametrize(
    "string", ["9" * 400, "9" * 5000, "3 Aprıl 1994", "ſix years", "7 MAYIS 1994"]
)
def test_hostile_numbers_and_months_are_written_too(string: str) -> None:
    """Numbers longer than any amount and letters that only look like others do no harm."""
    assert one(string, "DATETIME") != string


def test_a_surrogate_is_the_same_in_another_process() -> None:
    """Nothing depends on the order of sets or on the run."""
    code = (
        "from tests.rewrite.test_surrogate import AYSE, GALIP, PEOPLE, one, surrogates\n"
        "print(ascii([*surrogates(PEOPLE, GALIP, AYSE), one('Oslo', 'LOC'), one('1994', 'DATETIME')]))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_without_faker_the_extra_is_named() -> None:
    """A missing package is an error that says what to install."""
    code = (
        "import sys; sys.modules['faker'] = None\n"
        "from tacenda.rewrite.operators.surrogate.cultures import names\n"
        "names('en_GB', True)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'tacenda[surrogate]'" in run.stderr
