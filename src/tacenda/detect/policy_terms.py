"""What the policy names itself: terms of the deny list and names of the target, as mentions.

They are mentions before entities are made, so that what no detector found is linked, propagated
and verified like everything else. Their kind is ``deny[0]``, the rule by its place in the list,
or ``target``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ..document import Document, Mention, MentionSource, Protected, SemanticType, Span
from ..policy import Policy
from ..policy.matching import comparable, similarity
from ..policy.regexes import find_all
from ..policy.rules import Rule
from ..text.folding import NormalizedText, normalize, normalize_text
from ..text.matching import Searcher, Spans, Terms
from ..text.surface_forms import Case, Form
from ..text.tokens import trim, unify, whole_words
from ..text.word_lists import NAMES_THAT_ARE_WORDS, NEVER
from .target import target_mentions

# Where the rules of a deny list match in a text.
#
# | rule | is found | costs |
# |---|---|---|
# | ``exact`` | whole words; with ``ignore_case`` diacritics, dashes and quotes are folded as well, and it is found however it is encoded, and inside words, as ``forms.searcher`` says | one pass for all of them (Aho-Corasick) |
# | ``regex`` | anywhere; at most 512 code points | one bounded window after the other, in limited time (``policies/matching.py``) |
# | ``fuzzy`` | runs of as many words as the term has, one more or one less | each run compared once |
#
# Every cost is linear in the length of the text, whatever the text is.


_WORD = re.compile(r"\w+")


def find(rules: Sequence[Rule], text: str, name: str = "") -> Iterator[tuple[int, Span]]:
    """Yield the index of a rule and a span that it matches, in no certain order.

    Raises:
        InputError: if a regular expression takes too long on this text, of the document ``name``.
    """
    terms = _terms(tuple(rules))
    if terms:
        exact = list(_find_exact(terms, rules, text, normalize(text)))
        yield from exact
        searcher, owners = _searcher(tuple(rules))
        coverage = {
            index: Spans(span for number, span in exact if number == index) for index, _ in exact
        }
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
                words = [match.span() for match in _WORD.finditer(text)]
            yield from ((index, span) for span in _find_fuzzy(rule, text, words))


@lru_cache(maxsize=8)
def _terms(rules: tuple[Rule, ...]) -> Terms[list[int]]:
    """Return the folded terms of exact rules, each with the indices of its rules."""
    terms: dict[str, list[int]] = {}
    for index, rule in enumerate(rules):
        if rule.exact is not None:
            terms.setdefault(normalize_text(rule.exact.strip()), []).append(index)
    return Terms(terms)


@lru_cache(maxsize=8)
def _searcher(rules: tuple[Rule, ...]) -> tuple[Searcher, dict[str, list[int]]]:
    """Return what finds terms wherever a reader may, and for each the indices of its rules.

    Terms that begin or end in a punctuation mark, or whose case matters, are found as they are.
    """
    owners: dict[str, list[int]] = {}
    forms: list[Form] = []
    for index, rule in enumerate(rules):
        folded = normalize_text((rule.exact or "").strip())
        if folded and rule.ignore_case and trim(folded) == folded:
            form = Form(unify(folded), Case.ANY, folded not in NAMES_THAT_ARE_WORDS | NEVER)
            owners.setdefault(form.text, []).append(index)
            forms.append(form)
    return Searcher(forms), owners


def _find_exact(
    terms: Terms[list[int]], rules: Sequence[Rule], text: str, folded: NormalizedText
) -> Iterator[tuple[int, Span]]:
    for start, end, indices in terms.iter(folded.text):
        span = folded.original(start, end)
        if not whole_words(text, span.start, span.end):
            continue
        for index in indices:
            rule = rules[index]
            if rule.ignore_case or comparable(rule, span.of(text)) == comparable(
                rule, rule.exact or ""
            ):
                yield index, span


def _find_fuzzy(rule: Rule, text: str, words: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Yield the similar runs of words without overlaps, the most similar ones first."""
    term = rule.fuzzy or ""
    size = max(1, len(_WORD.findall(term)))
    # What is this much longer can't reach the lowest similarity that a rule may ask for.
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


def policy_mentions(document: Document, policy: Policy) -> tuple[Mention, ...]:
    """Return mentions of the deny list's terms and the target's names, in no certain order.

    They may overlap; ``masking`` is 1. A deny rule without a type makes mentions of type MISC.
    """
    denied = (
        Mention(
            span,
            policy.deny[index].type or SemanticType.MISC,
            1.0,
            0.0,
            MentionSource.POLICY,
            f"deny[{index}]",
            deny=index,
        )
        for index, span in find(policy.deny, document.text, document.id)
    )
    return (*denied, *target_mentions(document.text, (*document.target, *policy.target)))


def protected(document: Document, policy: Policy) -> Protected:
    """Return what the policy and the document name, to be looked for in places that are no text."""
    return Protected(
        names=(*document.target, *policy.target),
        terms=tuple(
            (rule.exact or rule.fuzzy or "", rule.type or SemanticType.MISC)
            for rule in policy.deny
            if rule.pattern is None
        ),
        patterns=tuple(rule.pattern for rule in policy.deny if rule.pattern is not None),
    )
