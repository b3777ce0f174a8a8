"""What the user wants: thresholds, operators, allow and deny lists, the person to protect.

One YAML schema. Everything is optional; the shipped policies in ``policies/`` are examples.

    threshold: 0.2              # mask from this probability on; the model's default if absent
    thresholds: {DEM: 0.5}      # by semantic type
    operator: tag               # suppress, tag or pseudonym
    operators: {DATETIME: suppress}
    target: [Galip Yalman]      # the person to protect: these names are direct identifiers
    allow: [{exact: European Court of Human Rights}]
    deny: [{regex: 'project \\w+', type: MISC}, {fuzzy: Jon Smyth, similarity: 85, type: PERSON}]
    key_env: TACENDA_KEY        # for pseudonyms: a variable or key_file, never the key itself
    recognizer: true
    patterns: true
    propagate: true
"""

from __future__ import annotations

import os
import re
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from .document import SemanticType
from .errors import PolicyError

OperatorName = Literal["suppress", "tag", "pseudonym"]
Probability = Annotated[float, Field(ge=0, le=1)]
MINIMUM_KEY_BYTES = 16

# A repeated group that itself repeats can take exponential time on a hostile text.
_NESTED_REPETITION = re.compile(r"\([^()]*[+*}][^()]*\)\s*[+*{]")


class Rule(BaseModel):
    """One entry of an allow or deny list: exactly one of ``exact``, ``regex`` and ``fuzzy``."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exact: str | None = Field(default=None, min_length=1)
    regex: str | None = Field(default=None, min_length=1)
    fuzzy: str | None = Field(default=None, min_length=3)
    similarity: float = Field(default=85.0, ge=50, le=100)
    ignore_case: bool = True
    type: SemanticType | None = None

    @field_validator("regex")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            compiled = re.compile(value)
        except re.error as error:
            raise ValueError(f"is not a regular expression ({error.msg} at {error.pos})") from error
        if compiled.search(""):
            raise ValueError("matches the empty string, and so everything")
        if _NESTED_REPETITION.search(value):
            raise ValueError("repeats a group that itself repeats, which can take for ever")
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Rule:
        given = [name for name in ("exact", "regex", "fuzzy") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"needs exactly one of exact, regex and fuzzy, has {given or 'none'}")
        return self

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """The compiled expression of a regex rule."""
        if self.regex is None:
            return None
        return re.compile(self.regex, re.IGNORECASE if self.ignore_case else 0)


class Policy(BaseModel):
    """A validated policy; see the module's docstring for the fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    threshold: Probability | None = None
    thresholds: dict[SemanticType, Probability] = Field(default_factory=dict)
    operator: OperatorName = "suppress"
    operators: dict[SemanticType, OperatorName] = Field(default_factory=dict)
    target: tuple[str, ...] = ()
    allow: tuple[Rule, ...] = ()
    deny: tuple[Rule, ...] = ()
    key_env: str | None = None
    key_file: Path | None = None
    recognizer: bool = True
    patterns: bool = True
    propagate: bool = True

    @field_validator("target", mode="before")
    @classmethod
    def _one_name_is_a_list(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @classmethod
    def load(cls, source: str | Path) -> Policy:
        """Read a shipped policy by its name, or a YAML file by its path.

        Raises:
            PolicyError: naming the file and the field at fault.
        """
        shipped = resources.files("tacenda") / "policies"
        path = Path(source)
        named = shipped / f"{source}.yaml"
        if isinstance(source, str) and path.suffix == "" and named.is_file():
            return cls.from_yaml(named.read_text(encoding="utf-8"), str(source))
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            names = sorted(
                item.name[:-5] for item in shipped.iterdir() if item.name.endswith(".yaml")
            )
            raise PolicyError(
                f"{str(source)!r} is neither a readable YAML file nor one of the shipped policies: "
                f"{', '.join(names)}"
            ) from error
        return cls.from_yaml(text, str(source))

    @classmethod
    def from_yaml(cls, text: str, name: str = "policy") -> Policy:
        """Read a policy from YAML.

        Raises:
            PolicyError: naming ``name`` and the line or field at fault.
        """
        try:
            loaded: Any = yaml.safe_load(text)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            place = f"line {mark.line + 1}, column {mark.column + 1}" if mark else "somewhere"
            raise PolicyError(f"{name}: not YAML at {place}") from error
        if loaded is None:
            loaded = {}
        if not isinstance(loaded, dict):
            raise PolicyError(
                f"{name}: expected fields and values, found a {type(loaded).__name__}"
            )
        return cls.build(name, **loaded)

    @classmethod
    def build(cls, name: str = "policy", **fields: Any) -> Policy:
        """Validate ``fields``, with errors as ``PolicyError``."""
        try:
            return cls(**fields)
        except ValidationError as error:
            faults = "; ".join(
                f"{'.'.join(map(str, fault['loc'])) or 'policy'}: {fault['msg']}"
                for fault in error.errors(include_input=False, include_url=False)
            )
            raise PolicyError(f"{name}: {faults}") from error

    def with_changes(self, **changes: Any) -> Policy:
        """Return a copy with other fields, validated as a policy from a file is."""
        return type(self).build(**(self.model_dump() | changes))

    def operator_for(self, type: SemanticType) -> OperatorName:
        """Return the operator for entities of ``type``."""
        return self.operators.get(type, self.operator)

    def key(self) -> bytes:
        """Return the pseudonym key.

        Raises:
            PolicyError: if none is named, or it is missing or shorter than 16 bytes.
        """
        if self.key_env is not None:
            place = f"the environment variable {self.key_env}"
            value = os.environ.get(self.key_env, "").encode()
        elif self.key_file is not None:
            place = f"the file {self.key_file}"
            try:
                value = self.key_file.read_bytes().strip()
            except OSError as error:
                raise PolicyError(
                    f"{place} can't be read ({error.strerror}); pseudonyms need a key"
                ) from error
        else:
            raise PolicyError(
                "pseudonyms need a key: set key_env to the name of an environment variable, or "
                "key_file to a path"
            )
        if len(value) < MINIMUM_KEY_BYTES:
            raise PolicyError(
                f"{place} holds {len(value)} bytes; a key needs at least {MINIMUM_KEY_BYTES}, for "
                "example from: openssl rand -hex 32"
            )
        return value
