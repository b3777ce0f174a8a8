"""What a text tells of each person, what a release still tells, and how it is hidden."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import tacenda
from tacenda.cli import app
from tacenda.document import Document, Span
from tacenda.errors import InputError
from tacenda.reidentify.attributes import (
    AttributeGuard,
    ReleasePair,
    measure_protection,
    parse_attributes,
    read_profiles,
)
from tacenda.reidentify.attributes.people import moved, references, stretches
from tacenda.reidentify.criteria.values import Attribute
from tests.examples import for_each

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "attributes" / "people.jsonl")
    .read_text("utf-8")
    .splitlines()
]


def named(text: str, *names: str) -> dict[str, tuple[Span, ...]]:
    """Return the spans of names, each with itself for an id."""
    found = {}
    for name in names:
        starts = [n for n in range(len(text)) if text.startswith(name, n)]
        found[name] = tuple(Span(n, n + len(name)) for n in starts)
    return found


def told(text: str, *names: str) -> dict[str, dict[str, set[str]]]:
    """Return the certain values of each person by attribute."""
    profiles = read_profiles(text, references(text, named(text, *names)))
    return {
        person: {
            str(attribute): {guess.value for guess in guesses if guess.probability >= 0.85}
            for attribute, guesses in profile.attributes.items()
        }
        for person, profile in profiles.items()
    }


@for_each(
    ("text", "names", "person", "attribute", "value"),
    [
        ("Anna, a nurse, met Tom, a plumber.", ("Anna", "Tom"), "Anna", "occupation", "nurse"),
        ("Anna, a nurse, met Tom, a plumber.", ("Anna", "Tom"), "Tom", "occupation", "plumber"),
        ("He left with his wife Marta, 43.", ("Marta",), "Marta", "age", "35-44"),
        ("Tom met Anna. She has asthma.", ("Tom", "Anna"), "Anna", "health", "respiratory"),
        ("Tom met Anna. He has asthma.", ("Tom", "Anna"), "Tom", "health", "respiratory"),
        ("Anna's mother, 71, has diabetes.", ("Anna",), "relative-1", "health", "diabetes"),
        ("My sister is a nurse.", (), "relative-1", "occupation", "nurse"),
        ("My sister is ill. I'm a welder.", (), "author", "occupation", "welder"),
        ("My wife sings.", (), "author", "relationship", "married"),
        ("Lev is seven.", ("Lev",), "Lev", "age", "0-17"),
        ("Cyril, her husband, is 40.", ("Cyril",), "Cyril", "sex", "male"),
        ("Ann and Bo live in Leeds.", ("Ann", "Bo"), "Ann", "place", "leeds"),
    ],
)
def test_attributes_belong_to_whom_the_words_are_about(
    text: str, names: tuple[str, ...], person: str, attribute: str, value: str
) -> None:
    """Appositions, pronouns, kin and *and* say who is meant."""
    assert value in told(text, *names)[person][attribute]


@pytest.mark.parametrize(
    ("text", "names", "person", "attribute"),
    [
        ("Anna, a nurse, met Tom.", ("Anna", "Tom"), "Tom", "occupation"),
        ("My sister is a nurse. I sing.", (), "author", "occupation"),
        ("I told my aunt. She has asthma.", (), "author", "health"),
        ("Anna lost her keys, and Tom is 43.", ("Anna", "Tom"), "Anna", "age"),
    ],
)
def test_attributes_of_others_are_not_told(
    text: str, names: tuple[str, ...], person: str, attribute: str
) -> None:
    """What is said of somebody else is not said of a person."""
    assert not told(text, *names)[person].get(attribute)


@for_each("row", ROWS)
def test_annotated_words_lie_in_their_text(row: dict[str, Any]) -> None:
    """Every attribute has a value, and spans of words inside the text."""
    ids = {person["id"] for person in row["people"]}
    assert row["subject"] in ids
    for person in row["people"]:
        for name, item in person["attributes"].items():
            assert name in set(Attribute)
            assert item["value"]
            assert all(0 <= start < end <= len(row["text"]) for start, end in item["words"])


_WORDS = st.lists(
    st.sampled_from(
        "Anna Tom she He his wife My sister I is 43 , . ; a nurse and “ ” [PERSON 1] *** lives in Leeds\n".split(
            " "
        )
    ),
    max_size=25,
)


@given(words=_WORDS)
def test_every_stretch_lies_in_the_text_and_everything_is_somebodys(words: list[str]) -> None:
    """Stretches are spans of the text, and each letter is in one, but for a *his* of nobody named."""
    text = " ".join(words)
    people = references(text, named(text, "Anna", "Tom"))
    spans = [span for items in stretches(text, people).values() for span in items]
    assert all(span.end <= len(text) for span in spans)
    covered = {place for span in spans for place in range(span.start, span.end)}
    assert all(
        place in covered for place, char in enumerate(text.replace("his", "   ")) if char.isalpha()
    )


@given(words=_WORDS, after=_WORDS)
def test_references_move_into_any_other_text(words: list[str], after: list[str]) -> None:
    """Moved references lie in the other text, in order; in the same text they stay where they are."""
    text, other = " ".join(words), " ".join(after)
    people = references(text, named(text, "Anna", "Tom"))
    there = moved(people, text, other)
    assert all(item.span.end <= len(other) for item in there)
    assert [item.span for item in there] == sorted(item.span for item in there)
    assert [item.span for item in moved(people, text, text)] == [item.span for item in people]


def released(original: str, after: str, *names: str) -> ReleasePair:
    """Return a document before and after."""
    return ReleasePair(original[:9], original, after, named(original, *names))


def test_protection_is_counted_by_person() -> None:
    """What is masked of one person doesn't protect the other; the subject is named most."""
    original = "Anna is a nurse. Anna is 43. Tom, a plumber, came."
    document = released(
        original,
        "[PERSON 1] is a [DETAIL 1]. [PERSON 1] is 43. [PERSON 2], a plumber, came.",
        "Anna",
        "Tom",
    )
    report = measure_protection([document], frozenset({Attribute.AGE, Attribute.OCCUPATION}))
    shares = {person.person: (person.is_subject, person.share) for person in report.people}
    assert shares == {"Anna": (True, 0.5), "Tom": (False, 0.0)}
    assert report.protection(subjects=False) is not None
    ages = report.protection(attribute=Attribute.AGE)
    assert ages is not None
    assert ages.value == 0.0


@for_each("row", ROWS[::7])
def test_nothing_is_protected_where_nothing_is_masked(row: dict[str, Any]) -> None:
    """A release that is its original has no protection."""
    report = measure_protection([ReleasePair("x", row["text"], row["text"], {})])
    assert all(person.share == 0.0 for person in report.people)


def test_the_classifier_needs_people_and_learns_from_other_documents() -> None:
    """Ten nurses on the ward and ten cooks at the stove are told apart by what is left of their words."""
    documents = []
    for n in range(30):
        job, clue = ("nurse", "ward beds doctors") if n % 3 else ("cook", "stove pots knives")
        original = f"I am a {job}. I love the {clue}."
        documents.append(ReleasePair(f"{n:02}", original, original.replace(job, "[DETAIL 1]"), {}))
    report = measure_protection(documents, frozenset({Attribute.OCCUPATION}))
    assert report.classified == {Attribute.OCCUPATION}
    left = {person.document for person in report.people if person.known[0].left is not None}
    # What is commonest would be guessed without any words.
    assert left == {f"{n:02}" for n in range(0, 30, 3)}
    few = measure_protection(documents[:10], frozenset({Attribute.OCCUPATION}))
    assert not few.classified
    assert all(person.share == 1.0 for person in few.people)


@pytest.mark.parametrize("names", ["shoe", "", "age, shoe"])
def test_unknown_attributes_are_refused(names: str) -> None:
    """The message lists the attributes."""
    with pytest.raises(InputError, match="choose from: sex, age"):
        parse_attributes(names)


@pytest.fixture(scope="module")
def sanitizer() -> tacenda.Sanitizer:
    """Sanitizer that masks words of occupation, health and age, and nothing else."""
    guard = AttributeGuard(parse_attributes("occupation, health, age"))
    policy = tacenda.Policy.load("default").with_changes(
        recognizer=False, threshold=0.5, patterns=False
    )
    return tacenda.load(policy, detectors=(guard,), indicators=(guard,), checks=(guard,))


@pytest.mark.parametrize(
    "row", [row for row in ROWS if row["part"] == "tune"], ids=lambda row: row["id"]
)
def test_the_rules_infer_nothing_that_is_hidden(
    row: dict[str, Any], sanitizer: tacenda.Sanitizer
) -> None:
    """After masking, no rule tells an occupation, a condition or an age of anybody."""
    result = sanitizer.sanitize(row["text"])
    assert "no one's age, health, occupation" in result.warnings[-1]


def test_what_tells_other_attributes_stays(sanitizer: tacenda.Sanitizer) -> None:
    """Places and relationships are left where they are not named."""
    result = sanitizer.sanitize("I'm a nurse in Leeds. My husband, a plumber, has asthma.")
    assert "Leeds" in result.text
    assert "My husband" in result.text
    assert not {"nurse", "plumber", "asthma"} & set(
        result.text.replace(",", "").replace(".", "").split()
    )


def test_sex_and_relationship_make_the_text_neutral() -> None:
    """They are told by running text, and the policy is changed for them."""
    guard = AttributeGuard(parse_attributes("sex, relationship"))
    assert set(guard.policy(tacenda.Policy.load("default")).neutral) == {"sex", "relationship"}
    assert guard.detect([Document("", "Anna is my wife.")]) == [()]


def test_the_command_names_nobody(tmp_path: Path) -> None:
    """The table has ids of entities, and words only with --reveal."""
    original, clean = tmp_path / "raw.txt", tmp_path / "clean.txt"
    original.write_text("Marta Lind is a nurse. Marta Lind has asthma.", "utf-8")
    clean.write_text("[PERSON 1] is a [DETAIL 1]. [PERSON 1] has asthma.", "utf-8")
    arguments = ["attack", str(clean), "--original", str(original), "--attributes", "--json"]
    output = CliRunner().invoke(app, arguments).stdout
    (person,) = json.loads(output)["people"]
    outcome = {item["attribute"]: item["protected"] for item in person["attributes"]}
    assert outcome["occupation"] is True
    assert outcome["health"] is False
    assert "Marta" not in output
    assert "asthma" not in output
    assert "asthma" in CliRunner().invoke(app, [*arguments, "--reveal"]).stdout


def test_the_command_needs_originals(tmp_path: Path) -> None:
    """Without them nothing is known of anybody."""
    (tmp_path / "clean.txt").write_text("x", "utf-8")
    result = CliRunner().invoke(app, ["attack", str(tmp_path / "clean.txt"), "--attributes"])
    assert result.exit_code == 2
