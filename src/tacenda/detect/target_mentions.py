"""Find the target's names in the text, independently of the detectors.

A run of the target's names, with preceding initials, is one mention of type PERSON. For the target
"Mr Galip Yalman":

| in the text | mention | direct |
|---|---|---|
| ``Galip Yalman``, ``G. Yalman``, ``galip yalman`` | the whole | 1 |
| ``Yalman``, ``Mr Yalman`` | the surname | 1 |
| ``Ayşe Yalman``, ``Mrs Yalman`` | the surname: evidence, but for another person | 0 |
| ``Galip``, ``Galip said`` | the given name | 1 |
| ``Jalman``, ``Ялман`` | the surname in another spelling with the same sound | 1 |
| ``@gyalman``, ``galip.yalman_87`` | the whole: a handle formed from the name | 1 |
| ``G.Y.``, ``G. Y.``, ``GY``; an abbreviation or a code (``IT``) only if ``(IT)`` follows the name | the initials | 1 |
| ``the Yalmans``, ``#FreeGalipYalman``, ``Yal-⏎> man``, ``Yalm%61n`` | the word that contains it, however it is written (``Searcher``) | 1 |
| ``Mr O``, ``O Wei``, ``王先生`` for "Wei O", "王伟" | a one-letter name with what belongs to it | 1 |
| ``Galip Demir`` | none: another surname follows | |
| ``rose``, ``ann`` for the target "Rose Ann Yalman" | none: an English word or one with fewer than five letters, on its own in lowercase | |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from ..document import Mention, MentionSource, SemanticType, Span
from ..text.acronyms import defined_after
from ..text.folding import FoldedText, fold_aligned
from ..text.matching import SearchedText, Searcher
from ..text.names import parse_name, sound
from ..text.normal_form import fold_text
from ..text.place_codes import places_of
from ..text.spans import DisjointSpans
from ..text.target_names import TargetName, target_forms
from ..text.tokens import whole_words
from ..text.word_lists import NEVER, TITLES, is_ordinary, word_list_of

# If a word before a surname may be a given name or start a sentence, it counts as a given name,
# since the mention is masked either way. A target that isn't a person's name is found only as a
# whole.


# User names formed from the target's name: ``@gyalman``, ``galip.yalman_87``, ``YalmanGalip``.


_SHORTEST = 5
# Words, dots, hyphens and underscores between white space, optionally after an @.
_HANDLE = re.compile(r"(?<![\w.-])@?[\w](?:[\w.-]*[\w])?")


class _NameSearch(SearchedText):
    """A text to search for many names, with what each search needs.

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.folded = fold_aligned(text)

    @cached_property
    def handles(self) -> dict[str, list[tuple[bool, tuple[int, int]]]]:
        """Words that may be user names, by their letters: whether they consist of letters, and their folded offsets."""
        handles: dict[str, list[tuple[bool, tuple[int, int]]]] = {}
        for match in _HANDLE.finditer(self.folded.text):
            letters = _letters(match.group())
            if len(letters) >= _SHORTEST:
                is_plain = len(letters) == len(match.group())
                handles.setdefault(letters, []).append((is_plain, match.span()))
        return handles

    @cached_property
    def words(self) -> dict[str, list[str]]:
        """The text's words by their sounds."""
        words: dict[str, list[str]] = {}
        for word in set(_WORD.findall(self.folded.text)):
            words.setdefault(sound(word), []).append(word)
        return words

    def places(self, strings: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the folded offsets of strings, in order; if several start at one position, the one given first."""
        text, places = self.folded.text, []
        for rank, string in enumerate(strings):
            start = text.find(string)
            while start >= 0 and string:
                places.append((start, rank, start + len(string)))
                start = text.find(string, start + 1)
        cursor = 0
        for start, _, end in sorted(places):
            if start >= cursor:
                yield start, end
                cursor = end


def _username_spans(text: _NameSearch, target: TargetName) -> Iterator[Span]:
    """Yield the positions of user names formed from a given name or initial and the surname.

    The surname alone is a user name only with a digit, an underscore or an @.
    """
    if target.name is None or not target.name.surname:
        return
    surname = _letters(target.name.surname)
    given_names = [_letters(name) for name in target.name.given]
    forms = {
        form
        for name in given_names
        for part in (name, name[:1])
        for form in (part + surname, surname + part)
    } | {name + surname[:1] for name in given_names if len(name) >= _SHORTEST}
    spans = [
        span
        for letters in forms | {surname}
        for is_plain, span in text.handles.get(letters, ())
        # The surname itself is a name, not a handle.
        if letters != surname or not is_plain
    ]
    yield from (text.folded.original(*span) for span in sorted(spans))


def _letters(word: str) -> str:
    return "".join(filter(str.isalpha, word))


_SHORTEST_ALONE = 3
_INITIALS = re.compile(r"(?<![^\W_])((?:[^\W\d_]\.[ -]?)+|[^\W\d_] )$")
_INITIALS_AFTER = re.compile(r",? ?(?<=[, ])((?:[^\W\d_]\.[ -]?)*[^\W\d_](?:\.|(?![^\W_])))")
_NO_LETTER, _NO_LETTER_AFTER = r"(?<![^\W_])", r"(?![^\W_])"
# Part of a code (TL-14), an abbreviation (TL;DR, R.TL) or an amount (20 TL): nobody's initials.
_NO_CODE, _NO_CODE_AFTER = r"(?<![\w@&.-])(?<!\d )", r"(?![\w@&]|[-;.]\w|['’](?!s(?!\w)))"
_WORD = re.compile(r"[^\W\d_]{4,}")
_BETWEEN = re.compile(r"[ \-]|[,;] ?")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\.? $")
_WORD_AFTER = re.compile(r" ([^\W\d_]+)")
_PLURAL_AFTER = re.compile(r" ([^\W\d_]+?)e?s(?![^\W_])")
_FAR = 40  # Number of code points before a name that may contain its initials and title.


def target_mentions(text: str, names: Sequence[str]) -> Iterator[Mention]:
    """Yield a mention for each occurrence of a name in ``names``.

    The text is read once, in linear time; each name then only costs its own occurrences and a few
    passes of compiled searches.
    """
    if not names:
        return
    searched = _NameSearch(text)
    folded = searched.folded
    for name in names:
        target = TargetName.parse(name)
        spellings = _spellings(searched, target)
        mentions = [_person(span, 1.0) for span in _username_spans(searched, target)]
        handle_spans = DisjointSpans(mention.span for mention in mentions)
        strangers: list[Span] = []
        for run in _runs(searched, spellings):
            mention = _mention(text, folded, target, spellings, run, name.islower())
            if mention is None:
                strangers.append(folded.original(run[0][0], run[-1][1]))
            elif handle_spans.around(mention.span) is None:
                mentions.append(mention)
        mentions += [_person(span, 1.0) for span in _initials(text, target, mentions)]
        yield from mentions
        coverage = DisjointSpans((*(mention.span for mention in mentions), *strangers))
        for occurrence in _searcher(name, frozenset(spellings)).find_in(searched):
            if coverage.around(occurrence.span) is None:
                yield _person(occurrence.span, 1.0)


@lru_cache(maxsize=64)
def _searcher(name: str, spellings: frozenset[str]) -> Searcher:
    """Return the searcher for a target's names in all their forms."""
    return Searcher(target_forms(name, sorted(spellings)))


def _spellings(text: _NameSearch, target: TargetName) -> dict[str, str]:
    """Return the spellings of the target's names in the text, each with its name."""
    if not target.words:
        return {target.folded: target.folded}
    words = target.words | target.letters
    return target.spellings(text.words) | dict(zip(words, words, strict=True))


def _runs(text: _NameSearch, spellings: Mapping[str, str]) -> Iterator[list[tuple[int, int]]]:
    """Yield runs of adjacent target names as folded offsets."""
    folded = text.folded
    run: list[tuple[int, int]] = []
    for start, end in text.places(sorted(spellings, key=lambda word: (-len(word), word))):
        span = folded.original(start, end)
        if not whole_words(text.text, span.start, span.end):
            continue
        if run and not _BETWEEN.fullmatch(folded.text, run[-1][1], start):
            yield run
            run = []
        run.append((start, end))
    if run:
        yield run


def _mention(
    text: str,
    folded: FoldedText,
    target: TargetName,
    spellings: Mapping[str, str],
    run: list[tuple[int, int]],
    small: bool,
) -> Mention | None:
    names = {spellings[folded.text[start:end]] for start, end in run}
    start, end = run[0][0], run[-1][1]
    span = folded.original(start, end)
    if target.name is None:
        return _person(span, 1.0)
    if names <= target.letters and _title_before(text, folded, start) is None:
        return None
    if len(names) == 1 and not small and span.of(text).islower() and not names & target.telling:
        return None
    if target.name.surname not in names:
        plural = _PLURAL_AFTER.match(folded.text, end)
        if plural and plural[1] == target.name.surname:
            return _person(folded.original(start, plural.end()), 1.0)
        short = max(map(len, names)) < _SHORTEST_ALONE
        return None if short or _another_name_follows(text, folded, end) else _person(span, 1.0)
    initials = _INITIALS.search(folded.text[max(0, start - _FAR) : start])
    if initials and _written_large(text, folded, start - len(initials.group())):
        if not target.name.given or initials.group()[0] in {word[0] for word in target.name.given}:
            return _person(folded.original(start - len(initials.group()), end), 1.0)
        return _person(span, 0.0)
    if names == {target.name.surname}:
        following = _INITIALS_AFTER.match(folded.text, end)
        if following and _is_first_letter(text, folded, following.start(1), target):
            return _person(folded.original(start, following.end()), 1.0)
        return _person(span, 0.0 if _is_another(text, folded, target, start) else 1.0)
    return _person(span, 1.0)


def _is_first_letter(text: str, folded: FoldedText, position: int, target: TargetName) -> bool:
    given_names = target.name.given if target.name else ()
    return folded.text[position] in {word[0] for word in given_names} and _written_large(
        text, folded, position
    )


def _initials(text: str, target: TargetName, mentions: Sequence[Mention]) -> Iterator[Span]:
    """Yield the target's initials, with periods or in capitals.

    Initials that are also an abbreviation need periods, or must follow the name in parentheses
    once. A one-letter surname must be next to the initial of the given name.
    """
    patterns = []
    if letters := target.initials:
        dotted = r"\.[ -]?".join(map(re.escape, letters))
        if len(letters) == 1 or f"{letters[0]}." in text:
            patterns.append(rf"{_NO_LETTER}(?<!\.){dotted}{_NO_LETTER_AFTER}\.?")
        if any(
            (short := defined_after(text, mention.span.end))
            and fold_text(text[slice(*short)]) == letters.lower()
            for mention in mentions
        ):
            patterns.append(f"{_NO_LETTER}{re.escape(letters)}{_NO_LETTER_AFTER}")
        elif len(letters) > 1 and letters in text and not _is_abbreviation(fold_text(letters)):
            patterns.append(f"{_NO_CODE}{re.escape(letters)}{_NO_CODE_AFTER}")
    if target.name and target.name.surname in target.letters:
        surname, given_initial = target.name.surname.upper(), target.name.given[0][0].upper()
        for first, second in ((surname, given_initial), (given_initial, surname)):
            patterns.append(rf"{_NO_LETTER}{first}(?:\.[ -]?|,? ){second}{_NO_LETTER_AFTER}\.?")
    for pattern in patterns:
        yield from (Span(*place.span()) for place in re.finditer(pattern, text))


def _is_abbreviation(letters: str) -> bool:
    """Return whether folded initials are also a word, a common abbreviation, or a state's code."""
    return (
        letters in NEVER | word_list_of("usual_abbreviations")
        or is_ordinary(letters)
        or any(letters in places_of(country) for country in ("US", "CA", "AU"))
    )


def _is_another(text: str, folded: FoldedText, target: TargetName, start: int) -> bool:
    """Return whether the word before a surname shows that it is another person's."""
    window = max(0, start - _FAR)
    before = _WORD_BEFORE.search(folded.text[window:start])
    if before is None or not _written_large(text, folded, window + before.start(1)):
        return False
    if before.group(1) in TITLES and target.name is not None:
        name = parse_name(f"{before.group(1)} {target.name.surname}")
        return name is not None and not target.can_be(name)
    return target.name is not None and bool(target.name.given)


def _title_before(text: str, folded: FoldedText, start: int) -> str | None:
    """Return the folded title before a name; None if there is none."""
    window = max(0, start - _FAR)
    before = _WORD_BEFORE.search(folded.text[window:start])
    if before is None or before.group(1) not in TITLES:
        return None
    return before.group(1) if _written_large(text, folded, window + before.start(1)) else None


def _another_name_follows(text: str, folded: FoldedText, end: int) -> bool:
    after = _WORD_AFTER.match(folded.text, end)
    return after is not None and _written_large(text, folded, after.start(1))


def _written_large(text: str, folded: FoldedText, position: int) -> bool:
    """Return whether the original character at a folded position is a capital."""
    return text[folded.original(position, position + 1).start].isupper()


def _person(span: Span, p_direct: float) -> Mention:
    return Mention(span, SemanticType.PERSON, 1.0, p_direct, MentionSource.POLICY, "target")
