"""How parts of a text in languages that the recognizer can't read are treated.

| the policy's ``languages`` | masked in a part in another language |
|---|---|
| ``warn`` | the same as elsewhere, including what the recognizer finds in a language that it never learned |
| ``patterns`` | what patterns, deny list, target and plug-ins find |
| ``refuse`` | nothing: the document is an error |

The first two warn. In English text, a name in another script is masked because of its script, but a
whole part isn't.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

from ..document import Document, LanguagePart, Mention
from ..errors import InputError
from ..models.text_language import NAMES
from .bounds import READ


def drop_unreliable_in_foreign_parts(
    mentions: Iterable[Mention], parts: Sequence[LanguagePart], *, patterns_only: bool
) -> list[Mention]:
    """Return the mentions without unreliable ones in parts in another language.

    Args:
        mentions: the mentions of all detectors.
        parts: the parts of the text in other languages.
        patterns_only: whether the recognizer's mentions are unreliable, in addition to those in
            foreign scripts.
    """
    ends = [part.span.end for part in parts]

    def is_reliable(mention: Mention) -> bool:
        place = bisect_right(ends, mention.span.start)
        if place == len(parts) or not parts[place].span.overlaps(mention.span):
            return True
        return mention.kind != "foreign_script" and not (patterns_only and mention.source in READ)

    return list(filter(is_reliable, mentions))


def check_languages(document: Document, parts: Sequence[LanguagePart]) -> None:
    """Refuse a document with text in another language.

    Raises:
        InputError: if there is any.
    """
    if parts:
        raise InputError(
            f"{_shares(document.text, parts)}, which the policy refuses; use `languages: warn` to "
            "have it sanitized as far as the recognizer understands it.",
            document.id,
        )


def language_warnings(
    text: str, parts: Sequence[LanguagePart], languages: Iterable[str], *, patterns_only: bool
) -> tuple[str, ...]:
    """Return the warning about parts in other languages; empty if there are none.

    Args:
        text: of the document.
        parts: the parts of the text in other languages.
        languages: ISO 639-1 codes of the languages that the recognizer reads.
        patterns_only: whether the recognizer's mentions aren't masked there.
    """
    if not parts:
        return ()
    means = "patterns alone are masked there" if patterns_only else "it may miss more there"
    readable = " and ".join(sorted(NAMES.get(language, language) for language in languages))
    return (
        f"{_shares(text, parts)}: the recognizer reads {readable}, so {means}, "
        "and personal data may be left.",
    )


def _shares(text: str, parts: Sequence[LanguagePart]) -> str:
    """Return the languages with their share of the text, in words."""
    lengths: Counter[str] = Counter()
    for part in parts:
        lengths[part.language] += len(part.span)
    shares = [
        f"{max(1, round(100 * length / len(text)))} % of the text is in {NAMES[language]}"
        for language, length in lengths.most_common()
    ]
    return ", ".join(shares)
