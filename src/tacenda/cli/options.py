"""Options shared by several commands, each declared once, and groups of options as dataclasses.

A command declares one parameter for a group; ``--help`` has its fields, in panels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_origin, get_type_hints

import typer

if TYPE_CHECKING:
    from ..detect.detector import Detector
    from ..documents import OcrSettings
    from ..pipeline import Check, Sanitizer
    from ..policy import Policy
    from ..rewrite.polish import SentenceEditor
    from ..risk.assess import CombinationIndicator, Indicator

INPUT: Final = "Input"
PROJECT: Final = "Project"
TABLES: Final = "Tables and fields"
DECISIONS: Final = "Decisions"
CONVERSION: Final = "Conversion"
SEARCH: Final = "Search"
ATTACK: Final = "Attack"
LANGUAGE_MODEL: Final = "Language model"
MEASURES: Final = "Measures"
OUTPUT: Final = "Output"
SERVER: Final = "Server"
RUNNING: Final = "Running"
PANELS: Final = (
    INPUT,
    PROJECT,
    TABLES,
    DECISIONS,
    CONVERSION,
    SEARCH,
    ATTACK,
    LANGUAGE_MODEL,
    MEASURES,
    OUTPUT,
    SERVER,
    RUNNING,
)
"""In the order of ``--help``."""

_PICTURES: Final = ("png", "svg", "pdf")


def _picture(path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower().removeprefix(".") not in _PICTURES:
        choices = ", ".join(f".{name}" for name in _PICTURES)
        raise typer.BadParameter(f"{str(path)!r} must end in one of {choices}")
    return path


def check_choice(value: str, choices: Sequence[str], option: str) -> None:
    """Refuse a value outside ``choices``.

    Raises:
        typer.BadParameter: if it is.
    """
    if value not in choices:
        raise typer.BadParameter(f"{value!r} is none of {', '.join(choices)}", param_hint=option)


# Input.

Paths = Annotated[
    list[str], typer.Argument(metavar="PATH...", help="Files or folders; - is stdin.")
]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="A format of docs/documents.md, such as text, docx, eml, csv or tab; else by extension.",
        rich_help_panel=INPUT,
    ),
]
Encoding = Annotated[str, typer.Option(help="Encoding of the input.", rich_help_panel=INPUT)]
_OCR_NAMES: Final = "--ocr-languages", "--pictures"
_OcrLanguages = Annotated[
    str | None,
    typer.Option(
        _OCR_NAMES[0],
        metavar="eng+deu",
        help="Languages of the text in pictures and scans, as Tesseract calls them; off reads no pictures.",
        rich_help_panel=INPUT,
    ),
]
_Pictures = Annotated[
    str | None,
    typer.Option(
        _OCR_NAMES[1],
        "--ocr-unread",
        metavar="cover|keep",
        help="Pictures that may show text which nobody reads are covered, or kept.",
        rich_help_panel=INPUT,
    ),
]


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Options of the reading of pictures; what isn't given is as the environment says."""

    ocr_languages: _OcrLanguages = None
    pictures: _Pictures = None

    def settings(self) -> OcrSettings:
        """The settings.

        Raises:
            typer.BadParameter: if a value means nothing.
        """
        from ..documents.ocr.tesseract import settings
        from ..errors import InputError

        try:
            return settings(self.ocr_languages, self.pictures, _OCR_NAMES)
        except InputError as error:
            raise typer.BadParameter(str(error)) from error


Gold = Annotated[
    str, typer.Argument(metavar="GOLD", help="Gold annotations, TAB standoff JSON; - is stdin.")
]
Split = Annotated[
    str | None,
    typer.Option(help="Count only the documents of this split.", rich_help_panel=INPUT),
]

# Tables and fields.

Field = Annotated[
    str,
    typer.Option(
        help="JSONL: the field that holds the text, by name or path (prompt.text).",
        rich_help_panel=TABLES,
    ),
]
Column = Annotated[
    list[str] | None,
    typer.Option(help="CSV: a column that holds text; may be repeated.", rich_help_panel=TABLES),
]

# Decisions.


def _policies(beginning: str) -> list[str]:
    """Names of shipped policies, for the completion of a shell."""
    from ..policy.loading import shipped

    return [name for name in shipped() if name.startswith(beginning)]


PolicyName = Annotated[
    str,
    typer.Option(
        "--policy",
        autocompletion=_policies,
        help="A YAML file, or: default, court, clinical, chat, prompts, logs, strict, lenient; "
        "`tacenda policies list` says what each is for.",
        rich_help_panel=DECISIONS,
    ),
]
Target = Annotated[
    list[str] | None,
    typer.Option(help="Name of the person to protect; may be repeated.", rich_help_panel=DECISIONS),
]

_Operator = Annotated[
    str | None,
    typer.Option(
        help="What is written instead: tag ([PERSON 1]), suppress (***), pseudonym, generalize, surrogate, hash or encrypt. "
        "surrogate moves each date by its own number of days, in order; by one number where the policy "
        "says dates: shift, by which a register finds the person.",
        rich_help_panel=DECISIONS,
    ),
]
_TagLanguage = Annotated[
    str | None,
    typer.Option(
        metavar="CODE|text",
        help="Language of the words in tags, such as de; text: that of each text. English by default.",
        rich_help_panel=DECISIONS,
    ),
]
_AllOrTags = Annotated[
    bool,
    typer.Option(
        "--surrogate-all-or-tags",
        help="surrogate: write tags throughout a document in which anything has no good surrogate.",
        rich_help_panel=DECISIONS,
    ),
]
_KeyFile = Annotated[
    Path | None,
    typer.Option(
        help="File with the key of pseudonym, surrogate, hash and encrypt.",
        rich_help_panel=DECISIONS,
    ),
]
_Brackets = Annotated[
    str | None,
    typer.Option(
        help="Around what generalize writes: square, none, or italics (none, but slanted in HTML).",
        rich_help_panel=DECISIONS,
    ),
]
_Neutral = Annotated[
    list[str] | None,
    typer.Option(
        help="Besides all masks, write running text without: sex (they, spouse, sibling), relationship; "
        "may be repeated.",
        rich_help_panel=DECISIONS,
    ),
]
_Keep = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="What readers need, with commas between, such as 'occupation, order of events': generalized as little as "
        "the bound on the risk allows, and more of the rest is masked instead.",
        rich_help_panel=DECISIONS,
    ),
]
_Threshold = Annotated[
    float | None,
    typer.Option(min=0, max=1, help="Mask from this probability on.", rich_help_panel=DECISIONS),
]
_Risk = Annotated[
    float | None,
    typer.Option(
        min=0,
        max=1,
        help="Instead: leave at most this share of the identifiers, on average, with 95 % confidence.",
        rich_help_panel=DECISIONS,
    ),
]
_Domain = Annotated[
    str | None,
    typer.Option(
        help="Kind of the documents, such as court or chat, for the recognizer and for --risk; else told by their words, and --risk holds for the worst.",
        rich_help_panel=DECISIONS,
    ),
]
_Background = Annotated[
    Path | None,
    typer.Option(
        help="An index of what an adversary could know (tacenda index build): what a search for it "
        "leads to the person is changed, alone or together.",
        exists=True,
        dir_okay=False,
        rich_help_panel=DECISIONS,
    ),
]

# Attack.

Attacker = Annotated[
    str,
    typer.Option(
        "--attacker",
        help="bm25, bayes, ngrams, records, encoder, joint, encoder:FOLDER; ensemble: any of them.",
        rich_help_panel=ATTACK,
    ),
]
SubjectTable = Annotated[
    Path | None,
    typer.Option(
        "--people",
        metavar="CSV",
        help="Columns document and person (id or name).",
        rich_help_panel=ATTACK,
    ),
]
PersonField = Annotated[
    str, typer.Option(help="JSONL: the field that names the person.", rich_help_panel=ATTACK)
]

# Measures.

Weights = Annotated[
    str | None,
    typer.Option(
        help="Also give weighted precision: uniform, unigram, unigram:FILE, lm, hf:NAME, or bert:NAME "
        "as the benchmark computes WP.",
        show_default=False,
        rich_help_panel=MEASURES,
    ),
]
WeightsBefore = Annotated[
    str | None,
    typer.Option(
        metavar="MONTH",
        help="2022-06: bert:NAME by the benchmark's program before its correction, which gave words of long texts "
        "the probabilities of others. For WP published before.",
        show_default=False,
        rich_help_panel=MEASURES,
    ),
]
Bootstrap = Annotated[
    int,
    typer.Option(
        min=0,
        help="95 % confidence intervals from N resamples of documents; 0: none.",
        rich_help_panel=MEASURES,
    ),
]
IgnoredTokensFile = Annotated[
    Path | None,
    typer.Option(
        help=r"JSON {doc_id: [\[start, end], ...]}: tokens that need no mask, by a tagger; "
        "the built-in closed-class words otherwise.",
        rich_help_panel=MEASURES,
    ),
]

# Output.

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.", rich_help_panel=OUTPUT)]
Picture = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        callback=_picture,
        help="Also draw it to a .png, .svg or .pdf (extra plot).",
        rich_help_panel=OUTPUT,
    ),
]

# Server.

Host = Annotated[str, typer.Option(help="Address to listen at.", rich_help_panel=SERVER)]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="0 takes a free one.", rich_help_panel=SERVER)
]
ServerName = Annotated[
    list[str] | None,
    typer.Option(
        help="A name by which others call this server; may be repeated.", rich_help_panel=SERVER
    ),
]
Browser = Annotated[
    bool,
    typer.Option("--browser/--no-browser", help="Open the browser.", rich_help_panel=SERVER),
]

# Running.

Model = Annotated[
    str | None,
    typer.Option(help="Name of a shipped recognizer, or a folder.", rich_help_panel=RUNNING),
]
Threads = Annotated[
    int | None,
    typer.Option(min=1, help="Cores to use; all by default.", rich_help_panel=RUNNING),
]

# Groups of options.


@dataclass(frozen=True, slots=True)
class SanitizerOptions:
    """Options of a sanitizer; each command offers a selection."""

    policy: PolicyName = "default"
    target: Target = None
    operator: _Operator = None
    tag_language: _TagLanguage = None
    surrogate_all_or_tags: _AllOrTags = False
    brackets: _Brackets = None
    neutral: _Neutral = None
    keep: _Keep = None
    key_file: _KeyFile = None
    threshold: _Threshold = None
    risk: _Risk = None
    domain: _Domain = None
    background: _Background = None
    model: Model = None
    threads: Threads = None

    def effective_policy(self) -> Policy:
        """Policy with the changes by options.

        Raises:
            PolicyError: if it can't be used, or its key is missing.
        """
        from ..policy import KEYED, Policy

        policy: Policy = Policy.load(self.policy)
        changes: dict[str, object] = {}
        if self.operator is not None:
            # Said on the command line, it holds for every type and entity.
            changes |= {"operator": self.operator, "operators": {}, "operators_for": ()}
        if self.tag_language is not None:
            changes["tag_language"] = self.tag_language
        if self.surrogate_all_or_tags:
            changes["surrogate_all_or_tags"] = True
        if self.key_file is not None:
            changes |= {"key_file": self.key_file, "key_env": None}
        if self.brackets is not None:
            changes["brackets"] = self.brackets
        if self.neutral:
            changes["neutral"] = tuple(self.neutral)
        if self.keep is not None:
            changes["keep"] = self.keep
        if self.threshold is not None:
            changes |= {"threshold": self.threshold, "thresholds": {}}
        if self.risk is not None:
            changes["residual_share"] = self.risk
        if self.domain is not None:
            changes["domain"] = self.domain
        if self.target:
            changes["target"] = (*policy.target, *self.target)
        if changes:
            policy = policy.with_changes(**changes)
        if policy.operator_names & KEYED:
            policy.key()
        return policy

    def open(
        self,
        policy: Policy,
        *,
        detectors: Sequence[Detector] = (),
        indicators: Sequence[Indicator] = (),
        combination_indicators: Sequence[CombinationIndicator] = (),
        checks: Sequence[Check] = (),
        editor: SentenceEditor | None = None,
    ) -> Sanitizer:
        """Sanitizer under a policy, with the model of these options.

        Raises:
            PolicyError: if the policy can't be used.
            ModelError: if the weights are missing or damaged.
        """
        from ..pipeline import load

        return load(
            policy,
            model=self.model,
            threads=self.threads,
            detectors=detectors,
            indicators=indicators,
            combination_indicators=combination_indicators,
            checks=checks,
            editor=editor,
        )


class Only:
    """Annotation of a group: the options to offer; the rest have their defaults."""

    def __init__(self, *names: str) -> None:
        self.names = names


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Command with each dataclass parameter replaced by its fields.

    The fields are annotated as options of Typer are; two groups of a command have no field in
    common. ``--help`` has the panels in their order.
    """
    parameters: list[Parameter] = []
    groups: dict[str, tuple[type, list[str]]] = {}
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in signature(command).parameters.items():
        kind, names = _group(hints[name])
        if kind is None:
            parameters.append(_parameter(name, hints[name], parameter.default))
        else:
            options = list(_options(kind, names))
            groups[name] = kind, [option.name for option in options]
            parameters += options

    parameters.sort(key=_rank)

    @wraps(command)
    def run(**values: Any) -> None:
        for name, (kind, names) in groups.items():
            values[name] = kind(**{option: values.pop(option) for option in names})
        command(**values)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def _group(hint: Any) -> tuple[type | None, tuple[str, ...]]:
    """Dataclass of a parameter's annotation, and the names of its offered fields."""
    kind, *metadata = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if not (isinstance(kind, type) and is_dataclass(kind)):
        return None, ()
    for item in metadata:
        if isinstance(item, Only):
            return kind, item.names
    return kind, tuple(field.name for field in fields(kind))


def _options(kind: type, names: tuple[str, ...]) -> Iterator[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    defaults = {field.name: field.default for field in fields(kind)}
    for name in names:
        default = defaults[name]
        yield _parameter(name, hints[name], Parameter.empty if default is MISSING else default)


def _parameter(name: str, annotation: Any, default: Any) -> Parameter:
    # By name alone, one without a default may follow one that has it.
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _rank(parameter: Parameter) -> int:
    """Place of a parameter's panel in ``--help``; 0 for none."""
    metadata = get_args(parameter.annotation)[1:]
    panels = [getattr(item, "rich_help_panel", None) for item in metadata]
    return next((PANELS.index(panel) + 1 for panel in panels if panel in PANELS), 0)
