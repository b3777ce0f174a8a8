r"""The user's policy: thresholds, operators, allow and deny lists, the person to protect.

One YAML schema. Everything is optional; the shipped policies in this package are examples.

    extends: clinical           # a shipped policy, of which the other fields take the place
    threshold: 0.2              # mask from this probability on; the model's default if absent
    thresholds: {DEM: 0.5}      # by semantic type
    length_penalty: 0.3         # in [0, 1]: how much a threshold rises with the words lost by masking
    residual_share: 0.05        # or a bound: at most this share of the identifiers may be left, on average
    domain: court               # documents are like these: for the recognizer, and for residual_share
    model: recognizer-small  # a shipped recognizer, a folder with one, or hf:NAME of transformers; the default if absent
    detectors: [mine]           # of plug-ins: find mentions besides the recognizer and the patterns
    indicators: [language]      # asked besides the recognizer; language:FOLDER for one that you trained
    combine: any                # of their values: any (the largest), all, weighted, learned, learned:FOLDER of train risk
    weights: {language: 0.5}    # for weighted; 1 if absent
    information: unigram        # what a change costs where not all may stay; or unigram:FILE, lm, lm:FOLDER, hf:NAME
    operator: tag               # the default; or suppress, pseudonym, generalize, surrogate, hash, encrypt, or a plug-in's
    tag_language: en            # the words of tags: a code such as de, or text: the language of each text
    operators: {DATETIME: suppress}                          # by semantic type
    operators_for: [{exact: Anna Berg, operator: pseudonym}] # by entity; the first match
    dates: jitter               # surrogates of dates: each by its own number, or shift: all by one number of days
    surrogate_all_or_tags: false  # tags throughout a document in which something has no good surrogate
    target: [Galip Yalman]      # the person to protect: these names are direct identifiers
    allow: [{exact: European Court of Human Rights}, {form: time}]
    deny: [{regex: 'project \w+', type: MISC}, {fuzzy: Jon Smyth, similarity: 85, type: PERSON}]
    key_env: TACENDA_KEY        # a variable, or key_file: a path; never the key itself
    background: people.store    # no surrogate is what a person of this store is called, or has in the profile
    residual_risk: 0.01         # highest residual risk of a generalisation: a hundred things fit
    prefer: people              # the generalisation under this risk; or detail: the most specific
    keep: [occupation, order of events]  # what readers need: generalized as little as the bound allows
    brackets: square            # around generalisations; or none, or italics: none, but slanted in HTML
    neutral: [sex, relationship]  # besides all masks, the text says they, spouse, parent …; nothing if absent
    recognizer: true
    patterns: true
    gazetteer: 0.2              # also terms about people (occupations …) masked so often; off if absent
    propagate: true
    languages: warn             # parts in languages that the recognizer can't read; or patterns: only those there; or refuse
    checks: [mine]              # of plug-ins: look at each result before it is written

``economy`` and ``risk`` are earlier names of ``length_penalty`` and ``residual_share``, which policies
may go on using.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import (
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from rapidfuzz import fuzz

from .. import plugins
from ..document import SemanticType
from ..errors import InputError, PolicyError
from ..isolation.limits import REGEX_SECONDS, limits
from ..isolation.workers import TimeLimitError, isolated
from ..wording import LANGUAGES
from .forms import FORMS, FormName, is_bare_value
from .loading import ALIASES, NO_KEY, extended, parse, read, read_key, shipped

# Regular expressions with endless run time on a hostile text, recognized by their structure.
#
# Python's ``re`` backtracks and has no time limit. Exponential time needs a repetition whose body
# can match the same text in more than one way. This is undecidable in general; the check errs on the
# side of refusing:
#
# | within a repetition of | refused | write instead |
# |---|---|---|
# | more than 10 or any number | a repetition, an option ``?``, alternatives | ``(?:[\w ])+`` for ``(?:\w+ ?)+`` |
# | up to 10 | a repetition of any number | ``(?:\w{1,20} ){2}`` for ``(?:\w+ ){2}`` |
#
# The rest is polynomial at worst (``.*x.*y``), or exponential in its own length (``a?a?a?aaa``). In
# how many ``ways`` it can match a window at most is easily counted; where they are many, matching has
# a limit of time (``matching.py``).

__all__ = ["OperatorName", "OperatorRule", "Policy", "Rule"]


_FEW = 10
_MANY = 1_000_000_000


def takes_for_ever(pattern: str) -> bool:
    """Return whether ``pattern``, which compiles, repeats a body of varying length."""
    # The parser is the standard library's own, under this name since Python 3.11.
    parser = import_module("re._parser")
    return _varies(parser.parse(pattern), 1)


def _varies(items: Iterable[tuple[Any, Any]], count: int) -> bool:
    """Return whether ``items``, repeated up to so many times, contain a refused repetition."""
    for name, argument in items:
        kind = str(name)
        if kind == "BRANCH" and count > _FEW:
            return True
        if kind in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, body = argument
            times = int(high)
            if low != high and (count > _FEW or (count > 1 and times > _FEW)):
                return True
            if _varies(body, max(count, 1) * max(times, 1)):
                return True
        elif any(_varies(body, count) for body in _bodies(argument)):
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
_OWN = frozenset(pattern.pattern for pattern in FORMS.values())
"""Expressions that are known to end."""
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
    return expression in _OWN or ways(expression, longest) <= _FEW_WAYS


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
    bounds = limits()
    bounds = replace(bounds, seconds=bounds.regex_seconds, calls=_CALLS)
    try:
        return isolated(function, (pattern, text), subject=name, size=len(text), granted=bounds)
    except TimeLimitError:
        raise InputError(
            f"{place}: its regular expression took too long on this text and was stopped; bound "
            f"its repetitions (\\w{{1,20}} for \\w+), or raise {REGEX_SECONDS} from "
            f"{bounds.regex_seconds:g}.",
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


_KINDS = ("exact", "regex", "fuzzy", "form")


class Rule(BaseModel):
    """Exactly one of ``exact``, ``regex``, ``fuzzy`` and ``form``.

    Attributes:
        exact: this string; white space of any kind and length is one space.
        regex: matches of this regular expression, at most 512 code points each.
        fuzzy: strings similar to this one.
        form: strings of this form, such as ``time``; see ``forms.py``.
        similarity: the least normalised similarity for ``fuzzy`` in percent, by insertions and
            deletions; below 50 nearly everything is similar.
        ignore_case: whether ``Smith``, ``SMITH`` and ``smith`` are the same.
        type: in an allow list, the only type it is for; in a deny list, the type of its matches.
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
            pattern = re.compile(value)
        except re.error as error:
            raise ValueError(f"is not a regular expression ({error.msg} at {error.pos})") from error
        if matches_whole(pattern, "", "", "regex"):
            raise ValueError("matches the empty string, and so everything")
        if takes_for_ever(value):
            raise ValueError(
                "repeats what itself varies in length, which can take for ever on a hostile text; "
                "bound the inner repetition, as in (?:\\w{1,20} ){2}, or use one set of characters"
            )
        return value

    @model_validator(mode="after")
    def _one_kind(self) -> Rule:
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
        return matches_whole(rule.pattern, string, name, place) or (
            rule.form is not None and is_bare_value(rule.form, string, type)
        )
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


# Strict, so that `threshold: true` is not 1; not a number is refused by the bounds.
Probability = Annotated[float, Field(strict=True, ge=0, le=1)]
Switch = Annotated[bool, Field(strict=True)]
Brackets = Literal["square", "none", "italics"]
"""How a generalisation is set off from what was there; italics are for HTML, elsewhere they are none."""
Preference = Literal["people", "detail"]
_COMBINING = re.compile(r"any|all|weighted|learned(:.+)?")
_INFORMATION = re.compile(r"(unigram|lm)(:.+)?|hf:.+")
DateMoving = Literal["jitter", "shift"]
"""How *surrogate* moves dates; ``rewrite/surrogate/dates.py`` says what each gives away."""
Neutrality = Literal["sex", "relationship"]
"""What running text doesn't tell beside the masks; ``rewrite/neutral.py`` says what is written."""
LANGUAGE_OF_TEXT = "text"
"""The ``tag_language`` that stands for the language of each text."""
LanguageHandling = Literal["warn", "refuse", "patterns"]
"""How text in a language that the recognizer can't read is treated; ``detect/languages.py`` has the table."""
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
    target: tuple[str, ...] = Field(default=(), repr=False)
    allow: tuple[Rule, ...] = Field(default=(), repr=False)
    deny: tuple[Rule, ...] = Field(default=(), repr=False)
    key_env: str | None = Field(default=None, min_length=1)
    key_file: Path | None = None
    background: Path | None = None
    residual_risk: Probability = 0.01
    prefer: Preference = "people"
    keep: tuple[str, ...] = ()
    brackets: Brackets = "square"
    neutral: tuple[Neutrality, ...] = ()
    recognizer: Switch = True
    patterns: Switch = True
    gazetteer: Probability | None = None
    propagate: Switch = True
    languages: LanguageHandling = "warn"
    checks: tuple[str, ...] = ()

    def __init__(self, **fields: Any) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise PolicyError(_faults(error, "policy")) from None

    @field_validator("brackets", mode="before")
    @classmethod
    def _was_a_switch(cls, value: object) -> object:
        return ("none", "square")[value] if isinstance(value, bool) else value

    @field_validator("target", "neutral", mode="before")
    @classmethod
    def _one_is_a_list(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("keep", mode="before")
    @classmethod
    def _are_names_in_a_line(cls, value: object) -> object:
        """Names of attributes as a tuple: a string has them with commas between."""
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
            return value
        names = (" ".join(name.split()) for name in value)
        return tuple(dict.fromkeys(name for name in names if name))

    @field_validator("combine")
    @classmethod
    def _is_a_combination(cls, value: str) -> str:
        if not _COMBINING.fullmatch(value):
            raise ValueError("should be 'any', 'all', 'weighted', 'learned' or 'learned:FOLDER'")
        return value

    @field_validator("information")
    @classmethod
    def _is_a_weighting(cls, value: str) -> str:
        if not _INFORMATION.fullmatch(value):
            raise ValueError("should be unigram, unigram:FILE, lm, lm:FOLDER or hf:NAME")
        return value

    @field_validator("tag_language")
    @classmethod
    def _is_a_language(cls, value: str) -> str:
        if value != LANGUAGE_OF_TEXT and value not in LANGUAGES:
            codes = ", ".join(sorted(LANGUAGES))
            raise ValueError(f"should be text, or one of {codes}")
        return value

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

        A relative ``key_file``, ``background``, file or folder of ``combine``,
        ``information`` or ``model``, is relative to the policy's file.

        Raises:
            PolicyError: naming the file, the line and the field at fault.
        """
        if isinstance(source, str):
            name = ALIASES.get(source, source)
            if name in (policies := shipped()):
                return cls.from_yaml(policies[name], name)
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
        if policy.model is not None:
            prefix, folder = _placed(policy.model, path.parent)
            if folder.is_dir():
                changes["model"] = f"{prefix}{folder}"
        return policy.with_changes(**changes) if changes else policy

    @classmethod
    def from_yaml(cls, text: str, name: str = "policy") -> Policy:
        """Read a policy from YAML.

        Raises:
            PolicyError: naming ``name``, the line and the field at fault.
        """
        source = extended(parse(text, name))
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


def _placed_indicator(name: str, parent: Path) -> str:
    """Return the name of an indicator, a folder beside the policy's file with its path."""
    kind, colon, folder = name.partition(":")
    return f"{kind}:{parent / folder}" if colon and (parent / folder).is_dir() else name


def _placed(model: str, parent: Path) -> tuple[str, Path]:
    """Return the prefix of a model's name, ``hf:`` or none, and the folder that it may be."""
    name = model.removeprefix("hf:")
    return model[: len(model) - len(name)], parent / name


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
