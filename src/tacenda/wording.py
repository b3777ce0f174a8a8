"""What pages, reports and the command line call things, in one place."""

from __future__ import annotations

from .document import Risk, SemanticType

TYPES = {
    SemanticType.PERSON: "person",
    SemanticType.CODE: "code or number",
    SemanticType.LOC: "place",
    SemanticType.ORG: "organisation",
    SemanticType.DEM: "attribute of a person",
    SemanticType.DATETIME: "date or time",
    SemanticType.QUANTITY: "quantity",
    SemanticType.MISC: "other",
}
"""The label of each type."""
_INDICATORS = {
    "masking_head": "recognizer and patterns",
    "masking_head_whole": "the same, every word",
    "identity_number": "number of identity",
    "target": "person to protect",
    "search_emulated": "search, emulated",
    "span": "words and context",
    "combined": "all together",
}


def indicator_label(name: str) -> str:
    """Label of a risk indicator, those of others by their name."""
    return _INDICATORS.get(name, name.replace("_", " "))


def entities_left(before: float, residual: float) -> str:
    """Expected number of entities that need masking and are left, as a count, never as a share.

    Args:
        before: expected number that need masking.
        residual: expected number of those that are left.
    """
    number = max(round(before), round(residual))
    total = f"{number} entit{'y' if number == 1 else 'ies'} that need{'s'[: number == 1]} masking"
    if not number:
        return "nothing that needs masking is expected to be left"
    amount = "fewer than 1" if residual < 0.5 else f"about {round(residual)}"
    return f"{amount} of {total} {'is' if number == 1 else 'are'} left"


def risk_left(risk: Risk) -> str:
    """What is expected to be left of a document's risk, as a sentence."""
    left = entities_left(risk.before, risk.residual)
    return (
        f"{left[0].upper()}{left[1:]} ({risk.residual:.2f} of {risk.before:.2f} expected); the "
        f"riskiest that was kept has {risk.highest_kept:.2f}."
    )
