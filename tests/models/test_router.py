"""The router tells formal prose about people from everyday text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tacenda.errors import ModelError
from tacenda.models.networks import ROUTER_FILE, Router, read_router
from tacenda.models.store import ShippedModel, find
from tests.growth import assert_within

ROUTER = Router({"applicant": 4.0, "court": 2.0, "my": -5.0}, -1.0)


@pytest.mark.parametrize(
    ("text", "is_everyday"),
    [
        ("The applicant went to court.", False),
        ("my applicant wrote to my court", True),
        ("Simmer for an hour.", True),
        ("", True),
        ("APPLICANT AGAINST COURT", False),
        ("The Applicant of the Court", True),
    ],
)
def test_the_words_of_a_text_decide(text: str, is_everyday: bool) -> None:
    """By their shares; a text without any of them is everyday, capitals alone are no words."""
    assert ROUTER.is_everyday(text) == is_everyday


@pytest.mark.parametrize(
    ("text", "is_everyday"),
    [
        (
            "The applicant, a Turkish national, was born in 1970 and lives in Ankara. The court "
            "dismissed his appeal, and he lodged an application against the judgment.",
            False,
        ),
        (
            "She was an English novelist who was born in Kent and educated in London, where she "
            "published her first novel and later became a member of the academy.",
            False,
        ),
        ("Hi Sam, can you send me the invoice before you leave? My number is below.", True),
        ("Patient seen today, no chest pain. Continue the same dose and review in 2 weeks.", True),
        ("ERROR worker-3 connection reset by peer while reading response header", True),
        ("Melt the butter, add the onions and cook until they are soft.", True),
    ],
)
def test_the_shipped_router_knows_its_kinds(text: str, is_everyday: bool) -> None:
    """Judgments and biographies on one side; letters, notes, logs and recipes on the other."""
    assert read_router(find()).is_everyday(text) == is_everyday


def test_a_long_text_takes_no_longer_than_its_beginning() -> None:
    """Hostile input, too."""
    router = read_router(find())
    for piece in ("a", "the ", "\n"):
        beginning, text = piece * 20_000, piece * 800_000
        assert_within(
            10,
            lambda _, text=text: router.is_everyday(text),
            lambda _, text=beginning: router.is_everyday(text),
            0,
        )


@pytest.mark.parametrize("content", [None, "{}", "[1]", '{"constant": "x", "words": {}}'])
def test_a_damaged_router_is_said(tmp_path: Path, content: str | None) -> None:
    """By the name of its file."""
    digests = {}
    if content is not None:
        (tmp_path / ROUTER_FILE).write_text(content, encoding="utf-8")
        digests = {ROUTER_FILE: "0"}
    with pytest.raises(ModelError, match=re.escape(ROUTER_FILE)):
        read_router(ShippedModel("m", tmp_path, digests))


def test_weights_are_finite_and_few() -> None:
    """A table that a person can read."""
    table = json.loads((find().folder / ROUTER_FILE).read_text(encoding="utf-8"))
    assert 1000 < len(table["words"]) <= 4000
    assert all(abs(weight) < 50 for weight in table["words"].values())
