"""Running text without sex and, on request, without relationship: *they*, *spouse*, *child of*.

| original | written |
|---|---|
| She was born here and works as a nurse. | They were born here and work as a nurse. |
| his wife · her own · a friend of hers | their spouse · their own · a friend of theirs |
| Mrs Berg · an actress · a male nurse | Mx Berg · an actor · a nurse |
| my brother · her daughters · the widow | my sibling · their children · the widowed person |
| *and without relationship:* my husband · is divorced | my relative · is [status] |

What is written is true of everyone the original is true of (a wife is a spouse), or it is a tag.
Words that reveal a sex and have no neutral form (*pregnant*, *nun*) are left and counted. Pairs
that name both sexes (*he or she*, *men and women*) stay. There is no parser: verbs are found by
their position after the pronoun, so a verb far from its pronoun may keep its *-s*.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ...document import Span
from ..generalize.nouns import article
from .words import (
    ADVERBS,
    AGREEING,
    ASKING,
    AUXILIARIES,
    BE_WITH,
    CALLING,
    CALLS,
    COMMON_VERBS,
    FAMILY,
    FINITE,
    GIVING,
    GROWN,
    JOINING,
    LEFT,
    LETTING,
    NEUTRAL_TITLE,
    NO_ADVERBS,
    NO_NOUNS,
    NO_VERBS,
    NOUNS,
    OBJECTS,
    OF_PEOPLE,
    OF_PHRASES,
    OTHERS,
    PARTICIPLES,
    PRONOUNS,
    SMALL,
    STATUS_BEFORE,
    STOPPING,
    TIES,
    TITLES,
    YOUNG,
)

SEX: Final = "sex"
RELATIONSHIP: Final = "relationship"


class NeutralEdit(NamedTuple):
    """A stretch of the original and the neutral text that replaces it, which is never empty."""

    span: Span
    text: str


# Tokens of a text.

_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’](?:s|d|ll|ve|re|m|t))?", re.IGNORECASE)
_BLANK: Final = re.compile(r"[ \t\n\u00a0]*")
_SENTENCE: Final = re.compile(r"[.!?:;\n“”\"()]")
_MOST_WORDS: Final = 40
"""Words after a pronoun in which a joined verb is looked for."""


@dataclass(frozen=True, slots=True)
class _Token:
    """A word with its position; ``joined`` if only spaces separate it from the word before."""

    start: int
    end: int
    text: str
    joined: bool

    @property
    def low(self) -> str:
        return self.text.lower().replace("’", "'")


class _NeutralWriter:
    """Writes the neutral edits of a text.

    Args:
        text: the original.
        aspects: ``sex``, ``relationship`` or both.
        taken: stretches that other edits replace, in order, without overlaps.
    """

    def __init__(self, text: str, aspects: Collection[str], taken: Sequence[Span]) -> None:
        self._text = text
        self._sex = SEX in aspects
        self._ties = RELATIONSHIP in aspects
        self._starts = [span.start for span in taken]
        self._taken = taken
        self.tokens = list(self._read())
        self._edits: dict[int, NeutralEdit] = {}

    def _read(self) -> Iterator[_Token]:
        end = 0
        for match in _TOKEN.finditer(self._text):
            start = match.start()
            if self._is_taken(start, match.end()):
                continue
            gap = self._text[end:start]
            yield _Token(start, match.end(), match[0], not gap.strip() and end > 0)
            end = match.end()

    def _is_taken(self, start: int, end: int) -> bool:
        place = bisect_right(self._starts, end - 1) - 1
        return place >= 0 and self._taken[place].end > start

    def edits(self) -> list[NeutralEdit]:
        """The edits, in order, without overlaps."""
        for place, token in enumerate(self.tokens):
            if token.start not in self._edits:
                self._write(place, token)
        ordered = sorted(self._edits.values())
        result: list[NeutralEdit] = []
        for edit in ordered:
            if not result or result[-1].span.end <= edit.span.start:
                result.append(edit)
        return result

    def _put(self, token: _Token, text: str) -> None:
        self._edits.setdefault(
            token.start, NeutralEdit(Span(token.start, token.end), _as(token.text, text))
        )

    def _low(self, place: int) -> str:
        """Return the word at a place if it directly follows the one before it, otherwise an empty string."""
        if not 0 <= place < len(self.tokens):
            return ""
        return self.tokens[place].low

    def _next(self, place: int) -> str:
        """Return the word right after one, or an empty string if punctuation or a taken stretch is in between."""
        following = place + 1
        if following < len(self.tokens) and self.tokens[following].joined:
            return self.tokens[following].low if not self._apart(place, following) else ""
        return ""

    def _before(self, place: int) -> str:
        """Return the word right before one, or an empty string if punctuation is in between."""
        if place > 0 and self.tokens[place].joined and not self._apart(place - 1, place):
            return self.tokens[place - 1].low
        return ""

    def _apart(self, first: int, second: int) -> bool:
        start, end = self.tokens[first].end, self.tokens[second].start
        return start < end and self._is_taken(start, end)

    def _write(self, place: int, token: _Token) -> None:
        word = token.low
        core, ending = (word[:-2], token.text[-2:]) if word.endswith("'s") else (word, "")
        if self._sex and word.partition("'")[0] in ("she", "he") and not self._is_pair(place):
            self._subject(place, token, word)
        elif self._sex and word in OBJECTS and not self._is_pair(place):
            self._put(token, self._object(place, token))
        elif self._ties and self._tie(place, token, core, ending):
            return
        elif self._sex:
            self._noun(place, token, core, ending)

    def _is_pair(self, place: int) -> bool:
        """Return whether a pronoun is part of a pair of both sexes, such as *he or she*, *his/her*, *s/he*."""
        if (
            self._text[max(0, self.tokens[place].start - 2) : self.tokens[place].start].lower()
            == "s/"
        ):
            return True
        for first, second in ((place, place + 1), (place - 1, place)):
            if first >= 0 and second < len(self.tokens):
                both = {self._low(first), self._low(second)}
                gap = self._text[self.tokens[first].end : self.tokens[second].start]
                if gap.strip() == "/" and both <= PRONOUNS:
                    return True
        for first in (place, place - 2):
            if (
                first >= 0
                and first + 2 < len(self.tokens)
                and self._low(first + 1) in ("or", "and")
            ):
                words = self._low(first), self._low(first + 2)
                if set(words) <= PRONOUNS and _sex(words[0]) != _sex(words[1]):
                    return True
        return False

    # Pronouns.

    def _subject(self, place: int, token: _Token, word: str) -> None:
        rest = word[word.index("'") :] if "'" in word else ""
        if rest == "'s":
            rest = "'ve" if self._is_perfect(place) else "'re"
        mark = "’" if "’" in token.text else "'"
        self._put(token, "they" + rest.replace("'", mark))
        if "'" in word:
            self._joined_verbs(place + 1)
            return
        before = place - 1
        if self._before(place) in AUXILIARIES and self._is_question(before):
            self._agree(before, lax=True)
            return
        verb = self._verb_after(place)
        if verb is not None:
            self._agree(verb, lax=True)
            self._joined_verbs(verb + 1)

    def _is_perfect(self, place: int) -> bool:
        """Return whether *she's* means *she has*."""
        following = place + 1
        while self._is_adverb(self._low(following)) and following - place < 4:
            following += 1
        word = self._low(following)
        return word in PARTICIPLES or (word.endswith("ed") and word not in BE_WITH)

    def _is_question(self, place: int) -> bool:
        """Return whether the auxiliary at a place comes before its subject."""
        token = self.tokens[place]
        if place == 0 or _SENTENCE.search(self._text, self.tokens[place - 1].end, token.start):
            return True
        return (
            self._before(place) in ASKING
            or "," in self._text[self.tokens[place - 1].end : token.start]
        )

    def _is_adverb(self, word: str) -> bool:
        return word in ADVERBS or (word.endswith("ly") and len(word) > 3 and word not in NO_ADVERBS)

    def _verb_after(self, place: int) -> int | None:
        """Return the place of a subject's verb, or None if another word follows."""
        following = place + 1
        while following < len(self.tokens) and following - place < 5:
            gap = self._text[self.tokens[following - 1].end : self.tokens[following].start]
            if gap.strip(" ,\n\t") or self._apart(following - 1, following):
                return None
            if not self._is_adverb(self._low(following)):
                return None if "," in gap and following == place + 1 else following
            following += 1
        return None

    def _agree(self, place: int, *, lax: bool) -> bool:
        """Put a verb into the plural; return whether the word was a singular verb."""
        token = self.tokens[place]
        word = token.low
        if word in AGREEING:
            mark = "’" if "’" in token.text else "'"
            self._put(token, AGREEING[word].replace("'", mark))
            return True
        if not token.text.islower() or not _is_third_person(word):
            return False
        if not lax and not (word in COMMON_VERBS or self._next(place) in OF_PHRASES):
            return False
        self._put(token, _plain(word))
        return True

    def _joined_verbs(self, place: int) -> None:
        """Put the verbs that *and* joins to a subject's verb into the plural."""
        for following in range(place, min(place + _MOST_WORDS, len(self.tokens))):
            gap = self._text[self.tokens[following - 1].end : self.tokens[following].start]
            word = self._low(following)
            if _SENTENCE.search(gap) or word in STOPPING:
                return
            before = following - 1
            while before > place - 1 and self._is_adverb(self._low(before)):
                before -= 1
            if self._low(before) in JOINING or "," in gap:
                if word in COMMON_VERBS or self._low(before) in JOINING:
                    self._agree(following, lax=False)
            elif word in FINITE:
                return

    def _object(self, place: int, token: _Token) -> str:
        word, following = token.low, self._next(place)
        if word in ("himself", "herself"):
            return "themself"
        if word in ("hers", "him"):
            return "theirs" if word == "hers" else "them"
        end = token.end
        # Behind a mask there may be a noun.
        taken = self._text[end : end + 2] in (" *", " [") or (
            self._is_taken(end, end + 2) and self._text[end : end + 1] == " "
        )
        if word == "his":
            return "their" if taken or (following and following not in NO_NOUNS) else "theirs"
        before = self._before(place)
        if taken:
            return "them" if before in GIVING else "their"
        if not following or following in NO_NOUNS or (before in LETTING and following not in NOUNS):
            # A number or a quotation after it is counted or named.
            return "their" if re.match(r" (?:\d|[“\"])", self._text[end : end + 2]) else "them"
        return (
            "them" if self._is_adverb(following) and following not in ("only", "first") else "their"
        )

    # Nouns.

    def _noun(self, place: int, token: _Token, core: str, ending: str) -> None:
        following = self._next(place)
        if core in TITLES and token.text[0].isupper() and self._is_title(place, token):
            self._put(token, NEUTRAL_TITLE)
        elif core in ("male", "female") and not ending:
            self._adjective(place, token, following)
        elif core == "maiden" and following == "name":
            self._put(token, "birth")
        elif core in ("née", "nee", "né"):
            self._put(token, "born")
        else:
            sex, neutral = self._word(place, core)
            if neutral and not self._is_other(place, token, core, sex, neutral):
                self._replace(place, token, neutral + ending)

    def _word(self, place: int, core: str) -> tuple[str, str]:
        """Return the sex a word reveals and its neutral form, or empty strings for other words."""
        before = self._before(place)
        if core in CALLS and (before in CALLING or not before):
            return "", ""
        if core in ("man", "woman") and before in OF_PEOPLE:
            return NOUNS["girlfriend" if core == "woman" else "boyfriend"]
        if core in YOUNG:
            young = before in SMALL
            return (YOUNG if young else GROWN)[core]
        return NOUNS.get(core, ("", ""))

    def _is_other(self, place: int, token: _Token, core: str, sex: str, neutral: str) -> bool:
        """Return whether a word is part of a name or a phrase, or is next to its counterpart."""
        text, start, end = self._text, token.start, token.end
        if OTHERS.get(self._next(place)) == core or (
            core == "man" and self._before(place) in ("to", "no", "of")
        ):
            return True
        if text[end : end + 1] == "-" and not text.startswith(("-in-law", "-to-be"), end):
            return True
        prefix = text[max(0, start - 6) : start].lower()
        if prefix.endswith("-") and not prefix.endswith(
            ("step-", "ex-", "half-", "god-", "great-", "old-")
        ):
            return True
        opening = start == 0 or bool(
            re.search(r"[.!?:\n“\"(*-]\s*\Z", text[max(0, start - 3) : start])
        )
        if (
            token.text[0].isupper()
            and not token.text.isupper()
            and not opening
            and core not in FAMILY
        ):
            return True
        for other in (place - 3, place - 2, place + 2, place + 3):
            joints = self._low(min(place, other) + 1), self._low(max(place, other) - 1)
            if 0 <= other < len(self.tokens) and {"and", "or"} & set(joints):
                partner = NOUNS.get(self._low(other)) or GROWN.get(self._low(other), ("", ""))
                if partner[1] == neutral and partner[0] != sex:
                    return True
        return False

    def _is_title(self, place: int, token: _Token) -> bool:
        after = self._text[token.end : token.end + 3]
        name = after.lstrip(". ")
        at = token.end + len(after) - len(name)
        return after[:1] in (".", " ") and (name[:1].isupper() or self._is_taken(at, at + 1))

    def _adjective(self, place: int, token: _Token, following: str) -> None:
        before = self._before(place)
        if (
            following
            and following not in NO_NOUNS
            and following not in NOUNS
            and following not in GROWN
        ):
            noun = self.tokens[place + 1]
            if noun.start not in self._edits and self._on_one_line(token.end, noun.start):
                span = Span(token.start, noun.end)
                self._extended(place, span, _as(token.text, noun.text), noun.text)
        elif before not in ("male", "female", "or", "and") and following not in (
            "or",
            "and",
            "male",
            "female",
        ):
            text = "person" if before and before not in ("is", "are", "sex", "gender") else "[sex]"
            self._replace(place, token, text)

    def _replace(self, place: int, token: _Token, text: str) -> None:
        self._extended(place, Span(token.start, token.end), _as(token.text, text), text)

    def _extended(self, place: int, span: Span, text: str, phrase: str) -> None:
        """Add an edit, together with the article before it if that must change."""
        before = self._before(place)
        if before in ("a", "an") and self.tokens[place - 1].start not in self._edits:
            token = self.tokens[place - 1]
            word = article(phrase.lstrip("["))
            if word != before and not self._on_one_line(token.end, span.start):
                self._put(token, word)
            elif word != before:
                gap = self._text[token.end : span.start]
                span, text = Span(token.start, span.end), _as(token.text, word) + gap + text
                self._edits[token.start] = NeutralEdit(span, text)
                return
        self._edits.setdefault(span.start, NeutralEdit(span, text))

    def _on_one_line(self, start: int, end: int) -> bool:
        """Return whether only spaces separate two words: no edit extends across lines or cells."""
        return not self._text[start:end].strip(" ")

    # Relationship.

    def _tie(self, place: int, token: _Token, core: str, ending: str) -> bool:
        """Replace a relationship word; return whether the word was one."""
        before, following = self._before(place), self._next(place)
        neutral = TIES.get(core, "")
        if core == "bachelor" and following in ("of", "degree", "in"):
            return False
        if core == "partner" and before in OF_PEOPLE:
            neutral = "companion"
        elif core == "married":
            if before in STATUS_BEFORE:
                neutral = "related" if following == "to" else "[status]"
            elif not following or following not in ("life", "couple", "couples"):
                neutral = "were with" if self._sex and before in ("she", "he") else "was with"
        elif core in ("engaged", "separated") and before in STATUS_BEFORE:
            neutral = "[status]" if following in ("", "to", "and", "but", "since", "from") else ""
        elif (
            core == "single"
            and before in STATUS_BEFORE
            and following in ("", "and", "but", "again", "now")
        ):
            neutral = "[status]"
        if not neutral:
            return False
        if self._text[max(0, token.start - 3) : token.start].lower() == "ex-":
            start = token.start - 3
            self._extended(
                max(0, place - 1), Span(start, token.end), f"former {neutral}{ending}", "former"
            )
            # The token of *ex* is within the edit.
            return True
        self._replace(place, token, neutral + ending)
        return True


def _sex(pronoun: str) -> str:
    return "m" if pronoun.startswith(("he", "hi")) and not pronoun.startswith("her") else "f"


def _is_third_person(word: str) -> bool:
    return (
        len(word) > 3
        and word.endswith("s")
        and not word.endswith(("ss", "us", "ous", "'s"))
        and word not in NO_VERBS
    )


def _plain(verb: str) -> str:
    """Return a third-person singular verb without its ending."""
    if verb.endswith("ies") and len(verb) > 4:
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "goes", "does")):
        return verb[:-2]
    return verb[:-1]


def _as(original: str, text: str) -> str:
    """Return a text with the capitalization of what it replaces."""
    if original.isupper() and len(original) > 1:
        return text.upper()
    return text[:1].upper() + text[1:] if original[:1].isupper() else text


def neutral_edits(
    text: str, aspects: Collection[str], taken: Sequence[Span] = ()
) -> list[NeutralEdit]:
    """Return the edits that make a text neutral, in order, without overlaps.

    Args:
        text: the original.
        aspects: ``sex``, ``relationship``, both, or neither for no edits.
        taken: stretches that other edits replace, in order, without overlaps; they stay.
    """
    return _NeutralWriter(text, aspects, taken).edits() if aspects else []


def telling_words(text: str) -> list[Span]:
    """Return the words that reveal a sex and have no neutral form, in order."""
    return [Span(*match.span()) for match in LEFT.finditer(text)]
