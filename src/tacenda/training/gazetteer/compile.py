"""From candidates to the file that is shipped: normalised, sorted terms by group."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ...detect.gazetteer import normalise, singular
from ...detect.gazetteer_terms import GROUPS, STOP_PHRASES, STOP_WORDS
from ...models.tables import TERMS_FILE
from ...text.word_lists import FUNCTION as ENGLISH
from .candidate import Candidate

MAXIMUM_BYTES = 5_000_000
_LONGEST = 8  # words; what is longer is a description, not a term
_SHORTEST = 3  # letters
_RANK = {group: rank for rank, group in enumerate(GROUPS)}
_QUALIFIER = re.compile(r"\s*(?:\([^)]*\)|\[[^\]]*\]|,.*|;.*)$")


@dataclass(frozen=True, slots=True)
class Compiled:
    """Terms in their order.

    Attributes:
        groups: group of each normalised term.
        origins: the source that offered it first.
    """

    groups: dict[str, str]
    origins: dict[str, str]


def compile_terms(candidates: Iterable[Candidate], least_uses: int = 1) -> Compiled:
    """Return the group of each normalised term, in order of the terms.

    A single word that its source writes in capitals (MP, AIDS) stays so and matches capitals only.
    What two groups claim belongs to the first of them in `GROUPS`.

    Args:
        candidates: from any sources.
        least_uses: how many people must have a value of Wikidata for it to count; the other
            sources do not say how many have one, and theirs always count.
    """
    groups: dict[str, str] = {}
    origins: dict[str, str] = {}
    for candidate in candidates:
        term = _term(candidate)
        if not term or (candidate.source == "wikidata" and candidate.uses < least_uses):
            continue
        origins.setdefault(term, candidate.source)
        other = groups.get(term)
        if other is None or _RANK[candidate.group] < _RANK[other]:
            groups[term] = candidate.group
    return Compiled(dict(sorted(groups.items())), origins)


def _term(candidate: Candidate) -> str:
    """Return the term as the file has it; empty if it can't be one."""
    written = _QUALIFIER.sub("", candidate.term)
    term = normalise(written)
    words = term.split()
    if not words or len(words) > _LONGEST or sum(map(str.isalpha, term)) < _SHORTEST - 1:
        return ""
    if not term.isascii() or words[0][0].isdigit() or term in STOP_PHRASES:
        return ""
    if all(word in ENGLISH or len(word) < 3 or word.isdigit() for word in words):
        return ""
    if len(words) == 1:
        if written.isupper() and written.isalpha() and written.isascii():
            return written if 3 <= len(written) <= 5 and term not in ENGLISH else ""
        if len(term) < _SHORTEST or any(map(str.isdigit, term)):
            return ""
        if term in STOP_WORDS or singular(term) in STOP_WORDS:
            return ""
    if candidate.group == "work" and not _is_title(written):
        return ""
    return term


def _is_title(written: str) -> bool:
    """Tell whether a title can be told from running text: three words, two with a capital."""
    words = written.split()
    return len(words) >= 3 and sum(word[0].isupper() for word in words) >= 2


def write_terms(terms: dict[str, str], folder: Path) -> Path:
    """Write the terms, group by group, so that one build always gives the same bytes.

    Raises:
        ValueError: if the file would be larger than `MAXIMUM_BYTES`.
    """
    lines = []
    for group in GROUPS:
        lines.append(f"# {group}")
        lines.extend(term for term, owner in terms.items() if owner == group)
    packed = gzip.compress("\n".join(lines).encode(), 9, mtime=0)
    if len(packed) > MAXIMUM_BYTES:
        raise ValueError(
            f"{len(terms)} terms take {len(packed)} bytes, more than {MAXIMUM_BYTES}; raise "
            "the least number of uses."
        )
    path = folder / TERMS_FILE
    path.write_bytes(packed)
    return path
