"""Table 3 of the paper on risk measures, as far as it can be had here; and what indicators are worth.

    python -m benchmarks risk_tables DATA [--corpus tab/dev_real.json …] [--without INDICATOR …]
    python -m benchmarks risk_tables DATA --zero-shot WORK      # the zero-shot half of Table 3 alone

Mentions are those of the shipped recognizer and the patterns, linked; a row is a rule that says which
entities are masked. Verification and propagation of leaks play no part. Indicators that are not there
are skipped, and said so. The search is an index of one's own instead of the web (see search_risk.py);
the person is the applicant. P uniform and by unigram information, F1 of P and R.

The zero-shot half takes the recognizers that `tacenda lab train zero-shot` left in its working folder, with the patterns.
No masking decision is in it but the one number below which the language model finds an entity risky; direct
identifiers are not masked for being called so.

The other tables ask what is best at equal recall: for each way to judge entities, the recognizer's own first,
the bound is the largest that reaches the recall of quasi identifiers of a plain threshold; the test is paired, over
documents, against the first row.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.economy import direct
from benchmarks.search_risk import built, cover
from benchmarks.tables import print_header
from tacenda.decide.decide import threshold_for, words_of
from tacenda.document import Assessment, Document, IdentifierType, Span
from tacenda.errors import TacendaError
from tacenda.evaluate.evaluation import (
    EvaluationSettings,
    compare,
    evaluate,
    evaluate_prepared,
    prepare_predicted,
)
from tacenda.evaluate.gold import GoldDocument, load_gold
from tacenda.evaluate.matching import PreparedDocument
from tacenda.link.linking import link
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.risk.assess import assess
from tacenda.risk.registry import indicator_names, load_indicators
from tacenda.risk.search.indicator import SearchRisk
from tacenda.text.information import UnigramSurprisal
from tacenda_lab.reproduce.strategies import SPECIFIC

PAPER = """| *paper, test split:* generic NER, mask all | .41 | .58 | .91 | .95 | .88 | .57 |
| *paper:* fine-tuned recognizer, mask all | .52 | .57 | .98 | .99 | .97 | .68 |
| *paper:* mask most specific | .76 | .77 | .84 | .98 | .87 | .83 |
| *paper:* BERT-based risk | .54 | .58 | .95 | .99 | .89 | .69 |
| *paper:* web query risk | .64 | .68 | .84 | .91 | .78 | .73 |
| *paper:* supervised risk | .79 | .81 | .89 | .99 | .89 | .84 |
| *paper:* supervised + web query | .64 | .69 | .94 | .99 | .93 | .76 |
| *paper:* all three | .54 | .58 | .97 | .99 | .95 | .69 |"""
PAPER_ZERO_SHOT = """| *paper, test split:* generic NER, mask all | .41 | .58 | .91 | .95 | .88 | .57 |
| *paper:* zero-shot recognizer, mask all | .44 | .52 | .96 | .99 | .94 | .60 |
| *paper:* BERT-based risk | .57 | .62 | .91 | .98 | .83 | .70 |
| *paper:* web query risk | .82 | .84 | .50 | .66 | .40 | .62 |
| *paper:* BERT-based + web query | .57 | .60 | .91 | .99 | .84 | .70 |"""
AT_EQUAL_RECALL = (
    "entities judged by",
    "at the ER_qi of",
    "ER_qi",
    "P",
    "difference of P",
    "p",
    "difference of ER_qi",
    "its p",
)

Values = list[dict[str, float]]
Rule = Callable[[Document, Sequence[Assessment], Values], Sequence[bool]]
Judged = list[tuple[Document, tuple[Assessment, ...], Values]]


def main(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", type=Path)
    parser.add_argument("--corpus", action="append")
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--adversary", default="opening")
    parser.add_argument(
        "--zero-shot", type=Path, help="working folder of tacenda lab train zero-shot"
    )
    arguments = parser.parse_args()
    names = list(available(arguments.without))
    with tempfile.TemporaryDirectory() as folder:
        index = built(arguments.data, arguments.adversary, Path(folder) / "index.db")
        search = SearchRisk(index, bound=0.05, budget=100_000)
        for corpus in arguments.corpus or ["tab/dev_real.json", "tab/dev.json"]:
            path = arguments.data / corpus
            gold = load_gold(path)
            if arguments.zero_shot:
                zero_shot_half(gold, path, arguments.zero_shot, search)
                continue
            judged = [*judge(path, names, search)]
            print(f"\n{corpus}: {len(judged)} documents\n")
            print_header("| masked | P | P by information | R | ER_di | ER_qi | F1 |")
            for name, rule in rules(names):
                print(row(name, gold, masks(judged, rule)), flush=True)
            print(PAPER)
            print_header(f"\n| {' | '.join(AT_EQUAL_RECALL)} |")
            for threshold in (0.2, 0.5):
                at_equal_recall(gold, judged, names, threshold)
        index.close()


def available(without: Sequence[str]) -> Iterator[str]:
    for name in indicator_names():
        try:
            if name not in without:
                load_indicators([name])
                yield name
        except TacendaError as error:
            print(f"skipped: {name} ({error})")


def judge(path: Path, names: Sequence[str], search: SearchRisk) -> Iterator[tuple]:
    """Yield documents with assessments by the recognizer, and values of all indicators."""
    sanitizer = load(threads=1)
    for item in json.loads(path.read_text(encoding="utf-8")):
        applicant = item["meta"]["applicant"] if "meta" in item else ""
        target = (applicant, f"{applicant.split()[-1]} v.") if applicant else ()
        document = Document(item["doc_id"], item["text"])
        analysis = sanitizer.analyze(document)
        entities = link(document, analysis.mentions)
        assessments = assess(document, entities, Policy())
        values = [{"recognizer": each.risk} for each in assessments]
        for name, indicator in zip(names, load_indicators(names), strict=True):
            findings = indicator.judge(replace(document, target=target), entities)
            for value, found in zip(values, findings, strict=True):
                value[name] = value["recognizer"] if found is None else found.evidence.value
                risky = found is not None and found.identifier is not IdentifierType.NO_MASK
                value[f"{name} risky"] = float(risky)
        if "search_emulated" in names:
            (emulated,) = load_indicators(["search_emulated"])
            told = emulated.combinations(replace(document, target=target), entities)
            fewest = cover(entities, [combination.entity_ids for combination in told])
            for value, entity in zip(values, entities, strict=True):
                value["emulated cover"] = float(entity.id in fewest)
        if target:
            report = search.search(replace(document, target=target), entities)
            alone = {ids[0] for c in report.combinations if len(ids := c.entity_ids) == 1}
            for value, entity in zip(values, entities, strict=True):
                value["search"] = float(entity.id in alone)
        for how in ("learned", "weighted", "all"):
            policy = Policy(indicators=tuple(n for n in names if n == "span"), combine=how)
            for value, each in zip(values, assess(document, entities, policy), strict=True):
                value[f"recognizer + span, {how}"] = each.risk
        yield document, assessments, values


def zero_shot_half(
    gold: Sequence[GoldDocument], path: Path, work: Path, search: SearchRisk
) -> None:
    print(f"\n{path.name}: {len(gold)} documents\n")
    print_header("| masked | P | P by information | R | ER_di | ER_qi | F1 |")
    generic = [*judge_zero_shot(path, work / "recognizer-en-generic")]
    print(row("generic NER and patterns, mask all", gold, masks(generic, all_found)), flush=True)
    judged = [*judge_zero_shot(path, work / "recognizer-en-zero-shot", search)]
    language, alone = ("language_threshold", 0.5), ("search", 0.5)
    for name, rule in (
        ("zero-shot, mask all", all_found),
        ("zero-shot, most specific types", most_specific),
        ("zero-shot, language_threshold", any_of(language)),
        ("zero-shot, search, alone risky", any_of(alone)),
        ("zero-shot, language_threshold + search", any_of(language, alone)),
        ("zero-shot, most specific types + search", union(most_specific, any_of(alone))),
    ):
        print(row(name, gold, masks(judged, rule)), flush=True)
    print(PAPER_ZERO_SHOT)


def judge_zero_shot(path: Path, folder: Path, search: SearchRisk | None = None) -> Iterator[tuple]:
    """Yield documents with what a recognizer of types finds; with a search, what indicators say of it."""
    sanitizer = load(Policy(model=str(folder)), threads=1)
    for item in json.loads(path.read_text(encoding="utf-8")):
        applicant = item["meta"]["applicant"]
        target = (applicant, f"{applicant.split()[-1]} v.")
        document = Document(item["doc_id"], item["text"])
        entities = link(document, sanitizer.analyze(document).mentions)
        values: Values = [{} for _ in entities]
        if search is not None:
            (indicator,) = load_indicators(["language_threshold"])
            for value, found in zip(values, indicator.judge(document, entities), strict=True):
                value["language_threshold"] = 0.0 if found is None else found.evidence.value
            report = search.search(replace(document, target=target), entities)
            risky = {ids[0] for c in report.combinations if len(ids := c.entity_ids) == 1}
            for value, entity in zip(values, entities, strict=True):
                value["search"] = float(entity.id in risky)
        yield document, assess(document, entities, Policy()), values


def all_found(_: Document, found: Sequence[Assessment], __: Values) -> list[bool]:
    return [True] * len(found)


def most_specific(_: Document, found: Sequence[Assessment], __: Values) -> list[bool]:
    return [each.entity.type in SPECIFIC for each in found]


def any_of(*bounds: tuple[str, float]) -> Rule:
    return lambda _, __, values: [
        any(value[name] >= bound for name, bound in bounds) for value in values
    ]


def union(*parts: Rule) -> Rule:
    return lambda *judged: [
        any(of_one) for of_one in zip(*(p(*judged) for p in parts), strict=True)
    ]


def rules(names: Sequence[str]) -> Iterator[tuple[str, Rule]]:
    """Yield each row's name and what it masks; direct identifiers are masked but in the first two."""
    yield "all that is recognised", all_found
    yield "most specific types", most_specific
    yield "recognizer, partial match, from .5", above("recognizer", 0.5)
    yield "recognizer, partial match, from .2 (its default)", above("recognizer", 0.2)
    yield "recognizer from .18 with economy .2 (*balanced*)", economical("recognizer", 0.18, 0.2)
    yield "recognizer, partial match, from .08", above("recognizer", 0.08)
    for name in names:
        if name != "language_together":  # It judges nobody alone.
            yield f"{name}, from .5", above(name, 0.5)
    if "search_emulated" in names:
        yield "search_emulated, fewest that break all combinations", above("emulated cover", 0.5)
    yield "search, alone risky", above("search", 0.5)
    yield "recognizer from .2 + search", either(("recognizer", 0.2), ("search", 0.5))
    for how in ("learned", "weighted", "all"):
        yield f"recognizer + span, {how}, from .2", above(f"recognizer + span, {how}", 0.2)
    yield "recognizer + span, any, from .5", either(("recognizer", 0.5), ("span", 0.5))
    everything = [("recognizer", 0.5), *((name, 0.5) for name in names), ("search", 0.5)]
    yield "all of them, any, from .5", either(*everything)
    risky = [(f"{name} risky", 0.5) for name in names]
    if "perturbation" in names:
        yield "perturbation, above its threshold", above("perturbation risky", 0.5)
    yield (
        "all of them, any, by their own thresholds",
        either(("recognizer", 0.2), *risky, ("search", 0.5)),
    )


def above(name: str, bound: float) -> Rule:
    return either((name, bound))


def either(*bounds: tuple[str, float]) -> Rule:
    def rule(_: Document, found: Sequence[Assessment], values: Values) -> list[bool]:
        return [
            direct(each) or any(value.get(name, 0.0) >= bound for name, bound in bounds)
            for each, value in zip(found, values, strict=True)
        ]

    return rule


def economical(name: str, bound: float, economy: float) -> Rule:
    """Return the rule of ``Policy.length_penalty`` for what ``name`` says."""
    return lambda document, found, values: [
        direct(each)
        or value[name] >= threshold_for(bound, words_of(document, each.entity), economy)
        for each, value in zip(found, values, strict=True)
    ]


def masks(judged: Judged, rule: Rule) -> dict[str, list[Span]]:
    return {
        document.id: sorted(
            mention.span
            for each, masked in zip(found, rule(document, found, values), strict=True)
            if masked
            for mention in each.entity.mentions
        )
        for document, found, values in judged
    }


def row(name: str, gold: Sequence[GoldDocument], spans: dict[str, list[Span]]) -> str:
    scores = evaluate(gold, spans, EvaluationSettings(weights=UnigramSurprisal.shipped())).scores
    p, r = scores["token_precision"], scores["entity_recall"]
    figures = [
        p,
        scores["weighted_token_precision"],
        r,
        scores["entity_recall_direct"],
        scores["entity_recall_quasi"],
        2 * p * r / (p + r) if p + r else 0.0,
    ]
    return f"| {name} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |"


def at_equal_recall(
    gold: Sequence[GoldDocument], judged: Judged, names: Sequence[str], threshold: float
) -> None:
    base = masks(judged, above("recognizer", threshold))
    prepared = prepare_predicted(gold, base)
    wanted = quasi(prepared, base)
    systems = {}
    ways: dict[str, Callable[[float], Rule]] = {
        "threshold, recognizer": lambda bound: above("recognizer", bound),
        "threshold with economy .2, recognizer": lambda bound: economical("recognizer", bound, 0.2),
    }
    alone = [name for name in names if name != "language_together"]  # It judges nobody alone.
    for name in [*alone, *(f"recognizer + span, {how}" for how in ("learned", "weighted", "all"))]:
        ways[f"threshold, {name}"] = lambda bound, name=name: above(name, bound)
    for name, way in ways.items():
        low, high = 0, 1000
        while high - low > 1:
            middle = (low + high) // 2
            if quasi(prepared, masks(judged, way(middle / 1000))) >= wanted:
                low = middle
            else:
                high = middle
        systems[name] = masks(judged, way(low / 1000))
    found = compare(gold, systems)
    tests = {(test.system, test.metric): test for test in found.tests}
    for name, report in found.reports.items():
        cells = [f"{report.scores[key]:.3f}" for key in ("entity_recall_quasi", "token_precision")]
        for metric in ("token_precision", "entity_recall_quasi"):
            test = tests.get((name, metric))
            cells += (
                ["", ""] if test is None else [f"{test.difference:+.3f}", f"{test.p_value:.3f}"]
            )
        print(f"| {name} | {threshold} | {' | '.join(cells)} |", flush=True)


def quasi(prepared: Sequence[PreparedDocument], spans: dict[str, list[Span]]) -> float:
    return evaluate_prepared(prepared, spans).scores["entity_recall_quasi"]
