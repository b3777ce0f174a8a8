"""The recipe of the bounds: losses, upper bounds of their mean, the file beside the weights."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.document import Span
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.matching import built_in_ignored_tokens, prepare
from tacenda.models.bounds import BOUNDS_FILE, read_bounds
from tacenda.models.store import digest, read_model
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tacenda_lab.train.bound import (
    THRESHOLDS,
    LabelledDocument,
    bound_table,
    domain_of,
    gold_of,
    losses,
    measure,
    share_left,
    tail,
    union,
    upper_bound,
    write_bounds,
)
from tests.app.building import KNOWN
from tests.detectors import KnownNames

TEXT = "Ada Byron met Ben Cole. Ada Byron left."
GOLD = gold_of(
    "d",
    TEXT,
    [
        (0, 9, "PERSON", "DIRECT"),
        (14, 22, "PERSON", "QUASI"),
        (24, 33, "PERSON", "DIRECT"),
        (34, 38, "MISC", "NO_MASK"),
    ],
)


def test_an_entity_is_left_unless_all_of_its_mentions_are_masked() -> None:
    """One name in two places is one identifier; what needs no mask doesn't count."""
    prepared = prepare(GOLD, built_in_ignored_tokens)
    assert share_left(prepared, []) == 1.0
    assert share_left(prepared, [Span(0, 9)]) == 1.0
    assert share_left(prepared, [Span(0, 9), Span(24, 33)]) == 0.5
    assert share_left(prepared, [Span(0, 33)]) == 0.0


def test_what_is_never_detected_is_lost_at_every_threshold() -> None:
    """Without a detector all identifiers are left."""
    sanitizer = Sanitizer(Policy(), None, 0.2)
    assert losses(sanitizer, GOLD) == (1.0,) * len(THRESHOLDS)


def test_a_larger_threshold_never_loses_less() -> None:
    """Here by hand: a name of risk .6 goes at every threshold of the table."""
    sanitizer = Sanitizer(Policy(patterns=False), KnownNames(*KNOWN), 0.5)
    values = losses(sanitizer, GOLD)
    assert list(values) == sorted(values)
    assert values[0] < 1.0


def test_seen_documents_lose_more_than_they_seem_to() -> None:
    """The optimism is added, a threshold each; unseen documents are taken as they are."""
    sanitizer = Sanitizer(Policy(patterns=False), KnownNames(*KNOWN), 0.5)
    documents = [LabelledDocument(GOLD, "a", True), LabelledDocument(GOLD, "b")]
    measured = measure(sanitizer, documents, [0.1] * len(THRESHOLDS))
    assert measured["a"][0] == tuple(min(1.0, value + 0.1) for value in measured["b"][0])


def test_documents_unlike_the_others_are_a_domain_and_raise_the_others() -> None:
    """By the difference of the mean losses and what chance may add to it."""
    sanitizer = Sanitizer(Policy(patterns=False), KnownNames(*KNOWN), 0.5)
    documents = [LabelledDocument(GOLD, "a", True), *[LabelledDocument(GOLD, "b")] * 3]
    nowhere = replace(GOLD, text=GOLD.text.swapcase())
    alone = measure(sanitizer, documents, [0.0] * len(THRESHOLDS))
    measured = measure(sanitizer, documents, [0.0] * len(THRESHOLDS), unlike=[nowhere] * 3)
    assert measured["a"] == alone["a"]
    assert measured["other"] == [(1.0,) * len(THRESHOLDS)] * 3
    assert measured["b"] == measured["other"]
    assert alone["b"] != measured["b"]


def test_a_string_that_one_annotator_masks_is_masked_in_the_union() -> None:
    """Wherever anybody marks it."""
    record = {
        "doc_id": "d",
        "text": TEXT,
        "annotations": {
            name: {
                "entity_mentions": [
                    {
                        "entity_id": "e1",
                        "entity_mention_id": f"m{start}",
                        "entity_type": "PERSON",
                        "start_offset": start,
                        "end_offset": end,
                        "span_text": TEXT[start:end],
                        "identifier_type": identifier,
                        "confidential_status": "NOT_CONFIDENTIAL",
                    }
                ]
            }
            for name, start, end, identifier in (("a", 0, 9, "QUASI"), ("b", 24, 33, "NO_MASK"))
        },
    }
    (gold,) = parse_gold([record])
    (entity,) = union(gold).entities
    assert [mention.span for mention in entity.mentions] == [Span(0, 9), Span(24, 33)]


@pytest.mark.parametrize("mean", [0.01, 0.05, 0.3])
def test_the_bound_holds_as_often_as_it_says(mean: float) -> None:
    """Of 200 samples of 60 losses, at most one in twenty (and some by chance) has a smaller bound."""
    source = random.Random(4)
    failures = sum(
        upper_bound([float(source.random() < mean) for _ in range(60)]) < mean for _ in range(200)
    )
    assert failures <= 18


def test_the_bound_profits_from_many_documents_and_little_variance() -> None:
    """Without any loss it is about 3 / n, as of the rule of three."""
    assert upper_bound([0.0] * 60) == pytest.approx(3 / 60, abs=0.02)
    assert upper_bound([0.0] * 600) < 0.008
    assert 0.1 < upper_bound([0.1] * 100) < upper_bound([0.0] * 90 + [1.0] * 10) < 0.25
    assert upper_bound([1.0] * 5) == 1.0


def test_the_tail_is_a_conformal_quantile() -> None:
    """The ninth of nine values, and nothing of fewer."""
    assert tail([0.1 * number for number in range(9)]) == pytest.approx(0.8)
    assert tail([0.0] * 8) == 1.0


def test_kinds_of_generated_documents_have_their_domains() -> None:
    """What people type for one another is chat, what is about their health clinical."""
    assert [domain_of(kind) for kind in ("tweet", "clinical", "bank")] == [
        "chat",
        "clinical",
        "letters",
    ]


def test_bounds_are_written_beside_the_weights(tmp_path: Path) -> None:
    """With their digest, and a paragraph of the card, once however often they are written."""
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    digests = {"config.json": digest(tmp_path / "config.json")}
    (tmp_path / "digests.json").write_text(json.dumps(digests), encoding="utf-8")
    (tmp_path / "CARD.md").write_text("# m\n\nA model.\n", encoding="utf-8")
    table = bound_table({"court": [(0.0,) * len(THRESHOLDS), (0.1,) * len(THRESHOLDS)]})
    write_bounds(tmp_path, table)
    card = (tmp_path / "CARD.md").read_text(encoding="utf-8")
    write_bounds(tmp_path, table)
    assert (tmp_path / "CARD.md").read_text(encoding="utf-8") == card
    assert card.startswith("# m\n\nA model.\n\n**Bounds.** `--risk R`")
    model = read_model(tmp_path)
    model.verify()
    assert list(model.digests) == ["config.json", BOUNDS_FILE]
    assert read_bounds(model) == table
