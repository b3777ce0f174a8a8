"""``tacenda scan``: say where identifiers are in files, but not what they are."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..wording import counted
from .options import AsJson, Only, SanitizerOptions, argument, grouped, option
from .printing import print_note

if TYPE_CHECKING:
    from ..integrations.scan.files import ScannedFile
    from ..integrations.scan.findings import FailRule, FileReport, ScanFinding, Scanner
    from ..policy import Policy

_Paths = Annotated[list[str] | None, argument("scan.paths", metavar="[PATH...]")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanSettings:
    """Options of ``tacenda scan``."""

    fail_on: str = option("any", metavar="RULE")
    exclude: list[str] | None = option(None, metavar="PATTERN")
    exclude_from: list[Path] | None = option(None, metavar="FILE", exists=True, dir_okay=False)
    staged: bool = option(False, "--staged")
    names_in_code: bool = option(False, "--names-in-code")
    baseline: Path | None = option(None, metavar="FILE")
    write_baseline: Path | None = option(None, metavar="FILE")
    sarif_file: Path | None = option(None, "--sarif", metavar="FILE")

    @property
    def needs_key(self) -> bool:
        """Whether fingerprints are read or written."""
        return bool(self.baseline or self.write_baseline)


@grouped
def scan(
    paths: _Paths = None,
    *,
    options: Annotated[
        SanitizerOptions, Only("policy", "target", "key_file", "threshold", "model", "threads")
    ],
    as_json: AsJson = False,
    settings: ScanSettings,
) -> None:
    """Report identifiers in files by type, risk, line and column.

    The text itself is never shown. The exit code is 1 if a finding matches --fail-on or a file can't
    be read.

    Examples:
      tacenda scan letters/ --fail-on risk=0.9
      tacenda scan . --exclude tests/ --sarif scan.sarif --fail-on never
      tacenda scan --staged
    """
    from ..integrations.scan.findings import failures

    rule = _rule(settings.fail_on)
    policy = options.effective_policy()
    key = policy.key() if settings.needs_key or policy.key_file or policy.key_env else None
    scanner = _scanner(policy, key, options, settings)
    reports = []
    for file in _files(paths or (), settings):
        report = scanner.scan(file)
        reports.append(report)
        if not as_json:
            for line in _lines(report):
                typer.echo(line)
        for fault in report.faults:
            print_note(_named(fault, file.path))
    count = failures(reports, rule)
    _write_files(reports, rule, key, settings)
    if as_json:
        rows = [report.to_dict() for report in reports if not report.skipped]
        typer.echo(json.dumps({"version": 1, "files": rows, **_totals(reports), "failing": count}))
    else:
        typer.echo(_summary(reports, count, settings.fail_on))
    if count or any(report.faults for report in reports):
        raise typer.Exit(1)


def _scanner(
    policy: Policy, key: bytes | None, options: SanitizerOptions, settings: ScanSettings
) -> Scanner:
    from ..integrations.loading import LazySanitizer
    from ..integrations.scan.baseline import read_baseline
    from ..integrations.scan.findings import Scanner

    accepted = frozenset[str]()
    if settings.baseline is not None and key is not None:
        accepted = read_baseline(settings.baseline, key)
    # Nothing is written, so the policy's operators needn't be usable.
    policy = policy.with_changes(operator="tag", operators={}, operators_for=())
    if options.model is not None:
        policy = policy.with_changes(model=options.model)
    sanitizer = LazySanitizer(policy, options.threads)
    return Scanner(sanitizer, key, accepted, names_in_code=settings.names_in_code)


def _files(paths: Sequence[str], settings: ScanSettings) -> Iterable[ScannedFile]:
    from ..integrations.scan.files import ALWAYS_EXCLUDED, Exclusion, files_of, staged_files

    lists = (file.read_text("utf-8").splitlines() for file in settings.exclude_from or ())
    exclusion = Exclusion((*ALWAYS_EXCLUDED, *chain(*lists), *(settings.exclude or ())))
    if settings.staged:
        return staged_files(paths, exclusion)
    return files_of(paths or ["."], exclusion)


def _write_files(
    reports: Sequence[FileReport], rule: FailRule | None, key: bytes | None, settings: ScanSettings
) -> None:
    """Write SARIF and the baseline if requested."""
    from ..atomic import write_atomically
    from ..integrations.scan.baseline import write_baseline
    from ..integrations.scan.sarif import sarif

    if settings.sarif_file is not None:
        content = json.dumps(sarif(reports, rule), indent=1)
        write_atomically(settings.sarif_file, content.encode())
    if settings.write_baseline is not None and key is not None:
        rows = (
            (report.path, finding.type, finding.fingerprint)
            for report in reports
            for finding in report.findings
        )
        write_baseline(settings.write_baseline, key, rows)


def _rule(value: str) -> FailRule | None:
    """Return the condition of --fail-on; None for never.

    Raises:
        typer.BadParameter: if it is invalid; names the invalid part.
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
                    f"{content!r} is not a risk between 0 and 1", param_hint="--fail-on"
                )
        elif name == "type" and set(content.split("+")) <= set(SemanticType):
            types = frozenset(content.split("+"))
        else:
            names = ", ".join(SemanticType)
            raise typer.BadParameter(
                f"{part!r} is not one of any, never, risk=R, type=T; types are {names}.",
                param_hint="--fail-on",
            )
    return FailRule(risk, types)


def _lines(report: FileReport) -> Iterator[str]:
    """Yield the lines about a file: one per type, riskiest first."""
    findings = [finding for finding in report.findings if not finding.accepted]
    if not findings:
        return
    yield f"{report.path}: {counted(len(findings), 'finding')}, highest risk {_highest(findings):.2f}"
    of_type: dict[str, list[ScanFinding]] = defaultdict(list)
    for finding in findings:
        of_type[finding.type].append(finding)
    for type, items in sorted(of_type.items(), key=lambda pair: (-_highest(pair[1]), pair[0])):
        places = " ".join(
            f"{item.place}{':' if item.place else ''}{item.line}:{item.column}" for item in items
        )
        yield f"  {type:<9}{len(items):>4}  risk {_highest(items):.2f}  at {places}"


def _highest(findings: Sequence[ScanFinding]) -> float:
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
    parts = [f"{counted(totals['read'], 'file')} read", counted(totals["findings"], "finding")]
    if totals["accepted"]:
        parts.append(f"{totals['accepted']} of them accepted")
    if totals["skipped"]:
        parts.append(f"{totals['skipped']} without text skipped")
    return f"{', '.join(parts)}; {count} fail by --fail-on {fail_on}."
