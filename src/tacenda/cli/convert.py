"""``tacenda convert``: annotations from one format to another."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from .options import CONVERSION, INPUT, OUTPUT

if TYPE_CHECKING:
    from ..annotations.capabilities import ConversionOptions
    from ..annotations.corpus import AnnotationFormat

_In = Annotated[str, typer.Argument(metavar="IN", help="File, or folder (brat); - is stdin.")]
_FORMATS = "tab, masks, jsonl, spacy, brat, label-studio, presidio, conll or result"
_From = Annotated[
    str | None,
    typer.Option(
        "--from", help=f"{_FORMATS}; else by extension and content.", rich_help_panel=INPUT
    ),
]
_To = Annotated[
    str | None, typer.Option("--to", help=f"{_FORMATS}; else by extension.", rich_help_panel=OUTPUT)
]
_Out = Annotated[
    str,
    typer.Option(
        "-o", "--output", help="File, or folder (brat); - is stdout.", rich_help_panel=OUTPUT
    ),
]
_Text = Annotated[
    str | None,
    typer.Option(
        help="Texts for formats that carry none: TAB JSON, or a folder of ID.txt.",
        rich_help_panel=INPUT,
    ),
]
_Drop = Annotated[
    str,
    typer.Option(
        help="Leave out what the target can't hold: features by comma, or all.",
        rich_help_panel=CONVERSION,
    ),
]
_Fill = Annotated[
    list[str] | None,
    typer.Option(
        help="FEATURE=VALUE where it is not known, such as type=MISC; may be repeated.",
        rich_help_panel=CONVERSION,
    ),
]
_Rename = Annotated[
    list[str] | None,
    typer.Option(help="OLD=NEW name of a type; may be repeated.", rich_help_panel=CONVERSION),
]
_Annotator = Annotated[
    str,
    typer.Option(
        help="Only this annotator; names the one of a source that names nobody.",
        rich_help_panel=CONVERSION,
    ),
]
_EachAnnotator = Annotated[
    bool,
    typer.Option(
        "--each-annotator", help="A document ID@ANNOTATOR for each.", rich_help_panel=CONVERSION
    ),
]
_Only = Annotated[
    str | None,
    typer.Option(
        help="Only mentions of these identifier types: DIRECT,QUASI,NO_MASK.",
        rich_help_panel=CONVERSION,
    ),
]
_OverlapsOption = Annotated[
    str | None,
    typer.Option(
        help="Overlapping mentions: merge, or keep the longest.", rich_help_panel=CONVERSION
    ),
]
_FragmentsOption = Annotated[
    str | None,
    typer.Option(
        help="Discontinuous mentions: cover by one span, or split.", rich_help_panel=CONVERSION
    ),
]
_Snap = Annotated[
    str | None,
    typer.Option(
        help="expand: move mentions to whole tokens (conll, spacy).", rich_help_panel=CONVERSION
    ),
]
_FromOffsets = Annotated[
    str,
    typer.Option(
        help="What offsets of IN count: code-points, utf-16 or bytes.", rich_help_panel=INPUT
    ),
]
_ToOffsets = Annotated[
    str, typer.Option(help="What offsets of the output count; the same.", rich_help_panel=OUTPUT)
]
_Language = Annotated[
    str, typer.Option(help="spacy: language of the tokenizer.", rich_help_panel=CONVERSION)
]
_SpansKey = Annotated[
    str,
    typer.Option(
        help="spacy: this span group instead of doc.ents; it may overlap.",
        rich_help_panel=CONVERSION,
    ),
]


def convert(
    path: _In,
    from_: _From = None,
    text: _Text = None,
    from_offsets: _FromOffsets = "code-points",
    drop: _Drop = "",
    fill: _Fill = None,
    rename: _Rename = None,
    annotator: _Annotator = "",
    each_annotator: _EachAnnotator = False,
    only: _Only = None,
    overlaps: _OverlapsOption = None,
    fragments: _FragmentsOption = None,
    snap: _Snap = None,
    language: _Language = "en",
    spans_key: _SpansKey = "",
    to: _To = None,
    output: _Out = "-",
    to_offsets: _ToOffsets = "code-points",
) -> None:
    """Convert annotated texts; what the target can't hold is an error unless an option says.

    Examples:
      tacenda convert gold.json --to brat --annotator annotator1 -o brat/

      tacenda convert export.json --from label-studio --to tab -o gold.json
    """
    from ..annotations import guess_input, guess_output, load, load_texts, save
    from ..annotations.convert import convert
    from ..annotations.corpus import Feature, Reading, Unit

    if annotator and each_annotator:
        raise typer.BadParameter("--annotator and --each-annotator exclude each other")
    if path == text == "-":
        raise typer.BadParameter("only one of IN and --text can be stdin")
    target = _format(to or guess_output(output), language, spans_key)
    if target.folder and output == "-":
        raise typer.BadParameter(f"{target.name} is a folder of files; name one with -o")
    if snap and target.tokens("") is None:
        raise typer.BadParameter(f"--snap is for formats that annotate tokens, not {target.name}")
    options = _conversion_options(
        drop, fill, rename, annotator, each_annotator, only, overlaps, fragments, snap
    )
    files = load(path)
    source = _format(from_ or guess_input(files, path), language, spans_key)
    if text and not source.takes_text:
        raise typer.BadParameter(f"{source.name} carries its own text; leave --text out")
    reading = Reading(
        unit=_one_of(Unit, from_offsets, "--from-offsets"),
        texts=load_texts(text) if text else None,
        drop=options.drop | ({Feature.OTHER} if options.drop_rest else frozenset()),
    )
    fitted = convert(source.read(files, reading), target, options)
    save(target.write(fitted.documents, _one_of(Unit, to_offsets, "--to-offsets")), target, output)
    for note in fitted.notes:
        print(f"note: {note}", file=sys.stderr)


def _conversion_options(
    drop: str,
    fill: list[str] | None,
    rename: list[str] | None,
    annotator: str,
    each_annotator: bool,
    only: str | None,
    overlaps: str | None,
    fragments: str | None,
    snap: str | None,
) -> ConversionOptions:
    from ..annotations.capabilities import ConversionOptions, Fragments, Overlaps
    from ..annotations.corpus import Feature
    from ..document import IdentifierType

    if snap not in (None, "expand"):
        raise typer.BadParameter(f"--snap {snap}: only expand is known")
    drops = _comma_list(drop)
    kinds = None if only is None else _comma_list(only)
    filled = _pairs(fill, "--fill")
    return ConversionOptions(
        annotator=annotator,
        each_annotator=each_annotator,
        only=None
        if kinds is None
        else frozenset(_one_of(IdentifierType, x, "--only") for x in kinds),
        rename=_pairs(rename, "--rename"),
        fill={_one_of(Feature, key, "--fill"): value for key, value in filled.items()},
        drop=frozenset(_one_of(Feature, name, "--drop") for name in drops if name != "all"),
        drop_rest="all" in drops,
        fragments=_one_of(Fragments, fragments, "--fragments") if fragments else None,
        snap=snap is not None,
        overlaps=_one_of(Overlaps, overlaps, "--overlaps") if overlaps else None,
    )


Choice = TypeVar("Choice", bound=StrEnum)


def _one_of(kind: type[Choice], value: str, option: str) -> Choice:
    if value not in [one.value for one in kind]:
        choices = ", ".join(one.value for one in kind)
        raise typer.BadParameter(f"{option} {value!r} is none of {choices}")
    return kind(value)


def _format(name: str, language: str, spans_key: str) -> AnnotationFormat:
    from ..annotations import FORMATS, format_named, format_names

    if name not in FORMATS and name not in format_names():
        raise typer.BadParameter(f"format {name!r} is none of {', '.join(format_names())}")
    return format_named(name, language=language, spans_key=spans_key)


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
