"""Options that several commands share, each declared once, and groups of options as dataclasses.

A command declares one parameter per group; ``--help`` shows its fields in panels.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_origin, get_type_hints

import typer

if TYPE_CHECKING:
    from ..deciding import AdditionalParts
    from ..documents import OcrSettings
    from ..pipeline import Sanitizer
    from ..policy import Policy

_PICTURES: Final = ("png", "svg", "pdf")


def _picture(path: Path | None) -> Path | None:
    if path is not None and path.suffix.lower().removeprefix(".") not in _PICTURES:
        choices = ", ".join(f".{name}" for name in _PICTURES)
        raise typer.BadParameter(f"{str(path)!r} must end in one of {choices}")
    return path


def check_choice(value: str, choices: Sequence[str], option: str | None = None) -> None:
    """Refuse a value outside ``choices``.

    Raises:
        typer.BadParameter: if it is outside.
    """
    if value not in choices:
        raise typer.BadParameter(f"{value!r} is not one of {', '.join(choices)}", param_hint=option)


def refuse(fault: str, options: Mapping[str, object]) -> None:
    """Refuse options that were given.

    Args:
        fault: what is wrong with them.
        options: the options' values by name.

    Raises:
        typer.BadParameter: if one was given; names the first.
    """
    for name, value in options.items():
        if value:
            raise typer.BadParameter(fault, param_hint=name)


@contextmanager
def faults_of_options(*names: str) -> Iterator[None]:
    """Turn an input error into a usage error.

    Args:
        names: names of the options; empty if the message names them.

    Raises:
        typer.BadParameter: for an ``InputError``.
    """
    from ..errors import InputError

    try:
        yield
    except InputError as error:
        raise typer.BadParameter(str(error), param_hint=", ".join(names) or None) from error


_OPTION: Final = "option"


@cache
def panels() -> list[str]:
    """Return the panels' titles, in the order of ``--help``."""
    return list(_help_file()["panels"])


@cache
def help_texts() -> dict[str, dict[str, tuple[str | None, str]]]:
    """Return panel and help by option group and field, or by module and name; arguments have no panel."""
    texts: dict[str, dict[str, tuple[str | None, str]]] = {}
    for name, table in _help_file().items():
        if isinstance(table, dict):
            rows = texts[name] = {}
            for key, value in table.items():
                if isinstance(value, str):
                    rows[key] = None, value
                else:
                    rows |= {field_name: (key, text) for field_name, text in value.items()}
    return texts


@cache
def _help_file() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("help.toml").read_text("utf-8"))


def _help(key: str) -> tuple[str | None, str]:
    table, _, name = key.partition(".")
    return help_texts()[table][name]


def argument(key: str, **settings: Any) -> Any:
    """Return an argument for an annotation, with the help under its key in ``help.toml``."""
    return typer.Argument(help=_help(key)[1], **settings)


def cli_option(key: str, *names: str, **settings: Any) -> Any:
    """Return an option for an annotation in the same way, with its names if they differ from the parameter's."""
    panel, help = _help(key)
    return typer.Option(*names, help=help, rich_help_panel=panel, **settings)


def option(default: Any, *names: str, choices: Sequence[str] = (), **settings: Any) -> Any:
    """Return a group's field that is an option; the default ``...`` makes it required.

    Its panel and help are in ``help.toml``, under the group and the field. A value outside
    ``choices`` is refused.
    """

    def chosen(value: str | None) -> str | None:
        if value is not None:
            check_choice(value, choices)
        return value

    if choices:
        settings["callback"] = chosen
    metadata = {_OPTION: typer.Option(*names, **settings)}
    if default is ...:
        return field(kw_only=True, metadata=metadata)
    return field(default=default, metadata=metadata)


# Input.

Paths = Annotated[list[str], argument("options.paths", metavar="PATH...")]
InputFormat = Annotated[str | None, cli_option("options.input_format", "--from")]
Encoding = Annotated[str, cli_option("options.encoding")]
_OCR_NAMES: Final = "--ocr-languages", "--pictures"


@dataclass(frozen=True, slots=True)
class OcrOptions:
    """Options for reading pictures; the environment determines what isn't given."""

    ocr_languages: str | None = option(None, _OCR_NAMES[0], metavar="eng+deu")
    pictures: str | None = option(None, _OCR_NAMES[1], metavar="cover|keep")

    def settings(self) -> OcrSettings:
        """Return the settings.

        Raises:
            typer.BadParameter: if a value is invalid.
        """
        from ..documents.ocr.tesseract import settings

        with faults_of_options():
            return settings(self.ocr_languages, self.pictures, _OCR_NAMES)


Gold = Annotated[str, argument("options.gold", metavar="GOLD")]
Split = Annotated[str | None, cli_option("options.split")]

# Tables and fields.

Field = Annotated[str, cli_option("options.field")]
Column = Annotated[list[str] | None, cli_option("options.column")]

# Decisions.


def _policies(beginning: str) -> list[str]:
    """Return the names of shipped policies, for shell completion."""
    from ..policy.loading import shipped

    return [name for name in shipped() if name.startswith(beginning)]


PolicyName = Annotated[str, cli_option("options.policy_name", "--policy", autocompletion=_policies)]
Target = Annotated[list[str] | None, cli_option("options.target")]


# Attack.

Attacker = Annotated[str, cli_option("options.attacker", "--attacker")]
SubjectTable = Annotated[
    Path | None, cli_option("options.subject_table", "--people", metavar="CSV")
]
PersonField = Annotated[str, cli_option("options.person_field")]

# Measures.

Weights = Annotated[str | None, cli_option("options.weights", show_default=False)]
WeightsBefore = Annotated[
    str | None, cli_option("options.weights_before", metavar="MONTH", show_default=False)
]
Bootstrap = Annotated[int, cli_option("options.bootstrap", min=0)]
IgnoredTokensFile = Annotated[Path | None, cli_option("options.ignored_tokens_file")]

# Output.

AsJson = Annotated[bool, cli_option("options.as_json", "--json")]
Picture = Annotated[
    Path | None, cli_option("options.picture", "--plot", metavar="FILE", callback=_picture)
]

# Server.

Host = Annotated[str, cli_option("options.host")]
Port = Annotated[int, cli_option("options.port", min=0, max=65535)]
ServerName = Annotated[list[str] | None, cli_option("options.server_name")]
Browser = Annotated[bool, cli_option("options.browser", "--browser/--no-browser")]

# Running.

Model = Annotated[str | None, cli_option("options.model")]
Threads = Annotated[int | None, cli_option("options.threads", min=1)]

# Groups of options.


@dataclass(frozen=True, slots=True)
class SanitizerOptions:
    """Options for a sanitizer; each command offers a selection."""

    policy: PolicyName = "default"
    target: Target = None
    operator: str | None = option(None)
    tag_language: str | None = option(None, metavar="CODE|text")
    surrogate_all_or_tags: bool = option(False, "--surrogate-all-or-tags")
    surrogate_culture: str | None = option(None, choices=("keep", "document"))
    brackets: str | None = option(None)
    neutral: list[str] | None = option(None)
    keep: str | None = option(None, metavar="NAMES")
    ontology: str | None = option(None)
    key_file: Path | None = option(None)
    threshold: float | None = option(None, min=0, max=1)
    risk: float | None = option(None, min=0, max=1)
    domain: str | None = option(None)
    background: Path | None = option(None, exists=True, dir_okay=False)
    model: Model = None
    threads: Threads = None

    def effective_policy(self) -> Policy:
        """Return the policy with the changes from options.

        Raises:
            PolicyError: if it can't be used, or its key is missing.
        """
        from ..policy import Policy
        from ..policy.rules import KEYED

        policy: Policy = Policy.load(self.policy)
        named: dict[str, object] = {
            "tag_language": self.tag_language,
            "surrogate_all_or_tags": self.surrogate_all_or_tags or None,
            "surrogate_culture": self.surrogate_culture,
            "brackets": self.brackets,
            "neutral": tuple(self.neutral) if self.neutral else None,
            "keep": self.keep,
            "ontology": self.ontology,
            "residual_share": self.risk,
            "domain": self.domain,
        }
        changes = {name: value for name, value in named.items() if value is not None}
        if self.operator is not None:
            # The command line overrides the policy for every type and entity.
            changes |= {"operator": self.operator, "operators": {}, "operators_for": ()}
        if self.key_file is not None:
            changes |= {"key_file": self.key_file, "key_env": None}
        if self.threshold is not None:
            changes |= {"threshold": self.threshold, "thresholds": {}}
        if self.target:
            changes["target"] = (*policy.target, *self.target)
        if changes:
            policy = policy.with_changes(**changes)
        if policy.operator_names & KEYED:
            policy.key()
        return policy

    def open(self, policy: Policy, parts: AdditionalParts | None = None) -> Sanitizer:
        """Return a sanitizer under a policy, with the model from these options.

        Raises:
            PolicyError: if the policy can't be used.
            ModelError: if the weights are missing or damaged.
        """
        from ..deciding import NO_PARTS
        from ..pipeline import open_sanitizer

        return open_sanitizer(policy, self.model, self.threads, parts or NO_PARTS)


class Only:
    """Annotates a group with the options to offer; the rest have their defaults."""

    def __init__(self, *names: str) -> None:
        self.names = names


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with each dataclass parameter replaced by its fields.

    The fields are annotated like Typer options; a command's groups have no field in common.
    ``--help`` shows the panels in their order.
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
    """Return the dataclass in a parameter's annotation, and the names of the fields to offer."""
    kind, *metadata = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if not (isinstance(kind, type) and is_dataclass(kind)):
        return None, ()
    for item in metadata:
        if isinstance(item, Only):
            return kind, item.names
    return kind, tuple(member.name for member in fields(kind))


def _options(kind: type, names: tuple[str, ...]) -> Iterator[Parameter]:
    hints = get_type_hints(kind, include_extras=True)
    members = {member.name: member for member in fields(kind)}
    for name in names:
        member, hint = members[name], hints[name]
        if (info := member.metadata.get(_OPTION)) is not None:
            info.rich_help_panel, info.help = help_texts()[kind.__name__][name]
            hint = Annotated[hint, info]
        default = Parameter.empty if member.default is MISSING else member.default
        yield _parameter(name, hint, default)


def _parameter(name: str, annotation: Any, default: Any) -> Parameter:
    # With keyword-only fields, one without a default may follow one with a default.
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _rank(parameter: Parameter) -> int:
    """Return the position of a parameter's panel in ``--help``; 0 for none."""
    metadata = get_args(parameter.annotation)[1:]
    titles = [getattr(item, "rich_help_panel", None) for item in metadata]
    return next((panels().index(title) + 1 for title in titles if title in panels()), 0)
