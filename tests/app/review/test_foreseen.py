"""The risk that is foreseen of an entity with each of its generalisations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.app.events import ReviewAction
from tacenda.app.review.events import ReviewState, Verdict
from tacenda.app.review.foreseen import foreseen_risks, written_text
from tacenda.app.review.redecide import options_of, redecide
from tacenda.deciding import Analysis
from tacenda.document import Decision, Document, Entity, IdentifierType, Option, Risk
from tacenda.policy import Policy
from tacenda.rewrite.generalize.candidates import Candidate
from tests.examples import for_each

from ...building import mention

DOCUMENT = Document("d", "He was born on 12 March 1994 in Kentville, Norway.")
DATE = mention(DOCUMENT, "12 March 1994", "DATETIME", masking=0.8)
RISK = Risk(before=3.0, residual=1.0, highest_kept=0.8, leaks=0)


def _decision(identifier: IdentifierType, risk: float, *, masked: bool = False) -> Decision:
    entity = Entity("e1", DATE.type, 1, (DATE,))
    return Decision(entity, masked, "generalize" if masked else "", identifier, risk, ())


def _option(place: int, fitting: float, scope: float = 1000.0) -> Option:
    candidate = Candidate(f"one of {fitting}", "rule", fitting, scope)
    return Option(candidate.text, place, candidate.source, candidate.kept, candidate.risk)


@pytest.mark.parametrize(
    ("identifier", "own", "rest"),
    [
        (IdentifierType.DIRECT, [0.08, 0.008], [0.28, 0.208]),
        # 10 of 1,000 things leave a third of the information open, 100 two thirds.
        (IdentifierType.QUASI, [0.56, 0.32], [0.76, 0.52]),
    ],
)
def test_a_general_term_leaves_a_part_of_the_risk(
    identifier: IdentifierType, own: list[float], rest: list[float]
) -> None:
    """What singles out by itself is guessed among all that fits; the rest keeps the share of its information."""
    options = [_option(0, 10), _option(1, 100)]
    foreseen = foreseen_risks(_decision(identifier, 0.8), options, RISK, 0.8)
    assert [item.own for item in foreseen] == pytest.approx(own)
    assert [item.document for item in foreseen] == pytest.approx(rest)


def test_what_is_masked_adds_to_the_rest_of_the_document() -> None:
    """An entity that is masked now isn't in the rest yet."""
    decision = _decision(IdentifierType.DIRECT, 0.8, masked=True)
    (foreseen,) = foreseen_risks(decision, [_option(0, 10)], RISK, 0.8)
    assert foreseen.document == pytest.approx(1.08)


@given(
    st.lists(st.tuples(st.floats(1, 1e9), st.floats(2, 1e9)), max_size=8),
    st.sampled_from(IdentifierType),
    st.floats(0, 1),
    st.booleans(),
)
def test_a_more_general_option_never_has_a_higher_risk(
    counts: list[tuple[float, float]], identifier: IdentifierType, risk: float, masked: bool
) -> None:
    """Neither of the entity nor of the document, and never more than without it."""
    ordered = sorted(counts)
    options = [_option(place, *count) for place, count in enumerate(ordered)]
    decision = _decision(identifier, risk, masked=masked)
    foreseen = foreseen_risks(decision, options, RISK, risk)
    own = [item.own for item in foreseen]
    rest = [item.document for item in foreseen]
    assert own == sorted(own, reverse=True)
    assert rest == sorted(rest, reverse=True)
    assert all(0 <= value <= risk for value in own)


@for_each("name", ["Ada Byron", "Ben Cole", "Cy Dean"])
@for_each("operator", ["tag", "suppress"])
@for_each("kept", [(), ("Ada Byron",), ("Ben Cole", "Cy Dean")])
def test_the_number_shown_is_the_one_written(
    name: str, operator: str, kept: tuple[str, ...]
) -> None:
    """People are numbered as they appear in the result, not in the original; a tag there already has its own."""
    document = Document("d", "[PERSON 2] saw Ada Byron, then Ben Cole, then Cy Dean.")
    names = {
        each: mention(document, each, masking=0.9) for each in ("Ada Byron", "Ben Cole", "Cy Dean")
    }
    analysis, policy = Analysis(document, tuple(names.values())), Policy(operator=operator)
    verdicts = {names[each].span: Verdict(ReviewAction.KEEP) for each in kept}
    reviewed = redecide(analysis, policy, 0.5, ReviewState(verdicts=verdicts))
    entity = next(item for item in reviewed.sanitized.entities if item.mentions == (names[name],))
    option = options_of(reviewed, policy, entity.id)[0]
    shown = written_text(option, entity, reviewed.sanitized)
    verdicts |= {names[name].span: Verdict(ReviewAction.GENERALISE, option.text)}
    after = redecide(analysis, policy, 0.5, ReviewState(verdicts=verdicts)).sanitized
    written = [item.text for item in after.replacements if entity.id in item.entity_ids]
    assert written == [f"[{shown}]"]


def test_each_generalisation_of_a_date_has_its_own_risk() -> None:
    """A month, a year and a decade tell less and less, and ``***`` nothing."""
    reviewed = redecide(Analysis(DOCUMENT, (DATE,)), Policy(), 0.9, ReviewState())
    (decision,) = reviewed.sanitized.decisions
    options = options_of(reviewed, Policy(), decision.entity.id)
    foreseen = foreseen_risks(decision, options, reviewed.sanitized.risk, decision.risk)
    own = [item.own for item in foreseen]
    assert len(own) > 3
    assert len(set(own)) == len(own)
    assert own[-1] == 0.0
