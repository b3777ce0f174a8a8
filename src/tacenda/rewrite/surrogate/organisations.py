"""Organizations: another one of the same kind, if the name tells the kind.

| original | becomes |
|---|---|
| ``University of Bergen`` · ``Stanford University`` | another university of the country, in the same form |
| ``Hansen Logistics AS`` | ``Lindvik Logistics AS``: kinds and legal form stay |
| ``Lublin District Court`` · ``Leeds Road Clinic`` | the town becomes the same one as elsewhere |
| ``St Anne's Hospital`` · ``Baker & Sons`` | another name of a person |

This excludes names with a country, a region or a word that isn't a town, a person's name or a kind,
and names with only words for a kind ("Supreme Court", "Ministry of Finance").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...document import SemanticType
from ...shipped import shipped_table
from ...text.given_names import is_common_given_name
from ...text.normal_form import fold_text, name_key
from ...text.spans import edited_text
from ...text.word_lists import word_list_of
from ..ontology import shipped
from ..ontology.senses import of_type
from .certainty import is_common
from .cultures import DEFAULT, culture_of, gender_of, is_name, names
from .drawing import COMMON, Draw, Taken, cased, words_of
from .places import Places, is_region, universities

_TOKEN = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*\.?")
_UNIVERSITY = re.compile(r"(?:The |the )?(?:University of .+|.+ University)")
_CULTURE = {
    form: culture
    for culture, forms in shipped_table("cultures")["legal_forms"].items()
    for form in forms.split()
}
_BODIES = word_list_of("bodies")
"""Names of bodies that keep their kind and take another town or name."""
_FAMILY = frozenset(("sons", "son", "brothers", "bros", "daughters", "partners", "associates"))
_STAYING = COMMON | _FAMILY | frozenset(("&", "saint", "st", "st."))
_COMPANY_NEVER = frozenset(("bank", "republic", "state", "national", "international"))
_TRIES = 60
_SAINT = re.compile(r"(?<!\w)(?:St\.?|Saint) \Z")


def kinds_in(string: str) -> frozenset[str]:
    """Return the case-folded words of an organization's name that tell its kind."""
    return frozenset(
        word for word in words_of(string) if is_common(word) and not is_name(word, latin=True)
    )


class Organisations:
    """Makes surrogates for organizations.

    Args:
        draw: the keyed choices.
        registry: the forbidden words.
        places: makes surrogates for towns, the same as in the rest of the document.
        surname: returns the made-up surname for a surname in the document.
    """

    def __init__(
        self, draw: Draw, registry: Taken, places: Places, surname: Callable[[str], str | None]
    ) -> None:
        self._surname = surname
        self._draw = draw
        self._taken = registry
        self._places = places

    def write(self, string: str) -> str | None:
        """Return another organization of the same kind, or None unless the kind is certain."""
        if _UNIVERSITY.fullmatch(string):
            return self._university(string)
        words = [fold_text(match[0]).rstrip(".") for match in _TOKEN.finditer(string)]
        if len(words) < 2:
            return None
        legal = words[-1] in _CULTURE or not _FAMILY.isdisjoint(words)
        if legal and _COMPANY_NEVER.isdisjoint(words):
            return self._composed(string, _CULTURE.get(words[-1], "en_GB"), company=True)
        if _BODIES.isdisjoint(words):
            return None
        return self._composed(string, "", company=False)

    def _university(self, string: str) -> str | None:
        store = shipped().store
        senses, _ = of_type(store, store.find(name_key(string)), SemanticType.ORG, string)
        countries = {store.places[sense.places[-1]] for sense in senses if sense.places}
        if len(countries) != 1:
            return None
        article = "the " if string.lower().startswith("the ") else ""
        first = "university of" in fold_text(string[: len(article) + 13])
        pool = [
            name
            for name in universities(*countries)
            if name.startswith("University of") == first and name_key(name) != name_key(string)
        ]
        fake = self._taken.drawn(self._draw, pool, _TRIES, "university", name_key(string))
        return None if fake is None else string[: len(article)] + fake

    def _composed(self, string: str, culture: str, *, company: bool) -> str | None:
        """Return the name with other towns and surnames, or None if there is nothing to change."""
        edits: list[tuple[int, int, str]] = []
        for match in _TOKEN.finditer(string):
            word, folded = match[0], fold_text(match[0]).rstrip(".")
            stem = re.sub(r"['’]s?$", "", word)
            if folded in _STAYING or folded in _BODIES or folded in _CULTURE or word.islower():
                continue
            if edits and is_common(folded):
                continue
            saint = _SAINT.search(string, 0, match.start()) is not None
            fake = self._saint(stem) if saint else self._part(stem, culture, company=company)
            if fake is None:
                return None
            edits.append((*match.span(), fake + word[len(stem) :]))
        return edited_text(string, edits) if edits else None

    def _saint(self, word: str) -> str | None:
        """Return another given name of the same gender: St Anne's."""
        pool = names(DEFAULT, latin=True).given(gender_of(fold_text(word), ""))
        return self._drawn(word, [name for name in pool if is_common_given_name(fold_text(name))])

    def _part(self, word: str, culture: str, *, company: bool) -> str | None:
        folded = fold_text(word)
        namesake = self._surname(folded) or self._places.town(word)
        if namesake is not None:
            return cased(namesake, word)
        listed = is_name(folded, latin=True)
        if is_region(word) or (not listed and (is_common(folded) or not company)):
            return None
        pool = names(
            culture_of(word, (), folded, usual=culture or DEFAULT), latin=True
        ).male_surnames
        return self._drawn(word, pool)

    def _drawn(self, word: str, pool: Sequence[str]) -> str | None:
        question = ("named", "organisation", fold_text(word))
        fake = self._taken.drawn(self._draw, pool, _TRIES, *question)
        return fake and cased(fake, word)
