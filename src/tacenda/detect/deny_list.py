"""Find where the rules of a deny list match in a text.

| rule | is found | costs |
|---|---|---|
| ``exact`` | whole words; with ``ignore_case``, diacritics, dashes and quotes are also folded, and it is found in any encoding and inside words (``Searcher``) | one pass for all of them (Aho-Corasick) |
| ``regex`` | anywhere; at most 512 code points | one bounded window after another, within a time limit (``policy``) |
| ``fuzzy`` | runs with as many words as the term, or one more or less | each run compared once |

Every cost is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..document import Span
from ..policy import Rule
from ..policy.regex_search import find_all
from ..policy.rules import as_compared, similarity
from ..text.folding import FoldedText, fold_aligned
from ..text.matching import Searcher
from ..text.normal_form import fold_text
from ..text.spans import DisjointSpans
from ..text.surface_forms import Form, LetterCase
from ..text.term_automaton import TermAutomaton
from ..text.tokens import trim, unify_gaps, whole_words
from ..text.word_lists import NAMES_THAT_ARE_WORDS, NEVER

_TERM_WORD = re.compile(r"\w+")


def find(rules: Sequence[Rule], text: str, name: str = "") -> Iterator[tuple[int, Span]]:
    """Yield the index of a rule and the span of a match, in no particular order.

    Raises:
        InputError: if a regular expression takes too long on this text of the document ``name``.
    """
    terms = _terms(tuple(rules))
    if terms:
        exact = list(_find_exact(terms, rules, text, fold_aligned(text)))
        yield from exact
        searcher, owners = _term_searcher(tuple(rules))
        found: dict[int, list[Span]] = {}
        for index, span in exact:
            found.setdefault(index, []).append(span)
        coverage = {index: DisjointSpans(spans) for index, spans in found.items()}
        for occurrence in searcher.find(text):
            for index in owners[occurrence.form]:
                if index not in coverage or coverage[index].around(occurrence.span) is None:
                    yield index, occurrence.span
    words: list[tuple[int, int]] | None = None
    for index, rule in enumerate(rules):
        if rule.pattern is not None:
            for start, end in find_all(rule.pattern, text, name, f"deny[{index}]"):
                yield index, Span(start, end)
        elif rule.fuzzy is not None:
            if words is None:
                words = [match.span() for match in _TERM_WORD.finditer(text)]
            yield from ((index, span) for span in _find_fuzzy(rule, text, words))


@lru_cache(maxsize=8)
def _terms(rules: tuple[Rule, ...]) -> TermAutomaton[list[int]]:
    """Return the folded terms of exact rules, each with the indexes of its rules."""
    terms: dict[str, list[int]] = {}
    for index, rule in enumerate(rules):
        if rule.exact is not None:
            terms.setdefault(fold_text(rule.exact.strip()), []).append(index)
    return TermAutomaton(terms)


@lru_cache(maxsize=8)
def _term_searcher(rules: tuple[Rule, ...]) -> tuple[Searcher, dict[str, list[int]]]:
    """Return the searcher for terms in all their forms, and for each term the indexes of its rules.

    Terms that start or end with punctuation, or have a fixed case, are found only as written.
    """
    owners: dict[str, list[int]] = {}
    forms: list[Form] = []
    for index, rule in enumerate(rules):
        folded = fold_text((rule.exact or "").strip())
        if folded and rule.ignore_case and trim(folded) == folded:
            form = Form(
                unify_gaps(folded), LetterCase.ANY, folded not in NAMES_THAT_ARE_WORDS | NEVER
            )
            owners.setdefault(form.text, []).append(index)
            forms.append(form)
    return Searcher(forms), owners


def _find_exact(
    terms: TermAutomaton[list[int]], rules: Sequence[Rule], text: str, folded: FoldedText
) -> Iterator[tuple[int, Span]]:
    for start, end, indices in terms.iter(folded.text):
        span = folded.original(start, end)
        if not whole_words(text, span.start, span.end):
            continue
        for index in indices:
            rule = rules[index]
            if rule.ignore_case or as_compared(rule, span.of(text)) == as_compared(
                rule, rule.exact or ""
            ):
                yield index, span


def _find_fuzzy(rule: Rule, text: str, words: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Yield similar runs of words without overlaps, most similar first."""
    term = rule.fuzzy or ""
    size = max(1, len(_TERM_WORD.findall(term)))
    # A string this much longer can't reach the minimum similarity that rules allow.
    longest = 3 * len(term) + 8
    candidates = []
    for first, (start, _) in enumerate(words):
        for count in range(max(1, size - 1), min(size + 1, len(words) - first) + 1):
            stop = words[first + count - 1][1]
            if stop - start > longest:
                break
            if score := similarity(rule, text[start:stop]):
                candidates.append((-score, first, first + count))
    positions: set[int] = set()
    for _, first, last in sorted(candidates):
        if positions.isdisjoint(range(first, last)):
            positions.update(range(first, last))
            yield Span(words[first][0], words[last - 1][1])
