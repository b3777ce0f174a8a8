r"""The user's policy: thresholds, operators, allow and deny lists, the person to protect.

One YAML schema. Everything is optional; the shipped policies in this package are examples.

    threshold: 0.2              # mask from this probability on; the model's default if absent
    thresholds: {DEM: 0.5}      # by semantic type
    length_penalty: 0.3         # in [0, 1]: how much a threshold rises with the words lost by masking
    residual_share: 0.05        # or the bound as one number: share of the document's risk that may be left
    model: recognizer-en-small  # a shipped recognizer, or a folder with one; the default if absent
    detectors: [mine]           # of plug-ins: find mentions besides the recognizer and the patterns
    indicators: [language]      # asked besides the recognizer
    combine: any                # of their values: any (the largest), all, weighted, learned
    weights: {language: 0.5}    # for weighted; 1 if absent
    operator: tag               # suppress, tag, pseudonym, generalize, surrogate, hash, encrypt, or a plug-in's
    operators: {DATETIME: suppress}                          # by semantic type
    operators_for: [{exact: Anna Berg, operator: pseudonym}] # by entity; the first match
    dates: shift                # surrogates of dates: all by one number of days, or jitter: each by its own
    target: [Galip Yalman]      # the person to protect: these names are direct identifiers
    allow: [{exact: European Court of Human Rights}]
    deny: [{regex: 'project \w+', type: MISC}, {fuzzy: Jon Smyth, similarity: 85, type: PERSON}]
    key_env: TACENDA_KEY        # a variable, or key_file: a path; never the key itself
    residual_risk: 0.01         # highest residual risk of a generalisation: a hundred things fit
    prefer: people              # the generalisation under this risk; or detail: the most specific
    brackets: true              # around generalisations
    recognizer: true
    patterns: true
    gazetteer: 0.2              # also terms about people (occupations …) masked so often; off if absent
    propagate: true
    checks: [mine]              # of plug-ins: look at each result before it is written

``economy`` and ``risk`` are earlier names of ``length_penalty`` and ``residual_share``, which policies
may go on using.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from ..document import SemanticType
from ..errors import PolicyError
from .loading import NO_KEY, parse, read, read_key, shipped
from .rules import KEYED, OperatorName, OperatorRule, Rule

__all__ = ["OperatorName", "OperatorRule", "Policy", "Rule"]


# Strict, so that `threshold: true` is not 1; not a number is refused by the bounds.
Probability = Annotated[float, Field(strict=True, ge=0, le=1)]
Switch = Annotated[bool, Field(strict=True)]
Preference = Literal["people", "detail"]
Combining = Literal["any", "all", "weighted", "learned"]
DateMoving = Literal["shift", "jitter"]
"""How *surrogate* moves dates; ``rewrite/surrogate/dates.py`` says what each gives away."""
Weight = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]

_PRIVATE = ("allow", "deny", "operators_for", "target", "key")
"""Fields whose values name people or may be the key: no error shows them."""
_THRESHOLDS = ("threshold", "thresholds", "length_penalty")
_EARLIER = {"economy": "length_penalty", "risk": "residual_share"}
"""Earlier names of fields, which policies may go on using and audit records have."""


class Policy(BaseModel):
    """A validated policy; see the module's docstring for the fields.

    Raises:
        PolicyError: naming each field at fault, on construction.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    threshold: Probability | None = None
    thresholds: dict[SemanticType, Probability] = Field(default_factory=dict)
    length_penalty: Probability = Field(
        default=0.0,
        validation_alias=AliasChoices("length_penalty", "economy"),
        serialization_alias="economy",
    )
    residual_share: Probability | None = Field(
        default=None,
        validation_alias=AliasChoices("residual_share", "risk"),
        serialization_alias="risk",
    )
    model: str | None = Field(default=None, min_length=1)
    detectors: tuple[str, ...] = ()
    indicators: tuple[str, ...] = ()
    combine: Combining = "any"
    weights: dict[str, Weight] = Field(default_factory=dict)
    operator: OperatorName = "suppress"
    operators: dict[SemanticType, OperatorName] = Field(default_factory=dict)
    operators_for: tuple[OperatorRule, ...] = Field(default=(), repr=False)
    dates: DateMoving = "shift"
    target: tuple[str, ...] = Field(default=(), repr=False)
    allow: tuple[Rule, ...] = Field(default=(), repr=False)
    deny: tuple[Rule, ...] = Field(default=(), repr=False)
    key_env: str | None = Field(default=None, min_length=1)
    key_file: Path | None = None
    residual_risk: Probability = 0.01
    prefer: Preference = "people"
    brackets: Switch = True
    recognizer: Switch = True
    patterns: Switch = True
    gazetteer: Probability | None = None
    propagate: Switch = True
    checks: tuple[str, ...] = ()

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise PolicyError(_faults(error, "policy")) from None

    @field_validator("target", mode="before")
    @classmethod
    def _one_name_is_a_list(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("target")
    @classmethod
    def _names_have_letters(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for index, name in enumerate(value):
            if not any(map(str.isalpha, name)):
                raise ValueError(f"name {index} has no letter")
        return value

    @model_validator(mode="after")
    def _does_not_contradict_itself(self) -> Policy:
        if self.key_env is not None and self.key_file is not None:
            raise ValueError("key_env and key_file are both given; one of them must go")
        if self.operator_names & KEYED and self.key_env is None and self.key_file is None:
            raise ValueError(NO_KEY)
        if self.residual_share is not None and (self.threshold is not None or self.thresholds):
            raise ValueError(
                "residual_share and threshold (or thresholds) both bound the risk; remove one"
            )
        if self.residual_share is not None and self.length_penalty:
            raise ValueError(
                "residual_share minds the words of masking already; remove length_penalty"
            )
        if self.weights and self.combine != "weighted":
            raise ValueError("weights are for combine: weighted; remove them, or say that")
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

        A relative ``key_file``, or folder of a ``model``, is relative to the policy's file.

        Raises:
            PolicyError: naming the file, the line and the field at fault.
        """
        if isinstance(source, str) and source in (policies := shipped()):
            return cls.from_yaml(policies[source], source)
        path = Path(source)
        policy = cls.from_yaml(read(path), str(source))
        changes: dict[str, object] = {}
        if policy.key_file is not None:
            changes["key_file"] = path.parent / policy.key_file.expanduser()
        if policy.model is not None and (folder := path.parent / policy.model).is_dir():
            changes["model"] = str(folder)
        return policy.with_changes(**changes) if changes else policy

    @classmethod
    def from_yaml(cls, text: str, name: str = "policy") -> Policy:
        """Read a policy from YAML.

        Raises:
            PolicyError: naming ``name``, the line and the field at fault.
        """
        source = parse(text, name)
        return cls._validated(source.fields, name, source.line)

    @classmethod
    def build(cls, name: str = "policy", /, **fields: Any) -> Policy:
        """Validate ``fields`` as those of a policy called ``name`` in errors."""
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
        """Return a copy with other fields, validated as a policy from a file is.

        A new bound takes the place of the old one: ``residual_share`` of thresholds, these of
        ``residual_share``; a new ``threshold`` is meant literally, unless ``length_penalty`` comes
        with it.
        """
        fields = {field: getattr(self, field) for field in self.model_fields_set}
        changes = {_EARLIER.get(field, field): value for field, value in changes.items()}
        if changes.get("residual_share") is not None:
            fields = {field: fields[field] for field in fields if field not in _THRESHOLDS}
        elif changes.get("threshold") is not None or changes.get("thresholds"):
            fields.pop("residual_share", None)
            if changes.get("threshold") is not None:
                fields.pop("length_penalty", None)
        return type(self).build(**(fields | changes))

    def operator_for(self, type: SemanticType) -> OperatorName:
        """Return the operator for entities of ``type``."""
        return self.operators.get(type, self.operator)

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


def _faults(
    error: ValidationError,
    name: str,
    line: Callable[[Sequence[int | str]], int | None] = lambda _: None,
) -> str:
    """Return each fault with the line and the field, without the value where it may be private."""
    sentences = []
    for fault in error.errors(include_url=False):
        place = tuple(fault["loc"])
        number = line(place)
        where = f"line {number}, " if number is not None else ""
        # A fault of the whole has no field.
        field = f"{'.'.join(map(str, place))}: " if place else ""
        message = fault["msg"].removeprefix("Value error, ")
        if place[:1] == ("key",):
            message = "the key itself must not stand in a policy; use key_env or key_file"
        elif fault["type"] == "extra_forbidden" and place[0] in _EARLIER:
            message = (
                f"is the earlier name of {_EARLIER[str(place[0])]}, which is given too; remove one"
            )
        elif place and place[0] not in _PRIVATE and isinstance(fault["input"], (str, int, float)):
            message += f" (found {fault['input']!r})"
        elif fault["type"] == "string_type":
            message += "; put it in quotes"
        sentences.append(f"{where}{field}{message}")
    return f"{name}: " + "; ".join(sentences)
