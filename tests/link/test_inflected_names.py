"""One person in every case of a name, and two people whose names look like cases of one."""

from __future__ import annotations

import pytest

from tacenda.document import Document
from tacenda.link.linking import link
from tacenda.rewrite.surrogate.cultures import options
from tacenda.text.inflection import declined
from tacenda.text.normal_form import fold_text
from tests.text.test_inflection import CASES, TABLE

from .conftest import Mark

SENTENCES = {
    "pl": "Wczoraj w poradni byli {names}, a po wizycie lekarz napisał do nich list o dalszym leczeniu.",
    "de": "Gestern waren {names} in der Praxis, und nach dem Termin hat der Arzt ihnen einen Brief geschrieben.",
    "sv": "I går var {names} på mottagningen, och efter besöket skrev läkaren ett brev till dem om det.",
    "no": "I går var {names} på legekontoret, og etter timen skrev legen et brev til dem om det.",
    "da": "I går var {names} hos lægen, og efter besøget skrev lægen et brev til dem om det hele.",
}


def people(mark: Mark, names: str, language: str = "pl") -> list[list[str]]:
    """Return the names of each person in a sentence of a language."""
    text = SENTENCES[language].format(names=names)
    mentions = mark(text, *((name, "PERSON") for name in names.split("; ")))
    entities = link(Document("d", text), mentions)
    return [[mention.span.of(text) for mention in entity.mentions] for entity in entities]


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("pl", "Piotr Zaręba; Zarębą; Zaręby; Piotrowi Zarębie; Piotra"),
        ("pl", "Zaręba; Zarębą; Zaręby"),
        ("pl", "pan Adam Kowalczyk; pana Kowalczyka; panu Kowalczykowi; A. Kowalczykiem"),
        ("pl", "Anna Kowalska; panią Anną Kowalską; Kowalskiej; Anny"),
        ("pl", "Kinga Nowak; Kingę Nowak; Kindze"),
        ("pl", "Ewa Sowa-Kowalska; Ewie Sowie-Kowalskiej"),
        ("de", "Anna Berg; Annas; Bergs; Anna Bergs"),
        ("de", "Frau Berg; Frau Bergs"),
        ("sv", "Karin Lund; Karins; Lunds"),
        ("no", "Kari Lund; Karis; Kari Lunds"),
        ("da", "Mette Holm; Mettes; Holms"),
    ],
)
def test_one_person_in_every_case(mark: Mark, language: str, names: str) -> None:
    """Whichever case of a name stands somewhere, it is its bearer."""
    assert people(mark, names, language) == [names.split("; ")]


def test_the_stated_language_of_a_list_of_names_decides(mark: Mark) -> None:
    """Too few words to guess by: only who states Polish has one person here."""
    text = "Zaręba, Zaręby"
    mentions = mark(text, ("Zaręba", "PERSON"), ("Zaręby", "PERSON"))
    counts = [len(link(Document("d", text, language=code), mentions)) for code in ("pl", "en")]
    assert counts == [1, 2]


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("pl", "Jan Kowalski; Anna Kowalska; Kowalskiej"),
        ("pl", "Kamil Mazur; Kamila"),
        ("pl", "Jan Dudek; Marta Dudka; Dudkę"),
        ("pl", "Jan Nowak; Maria Nowakowska; Nowakowskiej"),
        ("de", "Ute Peter; Hans Peters; Peters"),
        ("de", "Jona Weber; Jonas"),
        ("sv", "Lar Ek; Lars"),
        ("no", "Kari Lund; Liv Lunds; Lunds"),
    ],
)
def test_two_people_of_names_like_cases_of_one(mark: Mark, language: str, names: str) -> None:
    """What somebody is called in the nominative is no case of another name."""
    first, *others = names.split("; ")
    assert people(mark, names, language) == [[first], others]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("gender", ["m", "f"])
def test_families_of_similar_surnames_stay_apart(mark: Mark, gender: str, case: str) -> None:
    """Jan Nowak and Maria Nowaka are two, whatever the surname and the case that the other has."""
    surnames = [row[0] for sex, row in TABLE if sex == gender][8:]
    surnames += options("pl_PL", True, gender, True)[:60]
    for surname in dict.fromkeys(surnames):
        other = declined(surname, gender, case, "pl")
        if fold_text(other) != fold_text(surname):
            names = f"{'Jan' if gender == 'm' else 'Ewa'} {surname}; {'Maria' if gender == 'm' else 'Piotr'} {other}"
            assert people(mark, names) == [[name] for name in names.split("; ")]


@pytest.mark.parametrize("language", ["de", "sv", "no", "da"])
def test_families_with_and_without_s_stay_apart(mark: Mark, language: str) -> None:
    """Ute Peter, Hans Peters and Peters, who is he."""
    culture = {"de": "de_DE", "sv": "sv_SE", "no": "no_NO", "da": "da_DK"}[language]
    surnames = [name for name in options(culture, True, "m", True) if name[-1] not in "sxzß"]
    for surname in surnames[:60]:
        names = f"Ute {surname}; Hans {surname}s; {surname}s"
        assert people(mark, names, language) == [[names.split("; ")[0]], names.split("; ")[1:]]


def test_every_case_of_a_polish_name_is_its_bearer(mark: Mark) -> None:
    """Of a name of the lists, beside somebody of another name."""
    given_names, surnames = (options("pl_PL", True, "m", last)[:40] for last in (False, True))
    for given_name, surname in zip(given_names, surnames, strict=True):
        forms = [declined(surname, "m", case, "pl") for case in CASES]
        names = f"{given_name} {surname}; Irena Ziobro; {'; '.join(dict.fromkeys(forms))}"
        assert people(mark, names)[0] == [names.split("; ")[0], *dict.fromkeys(forms)]
