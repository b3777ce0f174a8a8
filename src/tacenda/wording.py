"""Labels of types, figures and indicators in sentences, pages and tables, and the words in tags by language."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from .document import LossBound, Risk, SemanticType
from .errors import PolicyError
from .shipped import shipped_table

LANGUAGES_VARIABLE = "TACENDA_LANGUAGES"
"""Environment variable that names a folder with tables of further languages."""
TIME = "TIME"
"""The key of the word in the tag of a DATETIME that is not a date: a time of day, a duration."""
_KEYS = (*SemanticType, TIME)
_TAG_WORD = re.compile(r"[^\W\d_]{2,15}")


@dataclass(frozen=True, slots=True)
class Language:
    """A language's words, from its table ``data/languages/CODE.toml``.

    Attributes:
        name: the language's English name.
        tags: the words in tags, by semantic type, and ``TIME``.
        particles: small words in names, folded.
    """

    name: str
    tags: Mapping[str, str]
    particles: frozenset[str]


def read_languages(folder: str | None) -> dict[str, Language]:
    """Return the languages that have a table, by ISO 639 code.

    Args:
        folder: folder with additional tables, which override the package's; None for no folder.

    Raises:
        PolicyError: if a table can't be read or is invalid; the message names the file and the
            field.
    """
    languages: dict[str, Language] = {}
    types: dict[str, SemanticType] = {}
    places = [Path(str(files("tacenda"))) / "data" / "languages"]
    if folder is not None:
        places.append(Path(folder))
        if not places[-1].is_dir():
            raise PolicyError(f"{LANGUAGES_VARIABLE}: {folder!r} is not a folder; check the path")
    paths = {path.stem: path for place in places for path in sorted(place.glob("*.toml"))}
    for code, path in paths.items():
        languages[code] = language = _read_language(path)
        for key, word in language.tags.items():
            if types.setdefault(word, _type_of(key)) is not _type_of(key):
                raise PolicyError(
                    f"{path}: tags.{key}: {word!r} means {types[word]} in another language; choose another word"
                )
    return languages


def _read_language(path: Path) -> Language:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        name, tags, particles = table["name"], dict(table["tags"]), table.get("particles", "")
        language = Language(str(name), tags, frozenset(str(particles).split()))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PolicyError(
            f"{path}: needs a name and a table of tags in TOML ({error!r}); "
            "docs/languages.md has an example"
        ) from None
    if tags.keys() != set(_KEYS):
        raise PolicyError(f"{path}: tags must have exactly the fields {', '.join(_KEYS)}")
    for key, word in tags.items():
        if not (isinstance(word, str) and _TAG_WORD.fullmatch(word) and word == word.upper()):
            raise PolicyError(f"{path}: tags.{key} must be 2 to 15 capitals (found {word!r})")
    if len(set(tags.values())) < len(tags):
        raise PolicyError(f"{path}: each tag needs a unique word")
    return language


def _type_of(key: str) -> SemanticType:
    return SemanticType.DATETIME if key == TIME else SemanticType(key)


LANGUAGES = read_languages(os.environ.get(LANGUAGES_VARIABLE))
"""The languages with a table by ISO 639 code."""

_LABELS: Mapping[str, Mapping[str, str]] = shipped_table("labels")
TYPES = {SemanticType(type): label for type, label in _LABELS["types"].items()}
"""The label of each type."""
TAGS = LANGUAGES["en"].tags
"""The English word of each type in a tag, such as ``[PLACE 1]``."""
TAG_TYPES = {
    word: _type_of(key) for language in LANGUAGES.values() for key, word in language.tags.items()
}
"""The type of each word in a tag, in all languages."""
TAG_WORDS = tuple(dict.fromkeys((*SemanticType, *TAG_TYPES)))
"""Every word that a placeholder in brackets may have, of tags and of the other operators."""
IDENTIFIER_NAMES = _LABELS["identifier_names"]
"""The label of each type of identifier."""
IDENTIFIERS = _LABELS["identifiers"]
"""The meaning of each type of identifier."""
METRICS = _LABELS["metrics"]
"""The figures of an evaluation in the order of a table: privacy, precision, text; ``_`` is a subscript."""
METRIC_COLUMNS = _LABELS["metric_columns"]
"""The figures that a table by threshold has, by the head of their column."""
CURVES = _LABELS["curves"]
"""The figures that are drawn against the threshold, by the name at the end of the line."""
ERRORS = _LABELS["errors"]
"""The meaning of each kind of error; all but the last leak."""
_CODES = {**_LABELS["types"], **IDENTIFIER_NAMES, **_LABELS["codes"]}
_ACTS = {**_CODES, **_LABELS["acts"]}


def tag_words(language: str) -> Mapping[str, str]:
    """Return the words in tags for a language; the English ones if it has no table."""
    return LANGUAGES.get(language, LANGUAGES["en"]).tags


def in_words(code: str) -> str:
    """The label of a type, an identifier type or an operator, those of others by their name."""
    return _CODES.get(code, code.replace("_", " "))


def act_in_words(code: str) -> str:
    """The label of what a person did in a review, or of what it led to."""
    return _ACTS.get(code, code)


def metric_label(name: str) -> str:
    """Return the label of an evaluation's figure; its name if it has no label."""
    return METRICS.get(name, name.replace("_", " "))


def indicator_label(name: str) -> str:
    """Return the label of a risk indicator; its name if it has no label."""
    return _LABELS["indicators"].get(name, name.replace("_", " "))


def entities_left(before: float, residual: float) -> str:
    """Return the expected number of entities left that need masking, as a count, never as a share.

    Args:
        before: expected number of entities that need masking.
        residual: expected number of these that are left.
    """
    number = max(round(before), round(residual))
    verb = "needs" if number == 1 else "need"
    total = f"{counted(number, 'entity', 'entities')} that {verb} masking"
    if not number:
        return "nothing that needs masking is expected to be left"
    return f"{about(residual)} of {total} {'is' if number == 1 else 'are'} left"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, such as ``1 document`` or ``1,200 entries``.

    Args:
        number: how many there are.
        noun: the singular.
        plural: the plural; by default the noun with an *s*.
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def about(number: float) -> str:
    """Return an expected number in words."""
    return "fewer than 1" if number < 0.5 else f"about {round(number)}"


_LEAST_SHOWN = 0.005


def risk_left(risk: Risk) -> str:
    """Return a document's residual risk, and the promise about it, as sentences."""
    phrase = entities_left(risk.to_mask, risk.undecided)
    sentence = (
        f"{phrase[0].upper()}{phrase[1:]} ({risk.undecided:.2f} of {risk.to_mask:.2f} expected); the "
        f"riskiest that was kept for any reason has {risk.highest_kept:.2f}."
    )
    if risk.kept_by_policy is not None:
        sentence += f" The policy keeps another {risk.kept_by_policy:.2f} on purpose."
    if risk.kept_by_people is not None:
        sentence += f" A person decided to keep another {risk.kept_by_people:.2f}."
    if risk.kept_attributes:
        costs = ", ".join(
            f"{name} {f'{cost:.2f}' if cost >= _LEAST_SHOWN else 'under 0.01'}"
            for name, cost in risk.kept_attributes.items()
        )
        sentence += f" Of that is left because readers need it: {costs}."
    return sentence if risk.promise is None else f"{sentence} {promised(risk.promise)}"


def promised(promise: LossBound) -> str:
    """Return the promise about the identifiers left, including those never detected, as a sentence."""
    at_most = promise.share if promise.is_met else promise.bound
    return (
        f"Of the identifiers of such documents, the undetected ones included, at most {_percent(at_most)} "
        f"are left on average ({_percent(promise.confidence)} confidence; measured on {promise.domain}: "
        f"{_percent(promise.expected)}, and at most {_percent(promise.tail)} in nine documents of ten)."
    )


def missed_promise(promise: LossBound) -> str:
    """Return the warning about a promise that can't be made."""
    return (
        f"at most {_percent(promise.share)} of the identifiers left can't be promised: the smallest "
        f"share is {_percent(promise.bound)} ({_percent(promise.confidence)} confidence; {promise.domain}). "
        f"Everything with a risk of at least {promise.threshold:g} is masked."
    )


def _percent(share: float) -> str:
    return f"{share * 100:.3g} %"
