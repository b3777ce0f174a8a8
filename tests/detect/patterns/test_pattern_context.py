"""Dates, durations and amounts are as risky as the recognizer finds them where they stand."""

from __future__ import annotations

from tacenda.detect.patterns import PatternDetector
from tacenda.detect.patterns.detector import in_context
from tacenda.detect.patterns.table import PRIORS
from tacenda.document import Mention, MentionSource, SemanticType, Span

TEXT = "Bake for 30 minutes. She moved on 3 May 2021; write to anna@berg.no."


def recognized(start: int, end: int, p_mask: float) -> Mention:
    """Return a mention of the recognizer."""
    return Mention(Span(start, end), SemanticType.DATETIME, p_mask, 0.0, MentionSource.NEURAL)


def test_a_contextual_kind_takes_the_probability_of_the_recognizer() -> None:
    """The highest of those that overlap it, and none where the recognizer sees nothing."""
    date = TEXT.index("3 May")
    mentions = [recognized(date, date + 5, 0.6), recognized(date + 6, date + 10, 0.8)]
    judged = {m.kind: m.p_mask for m in in_context(PatternDetector().detect(TEXT), mentions)}
    assert judged["date"] == 0.8
    assert judged["duration"] == 0.0


def test_a_kind_that_its_form_decides_stays_certain() -> None:
    """An e-mail address is one in every text."""
    judged = {m.kind: m.p_mask for m in in_context(PatternDetector().detect(TEXT), [])}
    assert judged["email"] == 1.0


def test_numbers_of_people_are_never_contextual() -> None:
    """No kind that is masked always depends on the recognizer."""
    assert not [kind for kind, prior in PRIORS.items() if prior.contextual and prior.p_direct]
