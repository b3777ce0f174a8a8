"""Replace what the policy masks with placeholders in strings that go to a language model.

Strings that haven't been read yet are read as one document, following the end of what was read
last. Everything hidden anywhere in the conversation is then searched for in every string, in all
its surface forms, and the result is searched once more. So an earlier answer that is sent again
gets the same placeholders, whether or not the recognizer finds its names there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...document import Decision, Document, Entity, Replacement, SemanticType, Span
from ...errors import InputError, LeakError
from ...pipeline import Sanitizer
from ...text.matching import Searcher
from ...text.normal_form import fold_text
from ...text.offsets import to_original
from ...text.placeholders import LITERAL, readings, word_of
from ...text.spans import DisjointSpans
from ...text.word_lists import DAYS, FUNCTION, NEVER, PARTICLES, TITLES
from .shapes import PromptPiece, PromptTreatment
from .stand_ins import LIKELY, candidates, replaced, with_stand_ins
from .vault import Original, Places, VaultContent

CONTEXT = 1_000
"""Code points of what was read last, before what is new."""
_MAX_ROUNDS = 6
_READ = (PromptTreatment.TEXT, PromptTreatment.JSON)
_CERTAIN = (SemanticType.PERSON, SemanticType.CODE)
_NAMED = (SemanticType.PERSON, SemanticType.ORG, SemanticType.LOC, SemanticType.DEM)
_SHORTEST_NAME = 5
_DIGITS = re.compile(r"(?<![\w.])\+?\(?[0-9](?:[ \u00a0().\-/]{0,2}[0-9]){5,19}(?!\w)")
_BLANK = re.compile(r"\s")
_NEXT = re.compile(r" ([^\W\d_a-z][^\W\d_]*[a-z][\w’'-]*)")
_BEFORE = re.compile(r"(?<=[a-z,] )([^\W\d_a-z][^\W\d_]*[a-z][\w-]*) \Z")
"""Words with a capital beside a name; before it not the first of a sentence."""
_LONGEST_WORD = 50
_FOREIGN = re.compile(r" [a-z]*[^\W\d_a-z][^\W\d_]*")
"""A word with a letter that English hasn't, after a name."""
_WORD = re.compile(r"\w+")
_NOBODY = FUNCTION | TITLES | PARTICLES | {"s"}
"""Words beside a placeholder that are no further name."""
_NO_DIGIT = re.compile("[^0-9]")
_LONG_NUMBER = 9
"""Last digits by which a number is known, whatever stands before them for a country."""
_OWN_WORDS = 12
"""Letters beside its placeholders by which a text is known as ours."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A part of a string to hide.

    Attributes:
        span: code points of the string.
        core: the code points that name the entity.
        item: the entity that it names.
    """

    span: Span
    core: Span
    item: Original


@dataclass(frozen=True, slots=True)
class _Known:
    """A conversation's hidden strings, to search for.

    Attributes:
        owners: the entities by folded form.
        searcher: searches for the forms.
        numbers: the entities by their last digits.
    """

    owners: Mapping[str, Original]
    searcher: Searcher
    numbers: Mapping[str, Original]

    @classmethod
    def of(cls, originals: VaultContent) -> _Known:
        """Return the index for searching originals."""
        numbers: dict[str, Original] = {}
        for item in originals.items:
            if item.type is SemanticType.CODE:
                for form in item.forms:
                    numbers.setdefault(_last_digits(form), item)
        numbers.pop("", None)
        return cls(originals.owners(), Searcher(originals.forms()), numbers)

    def find(self, text: str) -> list[Hidden]:
        """Return where a text contains something hidden."""
        hits = [
            Hidden(hit.span, hit.core, self.owners[hit.form]) for hit in self.searcher.find(text)
        ]
        return [*hits, *self._numbers(text)]

    def _numbers(self, text: str) -> Iterator[Hidden]:
        for match in _DIGITS.finditer(text) if self.numbers else ():
            span = Span(*match.span())
            if (item := self.numbers.get(_last_digits(match[0]))) is not None:
                yield Hidden(span, span, item)


def _last_digits(string: str) -> str:
    """Return the digits that identify a number; empty if there are too few, or letters."""
    digits = _NO_DIGIT.sub("", string)
    is_number = len(digits) >= _LONG_NUMBER and not any(map(str.isalpha, string))
    return digits[-_LONG_NUMBER:] if is_number else ""


class Hiding:
    """Replaces strings with placeholders in one conversation.

    Args:
        sanitizer: decides what is hidden.
        originals: the conversation's originals, which new ones are added to.
        digest: computes a string's digest, by which it is remembered.
    """

    def __init__(
        self, sanitizer: Sanitizer, originals: VaultContent, digest: Callable[[str], str]
    ) -> None:
        self._sanitizer = sanitizer
        self._originals = originals
        self._digest = digest

    def hide(self, pieces: Sequence[PromptPiece]) -> list[str]:
        """Return the text to send for each piece.

        Raises:
            InputError: if a setting names somebody who is hidden; or as in ``Sanitizer.analyze``.
            LeakError: if something couldn't be hidden.
        """
        self._read_new(pieces)
        for piece in pieces:
            if piece.treatment is PromptTreatment.TOKEN:
                self._token(piece)
        known = _Known.of(self._originals)
        return [self._sent(piece, known) for piece in pieces]

    def parts(self, pieces: Sequence[PromptPiece]) -> list[list[Hidden]]:
        """Return the spans to hide in each piece, in order and without overlaps.

        They include what looks like a placeholder, with the word ``LITERAL``.

        Raises:
            InputError: as in ``Sanitizer.analyze``.
            LeakError: if something couldn't be hidden.
        """
        self._read_new(pieces)
        known = _Known.of(self._originals)
        return [self._parts(piece, known) for piece in pieces]

    def _read_new(self, pieces: Sequence[PromptPiece]) -> None:
        """Read the pieces that haven't been read yet."""
        known = self._originals.texts
        fresh: dict[str, PromptPiece] = {}
        for piece in pieces:
            if piece.treatment in _READ and (digest := self._key(piece)) not in known:
                fresh[digest] = piece
        self._read(fresh)

    def _key(self, piece: PromptPiece) -> str:
        return self._digest(f"{piece.name}\0{piece.text}" if piece.name else piece.text)

    def _read(self, fresh: dict[str, PromptPiece]) -> None:
        """Find what to hide in pieces that haven't been read yet; return it by digest."""
        if not fresh:
            return
        text = f"{self._originals.context}\n\n" if self._originals.context else ""
        starts: list[int] = []
        for piece in fresh.values():
            # A field's name says what its value is.
            text += f"{piece.name}: " if piece.name else ""
            starts.append(len(text))
            text += piece.text + ("\n" if piece.treatment is PromptTreatment.JSON else "\n\n")
        places: dict[str, Places] = {digest: [] for digest in fresh}
        literals = {
            digest: [Span(item.start, item.end) for item in readings(piece.text)]
            for digest, piece in fresh.items()
        }
        pieces = list(zip(fresh.items(), starts, strict=True))
        for decision in self._decisions(text):
            self._add(decision.entity, pieces, places, literals)
        if self._sanitizer.policy.recognizer:
            tried = self._read_again(text, pieces, places, literals)
            # A name found now may occur elsewhere in lowercase.
            self._read_again(text, pieces, places, literals, tried)
        for digest, spans in literals.items():
            for span in spans:
                item = self._literal(span.of(fresh[digest].text))
                places[digest].append((span.start, span.end, item.word, item.number))
        self._originals.texts |= places
        self._originals.context = text.rstrip()[-CONTEXT:]

    def _decisions(self, text: str) -> Iterator[Decision]:
        sanitizer = self._sanitizer
        analysis = sanitizer.analyze(Document("conversation", text, sanitizer.policy.target))
        result = sanitizer.complete(analysis).sanitized
        return (decision for decision in result.decisions if decision.masked)

    def _read_again(
        self,
        text: str,
        fresh: Sequence[tuple[tuple[str, PromptPiece], int]],
        places: dict[str, Places],
        literals: dict[str, list[Span]],
        tried: Collection[Span] = (),
    ) -> Collection[Span]:
        """Add names that are also words, found by their context; return the words that were tried."""
        known = {
            fold_text(word)
            for item in self._originals.items
            if item.type is SemanticType.PERSON
            for form in item.forms
            for word in form.split()
        }
        candidate: dict[Span, float] = {}
        hidden: set[int] = set()
        for (digest, piece), start in fresh:
            taken = [*_spans(places[digest]), *literals[digest]]
            hidden.update(start + place for span in taken for place in range(span.start, span.end))
            for word, probability in candidates(piece.text, taken, known):
                candidate[Span(start + word.start, start + word.end)] = probability
        for span in tried:
            candidate.pop(span, None)
        if not candidate:
            return ()
        read, edits = with_stand_ins(text, list(candidate))
        least = {place: p for span, p in candidate.items() for place in range(span.start, span.end)}
        names = []
        for decision in self._decisions(read):
            entity = decision.entity
            # Stand-ins are read separately, so what is one entity here needn't be one there.
            for mention in entity.mentions if entity.type is SemanticType.PERSON else ():
                span = to_original(mention.span.start, mention.span.end, edits)
                if hidden.issuperset(range(span.start, span.end)):
                    continue
                if mention.p_mask >= min(
                    least.get(place, LIKELY) for place in range(span.start, span.end)
                ):
                    names.append(replace(entity, mentions=(replace(mention, span=span),)))
        for name in names:
            self._add(name, fresh, places, literals)
        return candidate

    def _add(
        self,
        entity: Entity,
        fresh: Sequence[tuple[tuple[str, PromptPiece], int]],
        places: dict[str, Places],
        literals: dict[str, list[Span]],
    ) -> None:
        """Add the mentions of an entity to the pieces that contain them."""
        cuts: list[tuple[str, Span, str]] = []
        for mention in entity.mentions:
            for (digest, piece), start in fresh:
                first = max(mention.span.start, start) - start
                last = min(mention.span.end, start + len(piece.text)) - start
                if first >= last:
                    continue
                span = Span(first, last)
                if mention.type in _NAMED:
                    span = _whole_name(piece.text, span, mention.type)
                cuts += (
                    (digest, part, part.of(piece.text))
                    for part in _outside(piece.text, span, literals[digest])
                )
        if not cuts:
            return
        kind = next((mention.kind for mention in entity.mentions if mention.kind), "")
        item = self._originals.item(
            {string for _, _, string in cuts}, entity.type, word_of(entity.type, kind)
        )
        for digest, span, string in cuts:
            item.label(string, next(p.is_number for (d, p), _ in fresh if d == digest))
            places[digest].append((span.start, span.end, item.word, item.number))

    def _literal(self, string: str) -> Original:
        for item in self._originals.items:
            if item.word == LITERAL and item.forms == [string]:
                return item
        item = self._originals.add(SemanticType.MISC, LITERAL)
        item.label(string)
        return item

    def _token(self, piece: PromptPiece) -> Original:
        """Return the entity for a piece that is hidden as a whole."""
        type = SemanticType.PERSON if piece.path.endswith("name") else SemanticType.CODE
        for item in self._originals.items:
            if piece.text in item.forms and item.word != LITERAL:
                return item
        item = self._originals.item({piece.text}, type, word_of(type, ""))
        item.label(piece.text)
        return item

    def _sent(self, piece: PromptPiece, known: _Known) -> str:
        text = piece.text
        match piece.treatment:
            case PromptTreatment.TOKEN:
                return self._token(piece).label(text).token
            case PromptTreatment.KEEP:
                if not piece.path.endswith("model") and any(
                    hit.item.type in _CERTAIN and len(hit.core) >= _SHORTEST_NAME
                    for hit in known.find(text)
                ):
                    raise InputError(f"{piece.path}: a setting names who is hidden; change it.")
                return text
        parts = self._parts(piece, known)
        if piece.is_number:
            return str(parts[0].item.label(text, is_number=True)) if parts else text
        output, edits = _written(text, parts)
        self._remember(output, edits)
        return output

    def _parts(self, piece: PromptPiece, known: _Known) -> list[Hidden]:
        """Return the spans to hide in a piece: what was detected in it, and all known originals."""
        text = piece.text
        places = (
            []
            if piece.treatment is PromptTreatment.NAME
            else self._originals.texts[self._key(piece)]
        )
        items = {(item.word, item.number): item for item in self._originals.items}
        hidden = [Hidden(Span(s, e), Span(s, e), items[w, n]) for s, e, w, n in places or ()]
        if piece.is_number:
            whole = Span(0, len(text))
            return [Hidden(whole, whole, hit.item) for hit in (hidden or known.find(text))[:1]]
        ours = (
            DisjointSpans(Span(r.start, r.end) for r in readings(text))
            if places is None
            else DisjointSpans(())
        )
        for _ in range(_MAX_ROUNDS):
            parts = _united(hidden)
            output, edits = _written(text, parts)
            written = DisjointSpans(Span(edit.output_start, edit.output_end) for edit in edits)
            leaks = [
                hit
                for hit in known.find(output)
                if written.around(hit.core) is None and ours.around(hit.core) is None
            ]
            if not leaks:
                return parts
            for hit in leaks:
                span = to_original(hit.span.start, hit.span.end, edits)
                hidden.append(Hidden(span, span, hit.item))
        raise LeakError([piece.path], "conversation")

    def _remember(self, output: str, edits: Sequence[Replacement]) -> None:
        """Remember a string with placeholders, to recognize it if it comes back unchanged."""
        if edits and is_own(output, [(e.output_start, e.output_end) for e in edits]):
            self._originals.texts[self._digest(output)] = None


def _spans(places: Places) -> list[Span]:
    return [Span(start, end) for start, end, _, _ in places]


def _outside(text: str, span: Span, placeholders: Sequence[Span]) -> Iterator[Span]:
    """Yield what a span contains besides placeholders, except titles and function words, which name nobody."""
    cuts = [place for place in placeholders if place.overlaps(span)]
    if not cuts:
        if span.of(text).strip():
            yield span
        return
    starts = [span.start, *(cut.end for cut in cuts)]
    ends = [*(cut.start for cut in cuts), span.end]
    for start, end in zip(starts, ends, strict=True):
        words = list(_WORD.finditer(text, start, max(start, end)))
        if not _NOBODY.issuperset(fold_text(word[0]) for word in words):
            yield Span(words[0].start(), words[-1].end())


def _whole_name(text: str, span: Span, type: SemanticType) -> Span:
    """Return a one-word name with the capitalized word next to it, which is usually the rest of the name.

    What the recognizer considers a nationality, a place or a company may be a given name.
    """
    is_person = type is SemanticType.PERSON
    if _BLANK.search(span.of(text)) or not (is_person or text[span.start].isupper()):
        return span
    following = _NEXT.match(text, span.end)
    if following and following[1].casefold() not in DAYS:
        return Span(span.start, following.end())
    if not is_person:
        return span
    if following := _FOREIGN.match(text, span.end):
        return Span(span.start, following.end())
    before = _BEFORE.search(text, max(0, span.start - _LONGEST_WORD), span.start)
    if before and before[1].casefold() not in NEVER:
        return Span(before.start(1), span.end)
    return span


def is_own(text: str, places: Sequence[tuple[int, int]]) -> bool:
    """Return whether a text has enough words besides its placeholders that nobody would write it by chance."""
    rest = sum(map(str.isalpha, text)) - sum(
        sum(map(str.isalpha, text[start:end])) for start, end in places
    )
    return rest >= _OWN_WORDS


def _united(parts: Sequence[Hidden]) -> list[Hidden]:
    """Return parts in order, without overlaps; if parts overlap, the longest determines the entity."""
    united: list[Hidden] = []
    longest = 0
    for part in sorted(parts, key=lambda part: (part.span.start, -part.span.end)):
        if united and part.span.start < united[-1].span.end:
            last = united[-1]
            span = Span(last.span.start, max(last.span.end, part.span.end))
            item = part.item if len(part.span) > longest else last.item
            united[-1] = Hidden(span, span, item)
            longest = max(longest, len(part.span))
        else:
            united.append(part)
            longest = len(part.span)
    return united


def _written(text: str, hidden: Sequence[Hidden]) -> tuple[str, list[Replacement]]:
    """Return a text with its placeholders, and the edits."""
    labels = [(part.span, str(part.item.label(part.span.of(text)))) for part in hidden]
    return replaced(text, labels)
