"""Linking of a string to classes (Olstad et al., section 3.2.1).

| step | example |
|---|---|
| exact, folded | ``Oslo`` |
| exact, of a part | ``Chicago, Illinois`` · ``1956 Summer Olympics`` · ``Skorb Ltd`` |
| contained in names | ``Yadanarbon`` in ``Yadanarbon FC``, where all names with this begin are of one class |
| approximate | ``Univeristy of Oslo`` |
| head noun | ``Nordlys Bakery`` is a bakery |
| said | "the novel Ubik" |
| type | an ORG is an organization, a LOC a place |

A near spelling, a head noun and a noun in apposition have the classes entailed by every reading; a
string in the ontology itself has those entailed by its likely readings (``classes_meant``).
So a league is an organization and no sports organization.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ...document import SemanticType
from .store import TYPES, Sense, Store, ancestors, entailed, key_of, nearest

# Apposition, the class of a name in the sentence itself: "the novel Ubik", "Ubik (1969 novel)".


_NOUNS = (
    "film|movie|novel|book|short story|story|play|poem|song|album|single|musical|opera|ballet"
    "|television series|TV series|television show|TV show|television program|sitcom|miniseries"
    "|video game|magazine|newspaper|journal|website|company|band|orchestra|record label|bank"
    "|football club|hockey team|baseball team|basketball team|political party|charity|airline"
    "|university|college|school|hospital|village|town|city|suburb|district|province|county|island"
    "|river|lake|mountain|church|museum|restaurant|hotel|award|prize|festival|tournament"
)
_SAID = {
    "movie": "film",
    "tv series": "television series",
    "tv show": "television series",
    "television show": "television series",
    "television program": "television series",
    "story": "short story",
}
_BEFORE = re.compile(
    rf"\b({_NOUNS})s?,?(?: (?:called|named|titled|entitled|of))?,?\s*[\"“'‘(]?\s*\Z", re.IGNORECASE
)
_AFTER = re.compile(
    rf"\A[\"”'’)]?,?\s*(?:\((?:\d{{4}} )?|(?:is|was|,) an? (?:\w+ )?)({_NOUNS})\b", re.IGNORECASE
)


def apposition(text: str, context: str) -> str:
    """Return the noun in apposition to ``text`` in its context; empty if there is none."""
    start = context.find(text)
    while start >= 0:
        match = _BEFORE.search(context[:start]) or _AFTER.match(context[start + len(text) :])
        if match:
            noun = match[1].lower()
            return _SAID.get(noun, noun)
        start = context.find(text, start + 1)
    return ""


# The head noun of a longer name, its class.
#
# ``Speaker of the Parliament`` is a speaker, ``head basketball coach`` a basketball coach,
# ``Nordlys Bakery`` a bakery.


_POST = re.compile(r"\s+(?:of|for|in|at|to|from|on|with|by|under)\s+|\s*[,(:]\s*|\s+[-–]\s+")
_NUMBERS = re.compile(
    r"\A(?:(?:\d{1,4}(?:st|nd|rd|th)?|[ivxlc]+)\s+)+|(?:\s+(?:\d{1,4}|[IVXLC]+))+\Z", re.IGNORECASE
)
_IRREGULAR = {"men": "man", "women": "woman", "people": "person", "children": "child"}


def heads(text: str) -> Iterator[str]:
    """Yield the ends of the first noun phrase, folded, the longest first, and their singulars."""
    phrase = _POST.split(text.strip(), maxsplit=1)[0]
    # Parts joined by a hyphen are one word: a left-back is no back.
    words = [word for token in phrase.split() if (word := key_of(token))]
    for start in range(len(words)):
        end = key_of(" ".join(words[start:]))
        yield end
        if (single := singular(end)) != end:
            yield single


def singular(phrase: str) -> str:
    """Return a phrase with its last word in the singular, by its ending."""
    start, _, word = phrase.rpartition(" ")
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith(("ches", "shes", "sses", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        word = word[:-1]
    return f"{start} {word}".strip()


def without_numbers(text: str) -> str:
    """Return a name without the year, ordinal or Roman numeral at its ends: ``Super Bowl``."""
    return _NUMBERS.sub("", text).strip()


# The intended sense of a name: of the mention's type, well known, near the places around it.


ACCEPTED = {
    SemanticType.LOC: (TYPES["LOC"],),
    SemanticType.ORG: (TYPES["ORG"], TYPES["MISC"]),
    SemanticType.DEM: (TYPES["DEM"], TYPES["MISC"]),
    SemanticType.MISC: (TYPES["MISC"] | TYPES["DEM"], TYPES["ORG"]),
}
"""Types of classes that a mention of a type may be linked to, the first that has senses."""
_REGION, _COUNTRY = 3.0, 1.0
"""How much better known a place is to a text that names its region, its country."""
_CLOSE = 1.0
_CLOSE_NOUNS = 1.6
"""Senses that differ by less than this can't be told apart."""


def of_type(
    store: Store, senses: Sequence[Sense], type: SemanticType, text: str
) -> tuple[list[Sense], int]:
    """Return the possible senses of a mention of a type, and the mask of their type.

    A common noun with a capital is a name, unless it is a person's role ("President").
    """
    is_capitalised = text[:1].isupper()
    small = text.islower()
    for mask in ACCEPTED.get(type, ()):
        matches = [
            sense
            for sense in senses
            if any(store.classes[id].types & mask for id in sense.classes)
            and not (type is SemanticType.LOC and store.located.isdisjoint(sense.classes))
            and not (is_capitalised and sense.common and not _may_be_common(text, type))
            and not (small and not sense.common and not _is_adjective(sense))
        ]
        if matches:
            # "Founder" is a disease of horses too.
            people = [sense for sense in matches if store.people.intersection(sense.classes)]
            return (people if type is SemanticType.DEM and people else matches), mask
    return [], 0


def _is_adjective(sense: Sense) -> bool:
    """Return whether a name may be written small: a nationality in careless writing."""
    return sense.source.startswith("demonym:")


def _may_be_common(text: str, type: SemanticType) -> bool:
    return type is SemanticType.DEM or (" " in key_of(text) and type is not SemanticType.LOC)


def classes_meant(
    store: Store, senses: Sequence[Sense], mask: int, context: str, *, every: bool = False
) -> tuple[set[int], list[Sense]]:
    """Return the classes in every reading of a name, with all ancestors, and these readings.

    A reading with fewer classes than another of the same thing contradicts nothing, nor does a row
    for "organization"; other readings of about equal likelihood entail their common classes, and
    nothing else. Sources cut one occupation differently: for a common noun in the text itself, the
    classes of most sources count as those of all.

    Args:
        store: the ontology.
        senses: of one name, of type ``mask``.
        mask: the type.
        context: the text around.
        every: all senses are readings, the rare and the unspecific ones too; else those about as
            likely as the likeliest.
    """
    around = _folded(context) if len(senses) > 1 else ""
    scored = sorted(
        ((sense.weight + nearness(store, sense, around), sense) for sense in senses),
        key=lambda pair: -pair[0],
    )
    best, first = scored[0]
    margin = _CLOSE_NOUNS if first.common else _CLOSE
    close = [sense for score, sense in scored if every or score > best - margin]
    sets = [_above(store, sense, mask) for sense in close]
    readings = [
        above
        for sense, above in zip(close, sets, strict=True)
        if every or not _says_less(store, sense, above, close, sets)
    ]
    readings = readings or sets[:1]
    meant = set.intersection(*readings)
    if first.common and not every:
        counts = Counter(id for above in readings for id in above)
        meant = {id for id in counts if 2 * counts[id] > len(readings)}
    if first.common:
        # A senator is a French citizen in one row only.
        meant = {id for id in meant if store.classes[id].text.islower()}
    return meant, close


@lru_cache(maxsize=16)
def _folded(context: str) -> str:
    return f" {key_of(context)} "


def _says_less(
    store: Store, sense: Sense, above: set[int], peers: Sequence[Sense], sets: Sequence[set[int]]
) -> bool:
    """Return whether a row has only a root class, or fewer classes than another of the thing."""
    if not any(store.classes[id].parents for id in above):
        return True
    return any(
        above < classes and _in_one_country(sense, peer)
        for peer, classes in zip(peers, sets, strict=True)
    )


def _in_one_country(first: Sense, second: Sense) -> bool:
    """Return whether two senses may be rows about one thing: not in two countries."""
    return not (first.places and second.places and first.places[-1] != second.places[-1])


def _above(store: Store, sense: Sense, mask: int) -> set[int]:
    of_mask = [id for id in sense.classes if store.classes[id].types & mask]
    if mask == TYPES["DEM"]:
        # A lawyer is somebody rather than an academic degree.
        of_mask = [id for id in of_mask if id in store.people] or of_mask
    return entailed(store, of_mask)


def nearness(store: Store, sense: Sense, around: str) -> float:
    """Return how much likelier a sense is for the places named in the folded text ``around``."""
    score = 0.0
    for number, id in enumerate(sense.places):
        if f" {store.places[id]} " in around:
            last = number == len(sense.places) - 1
            score += _COUNTRY if last else _REGION
    return score


def shared_classes(
    store: Store, groups: Iterable[Sequence[Sense]], mask: int, context: str
) -> set[int]:
    """Return the common classes of several names, in every sense of each."""
    sets = [classes_meant(store, senses, mask, context)[0] for senses in groups]
    return set.intersection(*sets) if sets else set()


_LEGAL = re.compile(
    r",?\s+(?:inc|ltd|limited|plc|llc|llp|corp|corporation|co|company|gmbh|ag|sa|s\.a|ab|as|asa|oy"
    r"|bv|nv|spa|srl|group)\.?\Z",
    re.IGNORECASE,
)
_SUFFIX = re.compile(
    r"(?:(?:a?fc|cf|sc|fk|bk|if|club|football|inc|ltd|limited|plc|corp|corporation|company|co|group"
    r"|holdings?|international|gmbh|ag|sa|university|college|party)\s*)+"
)
_FOOTBALL = re.compile(r"\b(?:A?FC|F\.C\.|Football Club)(?!\w)")
_COMPANY = re.compile(
    r",?\s+(?:inc|ltd|limited|plc|llc|llp|corp|corporation|company|gmbh|ag|s\.a|oy|bv|nv|spa|srl)\.?\Z"
    r"|\s&\s(?:co|sons?|daughters?|bro(?:ther)?s|partners|associates|company)\b",
    re.IGNORECASE,
)
"""Legal forms, and what only firms are called: "Health & Safety Executive" and "Contact Group" are none."""
_IN = re.compile(r" (?:in|of) (?:the )?[A-Z]")
_SHORTEST_BEGINNING = 5
_MOST_BEGINNINGS = 40
_SHORTEST_HEAD = 3
_NAMES_END_SO = frozenset(
    (
        "academic degree",
        "award",
        "crime",
        "election",
        "festival",
        "law",
        "organization",
        "protest",
        "scandal",
        "sports competition",
        "treaty",
        "war",
    )
)
"""Classes of which a capitalised MISC may say by its last noun that it is: films don't."""
_GOVERNING = frozenset(("association", "federation", "confederation", "union"))
"""What a body is called that governs the sport in its name."""
OF_TYPE = {SemanticType.ORG: "organization", SemanticType.LOC: "place"}


@dataclass(frozen=True, slots=True)
class Link:
    """Link of a string to classes.

    Attributes:
        step: ``exact``, ``part``, ``contained``, ``approximate``, ``head``, ``said`` or ``type``.
        names: its names in the ontology.
        classes: ids of its classes, with all ancestors.
        mask: the type of classes in the query.
        head: its head noun, where the link is by the noun.
    """

    step: str
    names: tuple[str, ...] = field(repr=False)
    classes: frozenset[int]
    mask: int
    head: str = ""


class Linker:
    """Linker of strings to an ontology.

    Args:
        store: the ontology.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_text = {item.text: id for id, item in enumerate(store.classes)}
        self._by_text |= {
            item.text: id for id, item in enumerate(store.classes) if item.source == "tacenda"
        }

    def link(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link of ``text``; None if nothing is known."""
        if type not in ACCEPTED:
            return None
        steps = (self._exact, self._part, self._contained, self._approximate, self._head)
        vague: Link | None = None
        for step in steps:
            candidate = step(text, type, context)
            if candidate is not None and not self._says_nothing(candidate):
                return candidate
            vague = vague or candidate
        statement = self._said(text, type, context)
        return statement or vague or self._of_type(text, type)

    def _says_nothing(self, link: Link) -> bool:
        """Return whether a link has only a root class: an organisation is an organization."""
        return not link.head and not any(self._store.classes[id].parents for id in link.classes)

    def _said(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link by the noun in apposition in the sentence."""
        noun = apposition(text, context)
        if not noun:
            return None
        senses = [sense for sense in self._store.find(key_of(noun)) if sense.common]
        typed, mask = of_type(self._store, senses, type, noun)
        if not typed:
            return None
        classes = self._of_noun(noun, typed, mask)
        return Link("said", (), frozenset(classes), mask, noun)

    def _of_type(self, text: str, type: SemanticType) -> Link | None:
        noun = OF_TYPE.get(type, "")
        if type is SemanticType.ORG and _COMPANY.search(text):
            noun = "company"
        if type is SemanticType.ORG and _FOOTBALL.search(text):
            noun = "football club"
        id = self._by_text.get(noun)
        if id is None:
            return None
        return Link(
            "type", (), frozenset(ancestors(self._store, [id])), self._store.classes[id].types
        )

    def _exact(
        self, text: str, type: SemanticType, context: str, step: str = "exact"
    ) -> Link | None:
        key = key_of(text)
        senses, mask = of_type(self._store, self._store.find(key), type, text)
        if not senses and (text.islower() or type is SemanticType.DEM):
            key = singular(key)
            senses, mask = of_type(self._store, self._store.find(key), type, text)
        if not senses:
            return None
        if type is SemanticType.MISC and mask != ACCEPTED[type][0] and " " not in key:
            return None  # one word that happens to be a firm's name too
        classes, _ = classes_meant(self._store, senses, mask, context)
        if not classes:
            return None
        return Link(
            step, (key,), frozenset(classes), mask, self._compound(text, key, type, classes)
        )

    def _compound(self, text: str, key: str, type: SemanticType, classes: set[int]) -> str:
        """Return the last noun of a compound for a person: ``producer`` of ``film producer``."""
        last = key.rpartition(" ")[2]
        # Parts joined by a hyphen are one word: an aide-de-camp is no camp.
        if type is not SemanticType.DEM or last == key or len(text.split()) == 1:
            return ""
        senses = [sense for sense in self._store.find(last) if sense.common]
        typed, _ = of_type(self._store, senses, type, last)
        person = self._by_text.get("person")
        return last if typed and person in classes else ""

    def _part(self, text: str, type: SemanticType, context: str) -> Link | None:
        for part in _parts(text, type):
            # The part cut off tells things of one name apart, so it is context.
            link = self._exact(part, type, f"{context} {text}", "part")
            if link is not None:
                return link
        return None

    def _contained(self, text: str, type: SemanticType, context: str) -> Link | None:
        key = key_of(text)
        # Of places nothing follows: Mexico is no city.
        if type is not SemanticType.ORG or len(key) < _SHORTEST_BEGINNING:
            return None
        mask = ACCEPTED[type][0]
        matches = []
        for name, senses in self._store.beginning_with(key, _MOST_BEGINNINGS):
            if not _SUFFIX.fullmatch(name[len(key) :].strip()):
                continue
            typed, typed_mask = of_type(self._store, senses, type, text)
            if typed and typed_mask == mask:
                matches.append((name, typed))
        classes = shared_classes(self._store, [senses for _, senses in matches], mask, context)
        if len(matches) == 1:
            # There may be others that nobody listed, in another country.
            classes = {id for id in classes if not _IN.search(self._store.classes[id].text)}
        return self._unless_empty("contained", [name for name, _ in matches], classes, mask)

    def _approximate(self, text: str, type: SemanticType, context: str) -> Link | None:
        mask = ACCEPTED[type][0]
        names = nearest(self._store, key_of(text), mask)
        matches = []
        for name in names:
            typed, typed_mask = of_type(self._store, self._store.find(name), type, text)
            if typed and typed_mask == mask:
                matches.append(typed)
        classes = shared_classes(self._store, matches, mask, context)
        # "base player" is no bass player: its last noun must be right as well.
        head = self._head(text, type, context)
        if head is not None:
            classes &= head.classes
        return self._unless_empty("approximate", names, classes, mask)

    def _unless_empty(
        self, step: str, names: list[str], classes: set[int], mask: int
    ) -> Link | None:
        return Link(step, tuple(names), frozenset(classes), mask) if classes else None

    def _head(self, text: str, type: SemanticType, context: str) -> Link | None:
        is_name = type is SemanticType.MISC and text.split()[-1][:1].isupper()
        key = key_of(text)
        for head in heads(text):
            if len(head) < _SHORTEST_HEAD:
                continue
            # "Graphs" may be more than one graph.
            names = dict.fromkeys((head, singular(head)))
            senses = [sense for form in names for sense in self._store.find(form) if sense.common]
            if not any(sense.common for sense in self._store.find(head)):
                continue  # the singular comes next
            typed, mask = of_type(self._store, senses, type, head)
            # The last noun of an organisation's name must be an organisation: Riders are not writing.
            if not typed or mask != ACCEPTED[type][0]:
                continue
            classes = self._of_noun(head, typed, mask)
            texts = {self._store.classes[id].text for id in classes}
            if is_name and not texts & _NAMES_END_SO:
                return None
            if head in _GOVERNING and self._names_a_sport(key):
                head = "sports governing body"
                classes = self._of_noun(head, typed, mask)
            # A class of one country need not exist in another.
            classes = {id for id in classes if self._store.classes[id].text.islower()}
            label = "" if head == key else head
            return Link("head", (), frozenset(classes), mask, label)
        return None

    def _names_a_sport(self, key: str) -> bool:
        """Return whether a word of a name is a sport."""
        sport = self._by_text.get("sport")
        return any(
            sense.common and sport in ancestors(self._store, sense.classes)
            for word in key.split()
            for sense in self._store.find(word)[:1]
        )

    def _of_noun(self, noun: str, senses: list[Sense], mask: int) -> set[int]:
        """Return the ancestors of the class of a noun, or the common classes of its readings."""
        id = self._by_text.get(noun)
        if id is not None and self._store.classes[id].source == "tacenda":
            return entailed(self._store, [id])
        return classes_meant(self._store, senses, mask, "", every=True)[0]

    def class_named(self, text: str) -> int | None:
        """Return the id of the class with this text; None if there is none."""
        return self._by_text.get(text)


def _parts(text: str, type: SemanticType) -> Iterator[str]:
    if type is SemanticType.LOC:
        for sign in (",", "(", " in "):
            start, separator, _ = text.partition(sign)
            if separator and start.strip():
                yield start.strip()
        return
    if (shorter := without_numbers(text)) not in ("", text):
        yield shorter
    if type is SemanticType.ORG and (stripped := _LEGAL.sub("", text)) != text:
        yield stripped
    if type is SemanticType.DEM:
        yield from (part.strip() for part in re.split(r"/|,| and ", text)[:-1] if part.strip())
