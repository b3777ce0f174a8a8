"""The recipe of the bounds on the share of identifiers left visible: labelled documents, losses, upper bounds.

A document's loss is the share of its DIRECT and QUASI entities, over all annotators, that the whole
pipeline doesn't mask completely, including those it never detects. Betting bounds the mean loss
(Waudby-Smith and Ramdas, 2024, as in Bates et al., 2021, section 3.1.3). This needs only
independent documents and losses in [0, 1], and works best if losses vary little.

The recognizer masks its own training documents too well. Everyday documents are therefore taken
from those held out of training (``is_held_out``), and generated ones are drawn anew. No judgments
or biographies were held out, so an ``optimism`` is added to their losses: the mean loss on
judgments that the recognizer never saw minus that on judgments in the training split, both by the
union of annotators. Held-out everyday documents come from the same sources as the training data,
unlike users' texts. If documents from other sources are given, the amount by which their mean loss
is higher is added, too.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil, log, sqrt
from pathlib import Path
from statistics import fmean, variance
from zlib import crc32

from tacenda.deciding import complete
from tacenda.document import Document, IdentifierType, Span
from tacenda.evaluate.gold import GoldDocument, GoldEntity, GoldMention, load_gold
from tacenda.evaluate.matching import PreparedDocument, built_in_ignored_tokens, prepare
from tacenda.evaluate.metrics import ENTITIES_DIRECT, ENTITIES_QUASI, Tally, count
from tacenda.models.bounds import BOUNDS_FILE, BoundTable, DomainLoss
from tacenda.models.store import read_model
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy

from .corpus import document_ids, is_held_out, read_gold, records
from .generated import generate
from .packages import CARD_FILE, write_digests, write_json

# Labelled documents by domain.


@dataclass(frozen=True, slots=True)
class LabelledDocument:
    """A gold document, with its domain and whether the recognizer was trained on it."""

    gold: GoldDocument
    domain: str
    is_seen: bool = False


_CLINICAL = frozenset({"clinical", "clinical_letter", "medical_forum"})
_CHAT = frozenset(
    "post chat classified comment dating forum prompt reddit travel tweet review question_answer "
    "gaming neighbourhood survey parenting confession".split()
)
_SYNTHETIC = {
    "labelled/synthetic_logs.jsonl.gz": "forms",
    "labelled/synthetic_forms.jsonl.gz": "forms",
    "labelled/synthetic_asr.jsonl.gz": "speech",
    "descriptions/synthetic_people_described.jsonl.gz": "descriptions",
}
PER_DOMAIN = 400
"""Documents of a domain, at most."""
_SEED = 77_000
_STREAM = 4_000
_KEPT = 4


def labelled_documents(data: Path) -> list[LabelledDocument]:
    """Return the documents to measure on, at most ``PER_DOMAIN`` per domain and always the same ones.

    Args:
        data: the folder with tab/, wiki/ and everyday/.
    """
    groups: dict[str, list[LabelledDocument]] = defaultdict(list)
    for gold in read_gold(data / "tab/train.json"):
        groups["court"].append(LabelledDocument(gold, "court", True))
    for gold in biographies(data / "wiki/biographies_train.json"):
        groups["biography"].append(LabelledDocument(gold, "biography", True))
    for file, domain in _SYNTHETIC.items():
        for gold in everyday_documents(data / "everyday" / file):
            if is_held_out(gold.id):
                groups[domain].append(LabelledDocument(gold, domain))
    for gold, kind in generated_documents(_SEED, _STREAM, data):
        if not is_kept_kind(kind):
            domain = domain_of(kind)
            groups[domain].append(LabelledDocument(gold, domain))
    return [
        item
        for members in groups.values()
        for item in _sample([item for item in members if _has_identifiers(item.gold)])
    ]


def domain_of(kind: str) -> str:
    """Return the domain that a kind of generated document belongs to."""
    return "clinical" if kind in _CLINICAL else "chat" if kind in _CHAT else "letters"


def is_kept_kind(kind: str) -> bool:
    """Tell whether generated documents of this kind are kept for checking the bounds."""
    return crc32(kind.encode()) % _KEPT == 0


def _sample(documents: Sequence[LabelledDocument]) -> list[LabelledDocument]:
    order = list(documents)
    random.Random(_SEED).shuffle(order)
    return order[:PER_DOMAIN]


def _has_identifiers(gold: GoldDocument) -> bool:
    return any(entity.needs_masking for entity in gold.entities)


def biographies(path: Path) -> Iterator[GoldDocument]:
    """Yield biographies with spans MASK and NO_MASK as gold."""
    for record in json.loads(path.read_text(encoding="utf-8")):
        spans = [
            (span["start"], span["end"], span["type"], "QUASI")
            for span in record["spans"]
            if span["label"] != "NO_MASK"
        ]
        yield gold_of(record["doc_id"], record["text"], spans)


def everyday_documents(path: Path) -> Iterator[GoldDocument]:
    """Yield the documents of a gzipped JSONL file of everyday text as gold."""
    for record in records(path):
        yield gold_of(record["id"], record["text"], record["spans"])


def generated_documents(seed: int, number: int, data: Path) -> Iterator[tuple[GoldDocument, str]]:
    """Yield generated documents, each with its kind."""
    for place, sample in enumerate(generate(seed, number, data)):
        yield gold_of(f"generated-{seed}-{place}", sample.text, sample.mentions), sample.kind


def gold_of(id: str, text: str, spans: Sequence[Sequence[object]]) -> GoldDocument:
    """Return spans ``[start, end, type, identifier]`` as gold; equal strings of one type form an entity."""
    groups: dict[tuple[str, str], list[GoldMention]] = defaultdict(list)
    for start, end, type, identifier in spans:
        if identifier in ("DIRECT", "QUASI"):
            span = Span(int(str(start)), int(str(end)))
            mention = GoldMention(span, str(type), IdentifierType(str(identifier)))
            groups[str(type), span.of(text).casefold()].append(mention)
    entities = tuple(
        GoldEntity(f"e{number}", "gold", tuple(mentions))
        for number, mentions in enumerate(groups.values(), 1)
    )
    return GoldDocument(id, text, "", ("gold",), entities)


# Losses: the share of entities left visible at each threshold.


THRESHOLDS = tuple(
    float(value)
    for value in "0 .005 .01 .02 .03 .04 .05 .065 .08 .1 .12 .15 .18 .22 .26 .3 .35 .4 .45 .5".split()
)


def losses(
    sanitizer: Sanitizer, gold: GoldDocument, thresholds: Sequence[float] = THRESHOLDS
) -> tuple[float, ...]:
    """Return the share of a document's entities left visible at each threshold."""
    policy = Policy(residual_share=0.0)
    analysis = sanitizer.analyze(Document(gold.id, gold.text))
    prepared = prepare(gold, built_in_ignored_tokens)
    values: list[float] = []
    risks: list[float] = []
    for place, threshold in enumerate(thresholds):
        # No risk lies between this threshold and the previous one, so the result is the same.
        if place and not any(thresholds[place - 1] <= risk < threshold for risk in risks):
            values.append(values[-1])
            continue
        result = complete(analysis, policy, threshold).sanitized
        risks = [decision.risk for decision in result.decisions]
        values.append(share_left(prepared, [edit.original for edit in result.replacements]))
    return tuple(values)


def share_left(prepared: PreparedDocument, masks: Sequence[Span]) -> float:
    """Return the share of the entities to mask that aren't masked completely."""
    tallies = count(prepared, masks).tallies
    nothing = Tally(0, 0)
    pairs = [tallies.get(name, nothing) for name in (ENTITIES_DIRECT, ENTITIES_QUASI)]
    total = sum(pair.total for pair in pairs)
    return 1 - sum(pair.hits for pair in pairs) / total if total else 0.0


# Upper bounds of the mean loss.


CONFIDENCE = 0.95
_TAIL = 0.9
_PRECISION = 1e-4


def upper_bound(values: Sequence[float], confidence: float = CONFIDENCE) -> float:
    """Return the upper confidence bound of the mean of independent values in [0, 1], by betting.

    If the mean isn't below a candidate, someone who bets that it is rarely gains much capital; the
    bound is the smallest candidate at which the capital grows beyond 1 / (1 - confidence).
    """
    limit = -log(1 - confidence)
    order = list(values)
    random.Random(0).shuffle(order)
    bets: list[float] = []
    total, squares = 0.5, 0.25
    for number, value in enumerate(order, 1):
        spread = squares / number
        bets.append(min(1.0, sqrt(2 * limit / (len(order) * spread))))
        total += value
        squares += (value - total / (number + 1)) ** 2
    low, high = 0.0, 1.0
    while high - low > _PRECISION:
        middle = (low + high) / 2
        if _largest_capital(order, bets, middle) > limit:
            high = middle
        else:
            low = middle
    return high


def _largest_capital(values: Sequence[float], bets: Sequence[float], mean: float) -> float:
    """Return the logarithm of the largest capital from bets against a mean of at least ``mean``."""
    capital = largest = 0.0
    for value, bet in zip(values, bets, strict=True):
        factor = 1 - bet * (value - mean)
        if factor <= 0:
            return largest
        capital += log(factor)
        largest = max(largest, capital)
    return largest


def tail(values: Sequence[float], level: float = _TAIL) -> float:
    """Return the conformal quantile, which a further value exceeds with probability at most 1 - level."""
    rank = ceil((len(values) + 1) * level)
    return 1.0 if rank > len(values) else sorted(values)[rank - 1]


def bound_table(measured: Mapping[str, Sequence[Sequence[float]]]) -> BoundTable:
    """Return the table of losses by domain, one row per document."""
    domains = {}
    for domain, rows in sorted(measured.items()):
        columns = list(zip(*rows, strict=True))
        domains[domain] = DomainLoss(
            len(rows),
            tuple(round(sum(column) / len(column), 4) for column in columns),
            # A larger threshold's bound is never below a smaller one's.
            tuple(round(value, 4) for value in _rising(map(upper_bound, columns))),
            tuple(round(value, 4) for value in _rising(map(tail, columns))),
        )
    return BoundTable(CONFIDENCE, THRESHOLDS, domains)


def _rising(values: Iterable[float]) -> Iterator[float]:
    largest = 0.0
    for value in values:
        largest = max(largest, value)
        yield largest


_OTHER = "other"
"""The domain of documents unlike all that were trained on."""


def measure(
    sanitizer: Sanitizer,
    documents: Sequence[LabelledDocument],
    surplus: Sequence[float],
    advance: Callable[[], None] = lambda: None,
    unlike: Sequence[GoldDocument] = (),
) -> dict[str, list[tuple[float, ...]]]:
    """Return the losses of documents by domain, one row per document.

    Args:
        sanitizer: with the recognizer to measure.
        documents: the labelled documents.
        surplus: the optimism at each threshold, added to losses on documents that the recognizer
            saw.
        advance: called after each document.
        unlike: everyday documents from other sources, a domain of their own. The amount by which
            their mean loss exceeds that of the everyday ``documents`` is added to the losses of the
            latter.
    """
    rows: list[tuple[float, ...]] = []
    for item in documents:
        rows.append(losses(sanitizer, item.gold))
        advance()
    measured: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    shift: Sequence[float] = [0.0] * len(surplus)
    if unlike:
        everyday = [row for item, row in zip(documents, rows, strict=True) if not item.is_seen]
        measured[_OTHER] = [losses(sanitizer, gold) for gold in unlike]
        shift = _surplus(everyday, measured[_OTHER])
    for item, row in zip(documents, rows, strict=True):
        added = surplus if item.is_seen else shift
        measured[item.domain].append(
            tuple(min(1.0, loss + more) for loss, more in zip(row, added, strict=True))
        )
    return dict(measured)


_LARGEST_ERROR = 1.645
"""Standard errors above the estimate, at ``CONFIDENCE``."""


def optimism(sanitizer: Sanitizer, data: Path) -> tuple[float, ...]:
    """Return an upper bound at each threshold for how much higher the mean loss is on unseen judgments.

    Args:
        sanitizer: with the recognizer to measure.
        data: the folder with tab/. Judgments in ``dev_real.json`` aren't read; they are for
            checking the bounds.
    """
    seen = load_gold(data / "tab/train.json")[::2]
    unread = document_ids(data / "tab/dev_real.json")
    unseen = [gold for gold in load_gold(data / "tab/dev.json") if gold.id not in unread]
    return _surplus(
        *([losses(sanitizer, union(gold)) for gold in golds] for golds in (seen, unseen))
    )


def _surplus(
    before: Sequence[Sequence[float]], after: Sequence[Sequence[float]]
) -> tuple[float, ...]:
    """Return an upper bound at each threshold for how much the mean loss rises; rows are documents."""
    columns = (list(zip(*rows, strict=True)) for rows in (before, after))
    return tuple(
        max(0.0, fmean(new) - fmean(old) + _LARGEST_ERROR * sqrt(_error(old) + _error(new)))
        for old, new in zip(*columns, strict=True)
    )


def _error(values: Sequence[float]) -> float:
    """Return the squared standard error of a mean."""
    return variance(values) / len(values)


def union(gold: GoldDocument) -> GoldDocument:
    """Return gold in which a string is masked wherever it is marked if any annotator masks it."""
    strings = {
        mention.span.of(gold.text).casefold()
        for entity in gold.entities
        if entity.needs_masking
        for mention in entity.mentions
    }
    spans = {
        (mention.span.start, mention.span.end, "MISC", "QUASI")
        for entity in gold.entities
        for mention in entity.mentions
        if mention.span.of(gold.text).casefold() in strings
    }
    return gold_of(gold.id, gold.text, sorted(spans))


_CARD_LINE = "**Bounds.**"


def write_bounds(folder: Path, table: BoundTable) -> None:
    """Write the table into a recognizer's folder, with its digest and a line of the card."""
    write_json(folder / BOUNDS_FILE, asdict(table))
    names = [name for name in read_model(folder).digests if name != BOUNDS_FILE]
    write_digests(folder, (*names, BOUNDS_FILE))
    card = folder / CARD_FILE
    if card.exists():
        paragraphs = card.read_text(encoding="utf-8").rstrip().split("\n\n")
        paragraphs = [item for item in paragraphs if not item.startswith(_CARD_LINE)]
        card.write_text("\n\n".join([*paragraphs, _card_line(table)]) + "\n", encoding="utf-8")


def _card_line(table: BoundTable) -> str:
    least = ", ".join(
        f"{name} {loss.bound[0]:.3f} ({loss.documents} documents)"
        for name, loss in sorted(table.domains.items())
    )
    return (
        f"{_CARD_LINE} `--risk R` takes its threshold from `{BOUNDS_FILE}` (`tacenda lab train bound`). Smallest share "
        f"of identifiers left that\ncan be promised with {table.confidence * 100:g} % confidence: {least}."
    )
