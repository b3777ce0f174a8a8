"""The ranker is fitted to choices, and measured on groups that it did not see."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.document import Option, SemanticType
from tacenda.errors import ModelError
from tacenda.models.store import shipped
from tacenda.models.tables import load_weights, text_digest
from tacenda_lab.train.packages import Card
from tacenda_lab.train.ranker import (
    AnnotatedChoice,
    cross_validated,
    fit,
    held_out_choices,
    write_ranker,
)

OPTIONS = (
    Option("a", 0, "rule:person", 0.0, 1.0),
    Option("***", 1, "suppress", 0.0, 0.0),
)

CARD = Card("A text.", "A licence.", "A command.")


def choice(group: str, *chosen: int) -> AnnotatedChoice:
    """Return a choice between one option and suppression."""
    return AnnotatedChoice(group, SemanticType.PERSON, ("A",), OPTIONS, chosen)


def test_probabilities_are_the_shares_of_choices() -> None:
    """Without a ridge to speak of, 3 of 4 people are a probability of 3/4."""
    choices = [choice(str(number), 3, 1) for number in range(200)]
    ranker = fit(choices, ridge=1e-6)
    chances = ranker.probabilities(SemanticType.PERSON, ("A",), OPTIONS)
    assert chances[0] == pytest.approx(0.75, abs=1e-3)


def test_a_ridge_draws_weights_to_nothing() -> None:
    """With a strong one, both are equally likely whatever was chosen."""
    ranker = fit([choice("a", 1, 0)], ridge=1e6)
    chances = ranker.probabilities(SemanticType.PERSON, ("A",), OPTIONS)
    assert chances == pytest.approx((0.5, 0.5), abs=1e-3)


def test_what_was_not_offered_teaches_nothing() -> None:
    """A choice of something else is no choice between ours."""
    choices = [choice("a", 1, 0), choice("b", 1, 2)]
    assert fit([*choices, choice("c", 0, 0)]).weights == fit(choices).weights


def test_groups_are_held_out() -> None:
    """What is chosen in one document alone is predicted from the others, which chose otherwise."""
    choices = [*(choice("a", 1, 0) for _ in range(9)), *(choice("b", 0, 1) for _ in range(9))]
    found = cross_validated(choices, ridge=0.1, folds=2)
    assert all(chances[0] < 0.1 for chances in found[:9])
    assert all(chances[0] > 0.9 for chances in found[9:])


def test_a_ranker_is_written_and_read(tmp_path: Path) -> None:
    """The weights come back, and whether a document was fitted to."""
    ranker = fit([choice("a", 2, 1)])
    write_ranker(ranker, ["one", "two", "one"], CARD, tmp_path)
    found = load_weights(tmp_path)
    assert found.weights == ranker.weights
    assert found.fitted_to == {text_digest("one"), text_digest("two")}


@pytest.mark.parametrize("content", ["{", "{}", '{"weights": 1}', '{"weights": {"a": "b"}}', "[]"])
def test_a_file_without_weights_is_refused(content: str, tmp_path: Path) -> None:
    """Whatever is wrong with it, the error says to rebuild it."""
    write_ranker(fit([choice("a", 2, 1)]), [], CARD, tmp_path)
    (tmp_path / "ranker.json").write_text(content, "utf-8")
    with pytest.raises(ModelError, match="SHA-256"):
        load_weights(tmp_path)
    from tacenda.models.store import digest

    digests = {"ranker.json": digest(tmp_path / "ranker.json")}
    (tmp_path / "digests.json").write_text(json.dumps(digests), "utf-8")
    with pytest.raises(ModelError, match="rebuild it"):
        load_weights(tmp_path)


def test_another_model_is_no_ranker() -> None:
    """A gazetteer has no weights of features."""
    other = next(model for model in shipped() if model.name == "gazetteer-en")
    with pytest.raises(ModelError, match="is not a ranker"):
        load_weights(other.folder)


def test_weights_are_finite_whatever_is_chosen() -> None:
    """Perfect separation does not run away."""
    weights = fit([choice("a", 1, 0)] * 50).weights
    assert all(map(math.isfinite, weights.values()))


def test_documents_it_never_saw_are_chosen_for_as_people_do(shared_data: Path) -> None:
    """For seven spans in ten the choice is a person's, and not many more are suppressed than by people."""
    from tacenda.policy import Policy
    from tacenda.rewrite.ontology import open_ontology

    evaluation = held_out_choices(shared_data / "wiki" / "wikireplace_dev.json", open_ontology())
    bound = Policy().residual_risk
    total = evaluation.agreement(bound).total
    assert total.any >= 0.7 * total.spans
    assert total.suppressed == pytest.approx(total.people_suppressed, abs=0.08 * total.spans)
    kappa = evaluation.kappa(bound)
    assert kappa is not None
    assert kappa >= 0.59
    assert evaluation.agreement(1.0, 1.0).total.suppressed >= total.suppressed
    chances = tuple((0.0,) * (len(row) - 1) + (1.0,) for row in evaluation.chances)
    alone = replace(evaluation, chances=chances)
    # But for bins and spans of time, which nobody was shown.
    assert 0.9 * total.spans <= alone.agreement().total.suppressed < total.spans
