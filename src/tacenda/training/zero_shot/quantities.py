"""Shares, measures and counts in a text: what generic recognizers call a quantity, without learning.

The patterns of the product find money alone, since little else of the kind is ever masked; the
silver corpus is about types (``explicit_risk_measures``, Table 1: money values, percentages,
"two").
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...detect.patterns.amounts import NUMBER_WORDS, SCALES
from ...document import Span

_NUMBER = (
    rf"(?:[0-9]{{1,3}}(?:[,\u00a0 ][0-9]{{3}})+|[0-9]+(?:[.,][0-9]+)?"
    rf"|(?:{NUMBER_WORDS})(?:-(?:{NUMBER_WORDS}))?)(?:\s(?:{SCALES}))?"
)
_UNIT = (
    r"(?:square\s|cubic\s)?(?:per\scent|percent|%|kilomet(?:re|er)s?|met(?:re|er)s?|centimet(?:re|er)s?"
    r"|km|cm|mm|m²|sq\.?\sm|hectares?|acres?|miles?|feet|kilogram(?:me)?s?|grams?|kg|mg|tonnes?|tons?|lit(?:re|er)s?)"
)
_MEASURE = re.compile(rf"(?<![\w.,/§-]){_NUMBER}[\s-]?{_UNIT}(?!\w)")
# A count says of how many: a word in small letters follows, and is none that goes on otherwise.
_GOES_ON = "|".join(
    "of or and to in on at by for from with below above the this that these his her its their "
    "could was were had has notice who which when where until after before during under between".split()
)
_COUNT = re.compile(rf"(?<![\w.,/§-]){_NUMBER}(?=\s(?!(?:{_GOES_ON})\b)[a-z]{{3}})")
_REFERENCE = re.compile(
    r"(?:Articles?|Rules?|[Ss]ections?|[Pp]aragraphs?|[Cc]hapters?|[Pp]arts?|[Pp]oints?|[Ll]aw|[Aa]ct|Protocol|[Nn]os?\.?"
    r"|[Nn]umber|§§?|[Pp]ages?|[Aa]nnex|[Ll]ine|[Bb]lock|[Uu]nit|[Cc]ell|and|or|to|–|-|,)\s*\Z"
)


def find_quantities(text: str) -> Iterator[Span]:
    """Yield numbers with their unit, and numbers of things; spans do not overlap.

    A number that names a provision (``Article 6``) or goes on a list of numbers is no count.
    """
    end = 0
    matches = [*_MEASURE.finditer(text), *_COUNT.finditer(text)]
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        if match.start() < end:
            continue
        if match.re is _COUNT and _REFERENCE.search(
            text[max(0, match.start() - 16) : match.start()]
        ):
            continue
        yield Span(match.start(), match.end())
        end = match.end()
