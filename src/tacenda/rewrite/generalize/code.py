"""CODE: what kind of number or address it is, by its pattern and by the words before it.

``passport no. X1234567`` → passport number · number · ***. The paper has only ``***`` for codes;
the kind of a number keeps a sentence readable and fits everybody who has such a number.
"""

from __future__ import annotations

import re

from ...document import Document, Entity, Mention, Option
from .candidate import Candidate
from .finishing import finish

CODES = 1e10
_OF_A_KIND = 1e7
"""How many numbers of a kind there are, at the least: a guess that is the same for all kinds."""

_KINDS = {
    "email": "e-mail address",
    "personal_url": "web address",
    "url": "web address",
    "ip": "IP address",
    "mac": "device address",
    "phone": "telephone number",
    "iban": "bank account number",
    "card": "payment card number",
    "national_id": "national identity number",
    "identity_number": "identity number",
    "application_number": "application number",
    "case_number": "case number",
    "register_number": "register number",
    "licence_plate": "licence plate",
    "user_name": "user name",
}
"""Kind of the pattern to words."""

# What a word right before a number says that it is; the first that matches.
_ANNOUNCED = tuple(
    (re.compile(rf"\b(?:{words})\b", re.IGNORECASE), name)
    for words, name in (
        (r"passports?", "passport number"),
        (r"driv(?:ing|er'?s?) licen[cs]e", "driving licence number"),
        (r"social security|ssn", "social security number"),
        (r"nhs|medical record|mrn|patient|hospital", "patient number"),
        (
            r"national insurance|nino|id card|identity|identification|pesel|bsn|cpr|personnummer",
            "identity number",
        ),
        (r"tax(?:payer)?|tin|utr|nip", "tax number"),
        (r"account|iban", "bank account number"),
        (r"(?:credit|debit|payment) card", "payment card number"),
        (r"phone|telephone|tel|mobile|fax", "telephone number"),
        (r"insurance|policy", "insurance number"),
        (r"prisoner|inmate", "prisoner number"),
        (
            r"student|employee|personnel|service|badge|membership|customer|client",
            "membership number",
        ),
        (r"applications?", "application number"),
        (
            r"cases?|dockets?|files?|petitions?|complaints?|appeals?|proceedings|indictments?",
            "case number",
        ),
        (r"judgments?|decisions?|references?|ref", "reference number"),
        (r"plots?|parcels?|land register|folio|title|deeds?", "land register number"),
        (
            r"invoices?|orders?|receipts?|bookings?|tickets?|contracts?|leases?|permits?|certificates?",
            "document number",
        ),
        (r"registration|licence plate|plate", "registration number"),
        (r"flight", "flight number"),
    )
)
_WORDS_BEFORE = 40
_CLAUSE = re.compile(r".*[.;!?](?=\s[A-Z])|.*\n", re.DOTALL)
_FORMS = (
    (re.compile(r"[^\s@]+@[^\s@]+\.\w+"), "e-mail address"),
    (re.compile(r"(?:https?://|www\.)\S+"), "web address"),
)
_DIGIT = re.compile(r"\d")


class Code:
    """Writes what kind of number or address it is."""

    def options(self, document: Document, entity: Entity) -> tuple[Option, ...]:
        """Return the kind of code, ``number`` where it is one, and ``***``."""
        names = {_name(document.text, mention) for mention in entity.mentions} - {""}
        candidates = []
        if len(names) == 1:
            candidates.append(Candidate(names.pop(), "rule:code-kind", _OF_A_KIND, CODES))
        if all(_DIGIT.search(mention.span.of(document.text)) for mention in entity.mentions):
            candidates.append(Candidate("number", "rule:code", CODES, CODES))
        return finish(document, entity, candidates)


def _name(text: str, mention: Mention) -> str:
    """Return the words for a mention's kind; empty if nothing tells it."""
    named = _KINDS.get(mention.kind, "")
    if named and mention.kind != "identity_number":
        return named
    string = mention.span.of(text)
    for pattern, name in _FORMS:
        if pattern.fullmatch(string):
            return name
    start = mention.span.start
    before = _CLAUSE.sub("", text[max(0, start - _WORDS_BEFORE) : start])
    # The nearest word counts: "in case no. 1 and application no. 2".
    found = [
        (match.end(), name)
        for pattern, name in _ANNOUNCED
        for match in pattern.finditer(before.replace("’", "'"))
    ]
    return max(found)[1] if found else named
