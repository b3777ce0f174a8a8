"""One entry of an allow or deny list, or of the operators by entity."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Annotated, Literal, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from .. import plugins
from ..document import SemanticType
from .regexes import matches_whole, takes_for_ever

BuiltInOperator = Literal[
    "suppress", "tag", "pseudonym", "generalize", "surrogate", "hash", "encrypt"
]
OPERATORS: tuple[str, ...] = get_args(BuiltInOperator)
KEYED = frozenset(("pseudonym", "surrogate", "hash", "encrypt"))
"""The built-in operators that need a key."""


def _known_operator(value: object) -> object:
    """Return the name of an operator, built in or of a plug-in.

    Raises:
        ValueError: if there is none of this name; the message has those there are.
        PluginError: if two operators have one name.
    """
    if value in OPERATORS:
        return value
    names = (*OPERATORS, *plugins.names(plugins.OPERATORS, OPERATORS))
    if value not in names:
        raise ValueError(f"Input should be {', '.join(map(repr, names[:-1]))} or {names[-1]!r}")
    return value


OperatorName = Annotated[str, BeforeValidator(_known_operator)]
"""Name of an operator: one of ``OPERATORS``, or a plug-in's."""


class Rule(BaseModel):
    """Exactly one of ``exact``, ``regex`` and ``fuzzy``.

    Attributes:
        exact: this string; white space of any kind and length is one space.
        regex: what this regular expression matches, at most 512 code points.
        fuzzy: strings similar to this one.
        similarity: the least normalised similarity for ``fuzzy`` in percent, by insertions and
            deletions; below 50 nearly everything is similar.
        ignore_case: whether ``Smith``, ``SMITH`` and ``smith`` are the same.
        type: in an allow list, the only type it is for; in a deny list, the type of what it finds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    exact: str | None = Field(default=None, repr=False)
    regex: str | None = Field(default=None, repr=False)
    fuzzy: str | None = Field(default=None, min_length=3, repr=False)
    similarity: float = Field(default=85.0, ge=50, le=100, strict=True)
    ignore_case: bool = Field(default=True, strict=True)
    type: SemanticType | None = None

    @field_validator("exact", "fuzzy")
    @classmethod
    def _says_something(cls, value: str | None) -> str | None:
        if value is not None and not any(map(str.isalnum, value)):
            raise ValueError("has neither a letter nor a digit")
        return value

    @field_validator("regex")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            compiled = re.compile(value)
        except re.error as error:
            raise ValueError(f"is not a regular expression ({error.msg} at {error.pos})") from error
        if matches_whole(compiled, "", "", "regex"):
            raise ValueError("matches the empty string, and so everything")
        if takes_for_ever(value):
            raise ValueError(
                "repeats what itself varies in length, which can take for ever on a hostile text; "
                "bound the inner repetition, as in (?:\\w{1,20} ){2}, or use one set of characters"
            )
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Rule:
        kinds = [name for name in ("exact", "regex", "fuzzy") if getattr(self, name) is not None]
        if len(kinds) != 1:
            listing = " and ".join(kinds) or "none"
            raise ValueError(f"needs exactly one of exact, regex and fuzzy, has {listing}")
        if "similarity" in self.model_fields_set and self.fuzzy is None:
            raise ValueError(f"similarity is for fuzzy, not for {kinds[0]}")
        return self

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """The compiled expression of a regex rule."""
        if self.regex is None:
            return None
        return re.compile(self.regex, re.IGNORECASE if self.ignore_case else 0)


class OperatorRule(Rule):
    """A rule and what is written instead of the entities that it matches.

    An entity matches with one mention that matches as a whole; a rule's ``type`` is the only type
    of mention that it is for. That an entity is masked at all is not this rule's to say.
    """

    operator: OperatorName
