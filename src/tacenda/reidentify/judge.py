"""Judges: they say whom a document is about, what attributes it reveals, and which words are telling.

A judge says why, and can be silent: it refuses, or its answer can't be read. Silence is never taken
for "not found": rates are of the documents with an answer, the rest is counted. ``tacenda_lab.llm``
has a judge that asks a language model, after Staab et al., *Beyond Memorization: Violating Privacy
via Inference with Large Language Models* (2024).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from ..background.people import People
from ..document import Document, Span
from ..text.given_names import full_names
from ..text.names import is_initial, parse_name
from ..text.normal_form import fold_text
from .rates import Rate, rate
from .report import AttackCase, Rows, person_label
from .tokens import TokenizedDocument, read_words

ATTRIBUTES: Final = ("sex", "age", "place", "occupation", "relationship", "health")


class Silence(StrEnum):
    """Why a question has no answer."""

    REFUSED = "refused"  # The judge refuses.
    UNREADABLE = "unreadable"  # the answer has the wrong format
    FAILED = "failed"  # No answer arrived, or an error.
    NOT_ASKED = "not asked"  # The budget is spent.


@dataclass(frozen=True, slots=True)
class AttributeGuess:
    """A guess of one of the person's attributes.

    Attributes:
        attribute: one of ``ATTRIBUTES``.
        value: in the judge's words.
        confidence: in [0, 1]; 0 if it gave none.
        evidence: what it quotes as evidence, as spans of the document; may be empty.
    """

    attribute: str
    value: str = field(repr=False)
    confidence: float
    evidence: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Identity:
    """A judge's ranking of the candidates for the person.

    Attributes:
        candidates: indexes of the people it could choose from.
        ranking: those it named, likeliest first.
        confidence: confidence in the first one, in [0, 1]; 0 if it gave none.
        evidence: what it quotes as evidence, as spans of the document.
    """

    candidates: tuple[int, ...]
    ranking: tuple[int, ...]
    confidence: float = 0.0
    evidence: tuple[Span, ...] = ()

    def rank(self, person: int) -> int:
        """Return a person's rank, from 1; candidates that weren't named share the middle of the remaining ranks.

        People who aren't candidates come after all candidates.
        """
        if person in self.ranking:
            return self.ranking.index(person) + 1
        if person not in self.candidates:
            return len(self.candidates) + 1
        level = len(self.candidates) - len(self.ranking) - 1
        return len(self.ranking) + 1 + level // 2


@dataclass(frozen=True, slots=True)
class Inference:
    """A judge's inferences about a person from only the text.

    Attributes:
        attributes: its guesses, at most one per attribute.
        name: who it thinks the person is; empty if it doesn't know.
        evidence: what it quotes as evidence for the name, as spans of the document.
    """

    attributes: tuple[AttributeGuess, ...]
    name: str = field(default="", repr=False)
    evidence: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgment:
    """A judge's answers about a document; for each, the answer or why there is none."""

    identity: Identity | Silence
    inference: Inference | Silence

    @property
    def silences(self) -> tuple[Silence, ...]:
        """The reason for each missing answer."""
        return tuple(x for x in (self.identity, self.inference) if isinstance(x, Silence))

    @property
    def evidence(self) -> tuple[Span, ...]:
        """The passages by which the judge identifies the person, in text order."""
        parts = (x for x in (self.identity, self.inference) if not isinstance(x, Silence))
        return tuple(sorted({span for part in parts for span in part.evidence}, key=_start))

    def finds(self, person: int, name: str, k: int) -> bool | None:
        """Return whether it names the person, openly or among its first ``k`` candidates.

        Returns None if it doesn't and an answer is missing.
        """
        if isinstance(self.identity, Identity) and person in self.identity.ranking[:k]:
            return True
        if isinstance(self.inference, Inference) and is_name(self.inference.name, name):
            return True
        return None if self.silences else False


def _start(span: Span) -> tuple[int, int]:
    return span.start, span.end


@dataclass(frozen=True, slots=True)
class Cost:
    """What a judge cost.

    Attributes:
        requests: number of requests sent, including retries.
        prompt_tokens: number of tokens read by the model as reported, or else estimated.
        completion_tokens: number of tokens written by the model as reported, or else estimated.
        seconds: time spent waiting for it.
        answers: number of questions answered.
        silences: number of unanswered questions, by reason.
        quotes_dropped: number of quotes that aren't in the text.
    """

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    answers: int = 0
    silences: Mapping[Silence, int] = field(default_factory=dict)
    quotes_dropped: int = 0


class Judge(Protocol):
    """A reader that is asked whom a document is about.

    Attributes:
        name: the name shown to users.
        cost: what it has cost so far.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - said above

    @property
    def cost(self) -> Cost: ...  # noqa: D102 - said above

    def judge(
        self, document: TokenizedDocument, mask: NDArray[np.bool_], person: int | None = None
    ) -> Judgment:
        """Return its judgment of a document with a mask, [words].

        Args:
            document: the document.
            mask: whether each word is masked.
            person: a person to always include among the candidates, for a strict check.
        """
        ...


# Locating a judge's quotes in the text.


LONGEST_QUOTE: Final = 12
"""Maximum length of a quote in words; longer ones don't show what gave the person away."""


def locate(quote: str, words: TokenizedDocument) -> tuple[range, ...]:
    """Return all occurrences of a quote in a text, as word ranges; empty if there are none.

    Case, accents, white space and punctuation may differ; words may not.
    """
    keys = read_words(Document("", quote)).keys
    n = len(keys)
    if not 0 < n <= LONGEST_QUOTE:
        return ()
    firsts = range(len(words) - n + 1)
    return tuple(range(at, at + n) for at in firsts if words.keys[at : at + n] == keys)


def is_name(guess: str, name: str) -> bool:
    """Return whether a guess has a person's surname and given name, including short forms."""
    theirs, ours = (parse_name(fold_text(text).strip()) for text in (guess, name))
    if theirs is None or ours is None or not theirs.surname or theirs.surname != ours.surname:
        return False
    if not theirs.given or is_initial(theirs.given[0]):
        return False
    first = full_names(theirs.given[0])
    return any(first & full_names(given) for given in ours.given)


# A judge's part in an attack on a release.


@dataclass(frozen=True, slots=True)
class JudgedCase:
    """A document with a judgment.

    Attributes:
        case: the document and its person.
        judgment: the judgment of it.
        named: whether the open guess is the person's name; None without an answer.
    """

    case: AttackCase
    judgment: Judgment
    named: bool | None


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """A judge's results on a release.

    Attributes:
        judge: the judge's name.
        k: the K of the rate among the first K.
        cases: one a document.
        cost: the total cost.
    """

    judge: str
    k: int
    cases: tuple[JudgedCase, ...]
    cost: Cost

    @property
    def ranked(self) -> list[tuple[int, Identity]]:
        """The person and the answer for each document whose candidates were ranked."""
        return [
            (one.case.person, one.judgment.identity)
            for one in self.cases
            if isinstance(one.judgment.identity, Identity)
        ]

    def rate_within(self, k: int) -> Rate | None:
        """The rate of people among the first ``k``, over the documents answered; None if there are none."""
        ranks = [identity.rank(person) for person, identity in self.ranked]
        return rate(sum(rank <= k for rank in ranks), len(ranks)) if ranks else None

    @property
    def named(self) -> Rate | None:
        """The rate of people named without candidates, over the documents answered."""
        answers = [one.named for one in self.cases if one.named is not None]
        return rate(sum(answers), len(answers)) if answers else None

    @property
    def recall(self) -> Rate | None:
        """The rate of people among the candidates, over the documents answered, which limits all rates."""
        hits = [person in identity.candidates for person, identity in self.ranked]
        return rate(sum(hits), len(hits)) if hits else None

    @property
    def worst(self) -> float:
        """The higher of the rates at rank 1 and of names; 0 without any answer."""
        return max(one.value if one else 0.0 for one in (self.rate_within(1), self.named))

    @property
    def unanswered(self) -> int:
        """The number of documents with an unanswered question."""
        return sum(bool(one.judgment.silences) for one in self.cases)


def judge_release(
    cases: Sequence[AttackCase],
    judge: Judge,
    people: People,
    k: int,
    advance: Callable[[], None] = lambda: None,
) -> JudgeReport:
    """Have each document of a release judged; ``advance`` is called after each."""
    judged = []
    for case in cases:
        judgment = judge.judge(case.document, case.document.unmasked())
        named = None
        if isinstance(judgment.inference, Inference):
            ((_, name),) = people.names([case.person])
            named = is_name(judgment.inference.name, name)
        judged.append(JudgedCase(case, judgment, named))
        advance()
    return JudgeReport(judge.name, k, tuple(judged), judge.cost)


# For readers: rows of text as ``report`` makes them, a line on what it cost, and JSON.
#
#     {"judge", "rates": {"rank_1", "rank_k", "named", "among_candidates": RATE or null}, "unanswered": n,
#      "cost": {…, "silences": {reason: n}}, "results": [{"id", "rank", "confidence", "named",
#      "silences": [reason, …], "attributes": [{"attribute", "confidence", "spans"}], "clues": [[start, end], …]}]}
#
# With ``reveal`` a guess has its value, and a document the name guessed.


def judge_rows(report: JudgeReport) -> Rows:
    """Return the rates as rows that continue those of ``report.rate_rows``."""
    title = f"found by {report.judge}, of {len(report.ranked)} answered"
    first, among = report.rate_within(1), report.rate_within(report.k)
    return [
        (title, _rate_text(first), _rate_text(among)),
        (f"named by {report.judge} without candidates", _rate_text(report.named), ""),
        ("among its candidates", _rate_text(report.recall), ""),
    ]


def judgment_rows(report: JudgeReport, people: People) -> Rows:
    """Return the documents as rows, with guesses and quotes: for the reviewer."""
    rows: Rows = [("document", "rank", "who it looks like", "guesses", "telling words")]
    for one in report.cases:
        words = one.case.document
        identity, inference = one.judgment.identity, one.judgment.inference
        rank, likeness = str(identity), ""
        if isinstance(identity, Identity):
            rank = f"{identity.rank(one.case.person)} of {len(identity.candidates)}"
            if identity.ranking:
                likeness = person_label(*people.names(identity.ranking[:1])[0])
        guesses = str(inference)
        if isinstance(inference, Inference):
            values = [f"{guess.attribute}: {guess.value}" for guess in inference.attributes]
            guesses = "; ".join([f"name: {inference.name}"] * bool(inference.name) + values)
        text = words.document.text
        quotes = dict.fromkeys(span.of(text) for span in one.judgment.evidence)
        rows.append((words.document.id, rank, likeness, guesses, ", ".join(quotes)))
    return rows


def cost_line(judge: str, cost: Cost) -> str:
    """Return the cost of a judge and its number of missing answers, in one line."""
    silences = ", ".join(f"{n} {reason}" for reason, n in cost.silences.items() if n)
    return (
        f"{judge}: {cost.requests} requests, {cost.prompt_tokens:,} tokens read and "
        f"{cost.completion_tokens:,} written, {cost.seconds:,.0f} s; {cost.answers} questions "
        f"answered, {silences or 'none without answer'}; {cost.quotes_dropped} quotes dropped that "
        "aren't in the text"
    )


def judge_object(report: JudgeReport, *, reveal: bool) -> dict[str, Any]:
    """Return a report as values for ``json.dumps``."""
    return {
        "judge": report.judge,
        "rates": {
            "rank_1": _rate_object(report.rate_within(1)),
            "rank_k": _rate_object(report.rate_within(report.k)),
            "named": _rate_object(report.named),
            "among_candidates": _rate_object(report.recall),
        },
        "unanswered": report.unanswered,
        "cost": cost_object(report.cost),
        "results": [_judged_object(one, reveal) for one in report.cases],
    }


def cost_object(cost: Cost) -> dict[str, Any]:
    """Return a cost as values for ``json.dumps``."""
    silences = {str(reason): n for reason, n in cost.silences.items()}
    return asdict(cost) | {"seconds": round(cost.seconds, 3), "silences": silences}


def _judged_object(one: JudgedCase, reveal: bool) -> dict[str, Any]:
    identity, inference = one.judgment.identity, one.judgment.inference
    item: dict[str, Any] = {
        "id": one.case.document.document.id,
        "rank": identity.rank(one.case.person) if isinstance(identity, Identity) else None,
        "confidence": identity.confidence if isinstance(identity, Identity) else None,
        "named": one.named,
        "silences": [str(reason) for reason in one.judgment.silences],
        "attributes": [],
        "clues": _offsets(one.judgment.evidence),
    }
    if isinstance(inference, Inference):
        item["attributes"] = [
            {
                "attribute": guess.attribute,
                "confidence": guess.confidence,
                "spans": _offsets(guess.evidence),
                **({"value": guess.value} if reveal else {}),
            }
            for guess in inference.attributes
        ]
        if reveal:
            item["name"] = inference.name
    return item


def _offsets(spans: Sequence[Span]) -> list[list[int]]:
    return [[span.start, span.end] for span in spans]


def _rate_object(value: Rate | None) -> dict[str, float] | None:
    return None if value is None else value.as_object()


def _rate_text(value: Rate | None) -> str:
    return "no answer" if value is None else str(value)
