"""``tacenda audit``: a sample to read, a bound on what is left, and the record to sign."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import AsJson, argument, cli_option, faults_of_options, grouped, option
from .plugin_commands import command_group
from .printing import print_json, print_note

if TYPE_CHECKING:
    from ..audit.bound import CorpusBound, Left
    from ..audit.sample import Sample

audit = command_group("Bound what is left in a release by a sample; sign the record.")

_Release = Annotated[list[str], argument("audit.release", metavar="RELEASE...")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSettings:
    """Options of ``tacenda audit sample``."""

    size: int | None = option(None, min=1)
    per_stratum: int | None = option(None, min=1)
    share: float | None = option(None, "--for", metavar="SHARE", min=0, max=1)
    strata: int = option(3, min=1, max=6)
    allocation: str = option("proportional", choices=("proportional", "neyman"))
    passage_words: int = option(400, min=0)
    cap: int = option(5, min=1)
    seed: str = option("1")
    decisions: list[str] | None = option(None, "--decisions", metavar="RECORD")
    output: Path = option(..., "-o", "--output")


@audit.command()
@grouped
def sample(release: _Release, *, as_json: AsJson = False, settings: SampleSettings) -> None:
    """Draw a sample of a release for a person to read, by strata of risk.

    Beside the sample lie its texts, as a table with a column for what was missed (.read.csv), and for the
    annotation app (.read.json). Decide on the size before you read; a larger sample of the same seed holds
    the smaller one, and each bound made on the way must be told to `audit bound --looks`.

    Examples:
      tacenda sanitize letters/ --to json -o release.jsonl
      tacenda audit sample release.jsonl --for 0.02 -o sample.json
      tacenda annotate sample.read.json --annotators ann
    """
    from ..audit.release import kept_risks, read_release
    from ..audit.sample import Allocation, SampleDesign, draw, write_sample

    with faults_of_options("--size", "--per-stratum or --for"):
        design = SampleDesign(
            size=settings.size,
            per_stratum=settings.per_stratum,
            share=settings.share,
            strata=settings.strata,
            allocation=Allocation(settings.allocation),
            passage_words=settings.passage_words,
            cap=settings.cap,
            seed=settings.seed,
        )
    drawn = draw(read_release(release, kept_risks(settings.decisions or ())), design)
    table, standoff = write_sample(drawn, settings.output)
    words = sum(len(unit.text.split()) for unit in drawn.units)
    typer.echo(
        f"{settings.output}: {len(drawn.units)} of {drawn.sample.release.units} passages of "
        f"{drawn.sample.release.documents} documents, {words} words; read {table} or {standoff}",
        err=True,
    )
    for number, stratum in enumerate(drawn.sample.strata, start=1):
        low, high = stratum.risk
        typer.echo(
            f"stratum {number}: {stratum.read} of {stratum.units} passages, risk {low:.3f} to {high:.3f}",
            err=True,
        )
    most = _bound_if_none(drawn.sample)
    typer.echo(
        f"if nothing is found: at most {most.bound} passages ({most.share:.2%}) with something left, "
        "95 % confidence",
        err=True,
    )
    if as_json:
        print_json(
            {
                "output": str(settings.output),
                "table": str(table),
                "standoff": str(standoff),
                "read": len(drawn.units),
                "units": drawn.sample.release.units,
                "documents": drawn.sample.release.documents,
                "words": words,
                "strata": [
                    {"read": stratum.read, "units": stratum.units, "risk": list(stratum.risk)}
                    for stratum in drawn.sample.strata
                ],
                "if_none": {"bound": most.bound, "share": most.share, "confidence": 0.95},
            }
        )


def _bound_if_none(sample: Sample) -> Left:
    """Return the bound on passages with something left, if nothing is found in the sample."""
    from ..audit.bound import bound

    return bound(sample, {unit.id: 0 for unit in sample.units}).units


_Sample = Annotated[Path, argument("audit.sample", metavar="SAMPLE")]
_Marked = Annotated[list[str], argument("audit.marked", metavar="MARKED...")]
_Confidence = Annotated[float, cli_option("audit.confidence", min=0.5, max=0.9999)]
_Looks = Annotated[int, cli_option("audit.looks", min=1)]
_Wanted = Annotated[
    float | None,
    cli_option("audit.wanted", "--for", metavar="SHARE", min=0.00001, max=0.999),
]
_BoundFile = Annotated[Path | None, cli_option("audit.bound_file", "-o", "--output")]


@audit.command()
def bound(
    sample: _Sample,
    marked: _Marked,
    confidence: _Confidence = 0.95,
    looks: _Looks = 1,
    share: _Wanted = None,
    output: _BoundFile = None,
    as_json: AsJson = False,
) -> None:
    """Bound what is left in a release, by what a person found in a sample of it.

    The bounds assume nothing of the recognizer, of its risks and of where things are left: only that the
    sample was drawn by `audit sample`, and that whoever read it saw what there was.

    Examples:
      tacenda audit bound sample.json sample.read.csv --for 0.01
      tacenda audit bound sample.json annotations.json -o bound.json
    """
    from ..atomic import write_atomically
    from ..audit.bound import bound as bound_of
    from ..audit.marks import read_marks
    from ..audit.sample import read_sample

    drawn = read_sample(sample)
    result = bound_of(
        drawn, read_marks(drawn, marked), confidence=confidence, looks=looks, share=share
    )
    content = json.dumps(result.as_object(), indent=1)
    if output is not None:
        write_atomically(output, f"{content}\n".encode())
    if as_json:
        print(content)
    else:
        typer.echo("\n".join(_lines(result)))


def _lines(result: CorpusBound) -> Sequence[str]:
    """Yield the bounds in words."""
    units, confidence = sum(stratum.units for stratum in result.strata), f"{result.confidence:.4g}"
    lines = [
        f"With confidence {confidence}, each by itself:",
        f"  at most {result.units.bound} of {units} passages ({result.units.share:.2%}) hold an "
        f"identifier, estimate {result.units.estimate:g}",
        f"  at most {result.documents_left} of {result.documents} documents hold one",
        f"  at most {result.identifiers.bound} identifiers are left, up to {result.cap} of a passage "
        f"counted, estimate {result.identifiers.estimate:g}",
    ]
    for number, one in enumerate(result.strata, start=1):
        lines.append(
            f"stratum {number} (risk {one.risk[0]:.3f} to {one.risk[1]:.3f}): {one.missed} identifiers in "
            f"{one.with_missed} of {one.read} passages read; at most {one.bound} of {one.units} hold one"
        )
    if result.further is not None:
        rate = result.further.at_this_rate
        lines.append(
            f"for {result.further.share:g}: {result.further.if_none} more passages if nothing more is found, "
            + (
                f"{rate} more at this rate"
                if rate is not None
                else "more is left than that at this rate"
            )
        )
    return lines


_Attacks = Annotated[list[str] | None, cli_option("audit.attacks", "--attack", metavar="FILE")]
_DecisionRecord = Annotated[
    str | None, cli_option("audit.decision_record", "--decisions", metavar="RECORD")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSettings:
    """Options of ``tacenda audit record``."""

    decisions: _DecisionRecord = None
    attack: _Attacks = None
    holds: list[str] | None = option(None, "--holds")
    confidence: _Confidence = 0.95
    looks: _Looks = 1
    annex: str | None = option(None, choices=("safe-harbor", "expert"))
    key: Path | None = option(None)
    html: Path | None = option(None, "--html")
    recipient: str = option(..., show_default=False)
    signer: str = option(..., show_default=False)
    output: Path = option(..., "-o", "--output")


@audit.command()
@grouped
def record(sample: _Sample, marked: _Marked, *, settings: RecordSettings) -> None:
    """Write the record of a release to sign: recipient, attackers and their rates, bounds, digests.

    It holds counts, rates and digests, and no text of a document, name of one, or string that was masked or missed.

    Examples:
      tacenda audit key signing-key.pem
      tacenda audit record sample.json sample.read.csv --recipient "University of Ulm" --holds "The public register"
      --signer "Dr Feld" --decisions record.json --attack attack.json --attack tests.json --key signing-key.pem -o signed.json --html signed.html
    """
    from ..atomic import write_atomically
    from ..audit.hipaa import AnnexKind
    from ..audit.record import RecordSources, make_record
    from ..audit.signing import read_key
    from ..pages.record import page

    private = None if settings.key is None else read_key(settings.key)
    result = make_record(
        RecordSources(sample, tuple(marked), settings.decisions, tuple(settings.attack or ())),
        recipient=settings.recipient,
        assumed=settings.holds or (),
        signer=settings.signer,
        annex=None if settings.annex is None else AnnexKind(settings.annex),
        confidence=settings.confidence,
        looks=settings.looks,
    )
    if private is not None:
        result = result.signed(private)
    write_atomically(settings.output, (result.model_dump_json(indent=1) + "\n").encode())
    if settings.html is not None:
        write_atomically(settings.html, page(result).encode())
    for value, hint in (
        (settings.decisions, "--decisions"),
        (settings.attack, "--attack"),
        (settings.key, "--key"),
    ):
        if not value:
            print_note(f"the record is incomplete without {hint}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateSettings:
    """Options of ``tacenda audit certify``."""

    masked: str = option(..., "--masked", metavar="RESULTS")
    decisions: _DecisionRecord = None
    attack: _Attacks = None
    bound: str | None = option(None, "--bound", metavar="FILE")
    key: Path = option(...)
    signer: str = option(..., show_default=False)
    openings: Path = option(..., "--openings")
    output: Path = option(..., "-o", "--output")


@audit.command()
@grouped
def certify(
    files: Annotated[list[str], argument("audit.files", metavar="FILE...")],
    *,
    settings: CertificateSettings,
) -> None:
    """Sign a certificate that anyone can check against a released file, without the original.

    It holds digests of the files, policy and version, attackers with their rates, the bound, the number of accepted
    leaks, and a commitment to each masked string. No string can be read off it; audit open opens one on request.

    Examples:
      tacenda audit certify letter.clean.docx --masked results.jsonl --decisions decisions.json --signer "Dr Feld"
      --key signing-key.pem --openings openings.json -o certificate.json
    """
    from ..atomic import write_atomically
    from ..audit.certificate import certify as certified
    from ..audit.certificate import write_openings
    from ..audit.signing import read_key

    private = read_key(settings.key)
    certificate, secret = certified(
        files,
        settings.masked,
        signer=settings.signer,
        decisions=settings.decisions,
        attacks=settings.attack or (),
        bound=settings.bound,
    )
    certificate = certificate.signed(private)
    write_openings(secret, settings.openings)
    write_atomically(settings.output, (certificate.model_dump_json(indent=1) + "\n").encode())
    if stands := sum(one.stands for one in certificate.commitments):
        print_note(
            f"{stands} of {len(certificate.commitments)} masked strings also appear in the files as "
            "other words; the certificate marks them"
        )


@audit.command("open")
def open_commitments(
    openings: Annotated[str, argument("audit.openings", metavar="OPENINGS")],
    strings: Annotated[list[str], argument("audit.strings", metavar="STRING...")],
) -> None:
    """Print the openings of some masked strings, for whoever asks about them; the others stay secret.

    Examples:
      tacenda audit open openings.json "Anna Berg" > opening.json
    """
    from ..audit.certificate import openings_of

    typer.echo(openings_of(openings, strings).model_dump_json(indent=1))


_Record = Annotated[Path, argument("audit.record", metavar="RECORD")]
_VerifiedFile = Annotated[str | None, argument("audit.verified_file", metavar="FILE")]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifySettings:
    """Options of ``tacenda audit verify``."""

    public_key: str | None = option(None)
    openings: str | None = option(None, "--openings", metavar="FILE")
    release: list[str] | None = option(None, metavar="PATH")
    sample: Path | None = option(None)
    marked: list[str] | None = option(None)
    decisions: _DecisionRecord = None
    attack: _Attacks = None


@audit.command()
@grouped
def verify(
    record: _Record,
    file: _VerifiedFile = None,
    as_json: AsJson = False,
    *,
    settings: VerifySettings,
) -> None:
    """Verify a record or a certificate: its signature, and the digests of what it was made of or is about.

    The bound of a record is computed again. A certificate needs only a released file; with openings, it is also verified
    that these strings were masked and appear nowhere in it. Exit code 1 if anything does not hold. Parts for which no file
    was given are listed as not verified.

    Examples:
      tacenda audit verify certificate.json letter.clean.docx --public-key "$KEY" --openings opening.json

      tacenda audit verify signed.json --public-key "$KEY" --release release.jsonl --sample sample.json --marked sample.read.csv
    """
    from ..audit.certificate import (
        is_certificate,
        read_certificate,
        read_openings,
        verify_certificate,
    )
    from ..audit.record import RecordSources, read_record
    from ..audit.record import verify as verified

    is_certified = is_certificate(record)
    if is_certified is (file is None):
        raise typer.BadParameter(
            "a certificate needs the released file"
            if is_certified
            else "a record doesn't take FILE"
        )
    if (settings.sample is None) is not (not settings.marked):
        raise typer.BadParameter("--sample and --marked go together")
    key = settings.public_key
    if file is not None:
        openings = None if settings.openings is None else read_openings(settings.openings)
        items = verify_certificate(read_certificate(record), file, openings, key)
    else:
        marked, attacks = tuple(settings.marked or ()), tuple(settings.attack or ())
        sources = RecordSources(settings.sample, marked, settings.decisions, attacks)
        items = verified(
            read_record(record), sources, release=settings.release or (), public_key=key
        )
    failed = sum(item.holds is False for item in items)
    if as_json:
        rows = [{"title": item.title, "holds": item.holds} for item in items]
        print_json({"items": rows, "failed": failed})
    else:
        words = {True: "yes", False: "NO", None: "not verified"}
        for item in items:
            typer.echo(f"{words[item.holds]:>12}  {item.title}")
    if failed:
        raise typer.Exit(1)


@audit.command()
def key(
    path: Annotated[Path, argument("audit.path", metavar="FILE")],
) -> None:
    """Make a key to sign records with; prints the public key, for those who verify them.

    Examples:
      tacenda audit key signing-key.pem
    """
    from ..audit.signing import make_key

    typer.echo(make_key(path))
