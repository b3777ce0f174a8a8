"""The command `tacenda policies`."""

from __future__ import annotations

import json

from tacenda.policy.loading import shipped
from tests.cli.test_models import tacenda


def test_list_says_what_each_policy_is_for() -> None:
    """Every shipped policy is a line, or an object with `--json`."""
    lines = tacenda("policies", "list").stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(shipped())
    rows = json.loads(tacenda("policies", "list", "--json").stdout)
    assert all(row["purpose"] for row in rows)


def test_show_prints_the_yaml() -> None:
    """The reasons in its comments are part of it."""
    assert tacenda("policies", "show", "clinical").stdout == shipped()["clinical"]


def test_show_of_an_unknown_policy_lists_the_known() -> None:
    """A wrong name is an error of usage, answered by the right ones."""
    run = tacenda("policies", "show", "harsh")
    assert run.returncode == 2
    assert "court" in run.stderr
