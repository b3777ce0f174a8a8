"""The recipe of the gazetteer: person-related terms from Wikidata, WordNet and word lists."""

from __future__ import annotations

import gzip
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from tacenda.detect.gazetteer import GROUPS, STOP_PHRASES, STOP_WORDS
from tacenda.detect.gazetteer_terms import singular, term_key
from tacenda.models.tables import TERMS_FILE
from tacenda.text.word_lists import FUNCTION as ENGLISH

from .gazetteer_sources import (
    PROPERTIES,
    Property,
    TermCandidate,
    read_dump,
    read_lists,
    read_slice,
    read_wordnet,
)
from .lexicons import write_licence
from .packages import Card, write_card
from .tables import read_card
from .wikidata import open_dump

# From candidates to the shipped file: normalised, sorted terms by group.


MAXIMUM_BYTES = 5_000_000
_LONGEST = 8  # words; what is longer is a description, not a term
_SHORTEST = 3  # letters
_RANK = {group: rank for rank, group in enumerate(GROUPS)}
_QUALIFIER = re.compile(r"\s*(?:\([^)]*\)|\[[^\]]*\]|,.*|;.*)$")


@dataclass(frozen=True, slots=True)
class CompiledTerms:
    """Terms in their order.

    Attributes:
        groups: group of each normalised term.
        origins: first source of each term.
    """

    groups: dict[str, str]
    origins: dict[str, str]


def compile_terms(candidates: Iterable[TermCandidate], least_uses: int = 1) -> CompiledTerms:
    """Return the group of each normalised term, in order of the terms.

    A single word in capitals in its source (MP, AIDS) stays so and matches capitals only. A term of
    two groups belongs to the first of them in `GROUPS`.

    Args:
        candidates: from any sources.
        least_uses: minimum number of people with a value of Wikidata; the other sources have no
            such numbers, and their terms always count.
    """
    groups: dict[str, str] = {}
    origins: dict[str, str] = {}
    for candidate in candidates:
        term = _term(candidate)
        if not term or (candidate.source == "wikidata" and candidate.uses < least_uses):
            continue
        origins.setdefault(term, candidate.source)
        rival = groups.get(term)
        if rival is None or _RANK[candidate.group] < _RANK[rival]:
            groups[term] = candidate.group
    return CompiledTerms(dict(sorted(groups.items())), origins)


def _term(candidate: TermCandidate) -> str:
    """Return the term as the file has it; empty if it can't be one."""
    surface = _QUALIFIER.sub("", candidate.term)
    term = term_key(surface)
    words = term.split()
    if not words or len(words) > _LONGEST or sum(map(str.isalpha, term)) < _SHORTEST - 1:
        return ""
    if not term.isascii() or words[0][0].isdigit() or term in STOP_PHRASES:
        return ""
    if all(word in ENGLISH or len(word) < 3 or word.isdigit() for word in words):
        return ""
    if len(words) == 1:
        if surface.isupper() and surface.isalpha() and surface.isascii():
            return surface if 3 <= len(surface) <= 5 and term not in ENGLISH else ""
        if len(term) < _SHORTEST or any(map(str.isdigit, term)):
            return ""
        if term in STOP_WORDS or singular(term) in STOP_WORDS:
            return ""
    if candidate.group == "work" and not _is_title(surface):
        return ""
    return term


def _is_title(surface: str) -> bool:
    """Tell whether a title can be told from running text: three words, two with a capital."""
    words = surface.split()
    return len(words) >= 3 and sum(word[0].isupper() for word in words) >= 2


def write_terms(terms: dict[str, str], folder: Path) -> Path:
    """Write the terms, group by group; the same terms give the same bytes.

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


# The card of a gazetteer: what is in it, from where, under which licence.


_ROWS = {"wordnet": "| WordNet", "lists": "| word lists"}
"""How the rows of sources begin that a gazetteer can do without."""
_REBUILD = (
    "\n`tacenda lab build gazetteer --slice SLICE --lists LISTS --wordnet DICT --out FOLDER`, "
    "or `--dump DUMP` instead of the slice."
)


def card(
    compiled: CompiledTerms, wikidata: str, properties: Sequence[Property] = PROPERTIES
) -> Card:
    """Return the card.

    Args:
        compiled: the terms.
        wikidata: source of the Wikidata terms, in words.
        properties: that they are values of.
    """
    sizes, sources = Counter(compiled.groups.values()), Counter(compiled.origins.values())
    labels = {
        group: ", ".join(f"{p.label} ({p.id})" for p in properties if p.group == group)
        for group in GROUPS
    }
    rows = "\n".join(
        f"| {group} | {type} | {sizes[group]:,} | {labels[group]} |"
        for group, type in GROUPS.items()
    )
    text = read_card("gazetteer").format(
        total=len(compiled.groups),
        groups=sum(size > 0 for size in sizes.values()),
        wikidata=wikidata,
        from_wikidata=sources["wikidata"],
        from_wordnet=sources["wordnet"],
        from_lists=sources["lists"],
        rows=rows,
    )
    unused = [row for source, row in _ROWS.items() if not sources[source]]
    text = "\n".join(each for each in text.split("\n") if not each.startswith(tuple(unused)))
    licence = "The terms under the licences above; the selection Apache-2.0."
    return Card(text, licence, _REBUILD)


# Build a gazetteer: read the sources, compile the terms, write the folder that is shipped.


_SLICE = "a slice of Wikidata (classes stand for properties)"
_DUMP = "a full Wikidata dump (values of the properties that at least {n} people have)"


def build_from_slice(folder: Path, lists: Path | None, wordnet: Path | None, out: Path) -> Path:
    """Build from a Wikidata slice, and word lists and WordNet if given; return the folder written.

    Raises:
        InputError: if a source can't be read.
    """
    return _build(read_slice(folder), lists, wordnet, out, 1, _SLICE)


def build_from_dump(
    dump: str,
    lists: Path | None,
    wordnet: Path | None,
    out: Path,
    least_uses: int,
    progress: Callable[[], None],
    properties: Sequence[Property] = PROPERTIES,
) -> Path:
    """Build from a Wikidata JSON dump instead of a slice; return the folder written.

    Args:
        dump: path of the dump, plain or .gz or .bz2; ``-`` is stdin.
        lists: folder of the word lists; None for no terms of theirs, as in the paper.
        wordnet: WordNet's folder ``dict``; None likewise.
        out: folder to write; its name is the gazetteer's.
        least_uses: how many people must have a value.
        progress: called after each entity.
        properties: of people, whose values are kept.

    Raises:
        InputError: if a source can't be read.
    """
    out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=out.parent) as folder,
        open_dump(dump) as lines,
    ):
        candidates = read_dump(lines, Path(folder, "names.gz"), dump, progress, properties)
        described = _DUMP.format(n=least_uses)
        return _build(candidates, lists, wordnet, out, least_uses, described, properties)


def _build(
    wikidata: Iterable[TermCandidate],
    lists: Path | None,
    wordnet: Path | None,
    out: Path,
    least_uses: int,
    described: str,
    properties: Sequence[Property] = PROPERTIES,
) -> Path:
    listed = () if lists is None else read_lists(lists)
    nouns = () if wordnet is None else read_wordnet(wordnet)
    compiled = compile_terms(chain(listed, nouns, wikidata), least_uses)
    out.mkdir(parents=True, exist_ok=True)
    write_terms(compiled.groups, out)
    licence = () if wordnet is None else (write_licence(wordnet, out),)
    write_card(out, card(compiled, described, properties), (TERMS_FILE, *licence))
    return out
