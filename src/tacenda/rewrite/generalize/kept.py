"""Attributes that readers need (a policy's ``keep``) are generalized as little as the bound allows.

| attribute | told by | written |
|---|---|---|
| occupation | a British chess player and writer | a [chess player and writer] |
| illness | type 2 diabetes | [diabetes] |
| region | Oslo | [city in Northern Europe] |
| size of money | 3,400 € | [between 2,000 and 5,000 €] |
| order of events | 3 May 1994, 20 June 1994 | [1st date], [2nd date, weeks after the 1st] |
| a class of the ontology: nationality | a Norwegian | a [Northern European] |

A common noun that fits many people (*nurse*) is the least general option: an entity that is nothing
else stays as it is. Names, numbers, direct identifiers and anything decided by a rule or a person
are never kept.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...document import (
    AS_IT_STANDS,
    Decision,
    Document,
    Effect,
    Entity,
    IdentifierType,
    Option,
    Reason,
    RuleKind,
    SemanticType,
)
from ...errors import PolicyError
from ...shipped import shipped_table
from .candidates import KIND_ALONE, SUPPRESSION, Candidate, Noun, Ontology, strings
from .classes import THINGS
from .date_parsing import DAYS, Number, Period, ordinal, parse_period, years_of
from .quantities import MONEY_SIGN
from .ranker import most_specific_below

# The attributes, and how mentions and options reveal them.


_DESCRIBED = frozenset((SemanticType.DEM, SemanticType.MISC))
_NAMED = _DESCRIBED | {SemanticType.ORG, SemanticType.LOC}


@dataclass(frozen=True, slots=True)
class NeededAttribute:
    """Information that readers may need.

    Attributes:
        types: types of the entities that reveal it.
        classes: the ontology classes it belongs to.
        words: nouns that reveal it.
        sources: rules whose options reveal it; none for options from the ontology.
        written: how an option that reveals it is written.
        money: whether the entity must be an amount of money.
    """

    types: frozenset[SemanticType] = _DESCRIBED
    classes: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    written: re.Pattern[str] | None = None
    money: bool = False


ORDER = "order of events"
_ORDINAL_SOURCE = "rule:order"
_WORDS_SOURCE = "rule:own-words"
VERBATIM = frozenset((_ORDINAL_SOURCE, _WORDS_SOURCE))
"""Sources of options written as they are: words of the text in their own form."""


_SETS = ("types", "classes", "words", "sources")


def _attribute(row: Mapping[str, str]) -> NeededAttribute:
    sets = {name: frozenset(row.get(name, "").split("|")) - {""} for name in _SETS}
    types = frozenset(map(SemanticType, sets.pop("types"))) or _DESCRIBED
    written = re.compile(row["written"]) if "written" in row else None
    return NeededAttribute(types, **sets, written=written, money="money" in row)


ATTRIBUTES = {name: _attribute(row) for name, row in shipped_table("kept_attributes").items()}
"""Attributes by their names in a policy; every class of the ontology is another."""

_MONEY = "currency"
_RULES = frozenset((RuleKind.THRESHOLD, RuleKind.RISK_BUDGET, RuleKind.COMBINATION))
"""Grounds of masks that may yield to what readers need."""
_FORCED = RuleKind.MASKED_ELSEWHERE


def attributes_of(names: Sequence[str], ontology: Ontology) -> Mapping[str, NeededAttribute]:
    """Return the attributes of a policy's ``keep``.

    Raises:
        PolicyError: if no attribute has a name; the message lists the names.
    """
    attributes = {}
    for name in names:
        attribute = ATTRIBUTES.get(name.lower())
        if attribute is None and ontology.above(name):
            attribute = NeededAttribute(_NAMED, frozenset((name,)))
        if attribute is None:
            raise PolicyError(
                f"keep: unknown attribute {name!r}; choose one of {', '.join(ATTRIBUTES)}, or any "
                "class of the ontology (`tacenda models lookup TERM` names those of a term)."
            )
        attributes[name] = attribute
    return attributes


# The decisions.


class Keeper:
    """Makes the choices for entities with information that readers need.

    Args:
        document: the document with the entities.
        decisions: one per entity.
        attributes: names of the attributes to keep.
        ontology: ontology of names and nouns.
        bound: the highest residual risk.
        offer: returns the options of *generalize* for a decision, with ``***`` last.
    """

    def __init__(
        self,
        document: Document,
        decisions: Sequence[Decision],
        attributes: Mapping[str, NeededAttribute],
        ontology: Ontology,
        bound: float,
        offer: Callable[[Decision], Sequence[Option]],
    ) -> None:
        self._document = document
        self._attributes = attributes
        self._ontology = ontology
        self._bound = bound
        self._offer = offer
        masked = [item for item in decisions if may_tell(item)]
        self._order = _ordinals(document, masked, bound) if ORDER in attributes else {}

    def stands(self, decision: Decision) -> bool:
        """Return whether an entity stays as it is."""
        kept = self.kept(decision)
        return kept is not None and kept.choice is not None and kept.choice.source == AS_IT_STANDS

    def kept(
        self,
        decision: Decision,
        allowed: Callable[[tuple[Option, ...]], tuple[Option, ...]] = lambda options: options,
    ) -> Decision | None:
        """Return a decision with the least general option below the bound that reveals an attribute.

        Args:
            decision: an entity's decision.
            allowed: leaves out options that would reveal other entities.
        """
        if not may_tell(decision):
            return None
        for name, attribute in self._attributes.items():
            if decision.entity.type not in attribute.types:
                continue
            offered = self._offer(decision)
            telling = self._telling(decision.entity, attribute, offered)
            if decision.reasons[0].rule is _FORCED:
                telling = [item for item in telling if item.source != AS_IT_STANDS]
            options = allowed(_levelled([*telling, *offered]))
            texts = {option.text for option in telling}
            choice = most_specific_below(
                [*(item for item in options if item.text in texts), options[-1]], self._bound
            )
            if choice.source == SUPPRESSION:
                continue
            reason = Reason(RuleKind.KEPT_ATTRIBUTE, Effect.GENERALIZE, attribute=name)
            return replace(
                decision,
                operator="generalize",
                options=options,
                choice=choice,
                reasons=(reason, *decision.reasons),
            )
        return None

    def _telling(
        self, entity: Entity, attribute: NeededAttribute, offered: Sequence[Option]
    ) -> list[Option]:
        """Return the options that reveal an attribute, the most specific first, or none if the entity doesn't reveal it."""
        originals = strings(self._document, entity)
        if attribute.money and not all(map(self._is_money, originals)):
            return []
        if attribute.sources:
            order = self._order.get(entity.id)
            in_order = order is not None and _ORDINAL_SOURCE in attribute.sources
            return [
                *([order] if order and in_order else []),
                *(item for item in offered if item.source in attribute.sources),
            ]
        own: list[Option] = []
        if entity.type in _DESCRIBED:
            nouns = self._ontology.nouns(max(originals, key=len))
            own = _own_words([noun for noun in nouns if _is_of(noun, attribute)], originals)
        return [*own, *(item for item in offered[:-1] if self._tells(item.text, attribute))]

    def _tells(self, text: str, attribute: NeededAttribute) -> bool:
        """Return whether an option reveals an attribute, as a class or as a noun."""
        if attribute.written is not None:
            return bool(attribute.written.match(text))
        nouns = self._ontology.nouns(text)
        return not attribute.classes.isdisjoint(self._ontology.above(text)) or any(
            noun.text == text and _is_of(noun, attribute) for noun in nouns
        )

    def _is_money(self, string: str) -> bool:
        if MONEY_SIGN.search(string):
            return True
        return any(_MONEY in noun.kinds for noun in self._ontology.nouns(string))


def _is_of(noun: Noun, attribute: NeededAttribute) -> bool:
    return not attribute.classes.isdisjoint(noun.kinds) or noun.text.lower() in attribute.words


def may_tell(decision: Decision) -> bool:
    """Return whether readers' needs may change a decision, as for anything but names, numbers and direct identifiers."""
    entity = decision.entity
    return (
        decision.masked
        and decision.identifier is not IdentifierType.DIRECT
        and entity.type not in (SemanticType.PERSON, SemanticType.CODE)
        and not any(mention.may_be_person for mention in entity.mentions)
        and decision.reasons[0].rule in {*_RULES, _FORCED}
    )


def as_it_stands(decision: Decision) -> Decision:
    """Return a decision that chose to leave the entity as one that keeps it."""
    if decision.choice is None or decision.choice.source != AS_IT_STANDS:
        return decision
    reason, *others = decision.reasons
    first, *rest = others
    return replace(
        decision,
        masked=False,
        operator="",
        options=(),
        choice=None,
        reasons=(
            replace(reason, effect=Effect.KEEP),
            replace(first, effect=Effect.WOULD_MASK),
            *rest,
        ),
        threshold=None,
        masked_up_to=None,
    )


def _levelled(options: Sequence[Option]) -> tuple[Option, ...]:
    """Return the options with distinct texts, at their new levels."""
    by_text = {option.text: option for option in reversed(options)}
    once = [by_text.pop(option.text) for option in options if option.text in by_text]
    return tuple(replace(option, level=level) for level, option in enumerate(once))


# Nouns of the text itself.


_PEOPLE = 8e9
_ARTICLE = re.compile(r"\A(?:an?|the|his|her|its|their|my|our|your)\s+", re.IGNORECASE)


def _own_words(nouns: Sequence[Noun], originals: Sequence[str]) -> list[Option]:
    """Return the nouns of a phrase as options: first all together, then each alone, the rarest first."""
    together = [list(nouns)] if len(nouns) > 1 else []
    alone = sorted(nouns, key=lambda noun: noun.population)
    return [_as_option(group, originals) for group in (*together, *([noun] for noun in alone))]


def _as_option(nouns: Sequence[Noun], originals: Sequence[str]) -> Option:
    """Return nouns as one option, assuming that they occur independently."""
    words = [noun.text for noun in nouns]
    text = " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
    share = math.prod(min(noun.population / _PEOPLE, 1.0) for noun in nouns)
    is_whole = all(_ARTICLE.sub("", original) == text for original in originals)
    candidate = Candidate(text, "", max(_PEOPLE * share, 1.0), THINGS)
    source = AS_IT_STANDS if is_whole else _WORDS_SOURCE
    return Option(text, 0, source, candidate.kept, candidate.risk)


# Dates in order, with the unit of the time between two of them.
#
# A register of many people's dates can find a person by the time between dates (as with
# ``surrogate`` and *shift*). So only the unit is told, one of four, and only so often that of a
# million people, a hundred still fit (by ``residual_risk``).


_REGISTER = 1e6
_UNITS = ((14, "days"), (60, "weeks"), (730, "months"), (math.inf, "years"))
"""Days below which the time between two dates is told in a unit."""


def _ordinals(
    document: Document, decisions: Sequence[Decision], bound: float
) -> Mapping[str, Option]:
    """Return the option of each date whose mentions all name one known day, month or year."""
    years = years_of(document.text)
    periods: dict[str, Period] = {}
    for decision in decisions:
        if decision.entity.type is SemanticType.DATETIME:
            readings = {
                parse_period(string, years) for string in strings(document, decision.entity)
            }
            period = readings.pop()
            if not readings and period and period.number is Number.ONE and not period.vague:
                periods[decision.entity.id] = period
    count = int(math.log(max(bound * _REGISTER, 1.0), len(_UNITS)))
    texts = dict(_in_order(_apart(set(periods.values())), count))
    return {
        id: Option(texts[period], 0, _ORDINAL_SOURCE, KIND_ALONE, 1 / DAYS)
        for id, period in periods.items()
        if period in texts
    }


def _apart(periods: Collection[Period]) -> list[Period]:
    """Return periods in order; of two that overlap, only the shorter, since a day isn't before or after its year."""
    apart: list[Period] = []
    for period in sorted(periods, key=lambda item: (item.days, item.first)):
        if all(period.last < other.first or other.last < period.first for other in apart):
            apart.append(period)
    return sorted(apart, key=lambda item: item.first)


def _in_order(periods: Sequence[Period], told: int) -> Iterator[tuple[Period, str]]:
    """Yield periods with their words, including the first ``told`` distances."""
    for number, period in enumerate(periods, start=1):
        text = f"{ordinal(number)} date"
        if 1 < number <= told + 1:
            days = (period.first - periods[number - 2].first).days
            unit = next(unit for limit, unit in _UNITS if days < limit)
            text += f", {unit} after the {ordinal(number - 1)}"
        yield period, text
