"""The numbers beside the slider, and the curve that they lie on, as coordinates of a picture."""

from __future__ import annotations

from dataclasses import dataclass

from ...document import Identification
from ...policy import Policy
from ..review.curve import BOUNDS, Point, curve, masked_words, nearest
from ..review.redecide import Reviewed

WIDTH, HEIGHT = 120, 32
_MARGIN = 2


@dataclass(frozen=True, slots=True)
class Figures:
    """What the header shows of a document.

    Attributes:
        bound, position: the bound, and its place on the slider, 0 for the most lenient.
        words: masked words.
        before, residual: expected entities that need masking, over all and left.
        leaks: surface forms of masked entities that are left.
        together: combinations that point to the person and are left.
        attacks: what attackers make of the result, where it was attacked.
        decided, entities: progress.
        line: points of the curve, ``x,y`` joined by blanks: words to the right, risk upwards.
        x, y: where the document is.
    """

    bound: float
    position: int
    words: int
    before: float
    residual: float
    leaks: int
    together: int
    attacks: tuple[Identification, ...]
    decided: int
    entities: int
    line: str
    x: float
    y: float


STEPS = len(BOUNDS) - 1


def bound_at(position: int) -> float:
    """Return the bound at a place of the slider; further right is stricter."""
    return BOUNDS[STEPS - min(max(position, 0), STEPS)]


def figures(reviewed: Reviewed, policy: Policy) -> Figures:
    """Return the numbers of a document as it stands."""
    points = curve(reviewed, policy)
    words = masked_words(reviewed)
    risk = reviewed.sanitized.risk
    most_words = max(1, words, *(point.words for point in points))
    most_risk = max(1e-9, risk.residual, *(point.residual for point in points))

    def place(words: float, residual: float) -> tuple[float, float]:
        x = _MARGIN + (WIDTH - 2 * _MARGIN) * words / most_words
        y = HEIGHT - _MARGIN - (HEIGHT - 2 * _MARGIN) * residual / most_risk
        return round(x, 1), round(y, 1)

    x, y = place(words, risk.residual)
    return Figures(
        bound=reviewed.bound,
        position=STEPS - nearest(reviewed.bound),
        words=words,
        before=risk.before,
        residual=risk.residual,
        leaks=risk.leaks,
        together=len(reviewed.left_together),
        attacks=reviewed.sanitized.identifications,
        decided=len(reviewed.verdicts),
        entities=len(reviewed.sanitized.decisions),
        line=" ".join(_pair(place(point.words, point.residual)) for point in _ordered(points)),
        x=x,
        y=y,
    )


def _pair(place: tuple[float, float]) -> str:
    return f"{place[0]},{place[1]}"


def _ordered(points: tuple[Point, ...]) -> list[Point]:
    return sorted(points, key=lambda point: (point.words, -point.residual))
