"""Surrogates: of the same kind, the same for the same, and never what stood there."""

from __future__ import annotations

import datetime as dt
import itertools
import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from stdnum import iban, luhn

from tacenda.document import (
    Decision,
    Document,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
    Span,
)
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.policy.schema import DateMoving
from tacenda.rewrite.edits import edits
from tacenda.rewrite.surrogate.dates import read_date
from tacenda.rewrite.surrogate.operator import Surrogate
from tacenda.text.normal_form import fold_text
from tacenda.text.passages import has_separator
from tests.building import entity, mention, reason
from tests.examples import MANY, for_each
from tests.keys import KEY as PASSPHRASE

KEY = b"k" * 32
_TAG = re.compile(r"\[[A-Z]+ 1\]")


def decision(item: Entity) -> Decision:
    """Return the decision to write a surrogate."""
    return Decision(item, True, "surrogate", IdentifierType.QUASI, 0.9, (reason(),))


def surrogates(
    document: Document,
    *items: Entity,
    key: bytes = KEY,
    moving: DateMoving = "jitter",
    text_language: str = "en",
) -> list[str]:
    """Return what is written, in order of the text."""
    decided = list(map(decision, items))
    operator = Surrogate(key, document, decided, moving, text_language=text_language)
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


def written(text: str, *strings: str) -> list[str]:
    """Return what becomes of strings that name one person."""
    document = Document("d", text)
    return surrogates(document, entity("e1", *(mention(document, string) for string in strings)))


def test_another_form_of_a_given_name_is_the_same_name() -> None:
    """Whoever is Robert and Bob has one fake name."""
    robert, bob = written("Robert Smith came. Bob Smith left.", "Robert Smith", "Bob Smith")
    assert robert == bob


def test_each_part_of_a_double_surname_has_its_own() -> None:
    """The whole is made of the parts, which stand alone or with initials elsewhere."""
    text = "Anna Smith-Jones came. A. Smith left. A. S. Jones wrote."
    whole, smith, jones = written(text, "Anna Smith-Jones", "A. Smith", "A. S. Jones")
    first, second = whole.split()[1].split("-")
    assert smith == f"{whole[0]}. {first}"
    assert jones == f"{whole[0]}. {first[0]}. {second}"


def test_a_user_name_is_made_of_the_fake_name() -> None:
    """As many names, initials and digits; the sign before it stays."""
    text = "Anna Keller wrote as akeller84 and @anna_k."
    name, handle, signed = written(text, "Anna Keller", "akeller84", "@anna_k")
    given, surname = fold_text(name).split()
    assert re.fullmatch(rf"{given[0]}{surname}[0-9]{{2}}", handle)
    assert signed == f"@{given}_{surname[0]}"


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
    from tacenda.rewrite.surrogate.cultures import gender_of

    women = [one(name, "PERSON").split()[-2] for name in ("Mrs X. Smith", "Emily Smith")]
    men = [one(name, "PERSON").split()[-2] for name in ("Mr Kim Smith", "George Smith")]
    assert gender_of(fold_text(women[1]), "en_GB") != "m"
    assert all(gender_of(fold_text(name), "en_GB") != "f" for name in men)
    assert re.fullmatch(r"[A-Z]\.", women[0])


def test_intervals_between_dates_stay_true() -> None:
    """Under shift all dates of a document move by one number, each in its own format."""
    document = Document(
        "d", "On Monday, 3 May 1993, 12.06.1993 and 1993-07-01, then May 4th, 1993."
    )
    strings = ["Monday, 3 May 1993", "12.06.1993", "1993-07-01", "May 4th, 1993"]
    items = [entity(f"e{n}", mention(document, s, "DATETIME")) for n, s in enumerate(strings)]
    named, dotted, iso, american = surrogates(document, *items, moving="shift")
    first = dt.datetime.strptime(named, "%A, %d %B %Y")
    assert first.strftime("%A") == named.split(",")[0]
    assert dt.datetime.strptime(dotted, "%d.%m.%Y") - first == dt.timedelta(days=40)
    assert dt.datetime.strptime(iso, "%Y-%m-%d") - first == dt.timedelta(days=59)
    plain = re.sub(r"(?<=\d)(st|nd|rd|th)", "", american)
    assert dt.datetime.strptime(plain, "%B %d, %Y") - first == dt.timedelta(days=1)
    assert first.year < 1993


@for_each(
    ("string", "form"),
    [
        ("1994", r"19[89]\d"),
        ("MARCH 1994", r"[A-Z]+ 19\d\d"),
        ("mars 1994", r"[a-zéû]+ 19\d\d"),
        ("3.5.1993", r"\d{1,2}\.\d{1,2}\.19\d\d"),
        ("25/12/2004", r"\d\d/\d\d/\d{4}"),
        ("the 3rd of May 1993", r"the \d{1,2}(st|nd|rd|th) of \w+ 19\d\d"),
        ("1993-05-03T14:30:00Z", r"19\d\d-\d\d-\d\dT\d\d:\d\d:00Z"),
        ("12 March 1994 at 2:30 pm", r"\d{1,2} \w+ 19\d\d at \d{1,2}:\d\d [ap]m"),
        ("5 March", r"\d{1,2} [A-Z]\w+"),
    ],
)
def test_a_date_keeps_its_format(string: str, form: str) -> None:
    """What is written is a date like the one before, and another."""
    written = one(string, "DATETIME")
    assert re.fullmatch(form, written)
    assert written != string


@for_each(
    "string",
    [
        "Monday, 12 March 2004",  # it was a Friday
        "Friday 12 March",  # of a year that isn't said
        "Friday March 2004",
        "12nd March 2004",
        "31/2/2004",
        "3/4/2004",  # of March or of April
        "12 March 1200",
        "12 March 2004 25:10",
        "12 March 2004, 13:10 pm",
    ],
)
def test_what_is_no_day_or_more_than_one_is_no_date(string: str) -> None:
    """A date that can't be read for certain is not moved."""
    assert read_date(string, None) is None


@for_each(
    ("string", "month_first", "expected"),
    [
        ("3/4/2004", True, dt.date(2004, 3, 4)),
        ("3/4/2004", False, dt.date(2004, 4, 3)),
        ("12/31/2004", None, dt.date(2004, 12, 31)),
        ("4/4/2004", None, dt.date(2004, 4, 4)),
        ("1/2/04", False, dt.date(2004, 2, 1)),
        ("1/2/74", False, dt.date(1974, 2, 1)),
    ],
)
def test_numbers_are_a_date_where_their_order_is_known(
    string: str, month_first: bool | None, expected: dt.date
) -> None:
    """By the text's other dates, by a number above twelve, or since both are equal."""
    date = read_date(string, month_first)
    assert date is not None
    assert date.date == expected


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


@for_each(
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


def test_a_telephone_number_of_a_country_without_such_a_range_is_a_tag() -> None:
    """Any other valid number may be somebody's."""
    assert one("+48 22 345 67 89", "CODE", "phone") == "[CODE 1]"


@pytest.mark.parametrize(
    ("number", "form"),
    [
        ("123-45-6789", r"9\d\d-[0-4]\d-\d{4}"),
        ("943 476 5919", r"999 \d{3} \d{4}"),
        ("AB 12 34 56 C", r"QQ \d\d \d\d \d\d C"),
        ("01010050027", r"\[CODE 1\]"),
    ],
)
def test_a_national_number_is_of_a_range_that_is_never_given_out(number: str, form: str) -> None:
    """Where the scheme has none, the tag is written."""
    assert re.fullmatch(form, one(number, "CODE", "national_id"))


@pytest.mark.parametrize(
    ("plate", "form"),
    [
        ("AB12 CDE", r"[JTUZ][A-Z]\d\d [A-Z]{3}"),
        ("B-XY 123E", r"Q-[A-Z]{1,2} \d{3}E"),
        ("MTK AB 77", r"QXX [A-Z]{2} \d\d"),
        ("12-ABC-3", r"\d\d-[A-Z]{3}-\d"),
    ],
)
def test_a_licence_plate_is_of_letters_that_are_never_issued(plate: str, form: str) -> None:
    """British and German plates are nobody's; others have the same form."""
    assert re.fullmatch(form, one(plate, "CODE", "licence_plate"))


@for_each(
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
        ("12 Baker Street", "LOC", "", r"\d\d [\w-]+ Street"),
        ("ul. Marszałkowska 12/4", "LOC", "street_address", r"ul\. [\w-]+ \d\d/\d"),
        ("Hauptstraße 5, 10115 Berlin", "LOC", "street_address", r"\w+straße \d, \d{5} \w+"),
        ("NW1 6XE", "LOC", "postcode", r"[A-Z]{2}\d \d[A-Z]{2}"),
        ("Drammen", "LOC", "", r"\w+"),
        ("1234567", "CODE", "", r"\d{7}"),
    ],
)
def test_a_surrogate_has_the_form_of_the_original(
    string: str, type: str, kind: str, form: str
) -> None:
    """Common words and the layout stay, what names is another."""
    written = one(string, type, kind)
    assert re.fullmatch(form, written)
    assert fold_text(string) not in fold_text(written)


_FACTS = {
    "PERSON": (
        "Propranolol 10 mg twice daily|Propranolol|Apixaban|Metoprolol Tartrate|Warfarin|Baker|Parkinson"
        "|Atrial Fibrillation|Lupus Erythematosus|120/80|HbA1c|Norway|heart attack|Data Protection Act"
        "|糖尿病|Сахарный диабет|Crohn's disease|Type 2 Diabetes|Whiplash|Judge Advocate|Eliquis Starter|Keytruda Opdivo"
    ),
    "DATETIME": (
        "03/04/2004|7698-80-36|31 June 1994|30.02.1993|Tuesday, 3 May 1993|14:30|aged 42|120/80|5 years"
        "|the 1990s|1994-95|9 and 10 May 1994|Tuesday|May|the following day|3rd May 0012|2nd of 3|1.5 mg"
        "|every 8 hours|25:10|3st May 1994|the summer of 1994"
    ),
    "CODE": (
        "no. 4027/05|ICD-10|10,000|E11.9|120/80|COVID-19|4111 1111 1111 1112|GB34 BUKB 2020 1555 5555 55"
        "|[2001] EWCA Civ 12|Article 6|§ 242|2001-III|B12 1000|MRN 12345"
    ),
    "LOC": (
        "Norway|United Kingdom|Texas|Georgia|Jordan|Kent|the Baltic Sea|Northern Ireland|Kurdistan"
        "|12 Baker Street, London, United Kingdom|Bjarkvik|Law|Give|Hospital|Coma|Parkinson"
    ),
    "ORG": "Telenor|University of Europe|ECHR|Paracetamol|Supreme Court",
    "DEM": "Norwegian|bus driver|1961|Kurdish|asthma|aged 42",
    "MISC": "European Convention on Human Rights|Data Protection Act 1998|English|10 mg",
    "QUANTITY": "10 mg|120/80 mmHg|twice daily|EUR 4,500|95 %|six months|1,000|QQ 12 34 56 C",
}


@for_each(
    ("type", "string"),
    [(type, string) for type, strings in _FACTS.items() for string in strings.split("|")],
)
def test_what_is_not_surely_a_persons_name_contact_number_home_or_date_is_a_tag(
    type: str, string: str
) -> None:
    """No fact becomes another fact, whatever type a recognizer took it for."""
    assert _TAG.fullmatch(one(string, type))


_DRUGS = st.sampled_from(
    "Propranolol Warfarin Apixaban Metformin Sertraline Ramipril Insulin".split()
)
_DOSES = st.builds(
    "{} {}{}".format,
    st.integers(1, 5000),
    st.sampled_from("mg µg mcg g ml IU units tablets mmol/l mmHg bpm %".split()),
    st.sampled_from(("", " twice daily", " every 8 hours", " for 14 days", " at night")),
)
_NUMBERS = st.builds("{}/{}".format, st.integers(1, 300), st.integers(1, 200)) | st.decimals(
    0, 9999, places=1
).map(str)
_LAWS = st.builds(
    "{} {} {}".format,
    st.sampled_from("Children Care Equality Mental Health Protection".split()),
    st.sampled_from("Act Regulations Code Directive Order".split()),
    st.integers(1800, 2030),
)
_COUNTRIES = st.sampled_from("Norway Turkey France Iraq Jordan Georgia Chad Texas Bavaria".split())


@MANY
@given(
    string=st.one_of(
        _DRUGS, _DOSES, st.builds("{} {}".format, _DRUGS, _DOSES), _NUMBERS, _LAWS, _COUNTRIES
    ),
    type=st.sampled_from(list(SemanticType)),
)
def test_facts_of_clinical_and_legal_texts_are_never_changed(string: str, type: str) -> None:
    """A dose, a drug, a measurement, a law, a country is masked by its tag under any type."""
    assert _TAG.fullmatch(one(string, type))


@for_each(
    ("before", "string", "after", "type"),
    [
        ("took ", "1994", " mg of it", "DATETIME"),
        ("paid £", "1994", " for it", "DATETIME"),
        ("the Mental Health Act ", "1983", " says", "DATETIME"),
        ("the ", "1983", " Act says", "DATETIME"),
        ("Law of ", "6 June 1990", ", which", "DATETIME"),
        ("Directive ", "20001", " says", "CODE"),
        ("on 25 ", "October 1983", " then", "DATETIME"),
        ("on 25 October ", "1983", " then", "DATETIME"),
        ("on ", "25 October", " 1983 then", "DATETIME"),
        ("a dose of ", "50000", " IU", "CODE"),
        ("was 12.", "1994", " then", "DATETIME"),
        ("was ", "1994", ".5 then", "DATETIME"),
    ],
)
def test_what_stands_around_a_number_may_say_that_it_is_no_date(
    before: str, string: str, after: str, type: str
) -> None:
    """What is cut out of a longer number, has a unit, or dates or numbers a law takes the tag."""
    document = Document("d", f"{before}{string}{after}")
    (written,) = surrogates(document, entity("e1", mention(document, string, type)))
    assert _TAG.fullmatch(written)


def test_one_certain_form_of_a_name_is_enough_for_all() -> None:
    """A surname that is a word too is a name where the person has a title elsewhere."""
    document = Document("d", "Mr Baker left. Baker came.")
    baker = entity("e1", mention(document, "Mr Baker"), mention(document, "Baker", nth=1))
    titled, alone = surrogates(document, baker)
    assert titled == f"Mr {alone}"


@pytest.mark.parametrize(
    "name",
    [
        "Mr Weir",
        "Mr L.-E. Pettiti",
        "Mrs Nina Holst‑Christensen",
        "Judge Elliott",
        "D'Angelo Smith",
    ],
)
def test_names_with_initials_hyphens_and_apostrophes_are_names(name: str) -> None:
    """However they are joined."""
    assert not one(name, "PERSON").startswith("[")


_FORMATS = (
    "%Y-%m-%d", "%d.%m.%Y", "%Y/%m/%d", "%d %B %Y", "%B %d, %Y", "%A, %d %B %Y", "%B %Y", "%Y",
    "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M:%S",
)  # fmt: skip
_MOVINGS = st.sampled_from(("shift", "jitter"))


@MANY
@given(
    date=st.datetimes(dt.datetime(1600, 1, 1), dt.datetime(2100, 12, 31)),
    format=st.sampled_from(_FORMATS),
    moving=_MOVINGS,
    key=st.binary(min_size=16, max_size=16),
)
def test_a_date_becomes_a_date_of_the_same_format_or_a_tag(
    date: dt.datetime, format: str, moving: str, key: bytes
) -> None:
    """What is written is read by the same format, is plausible, and the same under the same key."""
    string = date.strftime(format)
    (written,) = moved([string], moving, key)
    assert moved([string], moving, key) == [written]
    if not _TAG.fullmatch(written):
        assert 1600 <= dt.datetime.strptime(written, format).year <= 2100
        again = dt.datetime.strptime(written, format).strftime(format)
        assert re.sub(r"\b0", "", again) == re.sub(r"\b0", "", written)


_SIGNS_OF_DATES = st.text(
    st.sampled_from("0123456789 -./:,T") | st.sampled_from("MayJunest of2004"),
    min_size=1,
    max_size=16,
)


@MANY
@given(string=_SIGNS_OF_DATES, moving=_MOVINGS)
def test_whatever_is_taken_for_a_date_becomes_a_date_or_a_tag(string: str, moving: str) -> None:
    """What is written where a date was found is the tag, or is read as a date again."""
    (written,) = moved([string], moving)
    assert (
        _TAG.fullmatch(written)
        or read_date(written.strip(), True)
        or read_date(written.strip(), False)
    )


def moved(strings: list[str], moving: DateMoving, key: bytes = KEY) -> list[str]:
    """Return what becomes of dates that stand one a line."""
    document = Document("d", "\n".join(f"It was {string} then" for string in strings))
    items, position = [], 0
    for number, string in enumerate(strings, start=1):
        start = document.text.index(string, position + len("It was "))
        found = Mention(
            Span(start, start + len(string)), SemanticType.DATETIME, 0.9, 0.0, MentionSource.NEURAL
        )
        items.append(Entity(f"e{number}", SemanticType.DATETIME, number, (found,)))
        position = start + len(string) + len(" then\n")
    decided = list(map(decision, items))
    operator = Surrogate(key, document, decided, moving)
    return [operator.write(document, item.entity, item.entity.mentions[0].span) for item in decided]


@given(
    days=st.lists(st.dates(dt.date(1900, 1, 1), dt.date(2025, 1, 1)), min_size=2, max_size=12),
    grains=st.data(),
    key=st.binary(min_size=16, max_size=16),
)
def test_jitter_keeps_the_order_of_dates(
    days: list[dt.date], grains: st.DataObject, key: bytes
) -> None:
    """Equal dates stay equal; of one format the earlier stays earlier; others never change places."""
    kinds = ("%Y-%m-%d", "%B %Y", "%Y")
    formats = [grains.draw(st.sampled_from(kinds)) for _ in days]
    strings = [day.strftime(format) for day, format in zip(days, formats, strict=True)]
    written = moved(strings, "jitter", key)
    assert moved(strings, "jitter", key) == written
    before = [dt.datetime.strptime(*pair) for pair in zip(strings, formats, strict=True)]
    after = [dt.datetime.strptime(*pair) for pair in zip(written, formats, strict=True)]
    for one, other in itertools.combinations(range(len(days)), 2):
        if formats[one] == formats[other]:
            assert (before[one] < before[other]) == (after[one] < after[other])
            assert (before[one] == before[other]) == (after[one] == after[other])
        else:
            length = 3 - max(kinds.index(formats[one]), kinds.index(formats[other]))
            first, second = before[one].timetuple()[:length], before[other].timetuple()[:length]
            if first < second:
                assert after[one].timetuple()[:length] <= after[other].timetuple()[:length]


def test_jitter_does_not_keep_the_days_between_dates() -> None:
    """Under shift all differences stay, under jitter hardly any does."""
    strings = ["1993-05-03", "1995-01-20", "1999-12-31", "2004-02-29", "2011-08-08"]
    differences = []
    for moving in ("shift", "jitter"):
        dates = [dt.date.fromisoformat(string) for string in (*moved(strings, moving), *strings)]
        gaps = [(later - earlier).days for earlier, later in itertools.pairwise(dates)]
        differences.append(sum(a == b for a, b in zip(gaps[:4], gaps[5:], strict=True)))
    assert differences[0] == 4
    assert differences[1] <= 1


@pytest.mark.parametrize(("moving", "sentences"), [("shift", 1), ("jitter", 0)])
def test_whoever_moves_dates_by_one_number_is_told(moving: str, sentences: int) -> None:
    """The warning stands in the result and in its explanation, and names the way out."""
    policy = Policy(
        recognizer=False, threshold=0.01, operator="surrogate", key_env="KEY", dates=moving
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KEY", PASSPHRASE)
        result = load(policy).sanitize("Born on 3 May 1993, treated on 7 June 2004.")
    assert len(result.warnings) == sentences
    assert all(word in result.explain() for word in ["2 dates", "dates: shift"] * sentences)


def test_times_move_within_their_day() -> None:
    """The order of times of one day stays, and none goes on to the next day."""
    strings = ["2001-05-03 08:10", "2001-05-03 23:50", "2001-05-04 00:20"]
    days, times = zip(*(written.split() for written in moved(strings, "shift")), strict=True)
    assert days[0] == days[1] < days[2]
    assert times[0] < times[1]
    assert times != tuple(string.split()[1] for string in strings)


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


@MANY
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
        found = Mention(Span(start, end), type, 0.9, 0.0, MentionSource.NEURAL)
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


@MANY
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
    found = Mention(Span(0, len(text)), type, 0.9, 0.0, MentionSource.PATTERN, kind)
    (written,) = surrogates(document, Entity("e1", type, 1, (found,)))
    assert written
    assert written != text


@for_each(
    "string", ["9" * 400, "9" * 5000, "3 Aprıl 1994", "ſix years", "7 MAYIS 1994", "１９９４"]
)
def test_hostile_numbers_and_months_do_no_harm(string: str) -> None:
    """Numbers longer than any amount and letters that only look like others."""
    assert one(string, "DATETIME") != string
