"""Risk by search: does the text that is left lead to the person (``explicit_risk_measures``, 3.2.2)?

    queries     phrases of entities; each query once, within a budget
    algorithm   Algorithm 1: combinations that bring up pages about the person
    indicator   ``SearchRisk``: findings and combinations of a document, with an account of queries

A back end such as ``background.documents.LocalIndex`` answers the queries.

To use it from another module, with the findings as part of the assessments and the combinations
separately:

    report = SearchRisk(backend, policy.target).search(document, entities)
    assessments = assess(document, entities, policy, [PrecomputedFindings(report.findings)])
    report.combinations
"""

from __future__ import annotations
