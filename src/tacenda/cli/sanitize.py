"""``tacenda sanitize``: documents in, sanitized documents out."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from .attack import AdversaryOptions
from .columns import ColumnOptions
from .network import (
    LanguageModelOptions,
    WebOptions,
    WikidataOptions,
    print_asked,
    print_cost,
    print_polished,
)
from .options import (
    Encoding,
    InputFormat,
    OcrOptions,
    SanitizerOptions,
    argument,
    check_choice,
    faults_of_options,
    grouped,
    option,
    refuse,
)
from .printing import print_dropped, print_note

if TYPE_CHECKING:
    from ..deciding import OntologySource
    from ..documents import OcrSettings
    from ..documents.fields import Fields
    from ..documents.record import Failure, Origin, SourceDocument
    from ..pipeline import Sanitizer
    from .attack import Adversary
    from .network import Editor
    from .outputs import Destination
    from .places import InputFile
    from .resumption import Resumption
    from .run import Explanation

_NO_SETTINGS: Final = (
    "paths output summary mapping beside_output audit explain explain_all threads resume wikidata_cache web_cache"
).split()
"""Parameters that change nothing of what is written."""

_DATABASE: Final = re.compile(
    r"(sqlite|postgresql|mysql|mariadb|oracle|mssql|duckdb)(\+[a-z0-9_]+)?://"
)
_Paths = Annotated[list[str] | None, argument("sanitize.paths", metavar="[PATH... | -]")]


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Options for where and in which format results are written, and for records along with them."""

    to: str | None = option(None, "--to")
    output: str | None = option(None, "-o", "--output")
    allow_leaks: bool = option(False, "--allow-leaks")
    accept_leak: list[str] | None = option(None, "--accept-leak", metavar="PLACE=REASON")
    reveal: bool = option(False, "--reveal")
    explain: bool = option(False, "--explain")
    explain_all: bool = option(False, "--explain-all")
    mapping: Path | None = option(None)
    beside_output: bool = option(False, "--mapping-beside-output")
    audit: Path | None = option(None)
    summary: Path | None = option(None)

    @property
    def explanation(self) -> Explanation:
        """What to print about decisions."""
        return "long" if self.explain_all else "short" if self.explain else ""

    @property
    def accepted_leaks(self) -> dict[str, str]:
        """Return the reasons why places aren't leaks.

        Raises:
            typer.BadParameter: if one has no reason.
        """
        items = [item.partition("=") for item in self.accept_leak or ()]
        if not all(place.strip() and reason.strip() for place, _, reason in items):
            raise typer.BadParameter("needs PLACE=REASON", param_hint="--accept-leak")
        return {place.strip(): reason.strip() for place, _, reason in items}

    @property
    def path(self) -> Path | None:
        """The output file or folder; None for stdout."""
        return None if self.output in (None, "-") else Path(str(self.output))

    @property
    def is_remote(self) -> bool:
        """Whether the output goes to a URL."""
        from ..documents.remote import is_remote

        return is_remote(self.output)

    def folder(self, sources: Sequence[str]) -> Path | None:
        """The folder with one file per input; None if everything goes to one file."""
        from .places import is_folder

        is_one = self.path is None or not is_folder(str(self.output), sources, self.to or "same")
        return None if is_one else self.path

    def check_resumable(self, sources: Sequence[str]) -> None:
        """Refuse a run that can't be resumed.

        Raises:
            typer.BadParameter: if it can't be resumed; says why.
        """
        hint = "--resume"
        if self.folder(sources) is None:
            raise typer.BadParameter("needs an output folder: -o FOLDER/", param_hint=hint)
        if self.is_remote:
            raise typer.BadParameter("needs an output folder on this machine", param_hint=hint)
        if self.mapping is not None or self.audit is not None:
            option = "--mapping" if self.mapping is not None else "--audit"
            raise typer.BadParameter(
                f"{option} would lack the finished files; remove one", param_hint=hint
            )


def _choose_device(name: str) -> None:
    """Let the recognizer compute on a device, in this process and its subprocesses.

    Raises:
        typer.BadParameter: if it isn't a device, or an engine is named that computes elsewhere.
    """
    from ..models.checkpoint import DEVICE_VARIABLE
    from ..models.session import ENGINE_VARIABLE, is_gpu

    os.environ[DEVICE_VARIABLE] = name
    if name != "cpu" and not is_gpu():
        raise typer.BadParameter("it may be cpu, cuda or cuda:1", param_hint="--device")
    engine = os.environ.get(ENGINE_VARIABLE)
    if is_gpu() and engine in ("onnxruntime", "openvino"):
        raise typer.BadParameter(
            f"{ENGINE_VARIABLE} is {engine}, which computes on the processor; let it be auto",
            param_hint="--device",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """Options of ``tacenda sanitize``."""

    polish: bool = option(False, "--polish")
    resume: bool = option(False, "--resume")
    table: list[str] | None = option(None)
    engine: str | None = option(None, choices=("local", "spark", "ray"))
    device: str | None = option(None)


@grouped
def sanitize(
    context: typer.Context,
    paths: _Paths = None,
    input_format: InputFormat = None,
    encoding: Encoding = "utf-8",
    *,
    columns: ColumnOptions,
    options: SanitizerOptions,
    attackers: AdversaryOptions,
    language_model: LanguageModelOptions,
    wikidata: WikidataOptions,
    web: WebOptions,
    outputs: OutputOptions,
    ocr: OcrOptions,
    settings: RunSettings,
) -> None:
    """Mask what could identify the people in documents.

    A document that fails, or in which masked strings would be left, is not written, and what was
    there before stays; the others are done. Exit code 0: all well; 1: a document failed, leaked or,
    with --attack, is found (or a language model that was asked gives no answer), or --risk asks for
    more than can be promised; 2: the options were at fault. What a folder's listing skips is named.

    Examples:
      tacenda sanitize letter.txt --explain
      tacenda sanitize judgment.txt --target "Mr Galip Yalman" --operator tag --to html -o out.html
      tacenda sanitize letter.docx -o letter.pdf
      tacenda sanitize letters/ -o clean/ --policy strict
      tacenda sanitize letters/ -o clean/ --resume --summary run.json
      tacenda sanitize letter.txt --allow-leaks -o draft.txt
      tacenda sanitize letter.txt --risk 0.1 --domain letters --explain
      tacenda sanitize letter.txt --target "Anna Berg" --background knowledge.db --explain
      tacenda sanitize letter.txt --target "Anna Berg" --web searxng --allow-network --explain
      tacenda sanitize letter.txt --attack people.db --person "Anna Berg" --k 5
      tacenda sanitize letters.jsonl --attack people.db --llm http://localhost:8000/v1
      tacenda sanitize letter.txt --operator generalize --polish --llm http://localhost:8000/v1
      tacenda sanitize patients.csv --column note --keep-columns ward --pseudonym-columns name
      tacenda sanitize visits/ --column note --keep-columns ward -o clean/ --engine local
      tacenda sanitize sqlite:///in.db --column visits.note --keep-columns '*' -o sqlite:///out.db
      cat prompts.jsonl | tacenda sanitize - --from jsonl --field prompt --keep-columns id
    """
    from .resumption import Resumption

    if settings.device is not None:
        _choose_device(settings.device)
    sources = paths or ["-"]
    if _DATABASE.match(sources[0]):
        from .databases import sanitize_database

        masking = attackers.masking | {"--background": options.background, "--web": web.web}
        masking["--ask-wikidata"] = wikidata.ask_wikidata
        refuse("is for documents, not for databases", masking)
        sanitize_database(sources, settings.table or (), columns, options, outputs)
    elif settings.engine is not None:
        from .scale import sanitize_data_set

        given = {
            name for name, value in context.params.items() if value not in (None, False, [], ())
        }
        sanitize_data_set(sources, settings.engine, columns, options, outputs.output, given)
    else:
        plan = _plan(sources, input_format, encoding, options, outputs, resume=settings.resume)
        polish = settings.polish
        stages = _open(
            plan, columns, options, attackers, language_model, wikidata, web, polish=polish
        )
        resumption = None
        if plan.folder is not None and not outputs.is_remote:
            stores = options.background, attackers.attack, attackers.people
            content = _settings(
                context, stages.sanitizer, options.model, stores, stages.fields, ocr.settings()
            )
            resumption = Resumption(plan.folder, content, resume=settings.resume)
        _sanitize_files(plan, stages, outputs, options, resumption, columns, ocr.settings())


class _Plan(NamedTuple):
    """A run's files and where their results go.

    Attributes:
        sources: the sources as given.
        input_format: the format of all; None to decide by extension.
        encoding: encoding of their texts.
        folder: folder for the results; None if all go to one file.
        to: format of the results.
    """

    sources: list[str]
    input_format: str | None
    encoding: str
    folder: Path | None
    to: str

    def files(self) -> Iterator[InputFile]:
        """Return the files, in order."""
        from .places import listing

        return listing(self.sources, self.input_format, self.encoding, self.folder)

    def formats(self) -> Iterator[str]:
        """The formats of the files, in order."""
        from ..documents.record import Origin

        return (file.entry.format for file in self.files() if isinstance(file.entry, Origin))


def _plan(
    sources: list[str],
    input_format: str | None,
    encoding: str,
    options: SanitizerOptions,
    outputs: OutputOptions,
    *,
    resume: bool,
) -> _Plan:
    """Return the plan of a run; usage errors are found before a model is loaded or a file opened.

    Raises:
        typer.BadParameter: if options contradict each other.
    """
    from ..documents.reading import check_input
    from ..documents.writing import OUTPUT_FORMATS
    from .places import check_mapping, check_places, format_for
    from .run import names_beside

    if outputs.to is not None:
        check_choice(outputs.to, OUTPUT_FORMATS, "--to")
    if options.threshold is not None and options.risk is not None:
        raise typer.BadParameter("--threshold also bounds the risk; use one", param_hint="--risk")
    with faults_of_options():
        codec = check_input(input_format, encoding)
    names = None if outputs.summary is None else names_beside(outputs.summary)
    check_places(sources, outputs.output, (outputs.mapping, outputs.audit, outputs.summary, names))
    folder = outputs.folder(sources)
    plan = _Plan(sources, input_format, codec, folder, outputs.to or "same")
    if outputs.path is not None and folder is None:
        plan = plan._replace(to=format_for(str(outputs.output), outputs.to, set(plan.formats())))
    if outputs.mapping is not None:
        check_mapping(
            outputs.mapping, sources, outputs.output, plan.to, beside_output=outputs.beside_output
        )
    if resume:
        outputs.check_resumable(sources)
    return plan


class _Stages(NamedTuple):
    """The stages that documents pass through."""

    sanitizer: Sanitizer
    fields: Fields
    adversary: Adversary | None
    editor: Editor | None
    wikidata: OntologySource | None
    web: str | None


def _open(
    plan: _Plan,
    columns: ColumnOptions,
    options: SanitizerOptions,
    attackers: AdversaryOptions,
    language_model: LanguageModelOptions,
    wikidata: WikidataOptions,
    web: WebOptions,
    *,
    polish: bool,
) -> _Stages:
    """Load the policy and the models.

    Raises:
        typer.BadParameter: if options contradict each other.
    """
    from ..deciding import AdditionalParts
    from ..risk.search.indicator import masking_search

    policy = options.effective_policy()
    if plan.to == "masks" and policy.operator == "tag":
        # Only spans are written: adjacent ones are joined, and they contain no articles.
        policy = policy.with_changes(operator="suppress")
    fields = columns.rules(policy, plan.formats())
    allowed = language_model.allow_network
    ontology = wikidata.open(allow_network=allowed)
    backend = web.open(options.background, allow_network=allowed)
    if (wikidata.ask_wikidata or web.web) and language_model.llm is None:
        language_model = replace(language_model, allow_network=False)  # It was meant for these.
    adversary = attackers.open(language_model, polish=polish)
    if polish and language_model.llm is None:
        raise typer.BadParameter("needs --llm URL", param_hint="--polish")
    editor = language_model.open_editor() if polish else None
    hiding = attackers.attribute_guard()
    if hiding is not None:
        policy = hiding.policy(policy)
    guards = [guard for guard in (attackers.population_guard(), hiding) if guard is not None]
    search = None if backend is None else masking_search(backend, policy.target)
    parts = AdditionalParts(
        detectors=tuple(guards),
        indicators=(*guards, *(() if adversary is None else adversary.indicators)),
        combination_indicators=() if search is None else (search,),
        checks=(
            *guards,
            *(() if adversary is None else (adversary.check,)),
            *(() if search is None else (search.check,)),
        ),
        editor=editor,
        ontology=ontology,
    )
    asked = ontology if wikidata.ask_wikidata else None
    sanitizer = options.open(policy, parts)
    return _Stages(sanitizer, fields, adversary, editor, asked, web.web)


def _sanitize_files(
    plan: _Plan,
    stages: _Stages,
    outputs: OutputOptions,
    options: SanitizerOptions,
    resumption: Resumption | None,
    columns: ColumnOptions,
    ocr: OcrSettings,
) -> None:
    """Sanitize the files of a plan.

    Raises:
        typer.Exit: with 1, if a document failed or leaked, or the promised bound can't be met.
    """
    from .outputs import with_audit, with_mapping
    from .places import has_several_files
    from .run import RunSummary, SanitizingRun

    sanitizer, adversary = stages.sanitizer, stages.adversary
    accepted = outputs.accepted_leaks
    destination = _destination(outputs, plan, resumption)
    if outputs.mapping is not None:
        destination = with_mapping(destination, outputs.mapping, sanitizer.policy)
    if outputs.audit is not None:
        destination = with_audit(destination, outputs.audit, sanitizer, options, stages.web)
    summary = RunSummary(outputs.summary)
    run = SanitizingRun(
        sanitizer,
        partial(_documents, columns, stages.fields, ocr, adversary, plan.to),
        destination,
        summary,
        outputs.explanation,
        resumption=resumption,
        accepted=accepted,
    )
    try:
        run(plan.files())
    finally:
        if has_several_files(plan.sources):
            print_note(summary.line())
        print_dropped(stages.fields)
        for line in summary.rates():
            print_note(line)
        if adversary is not None and adversary.judge is not None:
            print_cost(adversary.judge)
        if stages.wikidata is not None:
            print_asked(stages.wikidata)
        if stages.editor is not None:
            print_polished(stages.editor, sanitizer.polished)
    if summary.faults or not (sanitizer.promise is None or sanitizer.promise.is_met):
        raise typer.Exit(1)


def _documents(
    columns: ColumnOptions,
    fields: Fields,
    ocr: OcrSettings,
    adversary: Adversary | None,
    to: str,
    origin: Origin,
) -> Iterator[SourceDocument | Failure]:
    """Yield the documents in a file, with the people they are about if there is an adversary."""
    from ..documents.fields import refuse_unnamed
    from ..documents.reading import read_file

    items = read_file(
        origin, field=columns.field, columns=columns.column or (), fields=fields, ocr=ocr
    )
    items = refuse_unnamed(items, to)
    return items if adversary is None else adversary.with_people(items)


def _settings(
    context: typer.Context,
    sanitizer: Sanitizer,
    model: str | None,
    stores: Sequence[Path | None],
    fields: Fields,
    ocr: OcrSettings,
) -> str:
    """Return all settings that affect results, apart from the documents, for a digest."""
    from .._version import __version__
    from ..audit.decisions import model_of
    from .resumption import stamp_of

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
            fields.policy.model_dump_json(),
            ocr,
        )
    )


def _destination(outputs: OutputOptions, plan: _Plan, resumption: Resumption | None) -> Destination:
    from .outputs import Folder, OneFile, OutputFormat, RemoteFolder, Stdout

    format = OutputFormat(plan.to, outputs.reveal, outputs.allow_leaks, plan.input_format)
    if outputs.path is None:
        return Stdout(format)
    if plan.folder is None:
        return OneFile(str(outputs.output), format)
    if resumption is None:
        return RemoteFolder(str(outputs.output), format)
    return Folder(outputs.path, format, plan.sources, resumption)
