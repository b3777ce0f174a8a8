"""``tacenda sanitize``: documents in, sanitized documents out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .attack import (
    Adversary,
    Attack,
    Attacker,
    AttackPersonField,
    AttackTable,
    K,
    OnlyCheck,
    Person,
    open_adversary,
)
from .options import Column, Drop, Field, Keep, Neutralize, PseudonymOption, rules_for_columns

if TYPE_CHECKING:
    from ..documents.record import Failure, SourceDocument
    from ..pipeline import Sanitizer
    from ..policy import Policy
    from .inputs import Resumption
    from .outputs import Destination

_NO_SETTINGS = (
    "paths",
    "output",
    "summary",
    "mapping",
    "beside_output",
    "audit",
    "explain",
    "threads",
    "resume",
)
"""Parameters that change nothing of what is written."""

_Paths = Annotated[
    list[str] | None,
    typer.Argument(metavar="[PATH... | -]", help="Files or folders; - or nothing is stdin."),
]
_Target = Annotated[
    list[str] | None, typer.Option(help="Name of the person to protect; may be repeated.")
]
_PolicyOption = Annotated[
    str, typer.Option("--policy", help="A YAML file, or: balanced, strict, lenient, tags.")
]
_Operator = Annotated[
    str | None,
    typer.Option(
        help="What is written instead: suppress, tag, pseudonym, generalize, surrogate, hash or encrypt. "
        "surrogate moves all dates by one number of days, by which a register finds the person, unless "
        "the policy says dates: jitter."
    ),
]
_KeyFile = Annotated[
    Path | None, typer.Option(help="File with the key of pseudonym, surrogate, hash and encrypt.")
]
_Threshold = Annotated[
    float | None, typer.Option(min=0, max=1, help="Mask from this probability on.")
]
_Risk = Annotated[
    float | None,
    typer.Option(
        min=0, max=1, help="Instead: mask until this share of the document's risk is left at most."
    ),
]
_To = Annotated[
    str | None,
    typer.Option(
        "--to",
        help="same, text, html, pdf, json, jsonl, tab or masks; else by the extension of -o, else same.",
    ),
]
_Out = Annotated[
    str | None, typer.Option("-o", "--output", help="A file, or a folder (end it with /).")
]
_Summary = Annotated[
    Path | None,
    typer.Option(help="Write here what became of each file, as JSON: no text, no telling name."),
]
_Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on where a run into the same folder was stopped; what changed since is done anew.",
    ),
]
_AllowLeaks = Annotated[
    bool,
    typer.Option(
        "--allow-leaks",
        help="Also write documents in which masked strings are left; the exit code stays 1.",
    ),
]
_From = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="text, markdown, html, docx, pdf, jsonl, csv, json, tab or texts; else by extension.",
    ),
]
_Encoding = Annotated[str, typer.Option(help="Encoding of the input.")]
_Explain = Annotated[
    bool, typer.Option("--explain", help="Print the reason for every decision to stderr.")
]
_Reveal = Annotated[
    bool, typer.Option("--reveal", help="json, html: add the originals, for review only.")
]
_Threads = Annotated[int | None, typer.Option(min=1, help="Cores to use; all by default.")]
_Mapping = Annotated[
    Path | None,
    typer.Option(
        help="Write here what stood where, for tacenda restore; encrypted if there is a key."
    ),
]
_Beside = Annotated[
    bool, typer.Option("--mapping-beside-output", help="Let the mapping lie where the output is.")
]
_Audit = Annotated[
    Path | None,
    typer.Option(
        help="Write here who decided what and why, without what was masked: JSON, or a page (.html)."
    ),
]
_Background = Annotated[
    Path | None,
    typer.Option(
        help="An index of what an adversary could know (tacenda index build): what a search for it "
        "leads to the person is changed, alone or together.",
        exists=True,
        dir_okay=False,
    ),
]
_Model = Annotated[str | None, typer.Option(help="Name of a shipped recognizer, or a folder.")]


def sanitize(
    context: typer.Context,
    paths: _Paths = None,
    target: _Target = None,
    policy: _PolicyOption = "default",
    operator: _Operator = None,
    key_file: _KeyFile = None,
    threshold: _Threshold = None,
    risk: _Risk = None,
    to: _To = None,
    output: _Out = None,
    came_in: _From = None,
    field: Field = "text",
    column: Column = None,
    keep_columns: Keep = None,
    drop_columns: Drop = None,
    pseudonym_columns: PseudonymOption = None,
    neutralize_formulas: Neutralize = False,
    encoding: _Encoding = "utf-8",
    explain: _Explain = False,
    reveal: _Reveal = False,
    threads: _Threads = None,
    model: _Model = None,
    mapping: _Mapping = None,
    beside_output: _Beside = False,
    audit: _Audit = None,
    background: _Background = None,
    summary: _Summary = None,
    resume: _Resume = False,
    allow_leaks: _AllowLeaks = False,
    attack: Attack = None,
    person: Person = None,
    people: AttackTable = None,
    person_field: AttackPersonField = "person",
    attacker: Attacker = "ensemble",
    k: K = 1,
    only_check: OnlyCheck = False,
) -> None:
    """Sanitize documents: mask what could identify the people in them.

    A document that fails, or in which masked strings would be left, is not written, and what was
    there before stays; the others are done. Exit code 0: all well; 1: a document failed, leaked or,
    with --attack, is found; 2: the options were at fault. What a folder's listing skips is named.

    Examples:
      tacenda sanitize letter.txt --explain

      tacenda sanitize judgment.txt --target "Mr Galip Yalman" --operator tag --to html -o out.html

      tacenda sanitize letter.docx -o letter.pdf

      tacenda sanitize letters/ -o clean/ --policy strict

      tacenda sanitize letters/ -o clean/ --resume --summary run.json

      tacenda sanitize letter.txt --allow-leaks -o draft.txt

      tacenda sanitize letter.txt --risk 0.05 --explain

      tacenda sanitize letter.txt --target "Anna Berg" --background knowledge.db --explain

      tacenda sanitize letter.txt --attack people.db --person "Anna Berg" --k 5

      tacenda sanitize patients.csv --column note --keep-columns ward --pseudonym-columns name

      cat prompts.jsonl | tacenda sanitize - --from jsonl --field prompt --keep-columns id
    """
    from ..documents.columns import refuse_unnamed
    from ..documents.reading import check_input, read_file
    from ..documents.record import Origin
    from ..documents.writing import OUTPUT_FORMATS
    from ..errors import InputError
    from .inputs import Resumption, listing
    from .options import progress_counter
    from .places import check_places, format_for, has_several_files, is_folder
    from .records import check_mapping, with_audit, with_mapping
    from .run import RunSummary, SanitizingRun

    if to is not None and to not in OUTPUT_FORMATS:
        raise typer.BadParameter(
            f"{to!r} is none of {', '.join(OUTPUT_FORMATS)}", param_hint="--to"
        )
    sources = paths or ["-"]
    # Faults of usage are found before a model is loaded or a file opened.
    if threshold is not None and risk is not None:
        raise typer.BadParameter("--threshold also bounds the risk; give one", param_hint="--risk")
    try:
        codec = check_input(came_in, encoding)
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    check_places(sources, output, (mapping, audit, summary))
    to_file = output is not None and output != "-"
    folder = output is not None and to_file and is_folder(output, sources, to or "same")
    files = partial(listing, sources, came_in, codec, Path(output) if output and folder else None)
    if output is not None and to_file and not folder:
        formats = {file.entry.format for file in files() if isinstance(file.entry, Origin)}
        to = format_for(output, to, formats)
    to = to or "same"
    if mapping is not None:
        check_mapping(mapping, sources, output, to, beside_output=beside_output)
    if resume:
        _check_resume(folder=folder, mapping=mapping, audit=audit)
    effective_policy = _policy(policy, target or (), operator, key_file, threshold, risk)
    column_rules = rules_for_columns(
        keep_columns,
        drop_columns,
        pseudonym_columns,
        effective_policy,
        neutralize=neutralize_formulas,
    )
    adversary = open_adversary(
        attack, person, people, person_field, attacker, k, only_check=only_check
    )
    sanitizer = _sanitizer(effective_policy, threads, model, background, adversary)

    def documents(origin: Origin) -> Iterator[SourceDocument | Failure]:
        items = read_file(origin, field=field, columns=column or (), other_fields=column_rules)
        items = refuse_unnamed(items, to)
        return items if adversary is None else adversary.named(items)

    resumption = None
    if output is not None and folder:
        settings = _settings(context, sanitizer, model, (background, attack, people))
        resumption = Resumption(Path(output), settings, resume=resume)
    destination = _destination(
        output, sources, to, came_in, resumption, reveal=reveal, allow_leaks=allow_leaks
    )
    if mapping is not None:
        destination = with_mapping(destination, mapping, sanitizer.policy)
    if audit is not None:
        destination = with_audit(destination, audit, sanitizer, model, policy, background)
    outcome = RunSummary(summary)
    complete = False
    try:
        with progress_counter("documents") as advance:
            run = SanitizingRun(
                sanitizer, documents, destination, resumption, outcome, explain, advance
            )
            run(files())
        complete = True
    except BaseException:
        destination.abort()
        raise
    finally:
        if has_several_files(sources):
            typer.echo(f"tacenda: {outcome.line()}{'' if complete else '; stopped'}", err=True)
        outcome.write(complete=complete)
    if outcome.faults:
        raise typer.Exit(1)


def _check_resume(*, folder: bool, mapping: Path | None, audit: Path | None) -> None:
    hint = "--resume"
    if not folder:
        raise typer.BadParameter("needs an output folder: -o FOLDER/", param_hint=hint)
    if mapping is not None or audit is not None:
        option = "--mapping" if mapping is not None else "--audit"
        raise typer.BadParameter(
            f"{option} would lack what is finished already; leave one out", param_hint=hint
        )


def _settings(
    context: typer.Context, sanitizer: Sanitizer, model: str | None, stores: Sequence[Path | None]
) -> str:
    """Return all that results depend on but the documents; it is digested at once."""
    from .._version import __version__
    from ..audit import model_of
    from .inputs import stamp_of

    policy = sanitizer.policy
    keyed = policy.key_env is not None or policy.key_file is not None
    options = {name: value for name, value in context.params.items() if name not in _NO_SETTINGS}
    return repr(
        (
            __version__,
            sorted(options.items()),
            policy.model_dump_json(),
            policy.key() if keyed else b"",
            sanitizer.threshold,
            model_of(policy, model),
            [stamp_of(store) for store in stores],
        )
    )


def _policy(
    policy: str,
    target: Sequence[str],
    operator: str | None,
    key_file: Path | None,
    threshold: float | None,
    risk: float | None,
) -> Policy:
    from ..policy import Policy
    from ..policy.rules import KEYED

    changes: dict[str, object] = {}
    loaded: Policy = Policy.load(policy)
    if operator is not None:
        # Said on the command line, it holds for every type and entity.
        changes |= {"operator": operator, "operators": {}, "operators_for": ()}
    if key_file is not None:
        changes |= {"key_file": key_file, "key_env": None}
    if threshold is not None:
        changes |= {"threshold": threshold, "thresholds": {}}
    if risk is not None:
        changes["risk"] = risk
    if target:
        changes["target"] = (*loaded.target, *target)
    result = loaded.with_changes(**changes)
    if result.operator_names & KEYED:
        result.key()
    return result


def _sanitizer(
    policy: Policy,
    threads: int | None,
    model: str | None,
    background: Path | None,
    adversary: Adversary | None,
) -> Sanitizer:
    from ..pipeline import load
    from ..risk.search.indicator import background_indicator as search_in

    name = Path(model) if model is not None and Path(model).is_dir() else model
    indicator = None if background is None else search_in(background, policy.target)
    return load(
        policy,
        model=name,
        threads=threads,
        together=indicator,
        further=() if adversary is None else adversary.indicators,
        check=None if adversary is None else adversary.check,
    )


def _destination(
    output: str | None,
    sources: Sequence[str],
    to: str,
    came_in: str | None,
    resumption: Resumption | None,
    *,
    reveal: bool,
    allow_leaks: bool,
) -> Destination:
    from .outputs import Folder, OneFile, Stdout

    if output is None or output == "-":
        return Stdout(to, came_in, reveal=reveal, allow_leaks=allow_leaks)
    if resumption is None:
        return OneFile(Path(output), to, came_in, reveal=reveal, allow_leaks=allow_leaks)
    return Folder(Path(output), to, sources, resumption, reveal=reveal, allow_leaks=allow_leaks)
