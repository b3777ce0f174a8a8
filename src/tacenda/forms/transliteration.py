"""Names compared across spellings of one sound: *Шевченко*, *Shevchenko*, *Chevtchenko*, *Schewtschenko*.

Courts, registers and newspapers of 47 states write one name in as many ways. The key below keeps
what they agree on: it maps Cyrillic and Greek letters to Latin ones, all spellings of a sibilant
to one letter, and drops doubling and length. It tells more names apart than Soundex does, and is
meant for one known name in one document, not for search among millions.
"""

from __future__ import annotations

import re

TWO_LETTERS = str.maketrans(
    dict(zip("äöüåøđðÄÖÜÅØĐÐ", "ae oe ue aa oe dj dh Ae Oe Ue Aa Oe Dj Dh".split(), strict=True))
)
"""How letters are written where a keyboard has none of them: *Mueller*, *Kjaer*, *Djordje*."""
_LETTERS = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфхцыэіїєґў", "abvgdeziiklmnoprstufhsieiiegu", strict=True))
    | {"ж": "z", "ч": "s", "ш": "s", "щ": "s", "ю": "iu", "я": "ia", "ё": "e", "ь": "", "ъ": ""}
    | dict(zip("јљњћђџ", "ilnszz", strict=True))
    | dict(zip("αβγδεζηικλμνξοπρσςτυφχω", "avgdeziiklmnxoprsstyfho", strict=True))
    | {"θ": "t", "ψ": "ps"}
)
# Longer spellings first; each pair is read from left to right over the whole word.
_SPELLINGS = (
    (re.compile("schtsch|chtch|shch|szcz|tsch|tch|sch|sh|ch|sz|cz|ts|tz|cs"), "s"),
    (re.compile("dzh|dsch|dj|dz|zh"), "z"),
    (re.compile("kh|gh"), "h"),
    (re.compile("ph"), "f"),
    (re.compile("th"), "t"),
    (re.compile("ck|q"), "k"),
    (re.compile("x"), "ks"),
    (re.compile("c(?=[eiy]|$)"), "s"),
    (re.compile("c"), "k"),
    (re.compile("w"), "v"),
    (re.compile("ou|oo|ue"), "u"),
    (re.compile("ae|aa"), "a"),
    (re.compile("oe"), "o"),
    (re.compile("[yj]"), "i"),
    (re.compile(r"(.)\1+"), r"\1"),
)


def sound(folded: str) -> str:
    """Return the key of a folded word; words of one key may be one name in two spellings."""
    key = folded.replace("ου", "u").translate(_LETTERS)
    for spelling, letter in _SPELLINGS:
        key = spelling.sub(letter, key)
    return key
