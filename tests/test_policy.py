"""The user's policy."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from tacenda.document import SemanticType
from tacenda.errors import PolicyError
from tacenda.policy import Policy
from tacenda.policy.loading import purpose, shipped
from tests.examples import for_each
from tests.keys import KEY, OTHER_KEY, write_key


@for_each("name", shipped())
def test_shipped_policies_load_by_name(name: str) -> None:
    """Every policy that ships is valid."""
    assert isinstance(Policy.load(name), Policy)


def test_a_shipped_policy_says_in_one_line_what_it_is_for() -> None:
    """The comment at its head begins with its use."""
    assert purpose(shipped()["court"]).startswith("Judgments and decisions: ")
    assert all(len(purpose(text)) > 40 for text in shipped().values())


def test_a_policy_extends_a_shipped_one() -> None:
    """Its own fields take the place of the other's."""
    policy = Policy.from_yaml("extends: clinical\noperator: suppress")
    assert policy == Policy.load("clinical").with_changes(operator="suppress")
    with pytest.raises(PolicyError, match="line 2, extends: 'harsh' is not one of the shipped"):
        Policy.from_yaml("operator: tag\nextends: harsh", "mine.yaml")


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
    assert policy.operator_for(SemanticType.LOC) == "tag"
    assert policy.target == ("Galip Yalman",)


@for_each(
    ("yaml", "message"),
    [
        ("threshold: 1.5", "threshold.*less than or equal to 1"),
        ("treshold: 0.5", "treshold.*not permitted"),
        ("operator: shred", "operator.*'suppress', 'tag', 'pseudonym'"),
        ("operator: encrypt", "encrypt and surrogate need a key"),
        ("dates: sometimes", "dates: Input should be 'jitter' or 'shift'"),
        ("operators_for: [{exact: Ann Bell, operator: hash}]", "need a key"),
        ("operators_for: [{exact: Ann Bell}]", "operators_for.0.operator.*required"),
        ("thresholds: {NAME: 0.5}", "thresholds.NAME"),
        ("deny: [{exact: a, regex: b}]", "deny.0.*exactly one of"),
        ("allow: [{form: dose}]", "allow.0.form: Input should be 'time'"),
        ("deny: [{type: PERSON}]", "deny.0.*exactly one of"),
        ("deny: [{regex: '('}]", "deny.0.regex.*not a regular expression"),
        ("deny: [{regex: 'a*'}]", "deny.0.regex.*empty string"),
        ("allow: [{regex: '(a+)+b'}]", "allow.0.regex.*run forever"),
        ("residual_share: 0.1\nthreshold: 0.2", "residual_share and threshold .* both bound"),
        ("weights: {span: 2}", "weights need combine: weighted"),
        ("combine: some", "combine.*'any', 'all', 'weighted', 'learned' or 'learned:FOLDER'"),
        ("information: guess", "line 1, information: .*unigram:FILE"),
        ("combine: weighted\nweights: {span: -1}", "weights.span.*greater than or equal to 0"),
        ("residual_share: 2", "line 1, residual_share: .*less than or equal to 1"),
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
    with pytest.raises(
        PolicyError, match="chat, clinical, court, default, lenient, logs, prompts, strict"
    ):
        Policy.load("harsh")


def test_the_key_comes_from_where_the_policy_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A key is read from a variable or a file, whole."""
    monkeypatch.setenv("MY_KEY", KEY)
    assert Policy(key_env="MY_KEY").key() == KEY.encode()
    path = write_key(tmp_path / "key", f"{OTHER_KEY}\n")
    assert Policy(key_file=path).key() == OTHER_KEY.encode()


def test_a_fault_of_the_whole_policy_names_no_field() -> None:
    """The policy's name stands once before it."""
    with pytest.raises(PolicyError, match=r"^policy: pseudonym, hash"):
        Policy(operator="hash")
    with pytest.raises(PolicyError, match=r"^own.yaml: pseudonym, hash"):
        Policy.from_yaml("operator: hash", "own.yaml")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "need a key"),
        ({"key_env": "NOT_SET_ANYWHERE"}, "NOT_SET_ANYWHERE contains 0 bytes"),
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


@for_each(
    ("yaml", "message"),
    [
        ("operator: tag\nthreshold: true", "line 2, threshold: .*valid number.*found True"),
        ("threshold: .nan", "line 1, threshold"),
        ("threshold: '0.5'", "line 1, threshold"),
        ("patterns: 1", "line 1, patterns: should be true, false or"),
        ("deny:\n- exact: a\n- regex: '['", "line 3, deny.1.regex: is not a regular expression"),
        ("deny: [{exact: 1994}]", "deny.0.exact: .*put it in quotes"),
        ("deny: [{exact: '--'}]", "deny.0.exact: has neither a letter nor a digit"),
        ("deny: [{exact: a, similarity: 80}]", "deny.0: similarity is for fuzzy, not for exact"),
        (
            "deny: [{fuzzy: abc, similarity: 20}]",
            "deny.0.similarity: .*greater than or equal to 50",
        ),
        ("target: ['42']", "target: name 0 has no letter"),
        ("operator: pseudonym", "pseudonym.* need a key"),
        ("operators: {PERSON: pseudonym}", "pseudonym.* need a key"),
        ("key_env: A\nkey_file: b", "key_env and key_file are both given"),
        ("threshold: 0.1\nthreshold: 0.2", "line 2: threshold was given on line 1 already"),
        ("allow: [{exact: Ann}]\ndeny: [{exact: Ann}]", "allow.0 and deny.0 name the same string"),
        ("1: 2", "1 is not a field name"),
        ("name: x", "line 1, name: .*not permitted"),
        ("a: \x00", "not YAML"),
        ("[" * 5000, "not YAML"),
    ],
)
def test_a_fault_is_told_with_its_line(yaml: str, message: str) -> None:
    """What is no number, no switch, twice there or against itself is refused, with the place."""
    with pytest.raises(PolicyError, match=f"^mine.yaml.*{message}"):
        Policy.from_yaml(yaml, "mine.yaml")


@pytest.mark.parametrize(
    "yaml",
    [
        "key: correct-horse-battery",
        "deny: [{exact: Ann Bell, regex: Ann Bell}]",
        "operators_for: [{exact: Ann Bell, operator: Ann Bell}]",
    ],
)
def test_errors_show_neither_keys_nor_names(yaml: str) -> None:
    """What stands in private fields is in no message and in no chained exception."""
    with pytest.raises(PolicyError) as caught:
        Policy.from_yaml(yaml)
    assert "horse" not in "".join(traceback.format_exception(caught.value))
    assert "Bell" not in "".join(traceback.format_exception(caught.value))


def test_a_policy_built_in_python_is_checked_alike() -> None:
    """The constructor raises what a file would."""
    with pytest.raises(PolicyError, match=r"^policy: threshold: .*found 2"):
        Policy(threshold=2)


def test_a_relative_key_file_is_beside_the_policy(tmp_path: Path) -> None:
    """A policy and its key can be moved together."""
    write_key(tmp_path / "key")
    (tmp_path / "mine.yaml").write_text("operator: pseudonym\nkey_file: key\n", encoding="utf-8")
    assert Policy.load(tmp_path / "mine.yaml").key() == KEY.encode()


def test_a_file_that_is_not_utf_8_names_the_byte(tmp_path: Path) -> None:
    """The place of the fault is said."""
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"target: \xff")
    with pytest.raises(PolicyError, match="not UTF-8 at byte 8"):
        Policy.load(path)


@for_each(
    "pattern",
    [
        r"(a+)+b",
        r"((a+))+b",
        r"(a|aa)+b",
        r"(?:\w+ ?)*x",
        r"(aa?)*b",
        r"(?=(a+)+)b",
        r"(\d{1,3}){20}x",
        r"(\w+){2}",
        r"(a*?)*b",
        r"(?:(?:a{1,30}){5}){5}b",
    ],
)
def test_repetitions_that_can_take_for_ever_are_refused(pattern: str) -> None:
    """A repetition, an option or alternatives inside a repetition is refused."""
    with pytest.raises(PolicyError, match="can run forever"):
        Policy.build(deny=[{"regex": pattern}])


@for_each(
    "pattern",
    [
        r"AB-\d{4,6}",
        r"[A-Z]\w+ (?:Ltd|Inc)\.?",
        r"(?:\d{3}-){2}\d{4}",
        r"(?:[\w ])+:",
        r"(?:\w{1,8} ){2}x",
        r"\w+@\w+",
        r"(?i:ab|cd){3}",
        r"(a)\1+",
    ],
)
def test_ordinary_expressions_are_taken(pattern: str) -> None:
    """What people write for codes and names is not in the way of that."""
    assert Policy.build(deny=[{"regex": pattern}]).deny[0].pattern is not None


def test_a_model_beside_the_policy_is_found(tmp_path: Path) -> None:
    """A folder is relative to the policy's file; another name is that of a shipped recognizer."""
    (tmp_path / "mine").mkdir()
    path = tmp_path / "policy.yaml"
    path.write_text("model: mine\n", encoding="utf-8")
    assert Policy.load(path).model == str(tmp_path / "mine")
    path.write_text("model: recognizer-small\n", encoding="utf-8")
    assert Policy.load(path).model == "recognizer-small"


def test_a_new_bound_takes_the_place_of_the_old_one() -> None:
    """Risk and thresholds never stand side by side."""
    assert Policy(threshold=0.2, thresholds={"DEM": 0.4}).with_changes(
        residual_share=0.1
    ) == Policy(residual_share=0.1)
    assert Policy(residual_share=0.1).with_changes(threshold=0.0).residual_share is None
    assert Policy(residual_share=0.1).with_changes(operator="tag").residual_share == 0.1


def test_a_new_threshold_is_literal_unless_the_length_penalty_comes_with_it() -> None:
    """What was weighed besides the old bound is not weighed besides a new one."""
    balanced = Policy(threshold=0.2, length_penalty=0.3)
    assert balanced.with_changes(threshold=0.4) == Policy(threshold=0.4)
    assert balanced.with_changes(threshold=0.4, length_penalty=0.3).length_penalty == 0.3
    assert balanced.with_changes(residual_share=0.1) == Policy(residual_share=0.1)
    assert balanced.with_changes(operator="tag").length_penalty == 0.3
