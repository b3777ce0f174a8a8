"""Links a string to classes (Olstad et al., section 3.2.1).

| step | example |
|---|---|
| exact, folded | ``Oslo`` |
| exact, of a part | ``Chicago, Illinois`` · ``1956 Summer Olympics`` · ``Skorb Ltd`` |
| contained in names | ``Yadanarbon`` in ``Yadanarbon FC``, if all names that start like this have one class |
| approximate | ``Univeristy of Oslo`` |
| head noun | ``Nordlys Bakery`` is a bakery |
| first noun | ``FC Nordlys`` is a sports club, ``Battle of X`` a battle |
| said | "the novel Ubik", "he studies law": see ``context`` |
| place | an ORG with the name of a well-known place: its team or its authorities |
| type | an ORG is an organization, a LOC a place |

Nouns with handwritten classes have those classes, whatever other sources use the noun for.

A similar spelling, a head noun or a noun in apposition has the classes that every reading entails;
a string that is in the ontology itself has those that its likely readings entail
(``classes_meant``). So a league is an organization but not a sports organization.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ...document import SemanticType
from ...shipped import shipped_patterns
from ...text.normal_form import name_key
from ..generalize.numerals import WORDS
from .context import (
    is_clause,
    is_spoken,
    is_sport,
    is_studied,
    long_form,
    nouns_said,
    takes_article,
)
from .heads import (
    DIRECTIONS,
    EXCLUDED,
    FIRST,
    NAMED_IN_ORG,
    NAMES_END_SO,
    PARENTHESES,
    TEAMS,
    TOWNS_END_SO,
    heads,
    parts,
    singular,
)
from .senses import (
    ACCEPTED,
    KNOWN_PLACE,
    KNOWN_TOWN,
    by_hand,
    classes_meant,
    context_key,
    nearness,
    of_type,
    shared_classes,
)
from .store import TYPES, OntologyStore, Sense, ancestors, nearest

_PATTERNS = shipped_patterns("english_contexts", "firms")
_FOOTBALL = re.compile(r"\b(?:A?FC|F\.C\.|Football Club)(?!\w)")
_IN = re.compile(r" (?:in|of) (?:the )?[A-Z]")
_PARTIES = re.compile(r"\w\s(?:v|vs|c)\.?\s(?:the\s)?[A-ZÀ-Þ]")
_PREPOSITION = re.compile(r" (?:of|for|in|at|to|from|on|with|by|under)\Z")
_SHORTEST_BEGINNING = 5
_SHORT_ACRONYM = 2
_MOST_BEGINNINGS = 40
_SHORTEST_HEAD = 3
_NAMES = 1024
"""Names whose last noun is kept in memory."""
_WELL_KNOWN_PLACE = 5.5
"""Weight, about the logarithm to base 10 of the inhabitants."""
_WORK = "creative work"
"""Classes of works by the last word of their title: "Toy Story" is a film."""
_SETTLEMENT = "human settlement"
_SAINTS = ("st ", "saint ", "our lady")
_NO_NAMES = re.compile(rf"{WORDS}|no|yes|not", re.IGNORECASE)
"""Numbers in words, and words that no one wrote a class for."""
_GOVERNING = frozenset(("association", "federation", "confederation", "union"))
"""Names of bodies that govern the sport in their name."""
_QUALITIES = frozenset((SemanticType.DEM, SemanticType.MISC))
OF_TYPE = {SemanticType.ORG: "organization", SemanticType.LOC: "place"}


@dataclass(frozen=True, slots=True)
class Link:
    """A link from a string to classes.

    Attributes:
        step: ``exact``, ``part``, ``contained``, ``approximate``, ``head``, ``said``, ``place`` or ``type``.
        names: its names in the ontology.
        classes: ids of its classes and all their ancestors.
        mask: the type of the query, as bits.
        head: its head noun, if the link is by that noun.
        written: whether its noun has handwritten classes.
    """

    step: str
    names: tuple[str, ...] = field(repr=False)
    classes: frozenset[int]
    mask: int
    head: str = ""
    written: bool = False


class Linker:
    """Links strings to an ontology.

    Args:
        store: the ontology.
    """

    def __init__(self, store: OntologyStore) -> None:
        self._store = store
        self._by_noun = lru_cache(maxsize=_NAMES)(self._noun_of)
        self._towns = frozenset(
            id
            for id in store.located
            if any(store.classes[above].text == _SETTLEMENT for above in ancestors(store, [id]))
        )
        self._by_text = {item.text: id for id, item in enumerate(store.classes)}
        self._by_text |= {
            item.text: id for id, item in enumerate(store.classes) if item.source == "tacenda"
        }

    def link(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link of ``text``, or None if nothing is known."""
        if type not in ACCEPTED or _NO_NAMES.fullmatch(text) or is_clause(text, context):
            return None
        steps = (
            self._exact,
            self._case,
            self._abbreviated,
            self._part,
            self._contained,
            self._approximate,
            self._first,
            self._head,
        )
        vague = self._spoken(text, type, context) or self._studied(text, type, context)
        if vague is not None:
            return vague
        if type is SemanticType.ORG and _PATTERNS["form"].fullmatch(text):
            return self._of_type(text, type)
        for step in steps:
            if vague is not None and step in (self._contained, self._approximate):
                continue  # it is known, as more than one thing
            candidate = step(text, type, context)
            if candidate is not None:
                candidate = self._without_excluded(text, context, candidate)
            if candidate is not None and not self._says_nothing(candidate):
                return self._in_sport(text, type, context, candidate)
            vague = vague or candidate
        statement = self._said(text, type, context)
        return (
            (statement and self._in_sport(text, type, context, statement))
            or self._named_after(text, type, context)
            or vague
            or self._of_type(text, type)
        )

    def _named_after(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link of a well-known place used for its people or its authorities."""
        if type is not SemanticType.ORG:
            return None
        senses, mask = of_type(
            self._store, self._store.find(name_key(text)), SemanticType.LOC, text
        )
        if not senses or max(sense.weight for sense in senses) < _WELL_KNOWN_PLACE:
            return None
        classes, _ = classes_meant(self._store, senses, mask, context)
        return self._unless_empty("place", [name_key(text)], classes, mask)

    def _in_sport(self, text: str, type: SemanticType, context: str, link: Link) -> Link:
        """Return the link of a team that someone plays for, since it may share its name with a company."""
        team = self._by_text.get("sports team")
        if type is not SemanticType.ORG:
            return link
        if team not in link.classes and "sports team" in nouns_said(text, type, context):
            link = self._said(text, type, context) or link
        known = any(team in self._store.classes[id].parents for id in link.classes)
        kinds = [kind for kind, words in TEAMS.items() if words.search(context)]
        kinds = ["association football club"] if not kinds and _FOOTBALL.search(text) else kinds
        if team not in link.classes or known or len(kinds) != 1:
            return link
        return replace(link, classes=link.classes | self._ancestors(kinds[0]))

    def _without_excluded(self, text: str, context: str, link: Link) -> Link:
        """Return a link without the classes that a noun has only in another sense."""
        key = singular(name_key(text))
        pairs = [
            (noun, self._by_text[name])
            for name, group in EXCLUDED.items()
            for noun in group
            if name in self._by_text and f" {key}".endswith(f" {noun}")
        ]
        excluded: set[int | None] = {id for _, id in pairs}
        if is_sport(context):
            excluded -= {self._by_text.get("sportsperson"), self._by_text.get("occupation")}
        if excluded.isdisjoint(link.classes):
            return link
        rest = {id for id in link.classes if excluded.isdisjoint(ancestors(self._store, [id]))}
        # In "weather girl", "girl" says as much as the class.
        compound = any(noun.endswith(f" {link.head}") for noun, _ in pairs)
        head = link.head if text.islower() and not compound else ""
        return replace(link, classes=frozenset(rest), head=head)

    def _abbreviated(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link of the long form before an abbreviation: ``the X League (XL)``."""
        name = long_form(text, context)
        link = self._by_name(name, type, context) if name else None
        return Link("part", link.names, link.classes, link.mask, link.head) if link else None

    def _by_name(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the first informative link from the name alone."""
        for step in (self._exact, self._part, self._contained, self._first, self._head):
            link = step(text, type, context)
            if link is not None and not self._says_nothing(link):
                return link
        return None

    def _says_nothing(self, link: Link) -> bool:
        """Return whether a link has only a root class: an organization is an organization."""
        return not link.head and not any(self._store.classes[id].parents for id in link.classes)

    def _case(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link of a court case by its parties: ``X v. Y``."""
        if type not in (SemanticType.MISC, SemanticType.ORG) or not _PARTIES.search(text):
            return None
        classes = self._ancestors("legal proceeding")
        return (
            Link("part", (), frozenset(classes), TYPES["MISC"], "court case") if classes else None
        )

    def _studied(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link of what a person studies: law then isn't an act of parliament."""
        if type not in (SemanticType.DEM, SemanticType.MISC) or not is_studied(text, context):
            return None
        classes = self._ancestors("field of study")
        mask = TYPES["DEM"] | TYPES["MISC"]
        return self._unless_empty("said", [], classes, mask)

    def _spoken(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link of what a person speaks, writes or teaches: English then isn't a person."""
        if type not in (SemanticType.DEM, SemanticType.MISC) or not is_spoken(text, context):
            return None
        language = self._by_text.get("language")
        senses = self._store.find(name_key(text))
        if not any(language in ancestors(self._store, sense.classes) for sense in senses):
            return None
        mask = TYPES["DEM"] | TYPES["MISC"]
        return self._unless_empty("said", [name_key(text)], self._ancestors("language"), mask)

    def _said(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link by a noun that the sentence uses for the name."""
        if text.islower():
            return None
        for noun in nouns_said(text, type, context):
            for form in dict.fromkeys((name_key(noun), singular(name_key(noun)))):
                senses = by_hand(self._store.find(form))
                typed, mask = of_type(self._store, senses, type, form)
                if not typed:
                    continue
                classes = self._of_noun(form, typed, mask)
                link = Link("said", (), frozenset(classes), mask, form)
                if classes and form not in OF_TYPE.values():
                    return link
        return None

    def _of_type(self, text: str, type: SemanticType) -> Link | None:
        noun = OF_TYPE.get(type, "")
        if type is SemanticType.ORG and (
            _PATTERNS["company"].search(text) or _PATTERNS["form"].fullmatch(text)
        ):
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
        key = name_key(text)
        senses, mask = of_type(self._store, self._store.find(key), type, text)
        if not senses and (text.islower() or type is SemanticType.DEM):
            key = singular(key)
            senses, mask = of_type(self._store, self._store.find(key), type, text)
        if not senses:
            return None
        if type is SemanticType.LOC and (key in DIRECTIONS or takes_article(text, context)):
            # "The South" isn't a town of that name, nor a region of Cameroon unless the text is
            # about Cameroon.
            around = context_key(context)
            senses = [
                each
                for each in senses
                if (self._towns.isdisjoint(each.classes) and key not in DIRECTIONS)
                or nearness(self._store, each, around)
            ]
            if not senses:
                return None
        if len(key) <= _SHORT_ACRONYM and text.isupper() and len(senses) == 1:
            # "CI" means more than the one country that was listed by hand.
            senses = [each for each in senses if each.weight >= _WELL_KNOWN_PLACE]
            if not senses:
                return None
        one_word = " " not in key and type in (SemanticType.MISC, SemanticType.ORG)
        if type is SemanticType.ORG:
            senses = [each for each in senses if self._is_sure(key, each, context)]
            if not senses:
                return None
        other = mask != ACCEPTED[type][0] and not by_hand(senses)
        if one_word and other:
            return None  # a single word that happens to be a company's name, too
        # A word without a handwritten class has the classes common to all its senses.
        every = text.islower() and type is not SemanticType.DEM and not by_hand(senses)
        classes, readings = classes_meant(self._store, senses, mask, context, every=every)
        if mask == TYPES["LOC"] and self._is_place_in_town(key, readings, context):
            return self._of_type(text, type)
        if mask == TYPES["LOC"] and not self._is_known(readings, context):
            if type is not SemanticType.LOC:
                return None  # a pub may have the name of a town
            # A small place may have a namesake that isn't listed: a farm, a shop.
            classes = {id for id in classes if self._store.classes[id].text.islower()}
        named_after = other and type is SemanticType.ORG
        if not classes or (named_after and (self._is_work(classes) or key.startswith(_SAINTS))):
            return None  # a ministry may share its name with a film, a church with a feast
        if type is SemanticType.DEM and " " in key and not by_hand(senses):
            # Its last noun, if it has handwritten classes, is more reliable than a description.
            link = self._head(text, type, context)
            if link is not None and link.written:
                return link
        classes = self._as_called(text, type, classes)
        return Link(
            step, (key,), frozenset(classes), mask, self._compound(text, key, type, classes)
        )

    def _is_sure(self, key: str, sense: Sense, context: str) -> bool:
        """Return whether the name means a register's row, which lists one of perhaps several organizations with the name.

        It does if the name tells the class or the text tells the place; most others with the name
        are companies.
        """
        texts = {self._store.classes[id].text for id in ancestors(self._store, sense.classes)}
        if "local government" in texts and " " not in key:
            return False  # a town is rarely its authorities
        if not sense.source.startswith("ror:") or nearness(
            self._store, sense, context_key(context)
        ):
            return True
        return "company" in texts or not {*key.split()}.isdisjoint(" ".join(texts).split())

    def _as_called(self, text: str, type: SemanticType, classes: set[int]) -> set[int]:
        """Return the classes consistent with the noun in a name: a university isn't a publisher."""
        noun = self._head(text, type, "") if type is not SemanticType.DEM else None
        if noun is None or not noun.written or not noun.classes <= classes:
            return classes
        roots = {id for id in classes if not self._store.classes[id].parents}
        rest: set[int] = set()
        for id in sorted(classes - roots, key=self._store.depth):
            if id in noun.classes or not rest.isdisjoint(self._store.classes[id].parents):
                rest.add(id)
        return rest | roots if rest else classes

    def _is_work(self, classes: set[int]) -> bool:
        """Return whether the classes are of creative works."""
        return self._by_text.get(_WORK) in classes

    def _is_place_in_town(self, key: str, readings: list[Sense], context: str) -> bool:
        """Return whether a name may mean a garden or a church rather than the small town that is listed."""
        first, _, last = key.rpartition(" ")
        named_so = first and (last in TOWNS_END_SO or key.startswith(_SAINTS))
        around = context_key(context)
        small = (s.weight < KNOWN_TOWN and not nearness(self._store, s, around) for s in readings)
        return bool(named_so) and all(small)

    def _is_known(self, senses: list[Sense], context: str) -> bool:
        """Return whether one of the places is fairly large, or the text names where it is."""
        around = context_key(context)
        return any(
            sense.weight >= KNOWN_PLACE or nearness(self._store, sense, around) for sense in senses
        )

    def _compound(self, text: str, key: str, type: SemanticType, classes: set[int]) -> str:
        """Return the last noun of a compound for a person: ``producer`` in ``film producer``."""
        last = key.rpartition(" ")[2]
        # Parts joined by a hyphen are one word: an aide-de-camp isn't a camp.
        if type is not SemanticType.DEM or last == key or len(text.split()) == 1:
            return ""
        people = self._store.people
        senses = [sense for sense in self._store.find(last) if sense.common]
        typed, mask = of_type(self._store, senses, type, last)
        # A consul general isn't a general.
        above = self._of_noun(last, typed, mask) if typed else set()
        # A lord privy seal isn't a seal.
        return last if above and above <= classes and not above.isdisjoint(people) else ""

    def _part(self, text: str, type: SemanticType, context: str) -> Link | None:
        for part in parts(text, type):
            # The part cut off tells things with the same name apart, so it is context.
            link = self._exact(part, type, f"{context} {text}", "part")
            # In "stage and film actor", "stage" isn't a person.
            nobody = type is SemanticType.DEM and not (link and link.classes & self._store.people)
            if link is not None and not nobody:
                return link
        if type is SemanticType.DEM:
            return self._nations(text, context)
        inside = PARENTHESES.fullmatch(text) if type is not SemanticType.LOC else None
        return self._head(inside[2], type, context) if inside else None

    def _nations(self, text: str, context: str) -> Link | None:
        """Return the link of a nationality with two parts: ``Swedish-Albanian``."""
        names = re.split(r"[-–/ ]", text)
        if len(names) != 2:
            return None
        nationality = self._by_text.get("nationality")
        mask = TYPES["DEM"]
        sets = []
        for name in names:
            senses, _ = of_type(
                self._store, self._store.find(name_key(name)), SemanticType.DEM, name
            )
            above = [ancestors(self._store, sense.classes) for sense in senses]
            if not any(nationality in classes for classes in above):
                return None
            sets.append(next(classes for classes in above if nationality in classes))
        return Link("part", tuple(map(name_key, names)), frozenset(set.intersection(*sets)), mask)

    def _contained(self, text: str, type: SemanticType, context: str) -> Link | None:
        key = name_key(text)
        # This doesn't hold for places: Mexico isn't a city.
        if type is not SemanticType.ORG or len(key) < _SHORTEST_BEGINNING:
            return None
        mask = ACCEPTED[type][0]
        matches = []
        for name, senses in self._store.beginning_with(key, _MOST_BEGINNINGS):
            if not _PATTERNS["suffix"].fullmatch(name[len(key) :].strip()):
                continue
            typed, typed_mask = of_type(self._store, senses, type, text)
            if typed and typed_mask == mask:
                matches.append((name, typed))
        classes = shared_classes(self._store, [senses for _, senses in matches], mask, context)
        if len(matches) == 1:
            # There may be others in another country that aren't listed.
            classes = {id for id in classes if not _IN.search(self._store.classes[id].text)}
        return self._unless_empty("contained", [name for name, _ in matches], classes, mask)

    def _approximate(self, text: str, type: SemanticType, context: str) -> Link | None:
        # A "base player" isn't a bass player: its last noun would have to be right as well, and
        # says as much.
        head = self._head(text, type, context)
        if head is not None and not self._says_nothing(head):
            return None
        mask = ACCEPTED[type][0]
        key = name_key(text)
        # A word of the language isn't a misspelling of another one (left-handed isn't left-hander),
        # and neither is one word of a name: Wikipedia isn't Wikimedia.
        known = text.islower() and (type in _QUALITIES or self._store.find(key))
        names = () if known or " " not in key else nearest(self._store, key, mask)
        matches = []
        for name in names:
            typed, typed_mask = of_type(self._store, self._store.find(name), type, text)
            if typed and typed_mask == mask:
                matches.append(typed)
        classes = shared_classes(self._store, matches, mask, context)
        if head is not None:
            classes &= head.classes
        return self._unless_empty("approximate", list(names), classes, mask)

    def _unless_empty(
        self, step: str, names: list[str], classes: set[int], mask: int
    ) -> Link | None:
        return Link(step, tuple(names), frozenset(classes), mask) if classes else None

    def _first(self, text: str, type: SemanticType, context: str) -> Link | None:
        """Return the link by the first word of a name: ``FC Nordlys``, ``Universidad de Chile``."""
        first, _, rest = text.partition(" ")
        noun = FIRST.get(first.casefold(), "") if rest and first[:1].isupper() else ""
        senses = by_hand(self._store.find(noun)) if noun else []
        typed, mask = of_type(self._store, senses, type, noun)
        if not typed:
            return None
        classes = self._of_noun(noun, typed, mask)
        return Link("first", (), frozenset(classes), mask) if classes else None

    def _head(self, text: str, type: SemanticType, context: str) -> Link | None:
        # "Robin Hood's Bay" is a village, "the Bay" isn't.
        last = name_key(text).rpartition(" ")[2]
        is_town = type is SemanticType.LOC and text[:1].isupper() and last in TOWNS_END_SO
        return None if is_town and not takes_article(text, context) else self._by_noun(text, type)

    def _noun_of(self, text: str, type: SemanticType) -> Link | None:
        is_name = type is SemanticType.MISC and text.split()[-1][:1].isupper()
        key = name_key(text)
        for head in heads(text):
            if len(head) < _SHORTEST_HEAD:
                continue
            senses = [sense for sense in self._store.find(head) if sense.common]
            if not senses:
                continue  # the singular comes next
            if not (written := by_hand(senses)):
                # "Graphs" may mean several graphs.
                senses += [each for each in self._store.find(singular(head)) if each.common]
            typed, mask = of_type(self._store, written or senses, type, head)
            is_phrase = type is SemanticType.DEM and " " in head and not written
            if is_phrase and mask != ACCEPTED[type][0]:
                return None  # A sea urchin isn't an urchin.
            # For places, only nouns with a class of their own count: other sources list too many
            # senses.
            if not typed or (type is SemanticType.LOC and not written):
                continue
            classes = self._of_noun(head, typed, mask)
            texts = {self._store.classes[id].text for id in classes}
            if mask != ACCEPTED[type][0] and not (
                # The last noun of an organization's name must be an organization: Riders aren't
                # writing.
                written and (type is not SemanticType.ORG or texts & NAMED_IN_ORG)
            ):
                continue
            if is_name and (head == key or not texts & NAMES_END_SO):
                return None
            if _WORK in texts and (is_name or type is SemanticType.ORG):
                return Link("head", (), frozenset(self._ancestors(_WORK)), mask)
            if head in _GOVERNING and self._names_a_sport(key):
                head = "sports governing body"
                classes = self._ancestors(head)
            if not written:
                # A class that exists in one country may not exist in another.
                classes = {id for id in classes if self._store.classes[id].text.islower()}
            label = "" if head == key else _PREPOSITION.sub("", head)
            return Link("head", (), frozenset(classes), mask, label, bool(written))
        return None

    def _ancestors(self, text: str) -> set[int]:
        """Return a class by its text, with all ancestors, or nothing if there is no such class."""
        id = self._by_text.get(text)
        return set() if id is None else ancestors(self._store, [id])

    def _names_a_sport(self, key: str) -> bool:
        """Return whether a word of a name is a sport."""
        sport = self._by_text.get("sport")
        return any(
            sense.common and sport in ancestors(self._store, sense.classes)
            for word in key.split()
            for sense in self._store.find(word)[:1]
        )

    def _of_noun(self, noun: str, senses: list[Sense], mask: int) -> set[int]:
        """Return the ancestors of a noun's class, or the classes common to its readings."""
        return classes_meant(self._store, senses, mask, "", every=True)[0]

    def class_named(self, text: str) -> int | None:
        """Return the id of the class with this text, or None."""
        return self._by_text.get(text)
