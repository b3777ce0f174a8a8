"""The user's policy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.document import SemanticType
from tacenda.errors import PolicyError
from tacenda.policy import Policy


@pytest.mark.parametrize("name", ["default", "strict", "lenient", "tags"])
def test_shipped_policies_load_by_name(name: str) -> None:
    """Every policy that ships is valid."""
    assert isinstance(Policy.load(name), Policy)


def test_a_file_is_read_by_its_path(tmp_path: Path) -> None:
    """A user's policy is YAML; thresholds and operators may differ by type."""
    path = tmp_path / "mine.yaml"
    path.write_text(
        "threshold: 0.3\nthresholds: {DEM: 0.6}\noperators: {PERSON: tag}\ntarget: Galip Yalman\n",
        encoding="utf-8",
    )
    policy = Policy.load(path)
    assert policy.thresholds == {SemanticType.DEM: 0.6}
    assert policy.operator_for(SemanticType.PERSON) == "tag"
    assert policy.operator_for(SemanticType.LOC) == "suppress"
    assert policy.target == ("Galip Yalman",)


@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        ("threshold: 1.5", "threshold.*less than or equal to 1"),
        ("treshold: 0.5", "treshold.*not permitted"),
        ("operator: encrypt", "operator.*'suppress', 'tag' or 'pseudonym'"),
        ("thresholds: {NAME: 0.5}", "thresholds.NAME"),
        ("deny: [{exact: a, regex: b}]", "deny.0.*exactly one of"),
        ("deny: [{type: PERSON}]", "deny.0.*exactly one of"),
        ("deny: [{regex: '('}]", "deny.0.regex.*not a regular expression"),
        ("deny: [{regex: 'a*'}]", "deny.0.regex.*empty string"),
        ("allow: [{regex: '(a+)+b'}]", "allow.0.regex.*for ever"),
        ("a: [", "not YAML at line 1"),
        ("- 1", "expected fields and values, found a list"),
    ],
)
def test_a_faulty_policy_names_the_field(yaml: str, message: str) -> None:
    """The error says where the fault is and what would be right."""
    with pytest.raises(PolicyError, match=message):
        Policy.from_yaml(yaml, "mine.yaml")


def test_unknown_name_lists_the_shipped_ones() -> None:
    """A name that is no file and no shipped policy is answered by the names there are."""
    with pytest.raises(PolicyError, match="default, lenient, strict, tags"):
        Policy.load("harsh")


def test_the_key_comes_from_where_the_policy_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A key is read from a variable or a file, whole."""
    monkeypatch.setenv("MY_KEY", "0123456789abcdef")
    assert Policy(key_env="MY_KEY").key() == b"0123456789abcdef"
    (tmp_path / "key").write_bytes(b"fedcba9876543210\n")
    assert Policy(key_file=tmp_path / "key").key() == b"fedcba9876543210"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "pseudonyms need a key"),
        ({"key_env": "NOT_SET_ANYWHERE"}, "NOT_SET_ANYWHERE holds 0 bytes"),
        ({"key_file": "/nowhere/key"}, "can't be read"),
    ],
)
def test_no_key_or_a_short_one_is_an_error(fields: dict[str, str], message: str) -> None:
    """A pseudonym without a good key would be no pseudonym; the key itself is never shown."""
    with pytest.raises(PolicyError, match=message):
        Policy.build(**fields).key()


def test_changes_are_validated() -> None:
    """What the command line changes is checked like what a file says."""
    assert Policy().with_changes(threshold=0.4).threshold == 0.4
    with pytest.raises(PolicyError, match="threshold"):
        Policy().with_changes(threshold=-1)
