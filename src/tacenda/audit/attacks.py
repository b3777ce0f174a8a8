"""Results of attacks in the form that a record keeps: rates with intervals for attackers, the three tests and a language model.

What the files say about individual documents and people isn't kept.
"""

from __future__ import annotations

from ..annotations.checked_json import read_json
from ..errors import InputError
from .release import file_digest
from .sample import FrozenModel, parse


class RateInterval(FrozenModel):
    """A rate with its interval, as reported by an attack."""

    rate: float
    low: float
    high: float


class AttackerRates(FrozenModel):
    """How many documents have their person ranked first, and among the first k."""

    rank_1: RateInterval
    rank_k: RateInterval


class JudgeRates(FrozenModel):
    """Rates over the documents that a judge answered for; None if it answered for none.

    Attributes:
        rank_1, rank_k: as for an attacker.
        named: without being given candidates.
        among_candidates: whose person was among the candidates; otherwise the person can't be
            ranked.
    """

    rank_1: RateInterval | None
    rank_k: RateInterval | None
    named: RateInterval | None
    among_candidates: RateInterval | None


class JudgeCost(FrozenModel):
    """The cost of a judge; see ``reidentify.judge.Cost``."""

    requests: int
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    answers: int
    silences: dict[str, int]
    quotes_dropped: int


class JudgeSummary(FrozenModel):
    """The results of ``tacenda attack --llm``, without the language model's answers.

    Attributes:
        judge: the judge's name.
        rates: rates over the documents it answered for.
        unanswered: number of documents with an unanswered question.
        cost: total cost, with the reasons for missing answers.
    """

    judge: str
    rates: JudgeRates
    unanswered: int
    cost: JudgeCost


class AttackSummary(FrozenModel):
    """The results of ``tacenda attack --to json``, without the people.

    Attributes:
        sha256: digest of its file.
        documents, people, k: number of documents attacked, number of candidates, and the k of the
            rates.
        rates: rates on the release, by attacker.
        control: the same for people whom the documents aren't about.
        original: the same before masking; None if the originals weren't given.
        llm: what a language model found; None if none was used.
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
    """The singling-out test: documents whose contents fit only their person.

    Attributes:
        people: number of candidates.
        background: whether the candidates come from background knowledge rather than from the
            release.
        attack, wrong: rates of documents that single out their person, or a wrong person.
        baseline, control: the same for guessing, and for strangers.
        risk: the attack's success beyond the control.
        median_fitting: median number of people who fit a document.
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
    """The linkability test: documents linked to another document of the same person, by attacker.

    Attributes:
        pairs: number of pairs of documents of one person.
        chance: success rate of guessing.
        attack, control: rates by attacker, for the release and for strangers.
        risk: any attacker's success beyond the control.
    """

    pairs: int
    chance: float
    attack: dict[str, RateInterval]
    control: dict[str, RateInterval]
    risk: RateInterval


class InferenceSummary(FrozenModel):
    """The inference test for one attribute.

    Attributes:
        attack: rates by attacker.
        confident, baseline, control: rates for confident guesses, for blind guesses, and for
            strangers.
        original: the same attack before masking; None if the originals weren't given.
        risk: success beyond the control.
    """

    attack: dict[str, RateInterval]
    confident: RateInterval
    baseline: RateInterval
    control: RateInterval
    original: RateInterval | None
    risk: RateInterval


class CriteriaSummary(FrozenModel):
    """The results of ``tacenda attack --tests --to json``, without the documents.

    Attributes:
        sha256: digest of its file.
        documents: number of documents tested.
        singling_out: uniqueness among people.
        linkability: of documents; None if nobody has two.
        inference: results by attribute.
    """

    sha256: str
    documents: int
    singling_out: SinglingOutSummary
    linkability: LinkabilitySummary | None
    inference: dict[str, InferenceSummary]


def read_attack(path: str) -> AttackSummary | CriteriaSummary:
    """Read the rates of an attack, or of the three tests, from its file.

    Raises:
        InputError: if it isn't JSON from ``tacenda attack``.
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
