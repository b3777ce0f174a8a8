"""Risk by search: whether what a text leaves leads to the person (``explicit_risk_measures``, 3.2.2).

    queries     entity -> the phrases that an adversary would type; each query once, within a budget
    algorithm   Algorithm 1: which combinations bring up pages about the person
    indicator   ``SearchRisk``: the findings and combinations of a document, with an account of queries

A back end, such as ``background.documents.LocalIndex``, answers the queries.

All that another module needs, with the findings in the assessments and the combinations beside:

    report = SearchRisk(backend, policy.target).search(document, entities)
    assessments = assess(document, entities, policy, [PrecomputedFindings(report.findings)])
    report.combinations
"""

from __future__ import annotations

from ...background.documents import Hit, Part, Query, SearchBackend
from .algorithm import PrecomputedFindings, SearchReport, SearchRisk

__all__ = [
    "Hit",
    "Part",
    "PrecomputedFindings",
    "Query",
    "SearchBackend",
    "SearchReport",
    "SearchRisk",
]
