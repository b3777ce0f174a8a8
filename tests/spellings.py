"""Names of many cultures, the ways to spell them, and the places where they stand.

A spelling is what a reader, a mail program or a browser would take for the name. ``survives`` reads
an output as those would, knowing nothing of how tacenda searches: it undoes every encoding, drops
what is no letter and looks for the name's parts.

Every second name and every third kind of spelling is held out: rules are made from the others.
"""

from __future__ import annotations

import base64
import html
import quopri
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import quote

_GAPS = re.compile(r"[\s'-]+")
_PARTICLES = frozenset("van von de der den di da la del y bin al".split())


@dataclass(frozen=True, slots=True)
class Name:
    """A person's given names and surnames, and the same in plain letters where it has others."""

    given: str
    surname: str
    plain: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.whole

    @property
    def spaced(self) -> bool:
        """Whether its script puts spaces between words."""
        return all(letter < "\u1100" or "\u1e00" <= letter < "\u2000" for letter in self.given)

    @property
    def whole(self) -> str:
        """The name as its bearer writes it."""
        return f"{self.given} {self.surname}".strip() if self.spaced else self.surname + self.given

    @property
    def parts(self) -> tuple[str, ...]:
        """The words that name: no particles."""
        return tuple(part for part in self.whole.split() if part.lower() not in _PARTICLES)


NAMES = (
    Name("Galip", "Yalman"),
    Name("Çağlar", "Öztürk", ("Caglar Ozturk",)),
    Name("Işıl", "Yıldız", ("Isil Yildiz",)),
    Name("Gülşen", "Kılıçdaroğlu", ("Gulsen Kilicdaroglu", "Guelsen Kilicdaroglu")),
    Name("Þórður", "Guðmundsson", ("Thordur Gudmundsson",)),
    Name("Sæunn", "Hreiðarsdóttir", ("Saeunn Hreidarsdottir",)),
    Name("Inés", "Etxeberria Quiroga", ("Ines Etxeberria Quiroga",)),
    Name("Íñigo", "Núñez de la Peña", ("Inigo Nunez de la Pena",)),
    Name("Xiaoming", "Li"),
    Name("Wei", "O"),
    Name("Min-jun", "E"),
    Name("Thi Huong", "Ngô", ("Thi Huong Ngo",)),
    Name("小明", "王"),
    Name("伟", "歐陽"),
    Name("민준", "김"),
    Name("さくら", "佐藤"),
    Name("Khalid", "al-Zahrani"),
    Name("خالد", "الزهراني"),
    Name("Тарас", "Шевченко", ("Taras Shevchenko",)),
    Name("Ольга", "Жукова", ("Olga Zhukova",)),
    Name("Νίκος", "Παπαδόπουλος", ("Nikos Papadopoulos",)),
    Name("Ελένη", "Ψαρρού", ("Eleni Psarrou",)),
    Name("Siobhan", "O'Brannigan"),
    Name("Étienne", "d'Arcourt", ("Etienne d'Arcourt",)),
    Name("Marijke", "van der Hoeven"),
    Name("Lodewijk", "de Vriesman"),
    Name("Fergus", "McAllister"),
    Name("Morag", "MacTavish"),
    Name("Jürgen", "Weißmüller", ("Juergen Weissmueller", "Jurgen Weissmuller")),
    Name("Käthe", "Größ", ("Kaethe Groess", "Kathe Gross")),
    Name("Łukasz", "Wałęsiak", ("Lukasz Walesiak",)),
    Name("Żaneta", "Śliwczyńska", ("Zaneta Sliwczynska",)),
    Name("Søren", "Kjærgaard", ("Soren Kjaergaard", "Soeren Kjaergaard")),
    Name("Åse", "Bjørnstad", ("Ase Bjornstad", "Aase Bjoernstad")),
    Name("Đorđe", "Obradović", ("Dorde Obradovic", "Djordje Obradovic")),
    Name("Ann", "Lee"),
    Name("Li", "Wu"),
    Name("Jean-Baptiste", "Dupontel-Ferrand"),
    Name("Mary Ann", "Featherstone-Quigg"),
    Name("Ştefan", "Ţepeluş", ("Stefan Tepelus",)),
    Name("Dvořák", "Přemysl", ("Dvorak Premysl",)),
    Name("Nguyễn", "Phước", ("Nguyen Phuoc",)),
    Name("Shlomo", "Ben-Haimovitz"),
    Name("שלמה", "אברמוביץ"),
    Name("Ravindra", "Chattopadhyay"),
    Name("रविन्द्र", "चट्टोपाध्याय"),
    Name("Somchai", "Wattanapong"),
    Name("สมชาย", "วัฒนพงษ์"),
)

Spelling = Callable[[Name], Iterator[str]]


def _cased(name: Name) -> Iterator[str]:
    yield from (name.whole, name.whole.upper(), name.whole.lower(), name.whole.swapcase())
    yield from (part.upper() for part in name.parts if len(part) > 3)


def _parts(name: Name) -> Iterator[str]:
    yield from (part for part in name.parts if len(part) > 2)


def _small_parts(name: Name) -> Iterator[str]:
    yield from (part.lower() for part in name.parts if len(part) > 4)


def _plain(name: Name) -> Iterator[str]:
    for plain in name.plain:
        yield from (plain, plain.upper(), plain.split()[-1], f"Mr {plain.split()[-1]}")


def _bare(name: Name) -> Iterator[str]:
    decomposed = unicodedata.normalize("NFD", name.whole)
    yield "".join(letter for letter in decomposed if not "\u0300" <= letter <= "\u036f")


def _initials(name: Name) -> Iterator[str]:
    if not name.spaced:
        return
    letters = [part[0] for part in name.parts if part[0].isupper()]
    if len(letters) > 1 and all(len(part) > 1 for part in name.parts):
        yield from (".".join(letters) + ".", ". ".join(letters) + ".", ".-".join(letters) + ".")


def _initialled(name: Name) -> Iterator[str]:
    if name.spaced and name.given[0].isupper():
        yield f"{name.given[0]}. {name.surname}"
        yield f"{name.given[0]}.{name.surname}"
        yield f"{name.given[0]} {name.surname}"
        yield f"{name.surname}, {name.given[0]}."
        yield f"{name.surname} {name.given[0]}"


def _possessive(name: Name) -> Iterator[str]:
    for string in (name.whole, name.surname):
        if len(string) > 1:
            yield from (f"{string}'s", f"{string}’s", f"{string}`s", f"{string}'", f"{string}ʼs")


def _plural(name: Name) -> Iterator[str]:
    if name.spaced and len(name.surname) > 2:
        yield from (f"the {name.surname}s", f"{name.whole}s", f"the {name.surname}es'")
        yield f"THE {name.surname.upper()}S"


def _reversed(name: Name) -> Iterator[str]:
    yield from (f"{name.surname}, {name.given}", f"{name.surname} {name.given}")
    yield f"{name.surname.upper()} {name.given}"
    yield f"{name.surname.upper()},{name.given}"
    yield f"{name.surname}; {name.given}"


def _titled(name: Name) -> Iterator[str]:
    if name.spaced:
        yield from (f"Mr {name.surname}", f"Dr. {name.surname}", f"Prof. Dr {name.whole}")
        yield f"MRS {name.surname.upper()}"
    elif name.surname in ("王", "歐陽"):
        yield from (f"{name.surname}先生", f"{name.surname}女士", f"{name.surname}某")
    elif name.surname == "김":
        yield from (f"{name.surname} 씨", f"{name.surname}씨", f"{name.surname} 교수님")


def _glued(name: Name, hump: bool = True) -> str:
    words = _GAPS.split(name.whole)
    return "".join((word[0].upper() + word[1:]) if hump else word.lower() for word in words)


def _hashtag(name: Name) -> Iterator[str]:
    yield from (f"#Free{_glued(name)}", f"#{_glued(name)}", f"#justice4{_glued(name, hump=False)}")
    yield f"#{_glued(name)}MustGo"


def _file_name(name: Name) -> Iterator[str]:
    joined = _GAPS.sub("_", name.whole)
    yield from (f"{_glued(name)}CV.pdf", f"CV{_glued(name)}2024.docx", f"cv_{joined}_final.pdf")
    yield f"scan-{name.whole.replace(' ', '-')}.jpg"
    yield f"C:\\Users\\{_glued(name, hump=False)}\\letter.doc"


def _id(name: Name) -> Iterator[str]:
    snake = _GAPS.sub("_", name.whole.lower())
    yield from (f"user_{snake}_id", f"USER_{snake.upper()}_ID", f"uid-{snake.replace('_', '-')}-7")
    yield f"get{_glued(name)}Profile()"
    yield f"user{_glued(name, hump=False)}99"


def _surname_inside(name: Name) -> Iterator[str]:
    surname = _GAPS.sub("", name.surname)
    if len(surname) > 4:
        yield from (f"x{surname.lower()}x", f"the{surname}File", f"anti-{surname}ism")
        yield f"{surname}gate"


def _joined(name: Name) -> Iterator[str]:
    yield from (_glued(name), _glued(name, hump=False), _glued(name).upper())


def _kebab(name: Name) -> Iterator[str]:
    words = name.whole.lower().split()
    yield from ("-".join(words), "_".join(words), ".".join(words), "+".join(words), "/".join(words))


def _address(name: Name) -> Iterator[str]:
    dotted = ".".join(_GAPS.split(name.whole.lower()))
    yield from (f"{dotted}@example.org", f"mailto:{dotted}@example.org")
    yield f"https://example.org/people/{dotted.replace('.', '-')}/cv.html?x=1#top"
    yield f"https://{_glued(name, hump=False)}.example.com/"
    yield f"www.example.org/~{_glued(name, hump=False)}"
    yield f"\\\\server\\home\\{dotted}\\x"


def _handle(name: Name) -> Iterator[str]:
    if not name.spaced or len(_GAPS.sub("", name.surname)) < 5:
        return
    surname = _GAPS.sub("", name.surname.lower())
    yield from (f"@{name.given[0].lower()}{surname}", f"{surname}{name.given[0].lower()}_88")
    yield f"{name.given[0].lower()}.{surname}@example.org"
    yield f"real_{name.given[0].lower()}{surname}_"


def _middle(string: str) -> int:
    middle = max(len(string) // 2, 1)
    while middle < len(string) and unicodedata.category(string[middle])[0] == "M":
        middle += 1
    return middle


def _long(name: Name) -> Iterator[str]:
    yield from (part for part in name.parts if len(part) > 3 and part.isalpha())


def _hyphenated(name: Name) -> Iterator[str]:
    for part in _long(name):
        head, tail = part[: _middle(part)], part[_middle(part) :]
        yield from (f"{head}-\n{tail}", f"{head}- \r\n  {tail}", f"{head}\u00ad\n{tail}")
        yield from (f"{head.upper()}-\n{tail.upper()}", f"{head}\u2010\n{tail}", f"{head}¬\n{tail}")


def _quoted_mail(name: Name) -> Iterator[str]:
    for part in _long(name):
        head, tail = part[: _middle(part)], part[_middle(part) :]
        yield from (f"{head}-\n> {tail}", f"{head}- \n> > {tail}", f"{head}-\n>{tail}")
        yield f"{head}-\n    | {tail}"
        yield f"{head}-\n// {tail}"
    if name.spaced:
        yield name.whole.replace(" ", "\n> ")


def _broken(name: Name) -> Iterator[str]:
    for part in _long(name):
        head, tail = part[: _middle(part)], part[_middle(part) :]
        yield from (f"{head}-{tail}", f"{head}- {tail}", f"{head}\u2011{tail}")


_INVISIBLE = (
    "\u200b\u200c\u200d\ufeff\u2060\u00ad\ufe0f\ufe00\u034f\u180b\u180e\u061c\u200e\u202e\u2066"
    "\u2069\u115f\u1160\u3164\uffa0\u17b4\u2064\u206f\U000e0041\U000e0101\U0001d173\u2061"
)


def _invisible(name: Name) -> Iterator[str]:
    for number, mark in enumerate(_INVISIBLE):
        part = (name.whole, *name.parts)[number % (1 + len(name.parts))]
        if len(part) > 1:
            yield part[: _middle(part)] + mark + part[_middle(part) :]
    yield "\u200b".join(name.whole)


def _control(name: Name) -> Iterator[str]:
    for part in _long(name):
        for mark in "\x00\x01\x07\x08\x0b\x0c\x1b\x1f\x7f\x80\x85\x9f":
            yield part[: _middle(part)] + mark + part[_middle(part) :]


def _stacked(name: Name) -> Iterator[str]:
    if name.spaced:
        yield "".join(c + "\u0336\u0323\u0301" * c.isalpha() for c in name.whole)
        yield "".join(c + "\u20d2\u0489\u1ab0" * c.isalpha() for c in name.parts[-1])


def _wide(name: Name) -> Iterator[str]:
    yield "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name.whole)
    for large, small in ((0x1D400, 0x1D41A), (0x1D5D4, 0x1D5EE), (0x1D670, 0x1D68A)):
        yield "".join(
            chr(large + ord(c) - 65)
            if "A" <= c <= "Z"
            else chr(small + ord(c) - 97)
            if "a" <= c <= "z"
            else c
            for c in name.whole
        )


def _circled(name: Name) -> Iterator[str]:
    if name.whole.isascii() and name.whole.replace(" ", "").isalpha():
        yield "".join(chr(0x24D0 + ord(c) - 97) if c.isalpha() else c for c in name.whole.lower())
        yield "".join(chr(0x1F130 + ord(c) - 65) if c.isalpha() else c for c in name.whole.upper())
        yield "".join(chr(0x1F1E6 + ord(c) - 65) if c.isalpha() else c for c in name.whole.upper())


_CYRILLIC = dict(zip("aeopcxyijsAEOPCXTHKMB", "аеорсхуіјѕАЕОРСХТНКМВ", strict=True))
_GREEK = dict(zip("ovAEZIKMNOPTYXB", "ονΑΕΖΙΚΜΝΟΡΤΥΧΒ", strict=True))


def _homoglyphs(name: Name) -> Iterator[str]:
    for table in (_CYRILLIC, _GREEK, {value: key for key, value in _CYRILLIC.items()}):
        for changed in ("".join(table.get(c, c) for c in name.whole), name.whole):
            if changed != name.whole:
                yield changed
        first = next((i for i, c in enumerate(name.whole) if c in table), None)
        if first is not None:
            yield name.whole[:first] + table[name.whole[first]] + name.whole[first + 1 :]


def _percent(name: Name) -> Iterator[str]:
    yield from (quote(name.whole), "".join(f"%{byte:02x}" for byte in name.whole.encode()))
    yield quote(name.whole).replace("%20", "+")
    yield f"https://example.org/p?name={quote(name.whole)}&x=1"
    yield quote(quote(name.whole))


def _percent_latin(name: Name) -> Iterator[str]:
    try:
        data = name.whole.encode("latin-1")
    except UnicodeEncodeError:
        return
    yield quote(data)
    yield quote(data).lower()


def _percent_u(name: Name) -> Iterator[str]:
    if max(name.whole) <= "\uffff":
        yield "".join(f"%u{ord(c):04x}" for c in name.whole)
        yield "".join(c if c.isascii() else f"%u{ord(c):04X}" for c in name.whole)


def _references(name: Name) -> Iterator[str]:
    yield "".join(f"&#{ord(c)};" for c in name.whole)
    yield "".join(f"&#x{ord(c):x};" if i % 2 else c for i, c in enumerate(name.whole))
    yield html.escape(name.whole).encode("ascii", "xmlcharrefreplace").decode()
    yield name.whole.replace(" ", "&nbsp;")
    yield name.whole[: _middle(name.whole)] + "&shy;" + name.whole[_middle(name.whole) :]


def _named_references(name: Name) -> Iterator[str]:
    from html.entities import codepoint2name

    if any(ord(c) in codepoint2name for c in name.whole):
        yield "".join(
            f"&{codepoint2name[ord(c)]};" if ord(c) in codepoint2name else c for c in name.whole
        )


def _encoded_words(name: Name) -> Iterator[str]:
    data = name.whole.encode()
    q = "".join(
        chr(b) if chr(b).isalnum() and b < 128 else "_" if b == 32 else f"={b:02X}" for b in data
    )
    yield from (f"=?utf-8?q?{q}?=", f"=?UTF-8?Q?{q}?=")
    yield f"=?utf-8?b?{base64.b64encode(data).decode()}?="
    yield f"From: =?UTF-8?B?{base64.b64encode(data).decode()}?= <x@example.org>"
    yield " ".join(f"=?utf-8?b?{base64.b64encode(part.encode()).decode()}?=" for part in name.whole)


def _quoted_printable(name: Name) -> Iterator[str]:
    yield quopri.encodestring(name.whole.encode()).decode()
    yield "".join(f"={byte:02X}" for byte in name.whole.encode())
    for part in _long(name):
        if part.isascii():
            yield f"{part[: _middle(part)]}=\n{part[_middle(part) :]}"


def _escapes(name: Name) -> Iterator[str]:
    yield "".join(c if c.isascii() else f"\\u{ord(c):04x}" for c in name.whole)
    yield "".join(f"\\u{ord(c):04X}" for c in name.whole if c <= "\uffff")
    yield "".join(f"\\u{{{ord(c):x}}}" for c in name.whole)


def _byte_escapes(name: Name) -> Iterator[str]:
    yield "".join(f"\\x{byte:02x}" for byte in name.whole.encode())
    yield "".join(f"\\{byte:03o}" for byte in name.whole.encode())


def _css_escapes(name: Name) -> Iterator[str]:
    yield "".join(f"\\{ord(c):06x}" for c in name.whole)


def _forms(name: Name) -> Iterator[str]:
    yield from (unicodedata.normalize(form, name.whole) for form in ("NFC", "NFD", "NFKD"))
    yield unicodedata.normalize("NFD", name.whole.upper())


def _spaced_out(name: Name) -> Iterator[str]:
    if name.spaced:
        yield "  ".join(" ".join(part) for part in name.parts)
        yield from (" ".join(part.upper()) for part in name.parts if len(part) > 3)
        yield " ".join(name.whole.replace(" ", ""))
        yield "\u2009".join(name.parts[-1]) if len(name.parts[-1]) > 3 else name.whole


def _stacked_letters(name: Name) -> Iterator[str]:
    if name.spaced:
        for gap in ("\n", "\r\n", "\n\n", " \n", "\t", " | ", "|", "\u2028"):
            yield from (gap.join(part.upper()) for part in name.parts if len(part) > 3)
        yield "\n\n".join("\n".join(part) for part in name.parts)


def _glued_symbols(name: Name) -> Iterator[str]:
    for symbol in ("🎂🎂", "✓", "💜", "👍🏽", "❤️", "👩\u200d💻", "™", "€", "†", "\ue000"):
        yield from (name.whole + symbol, symbol + name.whole, f"{symbol}{name.whole}{symbol}")
    yield f"¡{name.whole}!"


def _punctuated_out(name: Name) -> Iterator[str]:
    if name.spaced:
        for mark in ".-_*|/":
            yield from (mark.join(part) for part in name.parts if len(part) > 3)


def _emphasis(name: Name) -> Iterator[str]:
    for part in _long(name):
        head, tail = part[: _middle(part)], part[_middle(part) :]
        yield from (f"**{head}**{tail}", f"{head}*{tail}*", f"_{head}_{tail}", f"~~{head}~~{tail}")
        yield f"`{head}`{tail}"


def _tags(name: Name) -> Iterator[str]:
    for part in _long(name):
        head, tail = part[: _middle(part)], part[_middle(part) :]
        yield from (f"<b>{head}</b>{tail}", f"{head}<wbr>{tail}", f"{head}<!-- -->{tail}")


def _digits(name: Name) -> Iterator[str]:
    for part in name.parts:
        if len(part) > 4:
            yield from (f"{part}1987", f"1987{part}", f"{part.lower()}007", f"{part}²")


def _leet(name: Name) -> Iterator[str]:
    if name.whole.isascii() and len(name.surname) > 5:
        yield name.whole.translate(str.maketrans("aeio", "4310"))


def _split_words(name: Name) -> Iterator[str]:
    if name.spaced:
        for gap in ("\n", "  ", "\t", "\u00a0", " \n\t", "\u3000", " - ", "/", "\\n", "|", " : "):
            yield name.whole.replace(" ", gap)


SPELLINGS: dict[str, Spelling] = {
    "as it is, in every case": _cased,
    "a part": _parts,
    "a part in small letters": _small_parts,
    "plain letters": _plain,
    "no diacritics": _bare,
    "initials": _initials,
    "initial and surname": _initialled,
    "possessive": _possessive,
    "plural": _plural,
    "surname first": _reversed,
    "title and surname": _titled,
    "hashtag": _hashtag,
    "file name": _file_name,
    "id": _id,
    "surname inside a word": _surname_inside,
    "joined": _joined,
    "kebab, snake, dots": _kebab,
    "address": _address,
    "handle": _handle,
    "hyphen at a line end": _hyphenated,
    "hyphen in a quoted mail": _quoted_mail,
    "hyphen left within a line": _broken,
    "invisible characters": _invisible,
    "control characters": _control,
    "stacked marks": _stacked,
    "wide and mathematical": _wide,
    "circled and squared": _circled,
    "homoglyphs": _homoglyphs,
    "percent": _percent,
    "percent, Latin-1": _percent_latin,
    "percent u": _percent_u,
    "character references": _references,
    "named references": _named_references,
    "encoded words": _encoded_words,
    "quoted-printable": _quoted_printable,
    "backslash u": _escapes,
    "backslash x and octal": _byte_escapes,
    "CSS escapes": _css_escapes,
    "normal forms": _forms,
    "spaced out": _spaced_out,
    "stacked letters": _stacked_letters,
    "glued symbols": _glued_symbols,
    "punctuated out": _punctuated_out,
    "emphasis inside": _emphasis,
    "tags inside": _tags,
    "digits glued on": _digits,
    "split in words": _split_words,
}

PLACES = (
    "{}",
    "{} was here.",
    "It was signed by {}",
    "He said “{}” twice.",
    "The file ({}) is closed.",
    "See [{}](x) there.",
    "on that day,{},nothing",
    "This is *{}* here.",
    "this is **{}**, he said",
    "first line\n{}\nlast line",
    "- {}\n- another\n",
    "| note | {} |\n",
    "key={}; next",
    '{{"field": "{}"}}',
    "<p>{}</p>",
    "> {}\n> quoted",
    "5 {} 6",
    "…{}…",
)


@dataclass(frozen=True, slots=True)
class SpelledName:
    """A text in which a name stands, spelt in a certain way."""

    name: Name
    kind: str
    spelling: str
    place: str
    held_out: bool

    @property
    def text(self) -> str:
        """The text."""
        return self.place.format(self.spelling)


def planted() -> Iterator[SpelledName]:
    """Yield every name in every spelling in every place."""
    for row, name in enumerate(NAMES):
        for column, (kind, spell) in enumerate(SPELLINGS.items()):
            for spelling in dict.fromkeys(spell(name)):
                for place in PLACES:
                    held_out = row % 2 == 1 or column % 3 == 2
                    yield SpelledName(name, kind, spelling, place, held_out)


_UNITS = re.compile(
    r"%u([0-9a-fA-F]{4})|\\u([0-9a-fA-F]{4})|\\u\{([0-9a-fA-F]{1,6})\}|\\0{2}([0-9a-fA-F]{4})"
)
_BYTES = re.compile(r"(?:(?:%|=|\\x)[0-9a-fA-F]{2}|\\[0-3][0-7]{2})+")
_BYTE = re.compile(r"[%=x]([0-9a-fA-F]{2})|\\([0-3][0-7]{2})")
_ENCODED_WORD = re.compile(r"=\?([\w-]+)\?([bBqQ])\?([^?]*)\?=\s*")


def _read_bytes(found: re.Match[str]) -> str:
    data = bytes(int(a, 16) if a else int(b, 8) for a, b in _BYTE.findall(found.group()))
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _read_word(found: re.Match[str]) -> str:
    body = found[3]
    if found[2] in "bB":
        return base64.b64decode(body + "==").decode(found[1], "replace")
    return quopri.decodestring(body.replace("_", " ")).decode(found[1], "replace")


def decoded(text: str) -> str:
    """Return a text with every encoding undone, as often as there is one."""
    for _ in range(4):
        text = re.sub("=\r?\n", "", _ENCODED_WORD.sub(_read_word, text))
        text = _UNITS.sub(lambda found: chr(int("".join(filter(None, found.groups())), 16)), text)
        text = html.unescape(_BYTES.sub(_read_bytes, text))
    return re.sub(r"<[/!]?[a-z-][^<>]*>", "", text)


_LATIN = {value: key for key, value in (_CYRILLIC | _GREEK).items()}
_PLAIN = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "æ": "ae", "ß": "ss"}


def letters(text: str) -> str:
    """Return the letters of a text, small, plain and Latin where one looks like it."""
    text = "".join(_LATIN.get(c, c) for c in text)
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = "".join(_LATIN.get(c, _PLAIN.get(c, c)) for c in plain)
    return "".join(c for c in plain if unicodedata.category(c)[0] == "L" and c not in _INVISIBLE)


def survives(case: SpelledName, output: str) -> bool:
    """Tell whether a reader finds the name in what became of the text."""
    if len(case.spelling) > 1 and case.spelling in output:
        return True
    reading = decoded(output)
    stripped = letters(reading)
    wholes = {letters(case.name.whole), letters(case.name.surname + case.name.given)}
    wholes |= {letters(plain) for plain in case.name.plain}
    parts = {letters(word) for part in case.name.parts for word in re.split(r"[-']", part)}
    parts |= {letters(word) for plain in case.name.plain for word in plain.split()}
    if any(len(whole) > 3 and whole in stripped for whole in wholes):
        return True
    if any(len(part) > 4 and part in stripped for part in parts):
        return True
    words = {letters(word) for word in re.findall(r"[^\W\d_]+", reading)} - _PARTICLES
    told = {letters(word) for word in re.findall(r"[^\W\d_]+", decoded(case.place))} | _AROUND
    return bool({part for part in parts if len(part) > 1} & words - told)


# What the spellings themselves put around a name.
_AROUND = frozenset(("the", "mr", "mrs", "dr", "prof", "example", "org", "cv", "html", "x"))
