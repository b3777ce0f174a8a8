"""Results of attacks, as a record keeps them: rates with their intervals, of attackers, of the three tests, of a language model.

Nothing that the files say of single documents and people is kept.
"""

from __future__ import annotations

from ..annotations.checked_json import read_json
from ..errors import InputError
from .release import file_digest
from .sample import FrozenModel, parse


class RateInterval(FrozenModel):
    """A rate with its interval, as an attack says it."""

    rate: float
    low: float
    high: float


class AttackerRates(FrozenModel):
    """Documents whose person is ranked first, and among the first k."""

    rank_1: RateInterval
    rank_k: RateInterval


class JudgeRates(FrozenModel):
    """Rates of the documents that a judge answered about; None where it answered about none.

    Attributes:
        rank_1, rank_k: as an attacker's.
        named: without candidates.
        among_candidates: whoever isn't can't be ranked.
    """

    rank_1: RateInterval | None
    rank_k: RateInterval | None
    named: RateInterval | None
    among_candidates: RateInterval | None


class JudgeCost(FrozenModel):
    """Cost of a judge; see ``reidentify.judge.Cost``."""

    requests: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    answers: int
    silences: dict[str, int]
    quotes_dropped: int


class JudgeSummary(FrozenModel):
    """The language model of ``tacenda attack --llm``, without its answers.

    Attributes:
        judge: its name.
        rates: of the documents answered.
        unanswered: number of documents with a question left without answer.
        cost: of all, with the reasons of its silences.
    """

    judge: str
    rates: JudgeRates
    unanswered: int
    cost: JudgeCost


class AttackSummary(FrozenModel):
    """An attack of ``tacenda attack --to json``, without the people.

    Attributes:
        sha256: of its file.
        documents, people, k: how many were attacked, among how many, and k of the rates.
        rates: by attacker, of the release.
        control: the same for people whom the documents are not about.
        original: the same before masking; None where it wasn't given.
        llm: what a language model found; None where none was asked.
    """

    sha256: str
    documents: int
    people: int
    k: int
    rates: dict[str, AttackerRates]
    control: dict[str, AttackerRates]
    original: dict[str, AttackerRates] | None
    llm: JudgeSummary | None = None


class SinglingOutSummary(FrozenModel):
    """The test of singling out: documents whose person alone fits what they tell.

    Attributes:
        people: among how many.
        background: whether these are of background knowledge, or of the release.
        attack, wrong: rates of documents that single their person out, or another person.
        baseline, control: the same of guessing, and of strangers.
        risk: success of the attack beyond the control.
        median_fitting: number of people who fit a document, the median.
    """

    people: int
    background: bool
    attack: RateInterval
    wrong: RateInterval
    baseline: RateInterval
    control: RateInterval
    risk: RateInterval
    median_fitting: float


class LinkabilitySummary(FrozenModel):
    """The test of linkability: documents linked to another one of their person, by attacker.

    Attributes:
        pairs: number of documents of one person.
        chance: rate of guessing.
        attack, control: rates by attacker, of the release and of strangers.
        risk: success of any attacker beyond the control.
    """

    pairs: int
    chance: float
    attack: dict[str, RateInterval]
    control: dict[str, RateInterval]
    risk: RateInterval


class InferenceSummary(FrozenModel):
    """The test of inference of an attribute.

    Attributes:
        attack: rates by attacker.
        confident, baseline, control: rates of the guesses that are confident, of guessing, and of strangers.
        original: the same attack before masking; None where the originals weren't given.
        risk: success beyond the control.
    """

    attack: dict[str, RateInterval]
    confident: RateInterval
    baseline: RateInterval
    control: RateInterval
    original: RateInterval | None
    risk: RateInterval


class CriteriaSummary(FrozenModel):
    """The three tests of ``tacenda attack --tests --to json``, without the documents.

    Attributes:
        sha256: of its file.
        documents: how many were tested.
        singling_out: uniqueness among people.
        linkability: of documents; None where no one has two.
        inference: by attribute.
    """

    sha256: str
    documents: int
    singling_out: SinglingOutSummary
    linkability: LinkabilitySummary | None
    inference: dict[str, InferenceSummary]


def read_attack(path: str) -> AttackSummary | CriteriaSummary:
    """The rates of an attack, or of the three tests, from its file.

    Raises:
        InputError: if it is not JSON of ``tacenda attack``.
    """
    raw = read_json(path, finite=True)
    title = "the JSON of `tacenda attack --to json`"
    # Results for single documents are left out.
    match raw:
        case {"singling_out": _, "linkability": _, "inference": _, "documents": _}:
            item = {key: raw[key] for key in CriteriaSummary.model_fields if key in raw}
            return parse(CriteriaSummary, item | {"sha256": file_digest(path)}, path, title)
        case {"documents": _, "people": _, "k": _, "rates": _, "control": _, "original": _}:
            item = {key: raw[key] for key in AttackSummary.model_fields if key in raw}
        case _:
            raise InputError(f"is not {title}", path)
    if isinstance(llm := item.get("llm"), dict):
        item["llm"] = {key: value for key, value in llm.items() if key != "results"}
    return parse(AttackSummary, item | {"sha256": file_digest(path)}, path, title)
