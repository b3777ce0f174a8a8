"""Policies in words: the kind of text, what is written instead, and how strict to be, as chosen on a page."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..policy import Policy
from ..policy.rules import KEYED
from ..policy.schema import LANGUAGE_OF_TEXT
from ..shipped import shipped_table

_KEY_FILE = "made-up.key"


@dataclass(frozen=True, slots=True)
class Profile:
    """A kind of text, and how it is sanitized.

    Attributes:
        label: its name.
        words: what is masked and what stays, in one sentence.
        policy: name of the shipped policy; empty for the server's.
        changes: fields of that policy that have other values.
    """

    label: str
    words: str
    policy: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Style:
    """A style of replacement.

    Attributes:
        label: its name.
        example: replacement for a town.
        operator: the policy's operator.
    """

    label: str
    example: str
    operator: str


_WORDS = shipped_table("page_words")
PROFILES = {name: Profile(**fields) for name, fields in _WORDS["profiles"].items()}
"""The profiles by their names in forms; the first is that of a new page."""
STYLES = {name: Style(**fields) for name, fields in _WORDS["styles"].items()}
"""The styles by their names in forms; the first is that of a new page."""


def style_and_bound(base: Policy, profile: str) -> tuple[str, float | None]:
    """Return a profile's defaults: its style (empty if not in ``STYLES``) and its bound (None for the recognizer's)."""
    policy = _unstyled(base, profile)
    styles = (name for name, style in STYLES.items() if style.operator == policy.operator)
    return next(styles, ""), policy.threshold


_OF_STYLE_AND_BOUND = {
    "operator", "operators", "operators_for", "key_env", "key_file", "threshold", "thresholds",
    "length_penalty", "target", "tag_language",
}  # fmt: skip


def profile_of(base: Policy, policy: Policy) -> str:
    """Return the profile that a policy was made from, regardless of style and bound, or an empty string.

    Args:
        base: the server's policy.
        policy: a project's policy.
    """

    def rest(policy: Policy) -> dict[str, Any]:
        return policy.model_dump(exclude=_OF_STYLE_AND_BOUND)

    target = rest(policy)
    profiles = {name: _unstyled(base, name) for name in PROFILES}
    names = [name for name, item in profiles.items() if rest(item) == target]
    # Some differ only in style and bound: take the one with these, otherwise one without a style.
    # The server's policy may be a profile's; then it has that profile's name.
    return min(
        names,
        key=lambda name: (
            profiles[name].operator != policy.operator,
            profiles[name].threshold != policy.threshold,
            "operator" in PROFILES[name].changes,
            not PROFILES[name].policy,
        ),
        default="",
    )


def _unstyled(base: Policy, name: str) -> Policy:
    profile = _chosen(PROFILES, name, "profile")
    policy = Policy.load(profile.policy) if profile.policy else base
    return policy.with_changes(**profile.changes) if profile.changes else policy


def policy_of(
    base: Policy, folder: Path, profile: str = "", style: str = "", bound: float | None = None
) -> Policy:
    """Return the policy for what was chosen on a page; tags are in each text's language unless it names one.

    Args:
        base: the server's policy, for settings that weren't chosen.
        folder: folder for the key of made-up names, which is created when first needed.
        profile: one of ``PROFILES``; empty for the server's policy.
        style: one of ``STYLES``; empty for the profile's.
        bound: mask at or above this risk; None for the profile's. Types that the profile masks less
            readily stay that way.

    Raises:
        InputError: if one of them is unknown.
    """
    policy = _unstyled(base, profile or "usual")
    operator = _chosen(STYLES, style, "style").operator if style else policy.operator
    changes: dict[str, Any] = {}
    if "tag_language" not in policy.model_fields_set:
        changes["tag_language"] = LANGUAGE_OF_TEXT
    if operator != policy.operator:
        changes |= {"operator": operator, "operators": {}, "operators_for": ()}
        if operator in KEYED and policy.key_env is None and policy.key_file is None:
            changes["key_file"] = key_file(folder)
    if bound is not None:
        usual = policy.threshold or 0.0
        thresholds = {
            type: max(value, bound) for type, value in policy.thresholds.items() if value > usual
        }
        changes |= {
            "threshold": bound,
            "thresholds": thresholds,
            "length_penalty": policy.length_penalty,
        }
    return policy.with_changes(**changes) if changes else policy


def _chosen(table: Mapping[str, Any], name: str, kind: str) -> Any:
    if name not in table:
        raise InputError(f"unknown {kind} {name[:40]!r}; use one of {', '.join(table)}.")
    return table[name]


def key_file(folder: Path) -> Path:
    """Return the file with the key of made-up names, by which the same name becomes the same one in every project."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _KEY_FILE
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        return path
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(secrets.token_hex(32))
    return path


_DIFFERENT = 3
"""Different cues of a kind at least: any text may speak of a hearing or a patient."""
_WORDS_PER_CUE = 45
"""A longer text has more of them."""
_LONGEST = 20_000
_CUES: Mapping[str, str] = {
    "court": "appeal|appellant|applicant|claimant|convicted|counsel|court|defendant|hearing|judge|judgment|"
    "lodged|plaintiff|proceedings|prosecutor|respondent|sentenced|tribunal",
    "clinical": "admitted|biopsy|blood pressure|bp|clinic|consultant|daily|diagnosed|diagnosis|discharged?|dressing|"
    "examination|hospital|insulin|medication|mg|mmol|nhs|nurse|pain|patient|referral|referring|symptoms|tablets|ward|wound",
    "personnel": "absence|annual leave|appraisal|disciplinary|employee|grievance|hr|human resources|"
    "job title|line manager|occupational health|payroll|probation|salary|sick leave",
    "research": "fieldwork|informed consent|interview|interviewee|interviewer|laughs|participant|pause|"
    "recording|researcher|transcript",
}
_PATTERNS = {kind: re.compile(rf"\b(?:{cues})\b", re.IGNORECASE) for kind, cues in _CUES.items()}
_CHAT_LINE = re.compile(
    r"^\[?(?:\d\d?/\d\d?/\d{2,4},? )?\d\d?:\d\d(?::\d\d)?\]?[ -]+<?[\w .@]{1,30}(?:>|:) "
)


def kind_of(text: str) -> str:
    """Return the profile that suits a text, by words typical of such texts, or ``usual`` if none is clear."""
    text = text[:_LONGEST]
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and 2 * sum(map(bool, map(_CHAT_LINE.match, lines))) > len(lines):
        return "chat"
    cues = {kind: [cue.lower() for cue in each.findall(text)] for kind, each in _PATTERNS.items()}
    kind = max(cues, key=lambda kind: len(cues[kind]))
    is_clear = len(set(cues[kind])) >= _DIFFERENT
    return kind if is_clear and len(cues[kind]) * _WORDS_PER_CUE >= len(text.split()) else "usual"
