"""The three tests of WP216: what is inferred, who is singled out, what is linked."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tacenda.document import Document
from tacenda.reidentify.criteria import (
    Attribute,
    ReleaseCase,
    evaluate_release,
    read_values,
    true_values,
)
from tacenda.reidentify.criteria.classifier import AttributeClassifier
from tacenda.reidentify.criteria.closure import infer
from tacenda.reidentify.criteria.inference import infer_attributes, risk, strangers
from tacenda.reidentify.criteria.linkability import link_documents
from tacenda.reidentify.criteria.person_file import lowest_similarity, person_file_risk
from tacenda.reidentify.criteria.singling_out import Population, single_out
from tacenda.reidentify.criteria.values import agree, conditions, country_of, regions
from tacenda.reidentify.rates import rate
from tests.examples import for_each
from tests.reidentify.village import ABOUT_ANNA, store

SEX, AGE, BIRTH, COUNTRY, PLACE, WORK, TIE, HEALTH, EDUCATION = Attribute


@for_each(
    ("text", "attribute", "value"),
    [
        ("She was seen today. Her knee is better.", SEX, "female"),
        ("*** asked for leave. He moved, and his brother with him.", SEX, "male"),
        ("I asked my husband to drive.", SEX, "female"),
        ("AITA? I (38M) charge rent.", SEX, "male"),
        ("AITA? I (38M) charge rent.", AGE, "35-44"),
        ("Mrs *** came alone.", SEX, "female"),
        ("The applicant, a widower, lives alone.", SEX, "male"),
        ("Sex: F, Age: 47", SEX, "female"),
        ("Sex: F, Age: 47", AGE, "45-54"),
        ("A 71-year-old retired clerk.", AGE, "65+"),
        ("I'm 19 and broke.", AGE, "18-24"),
        ("The technician, born on 30 November 1988, moved.", BIRTH, "1988"),
        ("The technician, born on a [date in the 1980s], moved.", BIRTH, "1980s"),
        ("She lives in Leeds and sings.", PLACE, "leeds"),
        ("She lives in Leeds and sings.", COUNTRY, "united kingdom"),
        ("He lives in a [city in the United Kingdom].", COUNTRY, "united kingdom"),
        ("The applicant is a Turkish national.", COUNTRY, "turkey"),
        ("I work as a night nurse, and I love it.", WORK, "night nurse"),
        ("A foreman, on nights since ***, was seen.", WORK, "foreman"),
        ("My late wife loved this place and I do.", TIE, "widowed"),
        ("I went there after my divorce.", TIE, "divorced"),
        ("He came with his wife.", TIE, "married"),
        ("They put me on metformin and I feel fine.", HEALTH, "diabetes"),
    ],
)
def test_what_follows_from_a_text(text: str, attribute: Attribute, value: str) -> None:
    """Each closure rule, on text as sanitizing leaves it."""
    guess = infer(text)[attribute]
    assert agree(attribute, guess.value, value)
    assert guess.value == value or attribute is WORK
    assert guess.span is None or guess.span.of(text)


@for_each(
    ("text", "attribute"),
    [
        ("I told him that he was wrong, and I left.", SEX),
        ("She told him that he was wrong; her brother and his son agreed.", SEX),
        ("They left. Their knee is better.", SEX),
        ("[PERSON 1] met [PERSON 2] in [PLACE 1].", PLACE),
        ("Every single day I was late.", TIE),
        ("I'm 20 minutes late.", AGE),
        ("In Reykjavik it rains, in Lagos it does not, in Lima it did.", COUNTRY),
        ("The house was built in 1908.", BIRTH),
    ],
)
def test_what_does_not_follow(text: str, attribute: Attribute) -> None:
    """Others' attributes, labels of masks and evenly mixed clues give no confident guess."""
    guess = infer(text).get(attribute)
    assert guess is None or guess.probability < 0.7


def test_fields_of_records_are_read_in_their_usual_spellings() -> None:
    """A town entails its country, the last part of an address tells which town."""
    values = read_values(
        [
            *(
                ("gender", "F"),
                ("birth_date", "1908-05-21"),
                ("birth_place", "Oslo"),
                ("age", "47"),
            ),
            *(
                ("states", "ND"),
                ("city_country", "Edinburgh, United Kingdom"),
                ("marital status", "Widow"),
            ),
            *(("diagnosis", "Type 2 diabetes"), ("job", "Head teacher"), ("hobby", "chess")),
        ]
    )
    assert values == {
        SEX: {"female"},
        BIRTH: {"1908"},
        AGE: {"45-54"},
        PLACE: {"north dakota", "edinburgh"},
        COUNTRY: {"united states", "united kingdom"},
        TIE: {"widowed"},
        HEALTH: {"diabetes"},
        WORK: {"head teacher"},
    }


@for_each(
    ("written", "place"),
    [
        *(("ND", "north dakota"), ("N. Dak.", "north dakota"), ("N.Dak", "north dakota")),
        *(("Calif.", "california"), ("As", "as"), ("Pi", "pi"), ("D.C.", "d.c.")),
    ],
)
def test_states_are_read_by_their_abbreviations(written: str, place: str) -> None:
    """Territories aren't: theirs are words, or abbreviations of much else."""
    values = read_values([("place", written)])
    assert values[PLACE] == {place}


def test_values_agree_where_one_entails_the_other() -> None:
    """A year and its decade, a town and its state, a noun and its head; else only equals."""
    assert agree(BIRTH, "1980s", "1988")
    assert not agree(BIRTH, "1981", "1988")
    assert agree(PLACE, "lynchburg", "virginia")
    assert agree(PLACE, "ohio", "dayton")
    assert not agree(PLACE, "lynchburg", "leeds")
    assert agree(WORK, "developer", "junior software developer")
    assert not agree(SEX, "male", "female")
    assert country_of("usa") == country_of("boston") == "united states"
    assert country_of("turkish") == ""
    assert "virginia" in regions("lynchburg")
    assert country_of("bergen") == "norway"
    assert conditions("insulin for his diabetes") == {"diabetes"}


def test_labels_come_before_what_the_original_says() -> None:
    """What the original says for certain is true; what it only suggests is unknown."""
    original = "I (38M) moved to Leeds with my partner."
    assert true_values({}, original) == {SEX: {"male"}, AGE: {"35-44"}, **_living_in_leeds()}
    assert true_values({SEX: frozenset({"female"})}, original)[SEX] == {"female"}
    assert true_values({}, None) == {}


def _living_in_leeds() -> dict[Attribute, set[str]]:
    return {COUNTRY: {"united kingdom"}, PLACE: {"leeds"}}


def test_risk_is_what_goes_beyond_the_control() -> None:
    """(a - c) / (1 - c) within its bounds: by hand for 6 and 2 of 10; 0 where the control does as well."""
    attack, control = rate(6, 10), rate(2, 10)
    beyond = risk(attack, control)
    assert beyond.value == pytest.approx(0.5)
    # Wilson: 6 of 10 in [.3127, .8318], 2 of 10 in [.0567, .5098].
    down = ((0.2873 / 0.8) ** 2 + (0.3098 * 0.4 / 0.64) ** 2) ** 0.5
    up = ((0.2318 / 0.8) ** 2 + (0.1433 * 0.4 / 0.64) ** 2) ** 0.5
    assert beyond.low == pytest.approx(0.5 - down, abs=1e-3)
    assert beyond.high == pytest.approx(0.5 + up, abs=1e-3)
    assert risk(rate(2, 10), rate(5, 10)).value == 0.0
    assert risk(rate(10, 10), rate(10, 10)) == (0.0, 0.0, 1.0)


def case(text: str, person: str = "", original: str | None = None, **labels: str) -> ReleaseCase:
    """Return a case whose labels are fields of a record."""
    return ReleaseCase(
        Document(person or text[:9], text), person, read_values(labels.items()), original
    )


def test_the_control_is_another_persons_text() -> None:
    """Strangers are documents of other people, in their order; alone, nobody is one."""
    assert strangers(["a", "a", "b", ""]) == [2, 2, 3, 0]
    assert strangers(["a", "a"]) == [0, 1]


def test_rates_of_an_inference() -> None:
    """Two of four texts tell the sex; two get it right from the text after theirs."""
    texts = ("She sings and she bakes.", "They sing.", "He runs, and he swims.", "They run.")
    cases = [
        case(text, id, sex=sex)
        for text, id, sex in zip(texts, "abcd", ("f", "m", "m", "f"), strict=True)
    ]
    (found,) = infer_attributes(cases).attributes
    assert found.attribute is SEX
    assert found.rates["rules"].value == 0.5
    assert found.control.value == 0.5
    assert found.original is None


def test_originals_are_attacked_too() -> None:
    """What the originals tell is the most that a release could."""
    pairs = [("*** sings.", "She sings as she can."), ("He runs, and he swims.",) * 2]
    cases = [
        ReleaseCase(Document(str(n), text), "", true_values({}, original), original)
        for n, (text, original) in enumerate(pairs * 2)
    ]
    (found,) = infer_attributes(cases).attributes
    assert found.original is not None
    assert found.original.value == 1.0
    assert found.rates["any"].value == 0.5


def test_a_refitted_classifier_learns_what_is_left() -> None:
    """Words that go with a value tell it of a text it never saw, and nothing of one without them."""
    knitting = [f"we sat and knitted socks {n} and".split() for n in range(12)]
    fishing = [f"we sat and fished trout {n} and".split() for n in range(12)]
    people = [str(n) for n in range(24)]
    values = ["female"] * 12 + ["male"] * 12
    classifier = AttributeClassifier([*knitting, *fishing], values, people)
    value, probability = classifier.guess("they fished for trout".split())
    assert value == "male"
    assert probability > 0.9
    assert classifier.guess(["sat"])[1] == pytest.approx(0.5)
    assert AttributeClassifier([], [], []).guess(["sat"]) == ("", 0.0)


def test_a_classifier_that_knows_people_only_is_not_sure() -> None:
    """Words of one person's texts alone say nothing of others: probabilities are for strangers."""
    texts = [f"{'plum pear fig lime'.split()[n // 6]} we sat".split() for n in range(24)]
    values = ["female" if n // 6 % 2 else "male" for n in range(24)]
    people = [str(n // 6) for n in range(24)]
    _, probability = AttributeClassifier(texts, values, people).guess(["plum"])
    assert probability < 0.7


def test_who_fits_has_no_other_value(tmp_path: Path) -> None:
    """Of five villagers one baker was born in 1966 in Bergen; nobody is excluded by what is unknown."""
    people = store(tmp_path / "p.db")
    population = Population.of_background(people)
    assert population.fitting(((WORK, "baker"),)).tolist() == [True, False, True, False, False]
    assert population.fitting(((WORK, "baker"), (PLACE, "bergen"))).sum() == 1
    assert population.fitting(((SEX, "female"),)).all()
    assert population.fitting(()).all()


def test_singling_out(tmp_path: Path) -> None:
    """One text fits exactly its person, one everybody, one exactly somebody else."""
    people = store(tmp_path / "p.db")
    cases = [
        case(ABOUT_ANNA, "anna"),
        case("*** is a *** in ***.", "bela"),
        case("A nurse was seen in Oslo.", "emil"),
    ]
    report = single_out(cases, people)
    assert report.fitting == (1, 5, 1)
    assert report.attack.value == pytest.approx(1 / 3)
    assert report.wrong.value == pytest.approx(1 / 3)
    assert report.control.value == 0.0
    assert report.median_fitting == 1
    assert report.is_background


def test_without_a_background_the_release_is_the_population() -> None:
    """Two of three people are women; the man alone fits what his text says."""
    cases = [
        case("She sings, and she runs.", "a", sex="f"),
        case("They sing.", "b", sex="f"),
        case("He sings, and he runs.", "c", sex="m"),
    ]
    report = single_out(cases)
    assert report.fitting == (2, 3, 1)
    assert not report.is_background
    assert report.attack.value == pytest.approx(1 / 3)


def test_two_documents_of_one_person_find_each_other() -> None:
    """By rare words they share; a pair whose documents share nothing is not linked."""
    cases = [
        case("my allotment floods whenever the beck rises", "a"),
        case("nothing to report on the weather", "b"),
        case("the beck rose again so the allotment floods", "a"),
        case("a quiet evening among friends", "b"),
        case("the trains were late on the way home", "c"),
    ]
    report = link_documents(cases)
    assert report is not None
    assert report.n_pairs == 2
    assert report.attack["words"].value == 0.5
    assert report.attack["any"].value == 0.5
    assert report.linked == ((0, 2),)
    assert report.control["any"].value == 0.0


@pytest.mark.parametrize("people", [["a", "b", "c"], ["a", "a", "a"], ["", "", ""]])
def test_linkability_needs_two_of_one_and_one_of_others(people: list[str]) -> None:
    """Where nobody has two documents, or nobody else has one, nothing is measured."""
    assert link_documents([case("some text", person) for person in people]) is None


def test_the_worst_risk_is_named() -> None:
    """It is the largest of all tests, by which the exit code goes."""
    cases = [case("He ran, and he swam.", str(n), sex="m") for n in range(5)]
    cases += [case("She ran, and she swam.", str(n), sex="f") for n in range(5, 10)]
    report = evaluate_release(cases)
    name, worst = report.worst
    assert name == "inference of sex"
    assert worst.value == max(item.value for _, item in report.risks())


def test_hostile_text_takes_no_time() -> None:
    """Long runs of what the rules look for end quickly."""
    for unit in (
        "my ",
        "I'm ",
        "in A",
        "born ",
        "she ",
        "as a ",
        "'",
        "(",
        "A" * 10 + " ",
        "word-",
    ):
        text = unit * 4000
        assert isinstance(dict(infer(text)), dict)
    assert re.sub("x", "", "x") == ""


def test_links_are_taken_while_a_hundredth_is_false() -> None:
    """The lowest similarity counts ties as a whole; without a true link before a false one there is none."""
    scores = np.array([0.9, 0.8, 0.8, 0.7, 0.0])
    assert lowest_similarity(scores, np.array([True, True, True, False, True])) == 0.8
    assert lowest_similarity(scores, np.array([True, True, False, True, True])) == 0.9
    assert lowest_similarity(scores, np.array([False, True, True, True, True])) == np.inf
    many = np.linspace(1, 2, 100)
    assert lowest_similarity(many, many > 1) == 1.0


def test_a_persons_documents_are_joined_in_chains() -> None:
    """One and three share nothing, but each shares rare words with two; what they tell adds up."""
    cases = [
        case("she grows samphire beside a lighthouse", "a"),
        case("nothing to report on the weather", "b"),
        case("samphire and a lighthouse, and a harpsichord of pearwood", "a"),
        case("a quiet evening among friends", "c"),
        case("her harpsichord of pearwood is out of tune; she is a nurse", "a"),
        case("the trains were late on the way home", "d"),
        case("a bill for two chairs came in the post", "a"),
    ]
    risk = person_file_risk(cases, "a")
    assert risk is not None
    assert risk.documents == (0, 2, 4, 6)
    rare = next(each for each in risk.links if each.attacker == "rare words")
    assert rare.joined == (0, 2, 4)
    assert rare.recall.value == pytest.approx(2 / 6)
    assert rare.n_false == 0
    assert risk.alone <= risk.together
    masked = [case("[PERSON 1] went to [PLACE 1]", person) for person in "abacad"]
    unlinked = person_file_risk(masked, "a")
    assert unlinked is not None
    assert unlinked.worst.joined == ()
    assert unlinked.worst.recall.value == 0


@pytest.mark.parametrize("people", ["abcd", "aaaa", "aaab"])
def test_a_file_needs_two_documents_and_two_of_others(people: str) -> None:
    """Otherwise nothing could be joined, or nothing be joined by mistake."""
    assert person_file_risk([case("some text", person) for person in people], "a") is None
