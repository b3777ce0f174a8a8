"""User names, and what looks like them."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ask @marta_k91 about it", "@marta_k91"),
        ("(@halina)", "@halina"),
        ("posted by u/sleepy-fox22 today", "sleepy-fox22"),
        ("Username: halina", "halina"),
        ("IGN: the_real_ibrahim", "the_real_ibrahim"),
        ("Please log in as tester_marge first", "tester_marge"),
        ("my insta is marta.kowal", "marta.kowal"),
        ("find me on discord - benicio.daconceicao", "benicio.daconceicao"),
        ("User drift-fox-8124, 68", "drift-fox-8124"),
        ("telegram @oleg77", "@oleg77"),
        ("not_a_lazy\nasked 3 days ago", "not_a_lazy"),
        ("Cheers\n- tin_mine_tess\n", "tin_mine_tess"),
        ("GamerTom99 2 hours ago", "GamerTom99"),
        ("# TODO(kimani): round half even", "kimani"),
        ("/** @author Kimani Ode */", "Kimani Ode"),
    ],
)
def test_a_user_name_is_found(find, text, name):
    """The @ is part of it; the word that announces it stays."""
    assert find(text, "user_name") == [("user_name", name)]


@pytest.mark.parametrize(
    "text",
    [
        "@Override public void run()",
        "@media (max-width: 3em)",
        "jane@example.org",
        "git@example.org:team/project",
        "see r/AskReddit",
        "the user interface was slow",
        "the user is blocked",
        "users asked for it",
        "two people joined",
        "a well - known fact - well-known",
        "meet @ 5 pm",
        "version 2.0 3 days ago",
        "npm install @babel/core",
        "TODO(ABC-12) and TODO(12)",
        "https://example.org/@halina/1",
    ],
)
def test_what_only_looks_like_one_is_none(find, text):
    """Programs, addresses, groups and plain words are left alone."""
    assert find(text, "user_name") == []
