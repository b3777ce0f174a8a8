"""A scan as SARIF 2.1.0, which code hosts and editors show next to lines; it contains no text.

There is one rule per semantic type; a finding in the baseline is a suppressed result. Columns count
code points (section 3.14.17), and are given only for files that have lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final
from urllib.parse import quote

from ..._version import __version__
from ...document import SemanticType
from ...wording import IDENTIFIERS, TYPES
from .findings import FailRule, FileReport, ScanFinding

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES: Final = tuple(SemanticType)
_FINGERPRINT: Final = "tacenda/v1"


def sarif(reports: Sequence[FileReport], rule: FailRule | None) -> dict[str, Any]:
    """Return the log of a run.

    Args:
        reports: the reports of all files.
        rule: findings that it applies to are errors, all others warnings.
    """
    faults = [
        {
            "level": "error",
            "message": {"text": fault},
            "locations": [{"physicalLocation": _artifact(report.path)}],
        }
        for report in reports
        for fault in report.faults
    ]
    driver = {
        "name": "tacenda",
        "version": __version__,
        "informationUri": "https://github.com/tacenda/tacenda",
        "rules": list(map(_rule, _RULES)),
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not faults, "toolExecutionNotifications": faults}],
        "results": [
            _result(report.path, finding, rule) for report in reports for finding in report.findings
        ],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(type: SemanticType) -> dict[str, Any]:
    return {
        "id": f"tacenda/{type}",
        "name": str(type),
        "shortDescription": {"text": f"Personal data: {TYPES[type]}"},
        "fullDescription": {
            "text": "The probability that it must be masked is above the policy's threshold."
        },
        "defaultConfiguration": {"level": "warning"},
        "properties": {"tags": ["privacy", "security"]},
    }


def _result(path: str, finding: ScanFinding, rule: FailRule | None) -> dict[str, Any]:
    type = SemanticType(finding.type)
    kind = f" ({finding.kind.replace('_', ' ')})" if finding.kind else ""
    physical = _artifact(path)
    if not finding.place:
        physical["region"] = {
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": finding.end_line,
            "endColumn": finding.end_column,
        }
    location: dict[str, Any] = {"physicalLocation": physical}
    if finding.place:
        location["logicalLocations"] = [{"fullyQualifiedName": path + finding.place}]
    result: dict[str, Any] = {
        "ruleId": f"tacenda/{type}",
        "ruleIndex": _RULES.index(type),
        "level": "error" if rule is not None and rule.applies(finding) else "warning",
        "message": {
            "text": f"{TYPES[type]}{kind}, risk {finding.risk:.2f}: {IDENTIFIERS[finding.identifier]}."
        },
        "locations": [location],
        "properties": {"risk": finding.risk, "identifier": finding.identifier},
    }
    return result | dict(_marks(finding))


def _marks(finding: ScanFinding) -> Iterator[tuple[str, Any]]:
    if finding.fingerprint:
        yield "partialFingerprints", {_FINGERPRINT: finding.fingerprint}
    if finding.accepted:
        yield "suppressions", [{"kind": "external", "justification": "accepted in the baseline"}]


def _artifact(path: str) -> dict[str, Any]:
    return {"artifactLocation": {"uri": quote(path)}}
