"""``tacenda convert``, ``tacenda evaluate stats`` and ``tacenda evaluate agreement``: corpora of annotated documents."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from .. import plugins
from .options import AsJson, Gold, Picture, Split, argument, cli_option, grouped, option
from .printing import print_notes

if TYPE_CHECKING:
    from rich.table import Table

    from ..annotations.capabilities import ConversionOptions
    from ..annotations.corpus import AnnotationFormat
    from ..evaluate.agreement import Agreement
    from ..evaluate.composition import Composition

# ``tacenda convert``: annotations from one format to another.


_In = Annotated[str, argument("corpus.in", metavar="IN")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertSettings:
    """Options of ``tacenda convert``."""

    from_: str | None = option(None, "--from")
    text: str | None = option(None)
    from_offsets: str = option("code-points")
    drop: str = option("")
    fill: list[str] | None = option(None)
    rename: list[str] | None = option(None)
    annotator: str = option("")
    each_annotator: bool = option(False, "--each-annotator")
    only: str | None = option(None)
    overlaps: str | None = option(None)
    fragments: str | None = option(None)
    snap: str | None = option(None)
    language: str = option("en")
    spans_key: str = option("")
    to: str | None = option(None, "--to")
    output: str = option("-", "-o", "--output")
    to_offsets: str = option("code-points")


@grouped
def convert(path: _In, *, settings: ConvertSettings) -> None:
    """Convert annotations between formats.

    Anything that the target format can't represent is an error unless an option says otherwise.

    Examples:
      tacenda convert gold.json --to brat --annotator annotator1 -o brat/
      tacenda convert export.json --from label-studio --to tab -o gold.json
    """
    from ..annotations import guess_input, guess_output, load, load_texts, save
    from ..annotations.convert import convert
    from ..annotations.corpus import Feature, Reading, Unit

    if settings.annotator and settings.each_annotator:
        raise typer.BadParameter("--annotator and --each-annotator can't be used together")
    if path == settings.text == "-":
        raise typer.BadParameter("only one of IN and --text can be stdin")
    target = _format(settings.to or guess_output(settings.output), settings)
    if target.folder and settings.output == "-":
        raise typer.BadParameter(f"{target.name} is written to a folder; name one with -o")
    if settings.snap and target.tokens("") is None:
        raise typer.BadParameter(f"--snap is for formats that annotate tokens, not {target.name}")
    options = _conversion_options(settings)
    named = _format(settings.from_, settings) if settings.from_ else None
    files = load(path, named)
    source = named or _format(guess_input(files, path), settings)
    if settings.text and not source.takes_text:
        raise typer.BadParameter(f"{source.name} contains the text already; omit --text")
    reading = Reading(
        unit=_one_of(Unit, settings.from_offsets, "--from-offsets"),
        texts=load_texts(settings.text) if settings.text else None,
        drop=options.drop | ({Feature.OTHER} if options.drop_rest else frozenset()),
    )
    fitted = convert(source.read(files, reading), target, options)
    save(
        target.write(fitted.documents, _one_of(Unit, settings.to_offsets, "--to-offsets")),
        target,
        settings.output,
    )
    print_notes(fitted.notes)


def _conversion_options(settings: ConvertSettings) -> ConversionOptions:
    from ..annotations.capabilities import ConversionOptions, Fragments, Overlaps
    from ..annotations.corpus import Feature
    from ..document import IdentifierType

    if settings.snap not in (None, "expand"):
        raise typer.BadParameter(f"--snap {settings.snap}: must be expand")
    only, overlaps, fragments = settings.only, settings.overlaps, settings.fragments
    types = [_one_of(IdentifierType, name, "--only") for name in _comma_list(only or "")]
    drops = _comma_list(settings.drop)
    fills = _pairs(settings.fill, "--fill").items()
    return ConversionOptions(
        annotator=settings.annotator,
        each_annotator=settings.each_annotator,
        only=None if only is None else frozenset(types),
        rename=_pairs(settings.rename, "--rename"),
        fill={_one_of(Feature, key, "--fill"): value for key, value in fills},
        drop=frozenset(_one_of(Feature, name, "--drop") for name in drops if name != "all"),
        drop_rest="all" in drops,
        fragments=_one_of(Fragments, fragments, "--fragments") if fragments else None,
        snap=settings.snap is not None,
        overlaps=_one_of(Overlaps, overlaps, "--overlaps") if overlaps else None,
    )


Choice = TypeVar("Choice", bound=StrEnum)


def _one_of(kind: type[Choice], value: str, option: str) -> Choice:
    if value not in [one.value for one in kind]:
        choices = ", ".join(one.value for one in kind)
        raise typer.BadParameter(f"{option} {value!r} is not one of {choices}")
    return kind(value)


def _format(name: str, settings: ConvertSettings) -> AnnotationFormat:
    from ..annotations import FORMATS, format_named, format_names

    if name not in FORMATS and name not in format_names():
        raise typer.BadParameter(f"format {name!r} is not one of {', '.join(format_names())}")
    return format_named(name, language=settings.language, spans_key=settings.spans_key)


def _comma_list(value: str) -> list[str]:
    return [part.strip() for part in value.split(",") if part.strip()]


def _pairs(values: list[str] | None, option: str) -> dict[str, str]:
    pairs = {}
    for value in values or []:
        key, separator, new = value.partition("=")
        if not separator or not key:
            raise typer.BadParameter(f"{option} {value!r}: must be KEY=VALUE")
        pairs[key] = new
    return pairs


# ``tacenda evaluate agreement`` and ``tacenda evaluate stats``: annotators and contents of a corpus (TAB, Tables 1 to 5).


_GoldFrom = Annotated[str, cli_option("corpus.gold_from", "--from")]
_HEAT: Final = 200
"""Red of the hottest cell, of 255; the coldest has none."""


def agreement(
    gold: Gold,
    from_: _GoldFrom = "tab",
    split: Split = None,
    plot: Picture = None,
    as_json: AsJson = False,
) -> None:
    """Measure the agreement of annotators.

    Documents with one annotator are not counted. An entity id belongs to its annotator: the same
    id under two annotators is two entities, which agree if they have the same mentions. --plot
    draws the heat map of types that annotators disagree on.

    Examples:
      tacenda evaluate agreement gold.json --plot types.png
    """
    from ..evaluate.agreement import measure_agreement
    from ..evaluate.gold import load_gold

    result = measure_agreement(load_gold(gold, split, from_))
    if plot:
        plugins.load(plugins.EXTRAS, "agreement_plot", "--plot")(result, plot)
    if as_json:
        print(json.dumps(result.as_json(), indent=1))
        return
    from rich.console import Console

    from ..evaluate.tables import format_coefficient

    console = Console()
    console.print(_coefficients(result))
    console.print(
        f"Cohen's κ on which mentions are one entity: {format_coefficient(result.relations_kappa)}; "
        f"without equal strings: {format_coefficient(result.relations_kappa_different_strings)}",
        highlight=False,
        soft_wrap=True,
    )
    if result.type_disagreements:
        console.print(_heat_map(result))
    else:
        console.print("Figure 6: no span was given two entity types", highlight=False)
    console.print(_masking(result))


def _coefficients(result: Agreement) -> Table:
    from ..evaluate.tables import count_table, format_coefficient

    rows = [
        (
            row.layer,
            row.unit,
            row.match,
            row.items,
            format_coefficient(row.observed),
            format_coefficient(row.fleiss_kappa),
            format_coefficient(row.krippendorff_alpha),
        )
        for row in result.rows
    ]
    header = ["annotation", "unit", "match", "items", "observed", "Fleiss κ", "Krippendorff α"]
    return count_table(f"Table 5: {result.documents} documents", header, rows)


def _heat_map(result: Agreement) -> Table:
    from rich.text import Text

    from ..evaluate.tables import count_table

    types = sorted({type_ for pair in result.type_disagreements for type_ in pair})
    hottest = max(result.type_disagreements.values(), default=1)

    def cell(row: str, column: str) -> Text:
        if row == column:
            return Text()
        n = result.type_disagreements.get((min(row, column), max(row, column)), 0)
        return Text(str(n), f"white on rgb({round(_HEAT * n / hottest)},0,0)" if n else "dim")

    rows: list[list[str | Text]] = [
        [row, *(cell(row, column) for column in types)] for row in types
    ]
    return count_table("Figure 6: spans given two entity types", ["", *types], rows)


def _masking(result: Agreement) -> Table:
    from ..evaluate.agreement import MASKING_PAIRS
    from ..evaluate.tables import count_table, format_share

    counts = result.masking_disagreements
    total = sum(n for pairs in counts.values() for n in pairs.values())
    rows = [
        (type_, *(format_share(pairs.get(pair, 0), total) for pair in MASKING_PAIRS))
        for type_, pairs in counts.items()
    ]
    sums = (sum(pairs.get(pair, 0) for pairs in counts.values()) for pair in MASKING_PAIRS)
    header = ["entity type", *(f"{first} vs {second}" for first, second in MASKING_PAIRS)]
    title = "Table 10: spans given two identifier types (% of all such)"
    return count_table(title, header, [*rows, ("total", *(format_share(n, total) for n in sums))])


def stats(
    gold: Gold,
    from_: _GoldFrom = "tab",
    split: Split = None,
    as_json: AsJson = False,
) -> None:
    """Count the documents and annotations of a corpus.

    Examples:
      tacenda evaluate stats gold.json --split dev
    """
    from ..evaluate.composition import describe
    from ..evaluate.gold import load_gold

    composition = describe(load_gold(gold, split, from_))
    if as_json:
        print(json.dumps(composition.as_json(), indent=1))
        return
    from rich.console import Console

    console = Console()
    for table in _tables(composition):
        console.print(table)


def _tables(composition: Composition) -> list[Table]:
    from ..evaluate.tables import count_table, format_share

    splits = [
        (
            name,
            row.documents,
            row.annotations,
            row.reviewed,
            f"{row.annotators_per_document:.2f}",
        )
        for name, row in composition.splits.items()
    ]
    total = composition.all_splits
    general: list[tuple[str, str | int]] = [
        ("documents", total.documents),
        ("document annotations", total.annotations),
        ("documents with multiple annotators", composition.multiple),
        ("annotations reviewed by another annotator", total.reviewed),
        ("entities", composition.entities),
        ("mentions", composition.mentions),
        ("tokens (words and punctuation marks)", composition.tokens),
        ("relations between mentions, by hand", composition.relations),
    ]
    if composition.masked_share is not None and composition.masked_deviation is not None:
        spread = f"{composition.masked_share:.1%} ± {composition.masked_deviation:.1%}"
        general.append(("entities masked, mean over annotators", spread))
    n = composition.mentions
    types = [
        (
            name,
            format_share(row.mentions, n),
            format_share(row.direct, row.mentions),
            format_share(row.quasi, row.mentions),
            format_share(row.confidential, row.mentions),
        )
        for name, row in [*composition.types.items(), ("total", composition.all_types)]
    ]
    confidential = [
        (status.value, format_share(count, n)) for status, count in composition.confidential.items()
    ]
    header = ["split", "documents", "annotations", "reviewed", "annotators a document"]
    kinds = ["entity type", "mentions", "direct", "quasi", "confidential"]
    return [
        count_table("Table 1: splits", header, splits),
        count_table("Table 2: in general", ["", "number"], general),
        count_table("Table 3: mentions by type (% of all; % of the type)", kinds, types),
        count_table("Table 4: confidential status", ["status", "mentions"], confidential),
    ]
