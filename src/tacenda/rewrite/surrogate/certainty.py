"""Decides which names of people and ID numbers are certain; everything else gets a tag.

A recognizer makes mistakes, and then a surrogate would change a fact: a drug into a man, a dose
into another dose. So the string itself must show its kind, or at least that it isn't another kind.

| a person's name | |
|---|---|
| has the form | titles, particles, initials, a nickname in quotes, words with capitals; no digit but after a title, at most eight words |
| is none | in the ontology as a drug, an illness or a country, in the list of drugs, a word with the stem of a drug's name |
| and one form of it has | ``Mr`` and the like; or a word that is not a common noun, or is in the lists of names |
| a word alone | must not be a well-known place's, unless many cultures have the name; it may be a common noun where it stands like a name: "Mo and Priti", "my son Mo", a signature |

| an identity number | |
|---|---|
| has | five digits and more, in groups of digits, or of letters and digits, or of two letters at most |
| is none | like a card or account number with wrong check digits; before a unit or after a currency, after the word for a law or an article, part of a longer number |
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from ...document import Span
from ...shipped import shipped_patterns, shipped_words
from ...text.given_names import is_common_given_name
from ...text.names import is_initial
from ...text.normal_form import fold_text, name_key
from ...text.word_lists import (
    FORMS_OF_ADDRESS,
    NAMES_THAT_ARE_WORDS,
    PARTICLES,
    SUFFIXES,
    ordered_words,
    word_list_of,
)
from ..ontology import shipped
from ..ontology.heads import singular
from ..ontology.store import ancestors
from .cultures import cultures_of, is_given_name, is_name
from .dates import Grain, WrittenDate
from .drawing import COMMON, MONTH
from .numbers import looks_like_account

_LONGEST_NAME = 8
_POSSESSIVE = re.compile(r"['’]s?$")
CONNECTED = frozenset("and & et und y e i en og och".split())
"""Words between the names of a couple."""
_QUOTES = "\"“”„‘’'()«»"
_WORD = re.compile(r"[^\W\d_]+(?:['’.\u2010\u2011-][^\W\d_]+)*\.?")
SPACELESS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,5}")
_THINGS = frozenset(
    "drug|medical condition|medical procedure|substance|country|language".split("|")
)
_STEM = re.compile(rf"\w{{3,}}(?:{'|'.join(word_list_of('drug_stems'))})")
_GROUP = r"(?:[0-9]+|[A-Za-z]{1,2}|(?=[A-Za-z]*[0-9])[A-Za-z0-9]+)"
_IDENTITY = re.compile(
    rf"{_GROUP}(?:-{_GROUP})*|(?:[0-9]+|[A-Z]{{1,2}})(?: (?:[0-9]+|[A-Z]{{1,2}}))*"
)
_HYPHEN = re.compile("[\u2010\u2011-]")
_ROMANS = re.compile(r"[IVXLC]{1,6}(?:[-.\s][A-Za-z]{1,4}){0,3}|[A-Z]")
_INITIALS = re.compile(r"[A-Z]\.(?:[ -]?[A-Z]\.?){1,2}")
_ABBREVIATED = re.compile(r"(?:U\.S\.?|U\.K\.?|E\.U\.?|U\.N\.?|D\.C\.)(?!\w)")
_ROLES = word_list_of("offices_before_names")
_HONORIFICS = word_list_of("called_of_people_alone")
OFFICES = {
    word: gender
    for list, gender in (("called_of_men", "m"), ("called_of_women", "f"), ("called_of_both", ""))
    for word in word_list_of(list)
}
"""Words before a name like a title, folded, with the gender that they imply."""
BY_GIVEN_NAME = word_list_of("called_by_given_name")
SMALL = PARTICLES | word_list_of("particles_of_made_up_names")
"""Small words in names, folded."""
_PLACES_FROM, _FEW_CULTURES = 5.0, 2
_ROMAN = re.compile(r"[\s-][IVXLC]+$")
_FEWEST_DIGITS = 5
_UNIT = re.compile(
    rf"[\s-]?(?:{'|'.join(ordered_words('amount_units'))})(?![\w])|\s?[%‰°€$£¥×]", re.IGNORECASE
)
_NUMBER = re.compile(r"[0-9][0-9.,]*")
_AFTER_AMOUNT = re.compile(r"\Z|\s[a-z0-9]")
_NUMBER_BEFORE = re.compile(r"[0-9][.:/–-]?\Z|[\w#]\Z")
_GROUP_BEFORE = re.compile(r"[0-9],\Z")
_THREE_DIGITS = re.compile(r"[0-9]{3}(?![0-9])")
_NUMBER_AFTER = re.compile(r"(?:[.:/–-]|,(?=[0-9]{3}(?![0-9])))?[0-9]|\w")
_LAW = rf"(?:{'|'.join(word_list_of('statute_words'))})s?"
_AROUND = 60
_SEASON_NEAR = 24
_EVENTS = rf"(?:{'|'.join(word_list_of('event_words'))})"
_PATTERNS = shipped_patterns("english_contexts", "belonging", month=MONTH, events=_EVENTS, law=_LAW)
_CAPITAL_AFTER = re.compile(r" [A-Z]")


def is_person(strings: Collection[str], *, named: bool = False) -> bool:
    """Return whether an entity's strings are certainly a person's name.

    Args:
        strings: the strings of all its mentions.
        named: whether they occur where names do, or none of their words is an English common noun.
    """
    names = [string for string in strings if has_form_of_name(string)]
    return any(
        _is_surely_a_name(string, named) and not _is_thing_named(string, named) for string in names
    )


def _is_thing_named(string: str, named: bool) -> bool:
    """Return whether a string is a thing; a listed name may also be the name of a language."""
    word = fold_text(string)
    listed = named or is_common_given_name(word) or is_name(word, latin=is_latin(string))
    return is_thing(string, _THINGS - {"language"} if listed else _THINGS)


def has_form_of_name(string: str) -> bool:
    """Return whether a string has the form of a person's name."""
    if SPACELESS.fullmatch(string):
        return True
    tokens = _POSSESSIVE.sub("", string.strip()).replace(",", " ").split()
    if not 0 < len(tokens) <= _LONGEST_NAME:
        return False
    small = string.islower()
    titled = False
    for token in tokens:
        word = token.strip(_QUOTES)
        folded = fold_text(word)
        number = titled and word.isdecimal()
        titled = folded.rstrip(".") in FORMS_OF_ADDRESS
        if not (
            titled
            or number
            or token in CONNECTED
            or is_initial(folded)
            or (_WORD.fullmatch(word) and (small or _may_be_named(word)))
        ):
            return False
    return True


def _may_be_named(token: str) -> bool:
    # Scripts without capitals are as good as any.
    return (
        token[0].isupper()
        or token[0].lower() == token[0].upper()
        or fold_text(token) in SMALL
        or "'" in token[:3]
        or "’" in token[:3]
    )


def _is_surely_a_name(string: str, named: bool) -> bool:
    if SPACELESS.fullmatch(string):
        return any(is_name(string[:length], latin=False) for length in (1, 2))
    titled, words = _words(string)
    if not words:
        initials = titled or (_INITIALS.fullmatch(string) and not _ABBREVIATED.match(string))
        return bool(initials) and _has_initials(string)
    large = frozenset() if string.islower() else NAMES_THAT_ARE_WORDS
    listed = [is_name(word, latin=is_latin(string)) or is_common_given_name(word) for word in words]
    if titled:
        listed = [known or word in large for word, known in zip(words, listed, strict=True)]
    if string.islower() and not all(listed):
        return False
    others = [word for word, known in zip(words, listed, strict=True) if not known]
    if words[-1] in _ROLES or _ROMANS.fullmatch(string):
        return False
    if titled and fold_text(string).split()[0].rstrip(".") in _HONORIFICS:
        # Only people are called Mr; a judge advocate and an officer in charge aren't names.
        return True
    if any(map(_STEM.fullmatch, words)) or _PATTERNS["abbreviated"].match(string):
        return False
    common = [word in COMMON or is_common(word) for word in words]
    if named and string[0].isupper() and not (words[1:] and all(map(is_common, words))):
        known = COMMON | shipped_words("drugs")
        english = string.isascii()  # Côme is not a form of *come*.
        return not (english and known & {*words}) and not _is_rather_a_place(words[0])
    if len(words) == 1 and not titled and not _has_initials(string):
        alike = words[0] in large or (is_given_name(words[0]) and not string.islower())
        is_given = is_common_given_name(words[0]) or (listed[0] and alike)
        noun = common[0] and not is_given
        return not (noun or any(map(_is_no_name, others)) or _is_rather_a_place(words[0]))
    # Next to a noun, something must be known as a name: Pieter de Wit, but not Lupus Erythematosus.
    nouns = any(common) or any(map(_is_no_name, others))
    return not nouns or all(listed) or (any(listed) and not all(common))


def _is_no_name(word: str) -> bool:
    """Return whether a case-folded word that is in no name list is a drug or an ordinary word."""
    lists = (shipped_words("drugs"), shipped_words("ordinary_words"))
    return any(word in words for words in lists) or is_thing(word)


def _is_rather_a_place(word: str) -> bool:
    """Return whether a name that few cultures have is also a well-known place."""
    store = shipped().store
    if is_common_given_name(word) or (is_name(word, latin=True) and is_given_name(word)):
        return False
    return cultures_of(word) <= _FEW_CULTURES and any(
        sense.weight >= _PLACES_FROM and not store.located.isdisjoint(sense.classes)
        for sense in store.find(word)
    )


def is_role(word: str) -> bool:
    """Return whether a case-folded word says what a person is, and isn't a name."""
    if word in _ROLES:
        return True
    noun = is_common(word) or word in shipped_words("ordinary_words")
    return noun and not (is_name(word, latin=True) or is_common_given_name(word))


def is_latin(string: str) -> bool:
    """Return whether the letters of a string are Latin."""
    return re.search(r"[\u0370-\u1dff\u1f00-\u1fff\u2c00-\uffff]", string) is None


def _words(string: str) -> tuple[bool, list[str]]:
    """Return whether there is a title, and the case-folded words except titles and initials."""
    tokens = fold_text(_POSSESSIVE.sub("", string)).replace(",", " ").split()
    bare = [token.strip(_QUOTES + ".") for token in tokens]
    titled = len(tokens) > 1 and bare[0] in FORMS_OF_ADDRESS
    titles = FORMS_OF_ADDRESS if titled else frozenset()
    skipped = SMALL | SUFFIXES | CONNECTED | titles
    rest = [
        word
        for word, token in zip(bare, tokens, strict=True)
        if word not in skipped and not is_initial(token) and not word.isdecimal()
    ]
    pieces = [piece for word in rest for piece in _HYPHEN.split(word)]
    return titled, [piece for piece in pieces if piece and piece not in SMALL]


def _has_initials(string: str) -> bool:
    return any(map(is_initial, fold_text(string).split()))


@lru_cache(maxsize=4096)
def is_common(word: str) -> bool:
    """Return whether a case-folded word is a common noun in the ontology."""
    return any(
        sense.common for form in {word, singular(word)} for sense in shipped().store.find(form)
    )


@lru_cache(maxsize=4096)
def is_thing(string: str, kinds: frozenset[str] = _THINGS) -> bool:
    """Return whether a whole string is a drug, an illness, a treatment, a country or a language."""
    store = shipped().store
    key = name_key(string)
    return any(
        not kinds.isdisjoint(store.classes[id].text for id in ancestors(store, sense.classes))
        for form in {key, singular(key)}
        for sense in store.find(form)
    )


def is_identity_number(string: str) -> bool:
    """Return whether a string of type CODE has the form of an identity number."""
    return (
        sum(map(str.isdigit, string)) >= _FEWEST_DIGITS
        and _IDENTITY.fullmatch(string) is not None
        and _ROMAN.search(string) is None
        and not looks_like_account(string)
    )


def is_measured(text: str, span: Span) -> bool:
    """Return whether digits are part of a longer number or word, or of an amount."""
    before = text[max(0, span.start - _AROUND) : span.start]
    first, last = text[span.start], text[span.end - 1]
    grouped = _GROUP_BEFORE.search(before) and _THREE_DIGITS.match(text, span.start)
    cut = (first.isdigit() and (grouped or _NUMBER_BEFORE.search(before))) or (
        last.isdigit() and _NUMBER_AFTER.match(text, span.end)
    )
    if cut:
        return True
    amount = first.isdigit() and _PATTERNS["currency"].search(before)
    return bool(amount or (last.isdigit() and _UNIT.match(text, span.end)))


def has_amount(string: str) -> bool:
    """Return whether a string has a number with a unit, whatever type it was given: "Zyban 5 mg at night"."""
    units = (_UNIT.match(string, number.end()) for number in _NUMBER.finditer(string))
    return any(unit and _AFTER_AMOUNT.match(string, unit.end()) for unit in units)


def is_part_of_date(text: str, span: Span, date: WrittenDate) -> bool:
    """Return whether a date continues outside its mention, such as the year alone of "25 October 1983"."""
    before = text[max(0, span.start - _AROUND) : span.start]
    if date.grain is not Grain.DAY and _PATTERNS["date_before"].search(before):
        return True
    return not date.has_year and _PATTERNS["year_after"].match(text, span.end) is not None


def is_of_event(text: str, span: Span, date: WrittenDate) -> bool:
    """Return whether a date belongs to an event or a work, or its season is given next to it."""
    before = text[max(0, span.start - _AROUND) : span.start]
    if _PATTERNS["case_before"].search(before):
        return True
    if date.grain is not Grain.YEAR:
        around = before[-_SEASON_NEAR:] + "\0" + text[span.end : span.end + _SEASON_NEAR]
        return _PATTERNS["season"].search(around) is not None
    return bool(
        _PATTERNS["event_after"].match(text, span.end)
        or _PATTERNS["name_before"].search(before)
        or (_PATTERNS["determined"].search(before) and _CAPITAL_AFTER.match(text, span.end))
        or (
            _PATTERNS["work_before"].search(before)
            and text[span.end : span.end + 1] in (")", ",", ";")
        )
    )


def is_of_birth(text: str, span: Span) -> bool:
    """Return whether the date at ``span`` is someone's date of birth."""
    before = text[max(0, span.start - _AROUND) : span.start]
    return bool(
        _PATTERNS["birth_before"].search(before) or _PATTERNS["life_after"].match(text, span.end)
    )


def is_of_statute(text: str, span: Span) -> bool:
    """Return whether a number or a date belongs to a law."""
    before = text[max(0, span.start - _AROUND) : span.start]
    return bool(
        _PATTERNS["after_law"].search(before)
        or _PATTERNS["law_made"].search(before)
        or _PATTERNS["before_law"].match(text, span.end)
    )
