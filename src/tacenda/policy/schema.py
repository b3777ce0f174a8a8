"""The policy as a validated model; the package's docstring describes its fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from ..document import SemanticType
from ..errors import PolicyError
from ..shipped import shipped_table
from ..wording import LANGUAGES
from .loading import NO_KEY, extended, parse, read, read_key, shipped
from .rules import KEYED, OperatorName, OperatorRule, Rule, matches

# Strict, so that `threshold: true` is not 1; not a number is refused by the bounds.
Probability = Annotated[float, Field(strict=True, ge=0, le=1)]
Switch = Annotated[bool, Field(strict=True)]
Brackets = Literal["square", "none", "italics"]
"""Marking of generalisations; italics appear in HTML only."""
Preference = Literal["people", "detail"]
_COMBINING = re.compile(r"any|all|weighted|learned(:.+)?")
_INFORMATION = re.compile(r"(unigram|lm)(:.+)?|hf:.+")
DateMoving = Literal["jitter", "shift"]
"""Date shifts of *surrogate*; ``rewrite/surrogate/dates.py`` says what each gives away."""
NameCulture = Literal["keep", "document"]
"""Culture of made-up names: that of each name, or that of the language of the document for all."""
Neutrality = Literal["sex", "relationship"]
"""Information removed from running text besides the masks; see ``rewrite/neutral``."""
LANGUAGE_OF_TEXT = "text"
"""The ``tag_language`` that means the language of each text."""
LanguageHandling = Literal["warn", "refuse", "patterns"]
"""Treatment of text in a language that the recognizer can't read; see ``detect/languages.py``."""
Weight = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]


def _selected_patterns(value: object) -> object:
    """Return a boolean as it is, or the selection in ``{off: [NAME, ...]}``.

    Raises:
        ValueError: if it is neither, or no detector has one of the names.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, dict):
        # YAML 1.1 reads the key `off` as false.
        value = {"off" if key is False else key: names for key, names in value.items()}
    names = value.get("off") if isinstance(value, dict) and set(value) == {"off"} else None
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise ValueError("should be true, false or {off: [NAME, ...]}")
    rows = shipped_table("detectors")
    valid = {*rows, *(row["kind"] for row in rows.values() if "kind" in row)}
    for name in names:
        if name not in valid:
            similar = get_close_matches(name, valid, 3, 0.5) or sorted(valid)
            raise ValueError(f"unknown pattern {name!r}; did you mean {', '.join(similar)}?")
    return {"off": tuple(names)}


PatternSwitch = Annotated[
    bool | dict[Literal["off"], tuple[str, ...]], BeforeValidator(_selected_patterns)
]
"""Whether what has a form of its own is found by it, or by which names it is not."""

_PRIVATE = ("allow", "deny", "operators_for", "target", "key")
"""Fields whose values name people or may be the key: no error shows them."""
_THRESHOLDS = ("threshold", "thresholds", "length_penalty")


class Policy(BaseModel):
    """A validated policy; see the package's docstring for the fields.

    Raises:
        PolicyError: on construction, if fields are invalid; names each of them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    threshold: Probability | None = None
    thresholds: dict[SemanticType, Probability] = Field(default_factory=dict)
    length_penalty: Probability = 0.0
    residual_share: Probability | None = None
    domain: str | None = Field(default=None, min_length=1)
    model: str | None = Field(default=None, min_length=1)
    detectors: tuple[str, ...] = ()
    indicators: tuple[str, ...] = ()
    combine: str = "any"
    weights: dict[str, Weight] = Field(default_factory=dict)
    information: str = "unigram"
    operator: OperatorName = "tag"
    tag_language: str = "en"
    operators: dict[SemanticType, OperatorName] = Field(default_factory=dict)
    operators_for: tuple[OperatorRule, ...] = Field(default=(), repr=False)
    dates: DateMoving = "jitter"
    surrogate_all_or_tags: Switch = False
    surrogate_culture: NameCulture = "keep"
    target: tuple[str, ...] = Field(default=(), repr=False)
    allow: tuple[Rule, ...] = Field(default=(), repr=False)
    deny: tuple[Rule, ...] = Field(default=(), repr=False)
    key_env: str | None = Field(default=None, min_length=1)
    key_file: Path | None = None
    background: Path | None = None
    residual_risk: Probability = 0.01
    prefer: Preference = "people"
    ontology: str | None = Field(default=None, min_length=1)
    keep: tuple[str, ...] = ()
    brackets: Brackets = "square"
    neutral: tuple[Neutrality, ...] = ()
    recognizer: Switch = True
    patterns: PatternSwitch = True
    gazetteer: Probability | None = None
    propagate: Switch = True
    languages: LanguageHandling = "warn"
    checks: tuple[str, ...] = ()

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise PolicyError(_faults(error, "policy")) from None

    @field_validator("target", "neutral", mode="before")
    @classmethod
    def _accept_single_value(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("keep", mode="before")
    @classmethod
    def _split_names(cls, value: object) -> object:
        """Return names of attributes as a tuple; in a string, they are separated by commas."""
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
            return value
        names = (" ".join(name.split()) for name in value)
        return tuple(dict.fromkeys(name for name in names if name))

    @field_validator("combine")
    @classmethod
    def _check_combination(cls, value: str) -> str:
        if not _COMBINING.fullmatch(value):
            raise ValueError("should be 'any', 'all', 'weighted', 'learned' or 'learned:FOLDER'")
        return value

    @field_validator("information")
    @classmethod
    def _check_information(cls, value: str) -> str:
        if not _INFORMATION.fullmatch(value):
            raise ValueError("should be unigram, unigram:FILE, lm, lm:FOLDER or hf:NAME")
        return value

    @field_validator("tag_language")
    @classmethod
    def _check_tag_language(cls, value: str) -> str:
        if value != LANGUAGE_OF_TEXT and value not in LANGUAGES:
            codes = ", ".join(sorted(LANGUAGES))
            raise ValueError(f"should be text, or one of {codes}")
        return value

    @field_validator("target")
    @classmethod
    def _check_target(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for index, name in enumerate(value):
            if not any(map(str.isalpha, name)):
                raise ValueError(f"name {index} has no letter")
        return value

    @model_validator(mode="after")
    def _check_contradictions(self) -> Policy:
        if self.key_env is not None and self.key_file is not None:
            raise ValueError("key_env and key_file are both given; remove one")
        if self.operator_names & KEYED and self.key_env is None and self.key_file is None:
            raise ValueError(NO_KEY)
        if self.residual_share is not None and (self.threshold is not None or self.thresholds):
            raise ValueError(
                "residual_share and threshold (or thresholds) both bound the risk; remove one"
            )
        if self.residual_share is not None and self.length_penalty:
            raise ValueError(
                "residual_share already accounts for lost words; remove length_penalty"
            )
        if self.weights and self.combine != "weighted":
            raise ValueError("weights need combine: weighted; set it, or remove them")
        denied = {rule.exact: index for index, rule in enumerate(self.deny) if rule.exact}
        for index, rule in enumerate(self.allow):
            if rule.exact in denied:
                raise ValueError(
                    f"allow.{index} and deny.{denied[rule.exact]} name the same string; remove one"
                )
        return self

    @classmethod
    def load(cls, source: str | Path) -> Policy:
        """Read a shipped policy by its name, or a YAML file by its path.

        A relative ``key_file``, ``background``, file or folder of ``combine``,
        ``information``, ``model`` or ``ontology``, is relative to the policy's file.

        Raises:
            PolicyError: if it is invalid; names the file, the line and the field.
        """
        if isinstance(source, str) and source in (policies := shipped()):
            return cls.from_yaml(policies[source], source)
        path = Path(source)
        policy = cls.from_yaml(read(path), str(source))
        changes: dict[str, object] = {}
        if policy.key_file is not None:
            changes["key_file"] = path.parent / policy.key_file.expanduser()
        if policy.background is not None:
            changes["background"] = path.parent / policy.background.expanduser()
        if any(":" in name for name in policy.indicators):
            changes["indicators"] = tuple(
                _placed_indicator(i, path.parent) for i in policy.indicators
            )
        for field in ("combine", "information"):
            kind, _, source = getattr(policy, field).partition(":")
            if source and (path.parent / source).exists():
                changes[field] = f"{kind}:{path.parent / source}"
        for field in ("model", "ontology"):
            if name := getattr(policy, field):
                prefix, folder = _placed(name, path.parent)
                if folder.is_dir():
                    changes[field] = f"{prefix}{folder}"
        return policy.with_changes(**changes) if changes else policy

    @classmethod
    def from_yaml(cls, text: str, name: str = "policy") -> Policy:
        """Read a policy from YAML.

        Raises:
            PolicyError: if it is invalid; names ``name``, the line and the field.
        """
        source = extended(parse(text, name))
        return cls._validated(source.fields, name, source.line)

    @classmethod
    def build(cls, name: str = "policy", /, **fields: Any) -> Policy:
        """Build a policy from ``fields``; errors call it ``name``."""
        return cls._validated(fields, name)

    @classmethod
    def _validated(
        cls,
        fields: dict[str, Any],
        name: str,
        line: Callable[[Sequence[int | str]], int | None] = lambda _: None,
    ) -> Policy:
        policy = cls.__new__(cls)
        try:
            BaseModel.__init__(policy, **fields)
        except ValidationError as error:
            raise PolicyError(_faults(error, name, line)) from None
        return policy

    def with_changes(self, **changes: Any) -> Policy:
        """Return a copy with changed fields, validated like a policy from a file.

        A new bound replaces the old one: ``residual_share`` replaces thresholds, and thresholds
        replace ``residual_share``. A new ``threshold`` is taken literally, unless
        ``length_penalty`` comes with it.
        """
        fields = {field: getattr(self, field) for field in self.model_fields_set}
        if changes.get("residual_share") is not None:
            fields = {field: fields[field] for field in fields if field not in _THRESHOLDS}
        elif changes.get("threshold") is not None or changes.get("thresholds"):
            fields.pop("residual_share", None)
            if changes.get("threshold") is not None:
                fields.pop("length_penalty", None)
        return type(self).build(**(fields | changes))

    def hides_year(self, year: str) -> bool:
        """Return whether a rule for early years replaces this one."""
        return any(
            rule.form == "early_year"
            and rule.operator != "generalize"
            and matches(rule, year, SemanticType.DATETIME)
            for rule in self.operators_for
        )

    def operator_for(self, type: SemanticType) -> OperatorName:
        """Return the operator for entities of ``type``."""
        return self.operators.get(type, self.operator)

    @property
    def patterns_off(self) -> frozenset[str]:
        """Names of the pattern detectors that are off while the others are on."""
        return frozenset() if isinstance(self.patterns, bool) else frozenset(self.patterns["off"])

    @property
    def reads_patterns_only(self) -> bool:
        """Whether only patterns are masked in languages the recognizer can't read."""
        return not self.recognizer or self.languages == "patterns"

    @property
    def operator_names(self) -> frozenset[str]:
        """All operators named in the policy."""
        of_rules = (rule.operator for rule in self.operators_for)
        return frozenset((self.operator, *self.operators.values(), *of_rules))

    def key(self) -> bytes:
        """Return the key of the keyed operators.

        Raises:
            PolicyError: if none is named, or it is missing or shorter than 16 bytes.
        """
        return read_key(self.key_env, self.key_file)


def _placed_indicator(name: str, parent: Path) -> str:
    """Return the name of an indicator; a folder next to the policy's file with its full path."""
    kind, colon, folder = name.partition(":")
    return f"{kind}:{parent / folder}" if colon and (parent / folder).is_dir() else name


def _placed(model: str, parent: Path) -> tuple[str, Path]:
    """Return the prefix of a model's name (``hf:`` or empty) and the folder it may be."""
    name = model.removeprefix("hf:")
    return model[: len(model) - len(name)], parent / name


def _faults(
    error: ValidationError,
    name: str,
    line: Callable[[Sequence[int | str]], int | None] = lambda _: None,
) -> str:
    """Return each fault with its line and field, and with the value unless it may be private."""
    sentences = []
    for fault in error.errors(include_url=False):
        place = tuple(fault["loc"])
        number = line(place)
        where = f"line {number}, " if number is not None else ""
        # A fault of the whole has no field.
        field = f"{'.'.join(map(str, place))}: " if place else ""
        message = fault["msg"].removeprefix("Value error, ")
        if place[:1] == ("key",):
            message = "the key itself must not be in a policy; use key_env or key_file"
        elif place and place[0] not in _PRIVATE and isinstance(fault["input"], (str, int, float)):
            message += f" (found {fault['input']!r})"
        elif fault["type"] == "string_type":
            message += "; put it in quotes"
        sentences.append(f"{where}{field}{message}")
    return f"{name}: " + "; ".join(sentences)
