"""Values, drugs and shorthand in clinical notes that the recognizer may mistake for names, places, codes or days.

| in a note | |
|---|---|
| ``BP 138/82`` ``SpO2 96`` ``K+ 6.1`` ``FEV1`` ``Waterlow 14`` | a value with its sign or score, or the sign alone |
| ``Babinski negative`` ``Crohn's`` ``Foley in situ`` | a sign, disease or device named after a person, with what is said about it |
| ``ENT`` ``PERLA`` ``38+4`` ``UL5`` ``lower left 6`` ``pT2N1M0`` | shorthand from a closed list, weeks of pregnancy, teeth |
| ``Eliquis`` ``Omeprazole, Naproxen`` | drugs on the shipped list, among clinical words |
| ``Trimbow 2 puffs bd`` ``allergic to Septrin`` | any other word that isn't a given name, unless someone is given the dose |

A dose alone counts only if the recognizer is in doubt: a name that it considers more likely than
not stays one. A drug next to a title or a name, as in ``Mrs Depo`` or ``Anna Celexa``, is a
person's name.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from operator import itemgetter

from ..document import Mention
from ..policy.forms import SIGN
from ..shipped import shipped_words
from ..text.folding import fold_aligned
from ..text.given_names import is_common_given_name
from ..text.word_lists import TITLES, is_ordinary, ordered_words

_LIKELY = 0.5
_PERSONAL = re.compile(r"[Ww]eight|[Hh]eight|[WH]t|BMI")
"""Values that tell what a person looks like."""

# Names that people also have must be followed by a word for the kind.
_SCORES, _SIGNS, _NAMED_SIGNS, _DISEASES, _DEVICES, _SHORTHAND, _INJURED = (
    "|".join(ordered_words(f"clinical_{kind}"))
    for kind in "scores signs named_signs diseases devices shorthand injuries".split()
)
# ED may also be initials, unless someone is in it or brought to it.
_EMERGENCY = r"(?:(?<=[Ii]n )|(?<=[Vv]ia )|(?<=[Tt]he )|(?<=[Aa]ttended )|(?<=ought to )|(?<=ented to )|(?<=erred to ))ED|ED(?=\s(?:attendance|visit|review|consultant|registrar|doctors?|staff)\b)"
_STAGE = r"(?:[cpyra]{0,2}T(?:[0-4][a-d]?|is|x|X)\s?N(?:[0-3][a-c]?|x|X)\s?M[01xX][a-c]?)"
"""Stage of a tumour by its size, nodes and metastases."""
_INJURIES = rf"(?:{_INJURED})(?:['’]s?)?\s(?:palsy|paresis|fractures?)"
_FOUND = r"(?:negative|positive|neg|pos|\+ve|-ve|downgoing|upgoing|absent|done)"
_NOTE = re.compile(
    rf"(?<![\w.,/-])(?:(?:{SIGN}|{_SCORES})\+?(?:\s?(?:of|is|was|:|=|at|score|scale)\s?|\s)(?:\d{{1,3}}(?:[./+]\d{{1,3}}|\sand\s\d|%)?|[IV]{{1,3}}\b)(?!\w|[.,/]\d)"
    rf"(?:\s[RL]\b(?:,?\s\d{{1,2}}/\d{{1,2}}\s[RL]\b)?|\s(?:cyst|RA|today|overnight|on air)\b)?"
    rf"|(?:(?=[A-Z][\w-]{{2}}){SIGN}|{_SHORTHAND}|{_EMERGENCY}|{_STAGE})(?!\w)(?:\s(?:neg(?:ative)?|pos(?:itive)?)\b|\s\d{{1,2}}/(?:7|52|12)\b)?|\d\d\+\d(?!\w)|\d{{2,3}}%\sRA\b"
    rf"|(?:[LR]\s|[Ll]eft\s|[Rr]ight\s)?{_INJURIES}\b|\d{{1,3}}\s?pack[-\s]years?\b"
    r"|(?i:penicillin|amoxicillin|aspirin|nsaid|latex|sul(?:ph|f)a|codeine|morphine|iodine|trimethoprim)\s(?:allergy|intolerance)\b"
    r"|[UL][LR]\s?[1-8](?!\w)|(?i:upper|lower)\s(?i:left|right)\s[1-8](?![\w.]\w)|[CTLS]\d{1,2}/\d{1,2}(?!\w)|x\s?\d{1,2}/7(?!\w)"
    rf"|(?:{_SIGNS})(?:['’]s)?(?=[,;.]|\s(?:and\s[A-Z]|{_FOUND}|signs?|tests?|gait|syndrome|man(?:oeu|eu)vre|\d)|\Z)(?:\s{_FOUND}\b)?"
    r"|Weber\s(?:central|lateral\w*)\b|Hartmann['’]s(?=\s\d)"
    rf"|(?:{_NAMED_SIGNS})(?:['’]s)?(?=\s(?:signs?|tests?|reflex|tonometry|perimetry)\b)"
    rf"|(?:{_DISEASES})['’]s?(?=[,;.)]|\s(?:and|or|vs?|with|since|on|in|-|contracture|o?esophagus)\b|\Z)"
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
_ALLERGIC = re.compile(r"\ballergic to (?:\w{3,20} and )?\Z", re.IGNORECASE)
_CLINICAL = re.compile(
    r"\b(?:(?i:allerg\w*|prescri\w+|dos(?:e|es|age)|tablets?|capsules?|inhalers?|inj(?:ections?)?|tabs?|rx|tx|dx|hx|pmh|patient|pt|therapy|treat\w*|medic\w+|drugs?"
    r"|start(?:ed|ing)?|stop(?:ped)?|switch(?:ed)?|held|hold|continu\w+|increased?|reduced?|wean\w*|tak(?:es?|ing)|on|trial|oral|vax|nocte|prn|bd|tds|qds|od|iv|mg|mcg|mls?))\b|\d(?:mg|mcg|ml)\b"
)
_REACH = 60
_STRENGTH = re.compile(r"[\d./]+")
_BEFORE_STRENGTH = re.compile(r"([^\W\d_]{4,})\s[\d./]{0,8}\Z")
_WORD = re.compile(r"[^\W\d_]{3,}")
_BESIDE = re.compile(r"([^\W\d_]+)\.?\s\Z"), re.compile(r"\s([^\W\d_a-z][^\W\d_]+)")


class ClinicalNotes:
    """The notes in a text.

    Args:
        text: a document's text.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _notes(self) -> list[tuple[int, int]]:
        return [match.span() for match in _NOTE.finditer(self._text)]

    def has_value(self, mention: Mention) -> bool:
        """Return whether a mention from the recognizer is a value, a drug or shorthand."""
        start, end = mention.span.start, mention.span.end
        if self._is_noted(start, end):
            return True
        word = mention.span.of(self._text)
        if _STRENGTH.fullmatch(word):
            drug = _BEFORE_STRENGTH.search(self._text, max(0, start - 30), start)
            return drug is not None and _is_drug(drug[1])
        if end - start > _REACH or self._names_somebody(start, end):
            return False
        if self._names_drugs(word, start, end):
            return True
        return (
            word.isalpha()
            and not is_common_given_name(word.lower())
            and (
                _ALLERGIC.search(self._text, max(0, start - _REACH), start) is not None
                or (
                    mention.p_mask < _LIKELY
                    and _DOSE.match(self._text, end) is not None
                    and _GIVEN_TO.search(self._text, max(0, start - 10), start) is None
                )
            )
        )

    def _is_noted(self, start: int, end: int) -> bool:
        """Return whether notes cover every letter and digit; none cover height and weight."""
        position = start
        for begin, stop in self._notes[bisect_right(self._notes, start, key=itemgetter(1)) :]:
            if begin >= end or any(map(str.isalnum, self._text[position:begin])):
                break
            if _PERSONAL.match(self._text, begin):
                return False
            position = stop
        return position > start and not any(map(str.isalnum, self._text[position:end]))

    def _names_somebody(self, start: int, end: int) -> bool:
        """Return whether a title or name is next to a mention."""
        before = _BESIDE[0].search(self._text, max(0, start - 20), start)
        return _may_be_named(before) or _may_be_named(_BESIDE[1].match(self._text, end))

    def _names_drugs(self, string: str, start: int, end: int) -> bool:
        words = _WORD.findall(string)
        if not any(map(_is_drug, words)) or not all(
            _is_drug(word) or word.islower() for word in words
        ):
            return False
        around = f"{self._text[max(0, start - _REACH) : start]} {self._text[end : end + _REACH]}"
        return (
            _CLINICAL.search(around) is not None
            or _NOTE.search(around) is not None
            or any(map(_is_drug, _WORD.findall(around)))
        )


def _may_be_named(neighbour: re.Match[str] | None) -> bool:
    """Return whether the word next to a drug makes it a person's name."""
    if neighbour is None or neighbour[1].isupper():
        return False
    word = neighbour[1].lower()
    return word in TITLES or (
        neighbour[1][0].isupper() and not is_ordinary(word) and not _is_drug(word)
    )


def _is_drug(word: str) -> bool:
    return fold_aligned(word).text in shipped_words("drugs")
