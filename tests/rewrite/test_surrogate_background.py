"""Surrogates with a background: nothing that is written is a person of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.background.people_builder import PeopleBuilder
from tacenda.background.profiles import Person
from tacenda.document import Decision, Document, IdentifierType
from tacenda.errors import InputError
from tacenda.policy import Policy
from tacenda.rewrite.edits import edits
from tacenda.rewrite.surrogate.operator import Surrogate
from tests.building import entity, mention, reason

KEY = b"k" * 32
TEXT = Document("d", "Anna Berg has the account GB29 NWBK 6016 1331 9268 19, and Berg pays.")
NAME = entity("e1", mention(TEXT, "Anna Berg"), mention(TEXT, "Berg", nth=1))
ACCOUNT = entity("e2", mention(TEXT, "GB29 NWBK 6016 1331 9268 19", "CODE", kind="iban"))


def written(background: Path | None) -> list[str]:
    """Return what is written for a name, an account and a surname."""
    decided = [
        Decision(item, True, "surrogate", IdentifierType.QUASI, 0.9, (reason(),))
        for item in (NAME, ACCOUNT)
    ]
    operator = Surrogate(KEY, TEXT, decided, background=background)
    return [edit.text for edit in edits(TEXT, decided, {"surrogate": operator})]


def store(path: Path, *people: Person) -> Path:
    """Return the path of a store of people."""
    with PeopleBuilder(path) as builder:
        for person in people:
            builder.add(person)
    return path


def test_no_surrogate_is_a_person_or_a_value_of_the_background(tmp_path: Path) -> None:
    """Who is called like the surrogate, in any order, or has its number, makes it another one."""
    name, account, surname = written(None)
    given = name.split()[0]
    profile = (("account", account),)
    path = store(tmp_path / "p.db", Person("1", f"{surname}, {given}", profile))
    other_name, other_account, other_surname = written(path)
    assert other_name != name
    assert other_name.endswith(other_surname)
    assert other_account != account
    assert not other_account.startswith("[")


def test_people_who_have_nothing_of_it_change_nothing(tmp_path: Path) -> None:
    """A given name and a surname of two people are nobody's name."""
    name, _, surname = written(None)
    given = name.split()[0]
    people = Person("1", f"{given} Xyzzy", ()), Person("2", f"Xyzzy {surname}", ())
    assert written(store(tmp_path / "p.db", *people)) == written(None)


def test_a_policy_names_its_background_from_its_own_folder(tmp_path: Path) -> None:
    """A relative path is relative to the policy's file; no store there is an error."""
    path = tmp_path / "policy.yaml"
    path.write_text("background: nobody.db\nthreshold: 0.2\n", encoding="utf-8")
    policy = Policy.load(path)
    assert policy.background == tmp_path / "nobody.db"
    with pytest.raises(InputError, match="the store doesn't exist"):
        written(policy.background)
