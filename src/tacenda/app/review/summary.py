"""Summarizes a reviewed document in a few figures, and computes the digest of its text."""

from __future__ import annotations

import hashlib

from ...text.decoding import writable
from ..store.documents import DocumentSummary
from .redecide import Reviewed
from .sign_off import SignOffs


def summary(reviewed: Reviewed, signed: SignOffs = SignOffs()) -> DocumentSummary:  # noqa: B008
    """Return the summary of a document with these sign-offs, for lists."""
    decisions = reviewed.sanitized.decisions
    return DocumentSummary(
        entities=len(decisions),
        decided=len(reviewed.verdicts),
        masked=sum(decision.masked for decision in decisions),
        doubtful=len(reviewed.doubtful),
        before=reviewed.sanitized.risk.before,
        residual=reviewed.sanitized.risk.residual,
        kept_by_people=reviewed.sanitized.risk.kept_by_people or 0.0,
        kept_by_policy=reviewed.sanitized.risk.kept_by_policy or 0.0,
        leaks=reviewed.sanitized.risk.leaks,
        accepted=len(reviewed.sanitized.accepted),
        together=len(reviewed.left_together),
        done=signed.reviewed is not None,
        stage=str(signed.stage),
        reviewed_by="" if signed.reviewed is None else signed.reviewed.person,
        approved_by="" if signed.approved is None else signed.approved.person,
        reset_by="" if signed.reset is None else signed.reset.person,
    )


def output_digest(reviewed: Reviewed) -> str:
    """Return the SHA-256 of a sanitized text in UTF-8, as in the audit record."""
    return hashlib.sha256(writable(reviewed.sanitized.text).encode()).hexdigest()
