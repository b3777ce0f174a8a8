"""``tacenda scan``: where identifiers stand in files, without what they are."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import DECISIONS, INPUT, OUTPUT, AsJson, Only, SanitizerOptions, grouped

if TYPE_CHECKING:
    from ..integrations.scan.findings import FailRule, FileReport, Finding

_Paths = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATH...]", help="Files or folders; this folder by default."),
]
_FailOn = Annotated[
    str,
    typer.Option(
        metavar="RULE",
        help="Findings that make the exit code 1: any, never, risk=0.9, type=PERSON+CODE, or risk=0.9,type=CODE for both.",
        rich_help_panel=DECISIONS,
    ),
]
_NamesInCode = Annotated[
    bool,
    typer.Option(
        "--names-in-code",
        help="Read source code and settings with the whole policy, not for addresses, numbers and secrets alone.",
        rich_help_panel=DECISIONS,
    ),
]
_Exclude = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATTERN",
        help="Leave out paths, by patterns as in .gitignore; may be repeated.",
        rich_help_panel=INPUT,
    ),
]
_ExcludeFrom = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="A file of such patterns, such as .gitignore; may be repeated.",
        exists=True,
        dir_okay=False,
        rich_help_panel=INPUT,
    ),
]
_Staged = Annotated[
    bool,
    typer.Option(
        "--staged", help="Read what is staged for the next commit of git.", rich_help_panel=INPUT
    ),
]
_Baseline = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Accepted findings, by their fingerprints; needs a key.",
        rich_help_panel=DECISIONS,
    ),
]
_WriteBaseline = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Accept all findings in this file; needs a key.",
        rich_help_panel=OUTPUT,
    ),
]
_Sarif = Annotated[
    Path | None,
    typer.Option(
        "--sarif", metavar="FILE", help="Write SARIF 2.1.0 to a file.", rich_help_panel=OUTPUT
    ),
]


@grouped
def scan(
    paths: _Paths = None,
    fail_on: _FailOn = "any",
    exclude: _Exclude = None,
    exclude_from: _ExcludeFrom = None,
    staged: _Staged = False,
    names_in_code: _NamesInCode = False,
    baseline: _Baseline = None,
    write_baseline: _WriteBaseline = None,
    *,
    options: Annotated[
        SanitizerOptions, Only("policy", "target", "key_file", "threshold", "model", "threads")
    ],
    as_json: AsJson = False,
    sarif_file: _Sarif = None,
) -> None:
    """Report identifiers in files by type, risk, line and column.

    The text itself is never shown.

    The exit code is 1 if a finding fails by --fail-on, or a file could not be read.

    Examples:
      tacenda scan letters/ --fail-on risk=0.9

      tacenda scan . --exclude tests/ --sarif scan.sarif --fail-on never

      tacenda scan --staged
    """
    from ..atomic import atomic_file
    from ..integrations.loading import LazySanitizer
    from ..integrations.scan.baseline import read_baseline
    from ..integrations.scan.baseline import write_baseline as write
    from ..integrations.scan.files import ALWAYS_EXCLUDED, Exclusion, files_of, staged_files
    from ..integrations.scan.findings import Scanner, failures
    from ..integrations.scan.sarif import sarif

    rule = _rule(fail_on)
    policy = options.effective_policy()
    key = policy.key() if baseline or write_baseline or policy.key_file or policy.key_env else None
    accepted = frozenset[str]()
    if baseline is not None and key is not None:
        accepted = read_baseline(baseline, key)
    # Nothing is written, so no operator need have what it wants.
    policy = policy.with_changes(operator="tag", operators={}, operators_for=())
    if options.model is not None:
        policy = policy.with_changes(model=options.model)
    scanner = Scanner(
        LazySanitizer(policy, options.threads), key, accepted, names_in_code=names_in_code
    )
    exclusion = Exclusion(
        (
            *ALWAYS_EXCLUDED,
            *(line for file in exclude_from or () for line in file.read_text("utf-8").splitlines()),
            *(exclude or ()),
        )
    )
    files = staged_files(paths or (), exclusion) if staged else files_of(paths or ["."], exclusion)
    reports = []
    for file in files:
        reports.append(scanner.scan(file))
        if not as_json:
            for line in _lines(reports[-1]):
                typer.echo(line)
        for fault in reports[-1].faults:
            typer.echo(f"tacenda: {_named(fault, file.path)}", err=True)
    count = failures(reports, rule)
    if sarif_file is not None:
        with atomic_file(sarif_file) as output:
            output.stream.write(json.dumps(sarif(reports, rule), indent=1).encode())
    if write_baseline is not None and key is not None:
        write(
            write_baseline,
            key,
            (
                (item.path, found.type, found.fingerprint)
                for item in reports
                for found in item.findings
            ),
        )
    if as_json:
        rows = [report.to_dict() for report in reports if not report.skipped]
        typer.echo(json.dumps({"version": 1, "files": rows, **_totals(reports), "failing": count}))
    else:
        typer.echo(_summary(reports, count, fail_on))
    if count or any(report.faults for report in reports):
        raise typer.Exit(1)


def _rule(value: str) -> FailRule | None:
    """Return what --fail-on says; None for never.

    Raises:
        typer.BadParameter: naming the part at fault.
    """
    from ..document import SemanticType
    from ..integrations.scan.findings import FailRule

    if value in ("any", "never"):
        return FailRule() if value == "any" else None
    risk, types = None, frozenset[str]()
    for part in value.split(","):
        name, _, content = part.partition("=")
        if name == "risk":
            with suppress(ValueError):
                risk = float(content)
            if risk is None or not 0 <= risk <= 1:
                raise typer.BadParameter(
                    f"{content!r} is no risk in [0, 1].", param_hint="--fail-on"
                )
        elif name == "type" and set(content.split("+")) <= set(SemanticType):
            types = frozenset(content.split("+"))
        else:
            names = ", ".join(SemanticType)
            raise typer.BadParameter(
                f"{part!r} is none of any, never, risk=R, type=T; types are {names}.",
                param_hint="--fail-on",
            )
    return FailRule(risk, types)


def _lines(report: FileReport) -> Iterator[str]:
    """Yield the lines about a file: one for each type, the riskiest first."""
    findings = [finding for finding in report.findings if not finding.accepted]
    if not findings:
        return
    yield f"{report.path}: {_count(len(findings), 'finding')}, highest risk {_highest(findings):.2f}"
    of_type: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        of_type[finding.type].append(finding)
    for type, items in sorted(of_type.items(), key=lambda pair: (-_highest(pair[1]), pair[0])):
        places = " ".join(
            f"{item.place}{':' if item.place else ''}{item.line}:{item.column}" for item in items
        )
        yield f"  {type:<9}{len(items):>4}  risk {_highest(items):.2f}  at {places}"


def _highest(findings: Sequence[Finding]) -> float:
    return max(finding.risk for finding in findings)


def _named(fault: str, path: str) -> str:
    return fault if fault.startswith(path) else f"{path}: {fault}"


def _totals(reports: Sequence[FileReport]) -> dict[str, int]:
    findings = [finding for report in reports for finding in report.findings]
    return {
        "read": sum(not report.skipped for report in reports),
        "skipped": sum(report.skipped for report in reports),
        "findings": len(findings),
        "accepted": sum(finding.accepted for finding in findings),
    }


def _summary(reports: Sequence[FileReport], count: int, fail_on: str) -> str:
    totals = _totals(reports)
    parts = [f"{_count(totals['read'], 'file')} read", _count(totals["findings"], "finding")]
    if totals["accepted"]:
        parts.append(f"{totals['accepted']} of them accepted")
    if totals["skipped"]:
        parts.append(f"{totals['skipped']} without text skipped")
    return f"{', '.join(parts)}; {count} fail by --fail-on {fail_on}."


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
