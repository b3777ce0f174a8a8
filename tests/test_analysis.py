"""Analysis once, finished as often as one likes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tacenda.deciding import Reviewer, complete
from tacenda.document import Decision, Document, Span
from tacenda.errors import PolicyError
from tacenda.models.networks import RecognizerModel
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy

TEXT = (
    "Mr Galip Yalman was born in 1966 and lives in Ankara. His e-mail is galip@example.org.\n"
    "Mr Yalman works in Ankara; YALMAN is a teacher."
)


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    """Return the default sanitizer."""
    return load(threads=1)


@pytest.mark.parametrize("threshold", [0.01, 0.3, 0.9, 1.0])
def test_finishing_at_a_threshold_is_sanitizing_at_it(
    sanitizer: Sanitizer, threshold: float
) -> None:
    """One analysis gives at every threshold what a sanitizer with that threshold gives."""
    document = Document("d", TEXT)
    policy = Policy(threshold=threshold, operator="tag")
    finished = complete(sanitizer.analyze(document), policy, 0.5)
    assert finished.sanitized == sanitizer.with_policy(policy).sanitize(TEXT, id="d")
    assert [item.entity for item in finished.assessments] == list(finished.sanitized.entities)


def test_the_threshold_of_the_policy_comes_first(sanitizer: Sanitizer) -> None:
    """A sanitizer says which threshold holds: the policy's, else the recognizer's."""
    assert sanitizer.with_policy(Policy(threshold=0.7)).threshold == 0.7
    own = RecognizerModel.load().threshold
    assert sanitizer.with_policy(Policy()).threshold == own


def test_a_recognizer_is_not_made_up(sanitizer: Sanitizer) -> None:
    """Another policy may do without the recognizer, but not with one that is not there."""
    patterns = sanitizer.with_policy(Policy(recognizer=False, threshold=0.5))
    assert "example.org" not in patterns.sanitize(TEXT).text
    with pytest.raises(PolicyError, match="which was not loaded"):
        patterns.with_policy(Policy())


class _MaskTheFirst(Reviewer):
    """Masks nothing but the first mention of a name, and lets its leaks be."""

    def decisions(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        first, *rest = decisions
        return (
            replace(first, masked=True, operator="tag"),
            *(replace(item, masked=False, operator="") for item in rest),
        )

    def should_mask_leak(self, span: Span, decision: Decision) -> bool:
        return False


def test_a_review_has_the_last_word(sanitizer: Sanitizer) -> None:
    """What the person keeps is kept, and a leak that is not pursued is still reported."""
    analysis = sanitizer.analyze(Document("d", "Ada Byron met Ada Byron; ADA BYRON left."))
    one = replace(analysis, mentions=analysis.mentions[:1])
    sanitized = complete(one, Policy(), 0.5, _MaskTheFirst()).sanitized
    assert sanitized.text == "[PERSON 1] met Ada Byron; ADA BYRON left."
    assert len(sanitized.leaks) == 2
