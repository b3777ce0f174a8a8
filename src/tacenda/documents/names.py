"""Searches for masked names outside the text: in file names, addresses, ids, scripts and styles.

The search is by words and ignores case, diacritics and the characters between the words, so ``Galip
Yalman`` is found in ``galip-yalman``, ``galip_yalman`` and ``?q=Galip+Yalman``:

| form | found |
|---|---|
| several words | in a row, or joined (``GalipYalman``, ``galipyalmancv``) |
| a name or code of five letters or more | also inside words (``freeyalman``) |
| another capitalized word of five letters or more | also where a word begins or ends |
| a shorter word, or a lowercase one | as a word (``berg-house``, ``annaBerg``) |
| a name that is also an English word | if capitalized (``/Rose.html``, not ``class="rose"``) |
| digits | five or more, all in a row |
| part of a date, a quantity in words, a single letter | never, since they would be found everywhere |

A string is searched as it is and after decoding percent signs, character references, script and
style escapes, punycode, base64 and hexadecimal, and encoded words in mail.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from email.errors import MessageError
from email.header import decode_header, make_header
from enum import IntEnum
from itertools import accumulate, pairwise
from urllib.parse import unquote_to_bytes

from ..document import Protected, SemanticType
from ..policy.regex_search import find_all
from ..result import Result
from ..text.normal_form import fold_text, mention_key
from ..text.readings import encoded_tokens
from ..text.spans import edited_text
from ..text.surface_forms import LetterCase, leak_forms
from ..text.term_automaton import TermAutomaton
from ..text.tokens import words
from ..text.word_lists import NEVER, PARTICLES
from .compression import compression_of, inner_name

STRUCK = "***"
_SUFFIXES = frozenset(
    """
    .txt .text .log .md .markdown .html .htm .xhtml .csv .tsv .tab .json .jsonl .ndjson .docx .pdf
    .vtt .srt .eml .mbox .pptx .odt .rtf
    .parquet .pq .arrow .arrows .feather .ipc .sqlite .sqlite3 .db .xlsx .xlsm .ods
    """.split()
)
"""Extensions that only say the format and therefore stay."""
_GLUED = 5
_APART = 8
_ACRONYM = 4
_LONG_WORD = 4
_SHORT_WORD = 3
_LONG_NUMBER = 7
_DATE = 6
_DECODINGS = 3
_NAMES = (SemanticType.PERSON, SemanticType.CODE)
_CAMEL = re.compile(
    r"(?<=[^\W\dA-Z_])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)"
)
_JS_ESCAPE = re.compile(
    r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|[bfnrtv0])"
)
_CSS_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})[ \t\r\n\f]?|(?=[^0-9A-Fa-f\r\n\f]))")
_PUNYCODE = re.compile(r"xn--[a-z0-9-]{1,59}", re.IGNORECASE)
_OCTET = re.compile(r"%[0-9A-Fa-f]{2}")
_IGNORABLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)


_LITERAL = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL)


class _Kind(IntEnum):
    """Where a key may be in a word; smaller values are less strict."""

    INSIDE = 0
    EDGE = 1
    WORD = 2


def readings(text: str, rounds: int = _DECODINGS) -> Iterator[str]:
    """Yield the readings of a string: itself and its decoded forms, up to the given depth."""
    yield text
    texts = {text}
    for escape in (_JS_ESCAPE, _CSS_ESCAPE):
        current = text
        for _ in range(_DECODINGS):
            current = _decoded(current, escape)
            if current in texts:
                break
            texts.add(current)
            yield current
    if rounds:
        tokens = {
            token for item in {text, max(texts, key=len)} for _, _, token in encoded_tokens(item)
        }
        for token in sorted(tokens - texts):
            yield from readings(token, rounds - 1)


def _decoded(text: str, escape: re.Pattern[str]) -> str:
    """Return a string with every kind of encoding undone once."""
    if "&" in text:
        text = html.unescape(text)
    if "%" in text:
        octets = unquote_to_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            text = octets.decode()
        except UnicodeDecodeError:
            text = octets.decode("latin-1")
    if "\\" in text:
        text = escape.sub(_character, text)
    if "=?" in text:
        with suppress(MessageError, LookupError, ValueError):
            text = str(make_header(decode_header(text)))
    if not text.isascii() or not text.isprintable():
        text = _IGNORABLE.sub("", text)
    if "xn--" in text.lower():
        text = _PUNYCODE.sub(_from_punycode, text)
    return text


def _character(match: re.Match[str]) -> str:
    digits = next(filter(None, match.groups()), "")
    if not digits:
        return " " if match.re is _JS_ESCAPE else ""
    code = int(digits, 16)
    return chr(code) if code < 0x110000 else " "


def _from_punycode(match: re.Match[str]) -> str:
    try:
        return match[0][4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return match[0]


Word = tuple[int, int, str]
"""Start, end and folded form of a word in a string."""


def _words(text: str) -> list[Word]:
    pieces = []
    parts = _OCTET.sub("%%%", text) if "%" in text else text
    for start, end in zip(*words(parts), strict=True):
        word = text[start:end]
        folded = word.lower() if word.isascii() else fold_text(word)
        # A letter that folds to several characters may fold to one that isn't a letter.
        folded = "".join(filter(str.isalnum, folded))
        if folded:
            pieces.append((start, end, folded))
    return pieces


def _parted(text: str, pieces: list[Word]) -> list[Word]:
    """Return words split where the case or kind of their characters changes."""
    parts: list[Word] = []
    for start, end, folded in pieces:
        edges = [start, *(match.start() for match in _CAMEL.finditer(text, start, end)), end]
        inner = [edge for edge in edges if start < edge < end]
        if inner:
            edges = [start, *inner, end]
            for first, last in pairwise(edges):
                parts += ((first + s, first + e, w) for s, e, w in _words(text[first:last]))
        else:
            parts.append((start, end, folded))
    return parts


def _joined(pieces: Iterable[Word]) -> str:
    return "".join(f" {word}" for _, _, word in pieces) + " "


def _is_long(letters: str) -> bool:
    """Return whether a form is too long to be a word or number in a program."""
    return _size(letters) >= (_LONG_NUMBER if letters.isdigit() else _LONG_WORD)


def _size(letters: str) -> int:
    """Return the size of a form: its letters and digits, syllabic ones counted twice."""
    return sum(2 if ord(character) >= 0x2E80 else 1 for character in letters)


class NameScrubber:
    """Searches for the strings of one document's masked entities.

    Args:
        strings: the masked strings as written in the text, with their types.
        patterns: additional regular expressions.
    """

    def __init__(
        self,
        strings: Iterable[tuple[str, SemanticType]],
        patterns: Iterable[re.Pattern[str]] = (),
    ) -> None:
        keys: dict[str, tuple[LetterCase, _Kind, bool]] = {}
        for string, type in strings:
            for form in leak_forms(string, type):
                for key, value in _keys(string, type, form.text, form.case):
                    entry = keys.get(key, value)
                    keys[key] = (
                        min(value[0], entry[0]),
                        min(value[1], entry[1]),
                        value[2] and entry[2],
                    )
        self._terms = TermAutomaton(keys)
        self._patterns = tuple(patterns)

    @classmethod
    def of(cls, sanitized: Result) -> NameScrubber:
        """Return the scrubber for all masked mentions and the strings protected by the policy."""
        return cls(masked_strings(sanitized), sanitized.protected.patterns)

    @classmethod
    def of_policy(cls, sanitized: Result) -> NameScrubber:
        """Return the scrubber for the strings protected by the policy, which is the same for all documents."""
        return cls(protected_strings(sanitized.protected), sanitized.protected.patterns)

    def __bool__(self) -> bool:
        return bool(self._terms) or bool(self._patterns)

    def occurs_in(self, text: str, *, code: bool = False) -> bool:
        """Return whether a form occurs in ``text``, as it is or decoded.

        Args:
            text: any string.
            code: whether its words have a meaning of their own, as in scripts, styles and closed
                lists: then short forms are only found in literals, and numbers only if they are
                long.
        """
        return next(self.occurrences(text, code=code), None) is not None

    def occurrences(self, text: str, *, code: bool = False) -> Iterator[str]:
        """Yield the stretches of whole words around forms in ``text``, as it is or decoded."""
        for reading in readings(text) if self else ():
            for start, end in self._spans(reading, code):
                yield reading[start:end]

    def redact(self, text: str, *, code: bool = False, filler: str = STRUCK) -> str:
        """Return ``text`` with ``filler`` in place of every form; takes time linear in the text.

        If a form is only in the decoded text (``%C3%A7``), the whole text is replaced.
        """
        result = self.strike_words(text, code=code, filler=filler)
        return filler if self.occurs_in(result, code=code) else result

    def strike_words(self, text: str, *, code: bool = False, filler: str = STRUCK) -> str:
        """Return ``text`` with ``filler`` in place of every form, without decoding it."""
        if not self:
            return text
        return edited_text(text, ((*span, filler) for span in sorted(self._spans(text, code))))

    def _spans(self, text: str, code: bool) -> Iterator[tuple[int, int]]:
        """Yield where forms occur in ``text``, without decoding it, as whole words."""
        if code:
            for literal in _LITERAL.finditer(text):
                for start, end in self._spans(literal[0], False):
                    yield literal.start() + start, literal.start() + end
        if self._terms:
            pieces = _words(text)
            yield from self._in_row(text, pieces, code)
            parts = _parted(text, pieces)
            if len(parts) > len(pieces):
                yield from self._in_row(text, parts, code)
            yield from self._apart(pieces)
        for pattern in self._patterns:
            for start, end in find_all(pattern, text, "", "the deny list"):
                if _size("".join(filter(str.isalnum, text[start:end]))) >= _GLUED:
                    yield start, end

    def _in_row(self, text: str, pieces: list[Word], code: bool) -> Iterator[tuple[int, int]]:
        haystack = _joined(pieces)
        starts = [*accumulate((1 + len(word) for _, _, word in pieces), initial=0)]
        for first, stop, (case, kind, common) in self._terms.iter(haystack):
            glued = haystack[first] != " "
            if not glued:
                if code and (common or not _is_long(haystack[first:stop].replace(" ", ""))):
                    continue
            elif kind is _Kind.EDGE and haystack[first - 1] != " " != haystack[stop]:
                continue
            begin = pieces[max(0, bisect_left(starts, first + glued) - glued)]
            end = pieces[bisect_left(starts, stop - 1) - 1]
            if _agrees(case, text[begin[0] : end[1]]):
                yield begin[0], end[1]

    def _apart(self, pieces: list[Word]) -> Iterator[tuple[int, int]]:
        """Yield where long forms occur with anything between their letters."""
        starts = [*accumulate((len(word) for _, _, word in pieces), initial=0)]
        for first, stop, (case, kind, _) in self._terms.iter("".join(w for _, _, w in pieces)):
            if kind is not _Kind.INSIDE or stop - first < _APART or case is not LetterCase.ANY:
                continue
            begin = bisect_left(starts, first + 1) - 1
            end = bisect_left(starts, stop) - 1
            # A one-word form isn't the end of one word plus the start of another.
            if starts[begin] == first or begin == end:
                yield pieces[begin][0], pieces[end][1]


def masked_strings(sanitized: Result) -> set[tuple[str, SemanticType]]:
    """Return the strings forbidden in every output: those of masked entities, the target and the deny list.

    A name of the target or in the deny list is allowed if a reviewer keeps it.
    """
    text = sanitized.document.text
    masked: set[tuple[str, SemanticType]] = set()
    keys: set[str] = set()
    for decision in sanitized.decisions:
        for mention in decision.entity.mentions:
            if decision.masked:
                masked.add((mention.span.of(text), mention.type))
            else:
                keys.add(mention_key(mention.span.of(text)))
    return masked | {
        item for item in protected_strings(sanitized.protected) if mention_key(item[0]) not in keys
    }


def protected_strings(protected: Protected) -> Iterator[tuple[str, SemanticType]]:
    """Yield the target's names and the deny list's terms, with their types."""
    yield from ((name, SemanticType.PERSON) for name in protected.names)
    yield from protected.terms


def _keys(
    string: str, type: SemanticType, form: str, case: LetterCase
) -> Iterator[tuple[str, tuple[LetterCase, _Kind, bool]]]:
    """Yield the keys of a form: words in a row and joined, with case, place, and whether it is common."""
    pieces = _words(form)
    letters = "".join(word for _, _, word in pieces)
    size = _size(letters)
    digits = letters.isdigit()
    single = len(pieces) == 1
    if size < (_GLUED if digits or type is SemanticType.CODE else 2 if single else 4):
        return
    if type is SemanticType.QUANTITY and sum(map(str.isdigit, letters)) < _GLUED:
        return
    if type is SemanticType.DATETIME and size < _DATE:
        return
    if case is LetterCase.SAME and len(letters) >= _ACRONYM:
        case = LetterCase.ANY
    common = single and type not in _NAMES and string.islower()
    yield _joined(pieces), (case, _Kind.WORD, common)
    if digits:
        yield f" {letters} ", (case, _Kind.WORD, common)
    elif size >= _GLUED and case is LetterCase.ANY and not common:
        inside = not single or type in _NAMES
        yield letters, (case, _Kind.INSIDE if inside else _Kind.EDGE, common)


def _agrees(case: LetterCase, text: str) -> bool:
    if case is LetterCase.ANY:
        return True
    return text.isupper() if case is LetterCase.SAME else text[:1].isupper()


def filename_leaks(name: str, sanitized: Iterable[Result]) -> bool:
    """Return whether the name of a file (or path, or record) may reveal who was masked in a document.

    When unsure, the answer is yes, since a neutral name costs little. So each word of a person's
    name is searched for at the edges of words (``bergs``, ``aberg``), the shortest ones as a word,
    and initials alone.
    """
    return any(
        NameScrubber.of(result).occurs_in(name) or _names_person(name, result)
        for result in sanitized
    )


def _names_person(name: str, sanitized: Result) -> bool:
    strings = {string for string, type in masked_strings(sanitized) if type is SemanticType.PERSON}
    people = [[word for _, _, word in _words(string)] for string in strings]
    for reading in readings(name):
        pieces = _words(reading)
        parts = [word for _, _, word in _parted(reading, pieces)]
        row = f" {' '.join(parts)} "
        stem = "".join(word for word in parts[:-1] or parts if word.isalpha())
        edges = {word for _, _, word in pieces} | set(parts)
        for person in people:
            if len(person) > 1 and (
                f" {' '.join(person)} " in row or stem == "".join(word[0] for word in person)
            ):
                return True
            if any(_is_at_edge(word, edges) for word in person if word not in NEVER | PARTICLES):
                return True
    return False


def _is_at_edge(word: str, pieces: Iterable[str]) -> bool:
    if word.isdigit() or _size(word) < 2:
        return False
    if len(word) < _SHORT_WORD and word.isascii():
        return word in pieces
    return any(piece.startswith(word) or piece.endswith(word) for piece in pieces)


def safe_name(name: str, sanitized: Iterable[Result], number: int) -> str:
    """Return a file name without masked names.

    Args:
        name: the file's name (its last part; a path is judged as a whole).
        sanitized: the file's documents.
        number: the file's number in the run, used in the neutral name.

    Returns:
        ``name`` itself if nothing masked occurs in it, otherwise ``document-<number>`` with the
        common suffixes of ``name`` (``.txt``, ``.html``, …).
    """
    if not filename_leaks(name, sanitized):
        return name
    compression = compression_of(name)
    suffix = re.search(r"\.[A-Za-z0-9]{1,8}$", inner_name(name))
    neutral = f"document-{number}"
    if suffix and (suffix[0].lower() in _SUFFIXES or not filename_leaks(suffix[0], sanitized)):
        return neutral + suffix[0] + compression
    return neutral + compression
