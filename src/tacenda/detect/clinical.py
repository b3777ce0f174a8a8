"""Values, drugs and shorthand of clinical notes that the recognizer may take for names, places, codes or days.

| in a note | |
|---|---|
| ``BP 138/82`` ``SpO2 96`` ``K+ 6.1`` ``FEV1`` | a value with its sign, or the sign alone |
| ``Propranolol 10 mg`` ``Sinemet 25/100 tds`` | a word before a dose, no given name and nobody to whom the dose is given |
| ``Babinski negative`` ``Foley in situ`` | a sign or device of a closed list, with what is said of it |
| ``ENT`` ``PERLA`` ``38+4`` | shorthand of a closed list |

A drug only where the recognizer itself is in doubt: what it takes for a name with more than even odds stays one.
"""

from __future__ import annotations

import re
from functools import cached_property

from ..document import Mention, Span
from ..policy.forms import SIGN
from ..text.given_names import is_common_given_name
from ..text.matching import Spans

_LIKELY = 0.5
_PERSONAL = re.compile(r"[Ww]eight|[Hh]eight|[WH]t|BMI")
"""Values that tell what somebody looks like."""

_SIGNS = (
    "Guillain[-–]Barré|Babinski|Ortolani|Romberg|McBurney|Kernig|Brudzinski|Trendelenburg|Lachman|Phalen|Tinel|Rovsing|Rinne"
    "|Lhermitte|Barlow(?=(?:['’]s)? and Ortolani)"
)
_DEVICES = "Foley|Hickman|Guedel|Yankauer|Zimmer|Swan[-–]Ganz|Kirschner|Steinmann|Redivac|Bellovac"
_SHORTHAND = "ENT|SHO|ANP|HCA|PCP|PERR?LA|NKDA|NAD|SOB(?:OE)?|DNACPR|TTOs?|CPAP|BiPAP|CTPA|COPD|IHD|DVT|UTI|[LU]RTI|ECG|EEG|[Vv]entouse|Kiwi cup"
_NOTE = re.compile(
    rf"(?<![\w.,/-])(?:{SIGN}\+?\s?(?:of|is|was|:|=|at)?\s?\d{{1,3}}(?:[./]\d{{1,3}}|\sand\s\d)?(?!\w|[.,/]\d)"
    rf"|(?:(?=[A-Z][\w-]{{2}}){SIGN}|{_SHORTHAND})(?!\w)(?:\s(?:neg(?:ative)?|pos(?:itive)?)\b|\s\d{{1,2}}/(?:7|52|12)\b)?|\d\d\+\d(?!\w)"
    rf"|(?:{_SIGNS})(?=(?:['’]s)?(?:[,;.]|\s(?:and\s[A-Z]|negative|positive|neg|pos|\+ve|-ve|signs?|test|syndrome)|\Z))"
    rf"|(?:{_DEVICES})(?=\s(?:in situ|catheter|line|airway|sucker|frame|wires?|pins?|drains?|removed|inserted)\b))"
)
_DOSE = re.compile(
    r"\s\d[\d.,/]{0,8}(?:\s?(?:mg|m?cg|micrograms?|g|mls?|iu|IU|units?|puffs?|tablets?|tabs?|caps(?:ules)?|drops)\b"
    r"|(?=\s(?:od|bd|tds|qds)\b))(?=\s?(?:[,;.)/\n]|\Z)|\s(?i:od|bd|tds|qds|bid|tid|nocte|prn|po|iv|im|sc|nightly|daily|once|twice|for|at|in|and|to|x|every)\b)"
)
_GIVEN_TO = re.compile(
    r"\b(?:gave|gives?|given|giving|to|for|told|with|has|had|by|and|dr|mr|mrs|ms|miss|nurse|sister)\s\Z",
    re.IGNORECASE,
)


class ClinicalNotes:
    """The notes in a text.

    Args:
        text: of a document.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _notes(self) -> Spans:
        return Spans(Span(*match.span()) for match in _NOTE.finditer(self._text))

    def has_value(self, mention: Mention) -> bool:
        """Whether a mention of the recognizer is a value, a drug or shorthand."""
        start, end = mention.span.start, mention.span.end
        note = self._notes.around(mention.span)
        if note is not None:
            return _PERSONAL.match(self._text, note.start) is None
        word = mention.span.of(self._text)
        return (
            mention.p_mask < _LIKELY
            and word.isalpha()
            and _DOSE.match(self._text, end) is not None
            and not is_common_given_name(word.lower())
            and _GIVEN_TO.search(self._text, max(0, start - 10), start) is None
        )
