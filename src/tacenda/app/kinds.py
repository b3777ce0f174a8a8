"""The kind of a text, guessed from the words that such texts are full of; people choose another one."""

from __future__ import annotations

import re
from collections.abc import Mapping

_DIFFERENT = 3
"""Different cues of a kind at least: any text may speak of a hearing or a patient."""
_WORDS_PER_CUE = 45
"""A longer text has more of them."""
_LONGEST = 20_000
_CUES: Mapping[str, str] = {
    "court": "appeal|appellant|applicant|claimant|convicted|counsel|court|defendant|hearing|judge|judgment|"
    "lodged|plaintiff|proceedings|prosecutor|respondent|sentenced|tribunal",
    "clinical": "admitted|biopsy|blood pressure|clinic|consultant|daily|diagnosed|diagnosis|discharged?|"
    "examination|hospital|medication|mg|mmol|nhs|patient|referral|referring|symptoms|tablets|ward",
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
    """The name of the profile that a text asks for; ``usual`` where none is clear."""
    text = text[:_LONGEST]
    lines = [line for line in text.splitlines() if line.strip()]
    if lines and 2 * sum(map(bool, map(_CHAT_LINE.match, lines))) > len(lines):
        return "chat"
    cues = {kind: [cue.lower() for cue in each.findall(text)] for kind, each in _PATTERNS.items()}
    kind = max(cues, key=lambda kind: len(cues[kind]))
    is_clear = len(set(cues[kind])) >= _DIFFERENT
    return kind if is_clear and len(cues[kind]) * _WORDS_PER_CUE >= len(text.split()) else "usual"
