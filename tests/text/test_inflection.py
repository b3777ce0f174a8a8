"""Names of people in their cases: what a form goes back to, and what a name is in a case."""

from __future__ import annotations

from tacenda.text.inflection import Inflections, declined
from tacenda.text.normal_form import fold_text
from tests.examples import for_each

CASES = "genitive dative accusative instrumental locative vocative".split()
MEN = """
Jan Jana Janowi Jana Janem Janie Janie
Adam Adama Adamowi Adama Adamem Adamie Adamie
Paweł Pawła Pawłowi Pawła Pawłem Pawle Pawle
Michał Michała Michałowi Michała Michałem Michale Michale
Marek Marka Markowi Marka Markiem Marku Marku
Jacek Jacka Jackowi Jacka Jackiem Jacku Jacku
Piotr Piotra Piotrowi Piotra Piotrem Piotrze Piotrze
Wojciech Wojciecha Wojciechowi Wojciecha Wojciechem Wojciechu Wojciechu
Krzysztof Krzysztofa Krzysztofowi Krzysztofa Krzysztofem Krzysztofie Krzysztofie
Tadeusz Tadeusza Tadeuszowi Tadeusza Tadeuszem Tadeuszu Tadeuszu
Aleksander Aleksandra Aleksandrowi Aleksandra Aleksandrem Aleksandrze Aleksandrze
Maciej Macieja Maciejowi Macieja Maciejem Macieju Macieju
Antoni Antoniego Antoniemu Antoniego Antonim Antonim Antoni
Jerzy Jerzego Jerzemu Jerzego Jerzym Jerzym Jerzy
Kowalski Kowalskiego Kowalskiemu Kowalskiego Kowalskim Kowalskim Kowalski
Sawicki Sawickiego Sawickiemu Sawickiego Sawickim Sawickim Sawicki
Nowak Nowaka Nowakowi Nowaka Nowakiem Nowaku Nowaku
Dudek Dudka Dudkowi Dudka Dudkiem Dudku Dudku
Wójcik Wójcika Wójcikowi Wójcika Wójcikiem Wójciku Wójciku
Kowalczyk Kowalczyka Kowalczykowi Kowalczyka Kowalczykiem Kowalczyku Kowalczyku
Mazur Mazura Mazurowi Mazura Mazurem Mazurze Mazurze
Kaczmarek Kaczmarka Kaczmarkowi Kaczmarka Kaczmarkiem Kaczmarku Kaczmarku
Kwiecień Kwietnia Kwietniowi Kwietnia Kwietniem Kwietniu Kwietniu
Kubiec Kubca Kubcowi Kubca Kubcem Kubcu Kubcu
Zaręba Zaręby Zarębie Zarębę Zarębą Zarębie Zarębo
Sikora Sikory Sikorze Sikorę Sikorą Sikorze Sikoro
Kościuszko Kościuszki Kościuszce Kościuszkę Kościuszką Kościuszce Kościuszko
"""
WOMEN = """
Anna Anny Annie Annę Anną Annie Anno
Ewa Ewy Ewie Ewę Ewą Ewie Ewo
Maria Marii Marii Marię Marią Marii Mario
Zofia Zofii Zofii Zofię Zofią Zofii Zofio
Patrycja Patrycji Patrycji Patrycję Patrycją Patrycji Patrycjo
Kasia Kasi Kasi Kasię Kasią Kasi Kasiu
Hania Hani Hani Hanię Hanią Hani Haniu
Kinga Kingi Kindze Kingę Kingą Kindze Kingo
Agnieszka Agnieszki Agnieszce Agnieszkę Agnieszką Agnieszce Agnieszko
Dorota Dorocie Dorocie Dorotę Dorotą Dorocie Doroto
Barbara Barbary Barbarze Barbarę Barbarą Barbarze Barbaro
Kowalska Kowalskiej Kowalskiej Kowalską Kowalską Kowalskiej Kowalska
Wiśniewska Wiśniewskiej Wiśniewskiej Wiśniewską Wiśniewską Wiśniewskiej Wiśniewska
Zaręba Zaręby Zarębie Zarębę Zarębą Zarębie Zarębo
Sowa Sowy Sowie Sowę Sową Sowie Sowo
Nowak Nowak Nowak Nowak Nowak Nowak Nowak
""".replace("Dorocie Dorocie", "Doroty Dorocie")
TABLE = [(gender, row.split()) for gender, rows in (("m", MEN), ("f", WOMEN)) for row in rows.split("\n") if row]  # fmt: skip


def nominative(form: str, *others: str, language: str = "pl") -> str:
    """Return what a form in a text with other names goes back to, folded; itself if nothing."""
    inflected = Inflections([form, *others], language).get(form)
    return " ".join(inflected.words) if inflected else fold_text(form)


@for_each(("gender", "row"), TABLE)
def test_a_polish_name_is_declined(gender: str, row: list[str]) -> None:
    """As a grammar says; what a woman is called after a consonant has one form."""
    name, *forms = row
    assert [declined(name, gender, case, "pl") for case in CASES] == forms


@for_each(("gender", "row"), TABLE)
def test_a_form_goes_back_to_the_name_beside_it(gender: str, row: list[str]) -> None:
    """Alone and with a title, with and without the letters that a keyboard lacks."""
    name, *forms = row
    titles = {"m": "pana panu pana panem panu panie", "f": "pani pani panią panią pani pani"}
    for title, form in zip(titles[gender].split(), forms, strict=True):
        if form != "Aleksandra":  # a woman
            assert nominative(form, name) == fold_text(name)
        whole = nominative(f"{title} {form}", name)
        assert whole.split()[-1] == fold_text(name)
        if not form.endswith("ą") and form != "Aleksandra":
            assert nominative(fold_text(form).title(), name) == fold_text(name)


@for_each(
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
        ("Mietkowi", "", "mietek"),
        ("pani Jadwigo", "", "pani jadwiga"),
        # Another name that looks like a form.
        ("Kamila", "Kamil Mazur", "kamila"),
        ("Dudka", "Jan Dudek,Marta Dudka", "dudka"),
        ("Marta Dudka", "Jan Dudek", "marta dudka"),
        ("Mario", "", "mario"),
        ("Kowalska", "Kowalskiego", "kowalska"),
        ("Jan Kowalski", "Anna Kowalska", "jan kowalski"),
        ("Jan Mazura", "Mazur", "jan mazura"),
        ("Mieszko Kowalski", "Mieszką,Kowalskim", "mieszko kowalski"),
        ("Ignacy Wójcik", "Wójcikiem", "ignacy wojcik"),
        ("Wandzie", "Wanda", "wanda"),
        ("Wanda", "Wandzie", "wanda"),
        ("Nowaka", "Kowal", "nowaka"),
    ],
)
def test_a_form_that_may_be_a_name_is_one(form: str, others: str, expected: str) -> None:
    """Something in the text, or in the form, has to tell the case."""
    assert nominative(form, *filter(None, others.split(","))) == expected


@for_each("language", ["de", "sv", "no", "da"])
@for_each(
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


@for_each(
    ("name", "family", "of_family"),
    [
        ("Kowalski", "Kowalscy", "Kowalskich"),
        ("Sawicki", "Sawiccy", "Sawickich"),
        ("Nowak", "Nowakowie", "Nowaków"),
        ("Zaręba", "Zarębowie", "Zarębów"),
        ("Dudek", "Dudkowie", "Dudków"),
        ("Kościuszko", "Kościuszkowie", "Kościuszków"),
    ],
)
def test_a_polish_family_has_the_plural_of_its_name(name: str, family: str, of_family: str) -> None:
    """It is told by its ending, and goes back to the name beside it."""
    assert [declined(name, "", case, "pl") for case in ("plural", "plural-genitive")] == [family, of_family]  # fmt: skip
    inflected = Inflections([family, name], "pl").get(family)
    assert inflected is not None
    assert (inflected.words, inflected.case) == ((fold_text(name),), "plural")


@for_each(
    ("form", "expected"),
    [("Annas", "anna"), ("Axels", "axel"), ("Jonas", "jonas"), ("Lars", "lars")],
)
@for_each("language", ["de", "nl", "sv", "no", "da"])
def test_the_genitive_of_a_known_given_name_needs_no_other_form(
    form: str, expected: str, language: str
) -> None:
    """A given name that ends in s is no genitive."""
    assert nominative(form, language=language) == expected
