"""Population risk in a run: telling words are masked until K people fit, and each result reports it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...document import (
    Document,
    Entity,
    Evidence,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
)
from ...result import Result
from ...risk.indicators import Finding
from .estimate import load
from .reading import Clue, read_clues
from .report import PopulationRisk, fitting, population_risk

_TYPES = {"age": SemanticType.DATETIME, "place": SemanticType.LOC}


@dataclass(frozen=True, slots=True)
class PopulationGuard:
    """Detector, indicator and check for one promise: that at least K people fit what is left of a text.

    It finds the words that its tables can count people by and masks as few of them as necessary,
    the most revealing first. Each result says how many people fit what is left.

    Attributes:
        country: the country of the tables.
        k: minimum for the lower end of the interval.
        place: state or county where all subjects are known to live; if empty, what the text says.

    Raises:
        InputError: if the tables have no such country or place.
    """

    country: str = "us"
    k: int = 20
    place: str = ""

    def __post_init__(self) -> None:
        tables = load(self.country)
        if self.place:
            tables.place(self.place)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
        """Return the words that people can be counted by; ``judge`` decides whether to mask them."""
        return [
            tuple(
                Mention(
                    clue.span,
                    _TYPES.get(clue.name, SemanticType.DEM),
                    0.0,
                    0.0,
                    MentionSource.PLUGIN,
                    clue.name,
                )
                for clue in read_clues(document.text, load(self.country))
                if clue.span is not None and _is_maskable(clue)
            )
            for document in documents
        ]

    def judge(self, document: Document, entities: Sequence[Entity]) -> list[Finding | None]:
        """Return a finding for each entity to mask."""
        left, masked = list(read_clues(document.text, load(self.country))), list[Clue]()

        def without(clue: Clue) -> float:
            others = [other for other in left if other is not clue]
            return fitting(others, self.country, self.place).expected

        while fitting(left, self.country, self.place).low < self.k:
            best = max(filter(_is_maskable, left), key=without, default=None)
            if best is None:
                break
            left.remove(best)
            masked.append(best)
        statement = f"Without it, more people fit the remaining text; {self.k} must."
        evidence = Evidence(f"population:{self.country}", 1.0, statement)
        spans = [clue.span for clue in masked if clue.span is not None]
        return [
            Finding(evidence, IdentifierType.QUASI)
            if any(mention.span.overlaps(span) for mention in entity.mentions for span in spans)
            else None
            for entity in entities
        ]

    def __call__(self, result: Result) -> Result:
        """Return the result with a line about the number of people who fit the remaining text."""
        risk = population_risk(result.text, self.country, self.place)
        line = statement_of(risk)
        if risk.estimate.low < self.k:
            line += f" That may be fewer than {self.k}."
        return replace(result, warnings=(*result.warnings, line))


def _is_maskable(clue: Clue) -> bool:
    """Return whether a clue can be masked; pronouns that reveal a sex can't."""
    return clue.span is not None and clue.name != "sex"


def statement_of(risk: PopulationRisk) -> str:
    """Return a sentence with the number of people who fit."""
    estimate = risk.estimate
    if not risk.costs:
        return f"The remaining text reveals nothing that the tables of {risk.place} count."
    return (
        f"The remaining text about this person fits about {rounded(estimate.count)} people in {risk.place} "
        f"[{rounded(estimate.low)}, {rounded(estimate.high)}]."
    )


def rounded(number: float) -> str:
    """Return a number rounded to two significant digits, such as 1,400."""
    digits = max(0, len(str(int(number))) - 2)
    return f"{round(number, -digits):,.0f}"
