"""Names of people in their cases: what a form goes back to, and what a name is in a case."""

from __future__ import annotations

import pytest

from tacenda.text.inflection import Inflections, declined
from tacenda.text.normal_form import fold_text

CASES = "genitive dative accusative instrumental locative".split()
MEN = """
Jan Jana Janowi Jana Janem Janie
Adam Adama Adamowi Adama Adamem Adamie
Paweł Pawła Pawłowi Pawła Pawłem Pawle
Michał Michała Michałowi Michała Michałem Michale
Marek Marka Markowi Marka Markiem Marku
Jacek Jacka Jackowi Jacka Jackiem Jacku
Piotr Piotra Piotrowi Piotra Piotrem Piotrze
Wojciech Wojciecha Wojciechowi Wojciecha Wojciechem Wojciechu
Krzysztof Krzysztofa Krzysztofowi Krzysztofa Krzysztofem Krzysztofie
Tadeusz Tadeusza Tadeuszowi Tadeusza Tadeuszem Tadeuszu
Aleksander Aleksandra Aleksandrowi Aleksandra Aleksandrem Aleksandrze
Maciej Macieja Maciejowi Macieja Maciejem Macieju
Antoni Antoniego Antoniemu Antoniego Antonim Antonim
Jerzy Jerzego Jerzemu Jerzego Jerzym Jerzym
Kowalski Kowalskiego Kowalskiemu Kowalskiego Kowalskim Kowalskim
Sawicki Sawickiego Sawickiemu Sawickiego Sawickim Sawickim
Nowak Nowaka Nowakowi Nowaka Nowakiem Nowaku
Dudek Dudka Dudkowi Dudka Dudkiem Dudku
Wójcik Wójcika Wójcikowi Wójcika Wójcikiem Wójciku
Kowalczyk Kowalczyka Kowalczykowi Kowalczyka Kowalczykiem Kowalczyku
Mazur Mazura Mazurowi Mazura Mazurem Mazurze
Kaczmarek Kaczmarka Kaczmarkowi Kaczmarka Kaczmarkiem Kaczmarku
Kwiecień Kwietnia Kwietniowi Kwietnia Kwietniem Kwietniu
Kubiec Kubca Kubcowi Kubca Kubcem Kubcu
Zaręba Zaręby Zarębie Zarębę Zarębą Zarębie
Sikora Sikory Sikorze Sikorę Sikorą Sikorze
Kościuszko Kościuszki Kościuszce Kościuszkę Kościuszką Kościuszce
"""
WOMEN = """
Anna Anny Annie Annę Anną Annie
Ewa Ewy Ewie Ewę Ewą Ewie
Maria Marii Marii Marię Marią Marii
Zofia Zofii Zofii Zofię Zofią Zofii
Patrycja Patrycji Patrycji Patrycję Patrycją Patrycji
Kasia Kasi Kasi Kasię Kasią Kasi
Hania Hani Hani Hanię Hanią Hani
Kinga Kingi Kindze Kingę Kingą Kindze
Agnieszka Agnieszki Agnieszce Agnieszkę Agnieszką Agnieszce
Dorota Dorocie Dorocie Dorotę Dorotą Dorocie
Barbara Barbary Barbarze Barbarę Barbarą Barbarze
Kowalska Kowalskiej Kowalskiej Kowalską Kowalską Kowalskiej
Wiśniewska Wiśniewskiej Wiśniewskiej Wiśniewską Wiśniewską Wiśniewskiej
Zaręba Zaręby Zarębie Zarębę Zarębą Zarębie
Sowa Sowy Sowie Sowę Sową Sowie
Nowak Nowak Nowak Nowak Nowak Nowak
""".replace("Dorocie Dorocie", "Doroty Dorocie")
TABLE = [(gender, row.split()) for gender, rows in (("m", MEN), ("f", WOMEN)) for row in rows.split("\n") if row]  # fmt: skip


def nominative(form: str, *others: str, language: str = "pl") -> str:
    """Return what a form in a text with other names goes back to, folded; itself if nothing."""
    inflected = Inflections([form, *others], language).get(form)
    return " ".join(inflected.words) if inflected else fold_text(form)


@pytest.mark.parametrize(("gender", "row"), TABLE, ids=lambda item: item[0])
def test_a_polish_name_is_declined(gender: str, row: list[str]) -> None:
    """As a grammar says; what a woman is called after a consonant has one form."""
    name, *forms = row
    assert [declined(name, gender, case, "pl") for case in CASES] == forms


@pytest.mark.parametrize(("gender", "row"), TABLE, ids=lambda item: item[0])
def test_a_form_goes_back_to_the_name_beside_it(gender: str, row: list[str]) -> None:
    """Alone and with a title, with and without the letters that a keyboard lacks."""
    name, *forms = row
    titles = {"m": "pana panu pana panem panu", "f": "pani pani panią panią pani"}
    for title, form in zip(titles[gender].split(), forms, strict=True):
        if form != "Aleksandra":  # a woman
            assert nominative(form, name) == fold_text(name)
        whole = nominative(f"{title} {form}", name)
        assert whole.split()[-1] == fold_text(name)
        if not form.endswith("ą") and form != "Aleksandra":
            assert nominative(fold_text(form).title(), name) == fold_text(name)


@pytest.mark.parametrize(
    ("form", "others", "expected"),
    [
        ("Kowalskim", "", "kowalski"),
        ("Adama Kowalczyka", "", "adam kowalczyk"),
        ("Kingą Gołąb", "", "kinga golab"),
        ("dr Nowaka", "Jan Nowak", "dr nowak"),
        ("Anny Kowalskiej-Nowak", "", "anna kowalska-nowak"),
        ("Kowalskiej-Nowak", "", "kowalska-nowak"),
        ("Nowakowi", "Nowaka", "nowak"),
        ("J. Nowaka", "Jan Nowak", "j nowak"),
        # Another name that looks like a form.
        ("Kamila", "Kamil Mazur", "kamila"),
        ("Dudka", "Jan Dudek,Marta Dudka", "dudka"),
        ("Marta Dudka", "Jan Dudek", "marta dudka"),
        ("Kowalska", "Kowalskiego", "kowalska"),
        ("Jan Kowalski", "Anna Kowalska", "jan kowalski"),
        ("Jan Mazura", "Mazur", "jan mazura"),
        ("Wandzie", "Wanda", "wanda"),
        ("Wanda", "Wandzie", "wanda"),
        ("Nowaka", "Kowal", "nowaka"),
    ],
)
def test_a_form_that_may_be_a_name_is_one(form: str, others: str, expected: str) -> None:
    """Something in the text, or in the form, has to tell the case."""
    assert nominative(form, *filter(None, others.split(","))) == expected


@pytest.mark.parametrize("language", ["de", "sv", "no", "da"])
@pytest.mark.parametrize(
    ("form", "others", "expected"),
    [
        ("Bergs", "Anna Berg", "berg"),
        ("Annas", "Anna Berg", "anna"),
        ("Anna Bergs", "Anna Berg", "anna berg"),
        ("Anna Bergs", "Jonas Berg", "anna bergs"),
        ("Hans Peters", "Ute Peter", "hans peters"),
        ("Peters", "Ute Peter,Hans Peters", "peters"),
        ("Peters", "Ute Peter", "peter"),
        ("Jonas", "Jona Weber", "jonas"),
        ("Hans", "Han Li", "hans"),
    ],
)
def test_a_genitive_in_s_needs_its_nominative(
    language: str, form: str, others: str, expected: str
) -> None:
    """A name in s of somebody, or a given name, is no genitive."""
    assert nominative(form, *others.split(","), language=language) == expected


def test_names_have_no_cases_in_other_languages() -> None:
    """An English text has Martin and Martina."""
    assert nominative("Kowalskiego", "Kowalski", language="en") == "kowalskiego"
    assert declined("Anna", "f", "genitive", "en") == "Anna"
