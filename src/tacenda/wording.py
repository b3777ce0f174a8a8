"""The labels of types, figures and indicators in sentences, pages and tables."""

from __future__ import annotations

from .document import LossBound, Risk, SemanticType

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
TAGS = {
    SemanticType.PERSON: "PERSON",
    SemanticType.CODE: "CODE",
    SemanticType.LOC: "PLACE",
    SemanticType.ORG: "ORGANISATION",
    SemanticType.DEM: "DETAIL",
    SemanticType.DATETIME: "DATE",
    SemanticType.QUANTITY: "QUANTITY",
    SemanticType.MISC: "ITEM",
}
"""The word of each type in a tag, such as ``[PLACE 1]``."""
TIME = "TIME"
"""The word in the tag of a DATETIME that is no date: a time of day, a duration."""
TAG_WORDS = tuple(dict.fromkeys((*SemanticType, *TAGS.values(), TIME)))
"""Every word that a placeholder in brackets may have, of tags and of the other operators."""
IDENTIFIERS = {
    "DIRECT": "identifies the person by itself",
    "QUASI": "may identify the person together with other things",
    "NO_MASK": "hardly identifies anybody",
}
"""The meaning of each type of identifier."""
METRICS = {
    "entity_recall_direct": "ER_di, entity recall, direct identifiers",
    "entity_recall_quasi": "ER_qi, entity recall, quasi-identifiers",
    "entity_recall": "ER, entity recall, both",
    "mention_recall": "mention recall",
    "token_recall": "R, token recall",
    "token_precision": "P, token precision",
    "weighted_token_precision": "token precision by information",
    "mention_precision": "mention precision",
    "token_f1": "F_1 of P and R",
    "token_f2": "F_2, recall counts double",
    "text_kept": "characters kept",
    "words_masked": "words masked",
    "information_loss": "information loss by compression",
}
"""The figures of an evaluation in the order of a table: privacy, precision, text; ``_`` is a subscript."""
METRIC_COLUMNS = {
    "token_recall": "R",
    "entity_recall_direct": "ER_di",
    "entity_recall_quasi": "ER_qi",
    "token_precision": "P",
    "token_f1": "F_1",
    "token_f2": "F_2",
    "text_kept": "characters kept",
}
"""The figures that a table by threshold has, by the head of their column."""
CURVES = {
    "entity_recall_direct": "ER direct",
    "entity_recall_quasi": "ER quasi",
    "token_recall": "R",
    "token_precision": "P",
}
"""The figures that are drawn against the threshold, by the name at the end of the line."""
ERRORS = {
    "missed": "nothing of the mention is masked, nor of its entity’s others",
    "inconsistent": "it is not masked, though another mention of its entity is",
    "partial": "some of the mention is masked, some that matters is not",
    "over-masked": "masked, though no annotator wants it masked",
}
"""The meaning of each kind of error; all but the last leak."""
_INDICATORS = {
    "masking_head": "recognizer and patterns",
    "masking_head_whole": "the same, every word",
    "identity_number": "number of identity",
    "target": "person to protect",
    "search_emulated": "search, emulated",
    "span": "words and context",
    "combined": "all together",
}


def metric_label(name: str) -> str:
    """Label of a figure of an evaluation, those of others by their name."""
    return METRICS.get(name, name.replace("_", " "))


def indicator_label(name: str) -> str:
    """Label of a risk indicator, those of others by their name."""
    return _INDICATORS.get(name, name.replace("_", " "))


def entities_left(before: float, residual: float) -> str:
    """Return the expected number of entities left that need masking, as a count, never as a share.

    Args:
        before: expected number of entities in need of masking.
        residual: expected number of those that are left.
    """
    number = max(round(before), round(residual))
    total = f"{number} entit{'y' if number == 1 else 'ies'} that need{'s'[: number == 1]} masking"
    if not number:
        return "nothing that needs masking is expected to be left"
    return f"{about(residual)} of {total} {'is' if number == 1 else 'are'} left"


def about(number: float) -> str:
    """An expected number in words."""
    return "fewer than 1" if number < 0.5 else f"about {round(number)}"


def risk_left(risk: Risk) -> str:
    """The residual risk of a document, and the promise about it, as sentences."""
    phrase = entities_left(risk.before, risk.residual)
    sentence = (
        f"{phrase[0].upper()}{phrase[1:]} ({risk.residual:.2f} of {risk.before:.2f} expected); the "
        f"riskiest that was kept has {risk.highest_kept:.2f}."
    )
    if risk.kept_by_people is not None:
        sentence += f" Besides, a person decided to keep what counts for {risk.kept_by_people:.2f}."
    return sentence if risk.promise is None else f"{sentence} {promised(risk.promise)}"


def promised(promise: LossBound) -> str:
    """The promise about the identifiers left as a sentence, those never detected included."""
    at_most = promise.share if promise.is_met else promise.bound
    return (
        f"Of the identifiers of such documents, the undetected ones included, at most {_percent(at_most)} "
        f"are left on average ({_percent(promise.confidence)} confidence; measured on {promise.domain}: "
        f"{_percent(promise.expected)}, and at most {_percent(promise.tail)} in nine documents of ten)."
    )


def unmet(promise: LossBound) -> str:
    """The warning about a promise that can't be made."""
    return (
        f"at most {_percent(promise.share)} of the identifiers left can't be promised: the smallest "
        f"share is {_percent(promise.bound)} ({_percent(promise.confidence)} confidence; {promise.domain}). "
        f"Masked is all from a risk of {promise.threshold:g} on."
    )


def _percent(share: float) -> str:
    return f"{share * 100:.3g} %"
