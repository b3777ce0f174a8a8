r"""Regular expressions with endless run time on a hostile text, recognized by their structure.

Python's ``re`` backtracks and has no time limit. Exponential time needs a repetition whose body
can match the same text in more than one way. This is undecidable in general; the check errs on the
side of refusing:

| within a repetition of | refused | write instead |
|---|---|---|
| more than 10 or any number | a repetition, an option ``?``, alternatives | ``(?:[\w ])+`` for ``(?:\w+ ?)+`` |
| up to 10 | a repetition of any number | ``(?:\w{1,20} ){2}`` for ``(?:\w+ ){2}`` |

The rest is polynomial at worst (``.*x.*y``), or exponential in its own length (``a?a?a?aaa``). In
how many ``ways`` it can match a window at most is easily counted; where they are many, matching has
a limit of time (``matching.py``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator
from rapidfuzz import fuzz

from .. import plugins
from ..document import SemanticType
from ..errors import InputError
from ..isolation.limits import REGEX_SECONDS, limits
from ..isolation.workers import TimeLimitError, isolated

_FEW = 10
_MANY = 1_000_000_000


def takes_for_ever(pattern: str) -> bool:
    """Return whether ``pattern``, which compiles, repeats a body of varying length."""
    # The parser is the standard library's own, under this name since Python 3.11.
    parser = import_module("re._parser")
    return _varies(parser.parse(pattern), 1)


def _varies(items: Iterable[tuple[Any, Any]], repeated: int) -> bool:
    """Return whether ``items``, repeated up to so many times, contain a refused repetition."""
    for name, argument in items:
        kind = str(name)
        if kind == "BRANCH" and repeated > _FEW:
            return True
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, body = argument
            times = int(high)
            if low != high and (repeated > _FEW or (repeated > 1 and times > _FEW)):
                return True
            if _varies(body, max(repeated, 1) * max(times, 1)):
                return True
        elif any(_varies(body, repeated) for body in _bodies(argument)):
            return True
    return False


def ways(pattern: str, longest: int) -> int:
    """Return an upper bound of the ways of ``pattern`` to match from one place on.

    It bounds the paths of backtracking without regard to the text, and is exact up to a billion.

    Args:
        pattern: a valid expression.
        longest: code points of the longest match.
    """
    parser = import_module("re._parser")
    return _ways(parser.parse(pattern), longest)


def _ways(items: Iterable[tuple[Any, Any]], longest: int) -> int:
    product = 1
    for name, argument in items:
        kind = str(name)
        if kind.endswith("_REPEAT"):
            low, high, body = argument
            limit = min(int(high), longest)
            inner = _ways(body, longest)
            lengths = max(1, limit - int(low) + 1)
            product *= lengths * min(inner ** min(limit, 64), _MANY)
        elif kind == "BRANCH":
            product *= sum(_ways(body, longest) for body in argument[1])
        else:
            for body in _bodies(argument):
                product *= _ways(body, longest)
        product = min(product, _MANY)
    return product


def _bodies(argument: Any) -> list[Any]:
    """Return the parts of a pattern inside an argument: of groups, assertions and alternatives."""
    if hasattr(argument, "pattern") or hasattr(argument, "getwidth"):
        return [argument]
    if isinstance(argument, (tuple, list)):
        return [body for part in argument for body in _bodies(part)]
    return []


# Regular expressions of the user's, matched within a limit of time.
#
# Python's ``re`` backtracks, can't be interrupted, and holds the interpreter's lock meanwhile. An
# expression with few ways to match (``Case \d+``, or a text of two words) is matched here; any
# other in a worker, killed when its time is up. Then the document fails: an unfinished match must not
# pass as no match. Both run the same engine, so both find the same.


LONGEST_MATCH = 512
"""Code points of the longest match: what keeps a search linear."""

_Value = TypeVar("_Value")
_FEW_WAYS = 4_000
_CALLS = 100_000


def find_all(pattern: re.Pattern[str], text: str, name: str, place: str) -> list[tuple[int, int]]:
    """Return ``[start, end)`` of each match of an expression in a text.

    Args:
        pattern: the expression.
        text: of the document ``name``.
        name: for errors.
        place: of the rule in the policy, for errors.

    Raises:
        InputError: if it takes too long.
    """
    if _is_quick(pattern.pattern, _size(text)):
        return _find_all(pattern, text)
    return _timed(_find_all, pattern, text, name, place)


def matches_whole(pattern: re.Pattern[str], string: str, name: str, place: str) -> bool:
    """Return whether an expression matches all of a string; see ``find_all``."""
    if len(string) > LONGEST_MATCH:
        return False
    if _is_quick(pattern.pattern, _size(string)):
        return _matches_whole(pattern, string)
    return _slowly_matches_whole(pattern, string, name, place)


def _size(text: str) -> int:
    """Return the length of a text, rounded up for few distinct values in the cache."""
    return min(1 << len(text).bit_length(), LONGEST_MATCH)


@lru_cache(maxsize=1_024)
def _is_quick(expression: str, longest: int) -> bool:
    return ways(expression, longest) <= _FEW_WAYS


# A round of deciding asks the same of the same strings as the one before.
@lru_cache(maxsize=65_536)
def _slowly_matches_whole(pattern: re.Pattern[str], string: str, name: str, place: str) -> bool:
    return _timed(_matches_whole, pattern, string, name, place)


def _timed(
    function: Callable[[re.Pattern[str], str], _Value],
    pattern: re.Pattern[str],
    text: str,
    name: str,
    place: str,
) -> _Value:
    granted = limits()
    granted = replace(granted, seconds=granted.regex_seconds, calls=_CALLS)
    try:
        return isolated(function, (pattern, text), subject=name, size=len(text), granted=granted)
    except TimeLimitError:
        raise InputError(
            f"{place}: its regular expression took too long on this text and was stopped; bound "
            f"its repetitions (\\w{{1,20}} for \\w+), or raise {REGEX_SECONDS} from "
            f"{granted.regex_seconds:g}.",
            name,
        ) from None


def _find_all(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = 0
    while position < len(text):
        # Matches begin in the first half of the window, so that each has room to its end.
        middle = position + LONGEST_MATCH
        following = middle
        for match in pattern.finditer(text, position, min(len(text), middle + LONGEST_MATCH)):
            if match.start() >= middle:
                break
            if match.end() > match.start():
                spans.append(match.span())
                following = max(following, match.end())
        position = following
    return spans


def _matches_whole(pattern: re.Pattern[str], string: str) -> bool:
    return pattern.fullmatch(string) is not None


# One entry of an allow or deny list, or of the operators by entity.


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
        regex: matches of this regular expression, at most 512 code points each.
        fuzzy: strings similar to this one.
        similarity: the least normalised similarity for ``fuzzy`` in percent, by insertions and
            deletions; below 50 nearly everything is similar.
        ignore_case: whether ``Smith``, ``SMITH`` and ``smith`` are the same.
        type: in an allow list, the only type it is for; in a deny list, the type of its matches.
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
    """Rule with the operator for the entities that it matches.

    An entity matches with one mention that matches as a whole; a rule's ``type`` is the only type
    of mention it is for. The rule does not decide whether an entity is masked.
    """

    operator: OperatorName


# Whether a string matches a rule of an allow or deny list as a whole.


def matches(
    rule: Rule, string: str, type: SemanticType, name: str = "", place: str = "a rule"
) -> bool:
    """Return whether the whole of ``string``, a mention of ``type``, matches ``rule``.

    White space of any kind and length is one space.

    Raises:
        InputError: if a regular expression takes too long; it has the ``name`` of the document
            and the ``place`` of the rule.
    """
    if rule.type is not None and rule.type is not type:
        return False
    if rule.pattern is not None:
        return matches_whole(rule.pattern, string, name, place)
    if rule.exact is not None:
        return comparable(rule, string) == comparable(rule, rule.exact)
    return similarity(rule, string) > 0


def comparable(rule: Rule, string: str) -> str:
    """Return ``string`` as an exact or fuzzy rule compares it."""
    plain = " ".join(string.split())
    return plain.casefold() if rule.ignore_case else plain


def similarity(rule: Rule, string: str) -> float:
    """Return the similarity of ``string`` to the rule's term in percent; 0 if below its least."""
    term = comparable(rule, rule.fuzzy or "")
    return fuzz.ratio(comparable(rule, string), term, score_cutoff=rule.similarity)
