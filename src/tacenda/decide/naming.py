"""The names of the target, found in the text whatever the detectors saw.

A run of the target's names, with initials before it, is one mention of type PERSON. For the
target "Mr Galip Yalman":

| in the text | mention | direct |
|---|---|---|
| ``Galip Yalman``, ``G. Yalman``, ``galip yalman`` | the whole | 1 |
| ``Yalman``, ``Mr Yalman`` | the surname | 1 |
| ``Ayşe Yalman``, ``Mrs Yalman`` | the surname: it tells, but names somebody else | 0 |
| ``Galip``, ``Galip said`` | the given name | 1 |
| ``Jalman``, ``Ялман`` | the surname in another spelling of its sound | 1 |
| ``@gyalman``, ``galip.yalman_87`` | the whole: a handle made of the name | 1 |
| ``Galip Demir`` | none: another surname follows | |
| ``rose`` for the target "Rose Yalman" | none: one name alone is not written all small | |

Where a word before a surname might be a given name or the first of a sentence, it is taken for a
given name: the mention is masked either way. A target that is no person's name is found as a
whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ..document import Mention, SemanticType, Span
from ..folding import Folded, fold
from ..forms.names import parse_name
from ..forms.words import TITLES
from ..target import TargetName
from .boundaries import whole_words
from .handles import handles

_SHORTEST_ALONE = 3
_INITIALS = re.compile(r"(?<![^\W_])((?:[^\W\d_]\.[ -]?)+|[^\W\d_] )$")
_WORD = re.compile(r"[^\W\d_]{4,}")
_BETWEEN = re.compile(r"[ \-]|, ")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\.? $")
_WORD_AFTER = re.compile(r" ([^\W\d_]+)")
_FAR = 40  # Code points before a name within which its initials and title stand.


def target_mentions(text: str, names: Sequence[str]) -> Iterator[Mention]:
    """Yield a mention for each place where a name of ``names`` stands, in linear time."""
    folded = fold(text) if names else Folded("")
    for written in names:
        target = TargetName.parse(written)
        spellings = _spellings(folded, target)
        for run in _runs(text, folded, spellings):
            mention = _mention(text, folded, target, spellings, run, small=written.islower())
            if mention is not None:
                yield mention
        yield from (_person(span, 1.0) for span in handles(folded, target))


def _spellings(folded: Folded, target: TargetName) -> dict[str, str]:
    """Return how the target's names are written in the text, each with the name that it is."""
    if not target.words:
        return {target.folded: target.folded}
    written = {word: target.respelt(word) for word in set(_WORD.findall(folded.text))}
    return {word: name for word, name in written.items() if name} | {
        word: word for word in target.words
    }


def _runs(
    text: str, folded: Folded, spellings: Mapping[str, str]
) -> Iterator[list[tuple[int, int]]]:
    """Yield neighbouring names of the target as folded offsets."""
    parts = sorted(spellings, key=lambda word: (-len(word), word))
    run: list[tuple[int, int]] = []
    for match in re.finditer("|".join(map(re.escape, parts)), folded.text):
        span = folded.original(*match.span())
        if not whole_words(text, span.start, span.end):
            continue
        if run and not _BETWEEN.fullmatch(folded.text, run[-1][1], match.start()):
            yield run
            run = []
        run.append(match.span())
    if run:
        yield run


def _mention(
    text: str,
    folded: Folded,
    target: TargetName,
    spellings: Mapping[str, str],
    run: list[tuple[int, int]],
    *,
    small: bool,
) -> Mention | None:
    found = {spellings[folded.text[start:end]] for start, end in run}
    start, end = run[0][0], run[-1][1]
    span = folded.original(start, end)
    if target.name is None:
        return _person(span, 1.0)
    if len(found) == 1 and not small and span.of(text).islower():
        return None
    if target.name.surname not in found:
        short = max(map(len, found)) < _SHORTEST_ALONE
        return None if short or _another_name_follows(text, folded, end) else _person(span, 1.0)
    initials = _INITIALS.search(folded.text[max(0, start - _FAR) : start])
    if initials and _written_large(text, folded, start - len(initials.group())):
        if not target.name.given or initials.group()[0] in {word[0] for word in target.name.given}:
            return _person(folded.original(start - len(initials.group()), end), 1.0)
        return _person(span, 0.0)
    alone = found == {target.name.surname}
    return _person(span, 0.0 if alone and _is_another(text, folded, target, start) else 1.0)


def _is_another(text: str, folded: Folded, target: TargetName, start: int) -> bool:
    """Tell whether the word before a surname says that it is somebody else's."""
    window = max(0, start - _FAR)
    before = _WORD_BEFORE.search(folded.text[window:start])
    if before is None or not _written_large(text, folded, window + before.start(1)):
        return False
    if before.group(1) in TITLES and target.name is not None:
        titled = parse_name(f"{before.group(1)} {target.name.surname}")
        return titled is not None and not target.can_be(titled)
    return target.name is not None and bool(target.name.given)


def _another_name_follows(text: str, folded: Folded, end: int) -> bool:
    after = _WORD_AFTER.match(folded.text, end)
    return after is not None and _written_large(text, folded, after.start(1))


def _written_large(text: str, folded: Folded, position: int) -> bool:
    """Tell whether the character behind a folded position is a capital."""
    return text[folded.original(position, position + 1).start].isupper()


def _person(span: Span, direct: float) -> Mention:
    return Mention(span, SemanticType.PERSON, 1.0, direct, "policy", "target")
