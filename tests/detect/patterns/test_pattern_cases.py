"""Numbers of applications and cases, and what only looks like them."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("an application (no. 4027/05) against", ["4027/05"]),
        ("applications nos. 12345/98 and 12346/98", ["12345/98", "12346/98"]),
        ("applications (nos. 1/02, 23/04 and 345/05)", ["1/02", "23/04", "345/05"]),
        ("see 41267/98, § 30", ["41267/98"]),
        ("application no. ４０２７/０５", ["４０２７/０５"]),
    ],
)
def test_application_numbers_are_found_with_or_without_their_word(find, text, numbers):
    """A list is read to its end; the word and its ``no.`` stay outside."""
    assert find(text) == [("application_number", number) for number in numbers]


@pytest.mark.parametrize(
    "number",
    ["II C 123/99", "III SA/Wa 12/04", "1 BvR 2378/98", "1:20-cv-01234", "C-131/12", "T-12/03 P",
     "[2001] EWCA Civ 12", "ECLI:EU:C:2014:317"],
)  # fmt: skip
def test_court_files_with_a_form_of_their_own_are_found_alone(find, number):
    """Poland, Germany, the United States, the European Union, the United Kingdom."""
    assert find(f"judgment in {number}, held") == [("case_number", number)]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("case no. 2-1234/2005", "2-1234/2005"),
        ("(file no. 2006/2199)", "2006/2199"),
        ("docket number 123-A", "123-A"),
        ("(no. 2006/2199)", "2006/2199"),
    ],
)
def test_case_numbers_are_found_after_their_word(find, text, number):
    """Or after a bare ``no.`` where they have a slash."""
    assert find(text) == [("case_number", number)]


def test_blood_pressure_is_no_case_number(find):
    """It is a measure, whatever court files look like."""
    assert find("BP 132/88, later BP 110/70") == []
    assert find("held in BP 132/08", "case_number") == []
    assert find("held in KP 132/08", "case_number") == [("case_number", "KP 132/08")]


def test_the_month_of_an_illness_is_no_case_number(find):
    """Letters of an illness or an operation before a month; before another number they may be of a court."""
    assert find("DVT 3/24, PE 11/23, TKR 06/19", "case_number") == []
    assert find("held in PE 13/23", "case_number") == [("case_number", "PE 13/23")]


@pytest.mark.parametrize(
    "text",
    ["Article 34 of", "Rule 59 § 3", "Law no. 2935", "Act of 1994", "section 6", "Protocol No. 11",
     "Resolution 1994/5", "Directive 95/46/EC", "Law no. 49/2003", "Decree no. 4126/95", "1994/95",
     "page 365/2", "Judgment no. 1", "Regulation (EC) No 44/2001"],
)  # fmt: skip
def test_numbers_of_laws_and_their_parts_are_no_case_numbers(find, text):
    """What everybody is subject to identifies nobody."""
    assert find(text, "application_number", "case_number", "register_number") == []


def test_entries_of_registers_are_a_kind_of_their_own(find):
    """Plots of land name their owner to whoever can read the register."""
    assert find("plot nos. 260, 268 and 119/5") == [
        ("register_number", "260"),
        ("register_number", "268"),
        ("register_number", "119/5"),
    ]


@pytest.mark.parametrize(
    "text",
    ["Donoghue v Stevenson [1932] AC 562", "R v Brown [1994] 1 AC 212", "Re A [2001] 2 WLR 480", "Re B [1999] 1 Fam 10", "Re S [2019] EWFC 33 at [14]",
     "[2021] EWHC 412 (Admin), para 3", "[1990] 2 All ER 118"],
)  # fmt: skip
def test_law_reports_and_quoted_judgments_are_no_case_numbers(find, text):
    """They are law; a judgment that is only named may be the one of the text."""
    assert find(text, "case_number") == []
    assert find("in [2021] EWHC 412 (Admin), held", "case_number") == [
        ("case_number", "[2021] EWHC 412")
    ]
