"""The pattern detector: mentions by their form alone, without learning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ...document import Mention, MentionSource, SemanticType, Span
from ...text.passages import Passages
from .addresses import find_urls, hits_inside
from .amounts import find_money
from .announced_numbers import find_identity_numbers
from .bank_numbers import find_cards, find_ibans
from .base import Finder, Hit, normalize_width
from .coordinates import find_coordinates
from .dates import (
    find_births,
    find_dates,
    find_durations,
    find_numeric_dates,
    find_times,
    find_years,
)
from .emails import find_emails
from .licence_plates import find_plates
from .machine_addresses import find_ip_addresses, find_mac_addresses
from .named import find_named
from .national_ids import find_national_ids, find_uuids
from .phones import DEFAULT_REGIONS, PhoneFinder
from .postcodes import find_postcodes
from .references import find_case_numbers
from .scripts import find_foreign_scripts
from .secrets import find_home_folders, find_secrets
from .street_addresses import find_addresses
from .user_names import find_user_names
from .wallets import find_wallets

# The families of patterns, in the order that decides between equal hits.


def families(regions: Sequence[str]) -> tuple[Finder, ...]:
    """Return all families, the one with the strongest evidence first.

    Args:
        regions: ISO 3166 codes of the regions of national telephone numbers.
    """
    return (
        find_secrets,
        find_emails,
        find_urls,
        find_uuids,
        find_wallets,
        find_ibans,
        find_mac_addresses,
        find_ip_addresses,
        find_cards,
        find_national_ids,
        find_coordinates,
        find_user_names,
        find_named,
        find_home_folders,
        find_identity_numbers,
        PhoneFinder(regions),
        find_plates,
        find_case_numbers,
        find_addresses,
        find_postcodes,
        find_births,
        find_numeric_dates,
        find_dates,
        find_years,
        find_times,
        find_money,
        find_durations,
        find_foreign_scripts,
    )


# Settle overlaps among the hits of the pattern families.
#
# | two hits that overlap | outcome |
# |---|---|
# | one that is masked always, inside an address | the address is cut around it |
# | of different length | the longer stays whole |
# | of equal length | the earlier stays whole |
# | of equal length and start | the one of the family that is named first in `families` |
# | the part outside the other | stays where it has a letter or digit, as its own kind |
#
# No letter or digit that a family found is ever lost.


def settle(text: str, hits: Iterable[Hit]) -> list[Hit]:
    """Return hits without overlaps, in order of the text.

    Args:
        text: the folded text.
        hits: in order of the families; each of bounded length, so this takes linear time but for
            the sorting.
    """
    hits = list(hits)
    mask = bytearray(len(text))
    for address in (hit for hit in hits if hit.kind in _ADDRESSES):
        mask[address.start : address.end] = b"\1" * (address.end - address.start)

    def order(hit: Hit) -> tuple[bool, int, int]:
        is_inside = (
            hit.kind not in _ADDRESSES and PRIORS[hit.kind].p_direct == 1.0 and mask[hit.start] == 1
        )
        return not is_inside, hit.start - hit.end, hit.start

    ordered = sorted(hits, key=order)
    mask = bytearray(len(text))
    result: list[Hit] = []
    for hit in ordered:
        is_whole = mask.find(1, hit.start, hit.end) < 0
        pieces = [hit] if is_whole else _pieces(text, hit, mask)
        for piece in pieces:
            mask[piece.start : piece.end] = b"\1" * (piece.end - piece.start)
        result.extend(pieces)
    result.sort(key=lambda hit: hit.start)
    return result


def _pieces(text: str, hit: Hit, mask: bytearray) -> list[Hit]:
    """Return the free parts of a hit with a letter or digit."""
    pieces = []
    start = hit.start
    while start < hit.end:
        end = mask.find(1, start, hit.end)
        if end < 0:
            end = hit.end
        last = end
        if hit.kind in _ADDRESSES:  # with its marks, so that tags of its parts touch
            last = last if any(map(str.isalnum, text[start:end])) else start
        else:
            while start < end and not text[start].isalnum():
                start += 1
            while last > start and not text[last - 1].isalnum():
                last -= 1
        if start < last:
            pieces.append(Hit(start, last, hit.kind))
        start = mask.find(0, end, hit.end)
        if start < 0:
            break
    return pieces


# Semantic type and masking probability of each kind of hit.
#
# Numbers of people, their contacts and their whereabouts are masked always. The others have priors
# from `python -m benchmarks patterns DATA` on the training texts: the share of hits that annotators
# masked on TAB's 174 training judgments and on 453 training biographies (no development text).
#
# | kind | judgments: hits, masked, direct | biographies: hits, masked | prior |
# |---|---|---|---|
# | date | 2934, .970, .000 | 695, .978 | .97 |
# | year | 359, .862, .000 | 815, .752 | .81, the mean of the two corpora |
# | statute_date | 116, .043, .000 | none | .04 |
# | time | 10, .200, .000 | none | .25, (2 + 1) / (10 + 2) |
# | duration | 192, .475, .000 | 39, .538 | .49, over all hits |
# | money | 156, .936, .000 | 9, .889 | .93, over all hits |
# | application_number | 199, .975, .952 | none | 1, always masked |
# | case_number | 16, .875, .625 | none | .88, direct .63 |
# | register_number | 19, 1.000, .000 | none | .95, (19 + 1) / (19 + 2) |
# | foreign_script | none | 124, 1.000 | .99, (124 + 1) / (124 + 2) |
# | url | none | none | .50, a guess: most pages are not about one person |
#
# All other kinds have too few hits there to measure, or none, and are masked by decision.
#
# A date, a duration or an amount is personal in a letter and innocent in a recipe: the form does not
# tell. Such kinds take the recognizer's probability where there is a recognizer, and the prior of
# judgments and biographies where there is none.


_ADDRESSES = frozenset({"url", "personal_url"})


@dataclass(frozen=True, slots=True)
class Prior:
    """Prior of a kind: its semantic type and probabilities.

    Attributes:
        type: semantic type.
        p_mask: masking probability of its mentions in [0, 1].
        p_direct: probability of a direct identifier in [0, 1]; at most ``p_mask``.
        contextual: whether the text around decides, as the recognizer reads it.
    """

    type: SemanticType
    p_mask: float
    p_direct: float
    contextual: bool = False


_CODE, _LOC, _PERSON = SemanticType.CODE, SemanticType.LOC, SemanticType.PERSON
_DATETIME, _QUANTITY = SemanticType.DATETIME, SemanticType.QUANTITY

PRIORS: dict[str, Prior] = {
    "secret": Prior(_CODE, 1.0, 1.0),
    "email": Prior(_CODE, 1.0, 1.0),
    "personal_url": Prior(_CODE, 1.0, 1.0),
    "url": Prior(_CODE, 0.5, 0.0, contextual=True),
    "uuid": Prior(_CODE, 0.5, 0.0, contextual=True),
    "user_name": Prior(_CODE, 1.0, 1.0),
    "person": Prior(_PERSON, 0.9, 0.5),
    "ip": Prior(_CODE, 1.0, 1.0),
    "mac": Prior(_CODE, 1.0, 1.0),
    "phone": Prior(_CODE, 1.0, 1.0),
    "iban": Prior(_CODE, 1.0, 1.0),
    "card": Prior(_CODE, 1.0, 1.0),
    "wallet": Prior(_CODE, 1.0, 1.0),
    "national_id": Prior(_CODE, 1.0, 1.0),
    "identity_number": Prior(_CODE, 1.0, 1.0),
    "application_number": Prior(_CODE, 1.0, 1.0),
    "case_number": Prior(_CODE, 0.88, 0.63),
    "register_number": Prior(_CODE, 0.95, 0.0),
    "licence_plate": Prior(_CODE, 1.0, 1.0),
    "street_address": Prior(_LOC, 1.0, 1.0),
    "postcode": Prior(_LOC, 1.0, 1.0),
    "coordinates": Prior(_LOC, 1.0, 1.0),
    "birth_date": Prior(_DATETIME, 1.0, 0.0),
    "date": Prior(_DATETIME, 0.97, 0.0, contextual=True),
    "statute_date": Prior(_DATETIME, 0.04, 0.0, contextual=True),
    "year": Prior(_DATETIME, 0.81, 0.0, contextual=True),
    "time": Prior(_DATETIME, 0.25, 0.0, contextual=True),
    "duration": Prior(_DATETIME, 0.49, 0.0, contextual=True),
    "money": Prior(_QUANTITY, 0.93, 0.0, contextual=True),
    # Most of these are somebody's name; the annotations don't tell them apart.
    "foreign_script": Prior(_PERSON, 0.99, 0.0),
}


def in_context(mentions: Iterable[Mention], recognized: Iterable[Mention]) -> Iterator[Mention]:
    """Yield pattern mentions, those of contextual kinds with the recognizer's probability.

    Args:
        mentions: of `PatternDetector`, in order, without overlaps.
        recognized: all mentions of the recognizer in the same text, in order, without overlaps;
            the rest of the text is innocent to it.
    """
    stack = list(reversed(list(recognized)))
    for mention in mentions:
        if not PRIORS[mention.kind].contextual:
            yield mention
            continue
        while stack and stack[-1].span.end <= mention.span.start:
            stack.pop()
        p_mask = 0.0
        for candidate in reversed(stack):
            if candidate.span.start >= mention.span.end:
                break
            p_mask = max(p_mask, candidate.p_mask)
        p_direct = min(mention.p_direct, p_mask)
        yield Mention(mention.span, mention.type, p_mask, p_direct, mention.source, mention.kind)


class PatternDetector:
    """Detector of contacts, numbers, dates, amounts, addresses and positions by their form.

    Args:
        regions: ISO 3166 codes, in upper case, of the regions of national telephone numbers;
            international numbers are always recognised.
    """

    def __init__(self, regions: Sequence[str] = DEFAULT_REGIONS) -> None:
        self._families = families(regions)

    def detect(self, text: str) -> tuple[Mention, ...]:
        """Return mentions in order of the text, none overlapping another.

        Each has the source ``pattern``, the name of its kind, and the probabilities of ``PRIORS``.
        Offsets are code points of ``text``. Takes time linear in its length.
        """
        folded = _unwrapped(normalize_width(text), text)
        return tuple(_mention(hit) for hit in settle(folded, self._hits(folded)))

    def _hits(self, folded: str) -> Iterator[Hit]:
        for find in self._families:
            yield from find(folded)
        yield from hits_inside(folded, self._families)


def _unwrapped(folded: str, text: str) -> str:
    """Return the folded text with a blank for each line end that only wraps a line."""
    if "\n" not in text:
        return folded
    passages = Passages.of(text)
    parts: list[str] = []
    position = 0
    for start, end, wraps in zip(passages.starts, passages.ends, passages.wraps, strict=True):
        if wraps:
            parts += (folded[position:start], " " * (end - start))
            position = end
    return "".join((*parts, folded[position:]))


def _mention(hit: Hit) -> Mention:
    prior = PRIORS[hit.kind]
    span = Span(hit.start, hit.end)
    return Mention(span, prior.type, prior.p_mask, prior.p_direct, MentionSource.PATTERN, hit.kind)
