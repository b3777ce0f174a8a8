"""Risk by search: whether what a text leaves leads to the person (``explicit_risk_measures``, 3.2.2).

    phrases     entity -> the strings that an adversary would type
    asking      queries to a back end, each once, within a budget
    risky       Algorithm 1: which combinations bring up what is about the person
    indicator   ``SearchRisk``: the findings and combinations of a document
    report      those, and an account of what was not asked or had no answer
    local, web  back ends of the protocol in ``queries.py``: an index of documents that an adversary
                could know, and search engines

All that another module needs, with the findings in the assessments and the combinations beside:

    report = SearchRisk(backend, policy.target).search(document, entities)
    assessments = assess(document, entities, policy, [Told(report.findings)])
    report.combinations
"""

from __future__ import annotations

from ...background.queries import Hit, Part, Query, SearchBackend
from .indicator import PrecomputedFindings, SearchReport, SearchRisk

__all__ = [
    "Hit",
    "Part",
    "PrecomputedFindings",
    "Query",
    "SearchBackend",
    "SearchReport",
    "SearchRisk",
]
