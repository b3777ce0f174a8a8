"""From a string to the classes of what it names (Olstad et al., section 3.2.1).

| step | example |
|---|---|
| exact, folded | ``Oslo`` |
| exact, of a part | ``Chicago, Illinois`` · ``1956 Summer Olympics`` · ``Skorb Ltd`` |
| contained in names | ``Yadanarbon`` in ``Yadanarbon FC``, where all that begin so are of one class |
| approximate | ``Univeristy of Oslo`` |
| head noun | ``Nordlys Bakery`` is a bakery |
| said | "the novel Ubik" |
| type | an ORG is an organization, a LOC a place |

What is said of a near spelling, of a head noun and of a noun in apposition is what every reading of
it entails; of a string that stands in the ontology itself, what its likely readings entail
(``senses.classes_meant``). So a league is an organization and no sports organization.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...document import SemanticType
from .apposition import apposition
from .approximate import nearest
from .format import Sense
from .generalising import ancestors, entailed
from .heads import heads, singular, without_numbers
from .keys import key_of
from .senses import ACCEPTED, classes_meant, of_type, shared_classes
from .store import Store

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
    """What a string was linked to.

    Attributes:
        step: ``exact``, ``part``, ``contained``, ``approximate``, ``head``, ``said`` or ``type``.
        names: what it is called in the ontology.
        classes: ids of its classes, with all above.
        mask: the type of classes that was asked for.
        head: the noun that it is built around, where that is what was found.
    """

    step: str
    names: tuple[str, ...] = field(repr=False)
    classes: frozenset[int]
    mask: int
    head: str = ""


class Linker:
    """Links strings to an ontology.

    Args:
        store: the ontology.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_text = {each.text: id for id, each in enumerate(store.classes)}
        self._by_text |= {
            each.text: id for id, each in enumerate(store.classes) if each.source == "tacenda"
        }

    def link(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return what ``text`` names; None if nothing is known, which says nothing false."""
        if type not in ACCEPTED:
            return None
        steps = (self._exact, self._part, self._contained, self._approximate, self._head)
        vague: Link | None = None
        for step in steps:
            found = step(text, type, context)
            if found is not None and not self._says_nothing(found):
                return found
            vague = vague or found
        said = self._said(text, type, context)
        return said or vague or self._of_type(text, type)

    def _says_nothing(self, link: Link) -> bool:
        """Tell whether all that is known is a root: that an organisation is an organization."""
        return not link.head and not any(self._store.classes[id].parents for id in link.classes)

    def _said(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return what the sentence says that it is."""
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
        said = OF_TYPE.get(type, "")
        if type is SemanticType.ORG and _COMPANY.search(text):
            said = "company"
        if type is SemanticType.ORG and _FOOTBALL.search(text):
            said = "football club"
        id = self._by_text.get(said)
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
        """Return the last noun of a compound that says what somebody is: of a film producer."""
        last = key.rpartition(" ")[2]
        # What a hyphen joins is one word: an aide-de-camp is no camp.
        if type is not SemanticType.DEM or last == key or len(text.split()) == 1:
            return ""
        senses = [sense for sense in self._store.find(last) if sense.common]
        typed, _ = of_type(self._store, senses, type, last)
        person = self._by_text.get("person")
        return last if typed and person in classes else ""

    def _part(self, text: str, type: SemanticType, context: str) -> Link | None:
        for part in _parts(text, type):
            # What was cut off tells which thing is meant.
            found = self._exact(part, type, f"{context} {text}", "part")
            if found is not None:
                return found
        return None

    def _contained(self, text: str, type: SemanticType, context: str) -> Link | None:
        key = key_of(text)
        # Of places nothing follows: Mexico is no city.
        if type is not SemanticType.ORG or len(key) < _SHORTEST_BEGINNING:
            return None
        mask = ACCEPTED[type][0]
        found = []
        for name, senses in self._store.beginning_with(key, _MOST_BEGINNINGS):
            if not _SUFFIX.fullmatch(name[len(key) :].strip()):
                continue
            typed, typed_mask = of_type(self._store, senses, type, text)
            if typed and typed_mask == mask:
                found.append((name, typed))
        classes = shared_classes(self._store, [senses for _, senses in found], mask, context)
        if len(found) == 1:
            # There may be others that nobody listed, in another country.
            classes = {id for id in classes if not _IN.search(self._store.classes[id].text)}
        return self._unless_empty("contained", [name for name, _ in found], classes, mask)

    def _approximate(self, text: str, type: SemanticType, context: str) -> Link | None:
        mask = ACCEPTED[type][0]
        names = nearest(self._store, key_of(text), mask)
        found = []
        for name in names:
            typed, typed_mask = of_type(self._store, self._store.find(name), type, text)
            if typed and typed_mask == mask:
                found.append(typed)
        classes = shared_classes(self._store, found, mask, context)
        # "base player" is no bass player: what its last noun says must be true as well.
        head = self._head(text, type, context)
        if head is not None:
            classes &= head.classes
        return self._unless_empty("approximate", names, classes, mask)

    def _unless_empty(
        self, step: str, names: list[str], classes: set[int], mask: int
    ) -> Link | None:
        return Link(step, tuple(names), frozenset(classes), mask) if classes else None

    def _head(self, text: str, type: SemanticType, context: str) -> Link | None:
        named = type is SemanticType.MISC and text.split()[-1][:1].isupper()
        whole = key_of(text)
        for head in heads(text):
            if len(head) < _SHORTEST_HEAD:
                continue
            # "Graphs" may be more than one graph.
            names = dict.fromkeys((head, singular(head)))
            senses = [sense for each in names for sense in self._store.find(each) if sense.common]
            if not any(sense.common for sense in self._store.find(head)):
                continue  # the singular comes next
            typed, mask = of_type(self._store, senses, type, head)
            # What an organisation's name ends in must be one: Riders are not writing.
            if not typed or mask != ACCEPTED[type][0]:
                continue
            classes = self._of_noun(head, typed, mask)
            texts = {self._store.classes[id].text for id in classes}
            if named and not texts & _NAMES_END_SO:
                return None
            if head in _GOVERNING and self._names_a_sport(whole):
                head = "sports governing body"
                classes = self._of_noun(head, typed, mask)
            # What there is in one country need not be there in another.
            classes = {id for id in classes if self._store.classes[id].text.islower()}
            own = "" if head == whole else head
            return Link("head", (), frozenset(classes), mask, own)
        return None

    def _names_a_sport(self, key: str) -> bool:
        """Tell whether a word of a name is a sport."""
        sport = self._by_text.get("sport")
        return any(
            sense.common and sport in ancestors(self._store, sense.classes)
            for word in key.split()
            for sense in self._store.find(word)[:1]
        )

    def _of_noun(self, noun: str, senses: list[Sense], mask: int) -> set[int]:
        """Return what is above a class of this name; of any other noun, what every reading has."""
        id = self._by_text.get(noun)
        if id is not None and self._store.classes[id].source == "tacenda":
            return entailed(self._store, [id])
        return classes_meant(self._store, senses, mask, "", every=True)[0]

    def class_named(self, text: str) -> int | None:
        """Return the id of the class that is written so; None if none is."""
        return self._by_text.get(text)


def _parts(text: str, type: SemanticType) -> Iterator[str]:
    if type is SemanticType.LOC:
        for sign in (",", "(", " in "):
            start, found, _ = text.partition(sign)
            if found and start.strip():
                yield start.strip()
        return
    if (shorter := without_numbers(text)) not in ("", text):
        yield shorter
    if type is SemanticType.ORG and (stripped := _LEGAL.sub("", text)) != text:
        yield stripped
    if type is SemanticType.DEM:
        yield from (part.strip() for part in re.split(r"/|,| and ", text)[:-1] if part.strip())
