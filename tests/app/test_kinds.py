"""The kind of a text is guessed where it is clear, and left open where it isn't."""

from __future__ import annotations

from pathlib import Path

from tacenda.app.profiles import PROFILES, kind_of
from tests.examples import for_each

_EXAMPLES = Path(__file__).parents[2] / "examples"
_CHAT = "[10:02] <ann> are you in\n[10:03] <ben> yes\n[10:03] <ann> ok, court at 3\n"
_ROUNDS = "Slept badly, BP 138/82.\nRefuses insulin, wife phoned.\nDressing changed by nurse, no concerns."
_TALK = "Interviewer: Shall I start the recording? Participant: Yes (laughs). Interviewer: Good."
_STAFF = "Grievance: the employee asked her line manager about payroll, and HR answered late."


@for_each(
    ("text", "kind"),
    [
        ((_EXAMPLES / "judgment.txt").read_text("utf-8"), "court"),
        ((_EXAMPLES / "discharge.txt").read_text("utf-8"), "clinical"),
        ((_EXAMPLES / "biography.txt").read_text("utf-8"), "usual"),
        (_CHAT, "chat"),
        (_ROUNDS, "clinical"),
        (_TALK, "research"),
        (_STAFF, "personnel"),
        ("", "usual"),
        ("The court, the court, the court.", "usual"),
        ("She told the judge of the appeal hearing. " + "They baked bread. " * 80, "usual"),
    ],
)
def test_the_kind_of_a_text(text: str, kind: str) -> None:
    """Three different words of a kind make it, unless they are few in a long text."""
    assert kind in PROFILES
    assert kind_of(text) == kind
