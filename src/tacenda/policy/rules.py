"""Rules of the allow and deny lists and of operators by entity, and how strings match them."""

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
from rapidfuzz import fuzz

from .. import plugins
from ..document import SemanticType
from .forms import FORMS, FormName, is_bare_value
from .regex_cost import has_nested_quantifier
from .regex_search import matches_whole

BuiltInOperator = Literal[
    "suppress", "tag", "pseudonym", "generalize", "surrogate", "hash", "encrypt"
]
OPERATORS: tuple[str, ...] = get_args(BuiltInOperator)
KEYED = frozenset(("pseudonym", "surrogate", "hash", "encrypt"))
"""The built-in operators that need a key."""


def _known_operator(value: object) -> object:
    """Return the name of an operator, either built in or from a plug-in.

    Raises:
        ValueError: if no operator has this name; the message lists the names.
        PluginError: if two operators have the same name.
    """
    if value in OPERATORS:
        return value
    names = (*OPERATORS, *plugins.names(plugins.OPERATORS, OPERATORS))
    if value not in names:
        raise ValueError(f"Input should be {', '.join(map(repr, names[:-1]))} or {names[-1]!r}")
    return value


OperatorName = Annotated[str, BeforeValidator(_known_operator)]
"""Name of an operator: one of ``OPERATORS``, or a plug-in's."""


_KINDS = ("exact", "regex", "fuzzy", "form")


class Rule(BaseModel):
    """A rule that matches strings by exactly one of ``exact``, ``regex``, ``fuzzy`` and ``form``.

    Attributes:
        exact: matches this string; any run of white space counts as one space.
        regex: a regular expression; each match is at most 512 code points long.
        fuzzy: matches strings similar to this one.
        form: matches strings of this form, such as ``time``; see ``forms.py``.
        similarity: the minimum normalized similarity for ``fuzzy`` in percent, by insertions and
            deletions; below 50, nearly everything is similar.
        ignore_case: whether ``Smith``, ``SMITH`` and ``smith`` count as the same.
        type: in an allow list, the only type it applies to; in a deny list, the type of its
            matches.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    exact: str | None = Field(default=None, repr=False)
    regex: str | None = Field(default=None, repr=False)
    fuzzy: str | None = Field(default=None, min_length=3, repr=False)
    form: FormName | None = None
    similarity: float = Field(default=85.0, ge=50, le=100, strict=True)
    ignore_case: bool = Field(default=True, strict=True)
    type: SemanticType | None = None

    @field_validator("exact", "fuzzy")
    @classmethod
    def _require_letter_or_digit(cls, value: str | None) -> str | None:
        if value is not None and not any(map(str.isalnum, value)):
            raise ValueError("has neither a letter nor a digit")
        return value

    @field_validator("regex")
    @classmethod
    def _check_regex(cls, value: str | None) -> str | None:
        if value is None:
            return None
        try:
            pattern = re.compile(value)
        except re.error as error:
            raise ValueError(f"is not a regular expression ({error.msg} at {error.pos})") from error
        if matches_whole(pattern, "", "", "regex"):
            raise ValueError("matches the empty string, and so everything")
        if has_nested_quantifier(value):
            raise ValueError(
                "repeats a part of variable length, which can run forever on a hostile text; "
                "bound the inner repetition, as in (?:\\w{1,20} ){2}, or use one character class"
            )
        return value

    @model_validator(mode="after")
    def _require_one_kind(self) -> Rule:
        kinds = [name for name in _KINDS if getattr(self, name) is not None]
        if len(kinds) != 1:
            listing = " and ".join(kinds) or "none"
            raise ValueError(f"needs exactly one of exact, regex, fuzzy and form, has {listing}")
        if "similarity" in self.model_fields_set and self.fuzzy is None:
            raise ValueError(f"similarity is for fuzzy, not for {kinds[0]}")
        return self

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """The compiled expression of a rule with a regex or a form."""
        if self.form is not None:
            return FORMS[self.form]
        if self.regex is None:
            return None
        return re.compile(self.regex, re.IGNORECASE if self.ignore_case else 0)


class OperatorRule(Rule):
    """A rule with the operator for the entities it matches.

    An entity matches if the whole string of one of its mentions matches. If the rule has a
    ``type``, it applies only to mentions of that type. The rule doesn't decide whether an entity is
    masked.
    """

    operator: OperatorName


def matches(
    rule: Rule, string: str, type: SemanticType, name: str = "", place: str = "a rule"
) -> bool:
    """Return whether the whole of ``string``, a mention of ``type``, matches ``rule``.

    Any run of white space counts as one space.

    Raises:
        InputError: if a regular expression takes too long; the message has the document's ``name``
            and the rule's ``place``.
    """
    if rule.type is not None and rule.type is not type:
        return False
    if rule.pattern is not None:
        return matches_whole(rule.pattern, string, name, place) or (
            rule.form is not None and is_bare_value(rule.form, string, type)
        )
    if rule.exact is not None:
        return as_compared(rule, string) == as_compared(rule, rule.exact)
    return similarity(rule, string) > 0


def as_compared(rule: Rule, string: str) -> str:
    """Return ``string`` in the form that exact and fuzzy rules compare."""
    plain = " ".join(string.split())
    return plain.casefold() if rule.ignore_case else plain


def similarity(rule: Rule, string: str) -> float:
    """Return the similarity to the rule's term in percent, or 0 if below the minimum."""
    term = as_compared(rule, rule.fuzzy or "")
    return fuzz.ratio(as_compared(rule, string), term, score_cutoff=rule.similarity)
