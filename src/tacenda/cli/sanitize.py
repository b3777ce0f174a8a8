"""``tacenda sanitize``: documents in, sanitized documents out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import attacking as _attacking

if TYPE_CHECKING:
    from ..corpora import Failure, Record
    from ..document import Document, Sanitized
    from ..errors import InputError
    from ..policy import Policy
    from ..sanitizer import Sanitizer
    from .destinations import Destination

_BATCH = 32

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
_To = Annotated[str, typer.Option("--to", help="same, text, html, pdf, json, jsonl, tab or masks.")]
_Out = Annotated[
    Path | None, typer.Option("-o", "--output", help="A file, or a folder (end it with /).")
]
_From = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="text, markdown, html, docx, pdf, jsonl, csv, json, tab or texts; else by extension.",
    ),
]
_Field = Annotated[str, typer.Option(help="JSONL: the field that holds the text.")]
_Column = Annotated[
    list[str] | None, typer.Option(help="CSV: a column that holds text; may be repeated.")
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
    paths: _Paths = None,
    target: _Target = None,
    policy: _PolicyOption = "default",
    operator: _Operator = None,
    key_file: _KeyFile = None,
    threshold: _Threshold = None,
    risk: _Risk = None,
    to: _To = "same",
    output: _Out = None,
    came_in: _From = None,
    field: _Field = "text",
    column: _Column = None,
    encoding: _Encoding = "utf-8",
    explain: _Explain = False,
    reveal: _Reveal = False,
    threads: _Threads = None,
    model: _Model = None,
    mapping: _Mapping = None,
    beside: _Beside = False,
    audit: _Audit = None,
    background: _Background = None,
    attack: _attacking.Attack = None,
    person: _attacking.Person = None,
    people: _attacking.Table = None,
    person_field: _attacking.PersonField = "person",
    attacker: _attacking.Attacker = "ensemble",
    k: _attacking.K = 1,
    only_check: _attacking.OnlyCheck = False,
) -> None:
    """Sanitize documents: mask what could identify the people in them.

    Examples:
      tacenda sanitize letter.txt --explain

      tacenda sanitize judgment.txt --target "Mr Galip Yalman" --operator tag --to html -o out.html

      tacenda sanitize letters/ -o clean/ --policy strict

      tacenda sanitize letter.txt --risk 0.05 --explain

      tacenda sanitize letter.txt --target "Anna Berg" --background knowledge.db --explain

      tacenda sanitize letter.txt --attack people.db --person "Anna Berg" --k 5

      cat prompts.jsonl | tacenda sanitize - --from jsonl --field prompt
    """
    from ..corpora import OUTPUT_FORMATS
    from .audit import with_audit
    from .mapping import check_mapping, with_mapping
    from .progress import counting

    if to not in OUTPUT_FORMATS:
        raise typer.BadParameter(
            f"{to!r} is none of {', '.join(OUTPUT_FORMATS)}", param_hint="--to"
        )
    sources = paths or ["-"]
    # Faults of usage are found before a model is loaded or a file opened.
    if threshold is not None and risk is not None:
        raise typer.BadParameter("--threshold also bounds the risk; give one", param_hint="--risk")
    if mapping is not None:
        check_mapping(mapping, sources, output, to, beside=beside)
    items = _items(sources, came_in, field, column or (), encoding)
    adversary = _attacking.attacking(
        attack, person, people, person_field, attacker, k, only_check=only_check
    )
    if adversary is not None:
        items = adversary.named(items)
    sanitizer = _sanitizer(
        policy,
        target or (),
        operator,
        key_file,
        threshold,
        risk,
        threads,
        model,
        background,
        adversary,
    )
    destination = _destination(sources, output, to, came_in, reveal)
    if mapping is not None:
        destination = with_mapping(destination, mapping, sanitizer.policy)
    if audit is not None:
        destination = with_audit(destination, audit, sanitizer, model, policy, background)
    faults = 0
    try:
        with counting("documents") as advance:
            for item in _results(sanitizer, items):
                if isinstance(item, str):
                    typer.echo(f"tacenda: {item}", err=True)
                    faults += 1
                    continue
                faults += _write(destination, *item, explain=explain)
                advance()
        destination.finish()
    except BaseException:
        destination.abort()
        raise
    if faults:
        raise typer.Exit(1)


def _items(
    sources: Sequence[str], came_in: str | None, field: str, columns: Sequence[str], encoding: str
) -> Iterator[Record | Failure]:
    from ..corpora import read
    from ..errors import InputError

    try:
        readers = [
            read(source, came_in, field=field, columns=columns, encoding=encoding)
            for source in sources
        ]
    except InputError as error:
        raise typer.BadParameter(str(error)) from error
    return (item for reader in readers for item in reader)


def _sanitizer(
    policy: str,
    target: Sequence[str],
    operator: str | None,
    key_file: Path | None,
    threshold: float | None,
    risk: float | None,
    threads: int | None,
    model: str | None,
    background: Path | None,
    adversary: _attacking.Attacking | None,
) -> Sanitizer:
    from ..policies.rule import KEYED
    from ..policy import Policy
    from ..risk.search.background import background as search_in
    from ..sanitizer import load

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
    chosen = loaded.with_changes(**changes)
    if chosen.operator_names & KEYED:
        chosen.key()
    name = Path(model) if model is not None and Path(model).is_dir() else model
    together = None if background is None else search_in(background, chosen.target)
    return load(
        chosen,
        model=name,
        threads=threads,
        together=together,
        further=() if adversary is None else adversary.indicators,
        check=None if adversary is None else adversary.check,
    )


def _destination(
    sources: Sequence[str], output: Path | None, to: str, came_in: str | None, reveal: bool
) -> Destination:
    from .destinations import Folder, OneFile, Stdout

    if output is None or str(output) == "-":
        return Stdout(to, came_in, reveal)
    if any(
        source != "-" and output.exists() and output.samefile(source)
        for source in sources
        if Path(source).exists()
    ):
        raise typer.BadParameter(
            "the output is one of the inputs; choose another place", param_hint="-o"
        )
    many = len(sources) > 1 or Path(sources[0]).is_dir()
    if output.is_dir() or (many and to in ("same", "text", "html") and not output.suffix):
        return Folder(output, to, reveal)
    return OneFile(output, to, came_in, reveal)


def _results(
    sanitizer: Sanitizer, items: Iterable[Record | Failure]
) -> Iterator[tuple[Record, Sanitized] | str]:
    """Yield results, and the messages of what could not be read, in batches and in order."""
    from ..corpora import Record
    from ..errors import InputError

    stream = iter(items)
    while batch := list(islice(stream, _BATCH)):
        records = [item for item in batch if isinstance(item, Record)]
        results = iter(_sanitized(sanitizer, [record.document for record in records]))
        for item in batch:
            if not isinstance(item, Record):
                yield str(item.error)
                continue
            result = next(results)
            yield str(result) if isinstance(result, InputError) else (item, result)


def _sanitized(sanitizer: Sanitizer, documents: Sequence[Document]) -> list[Sanitized | InputError]:
    """Return a result for each document, or why there is none; one does not stop the others."""
    from ..errors import InputError

    try:
        return list(sanitizer.pipe(documents, batch_size=_BATCH))
    except InputError as error:
        if len(documents) == 1:
            return [error]
        return [result for document in documents for result in _sanitized(sanitizer, [document])]


def _write(destination: Destination, record: Record, result: Sanitized, explain: bool) -> int:
    """Write one result; return how many faults that made."""
    from ..errors import InputError

    try:
        destination.write(record, result)
    except InputError as error:
        typer.echo(f"tacenda: {error}", err=True)
        return 1
    for note in record.notes:
        typer.echo(f"tacenda: {record.origin.name}: {note}", err=True)
    if explain:
        typer.echo(f"\n{result.explain()}", err=True)
    found = _attacking.say_found(result)
    if result.leaks:
        typer.echo(
            f"tacenda: {result.document.id}: {len(result.leaks)} masked strings are still in the output",
            err=True,
        )
        return 1
    return found
