"""The vocabulary: the frozen values that the stages pass on.

Offsets are always code points of the original text. A stage that normalizes text keeps its own
alignment and passes on offsets in the original.

    Document ─ detect ─▶ Mention ─ link ─▶ Entity ─ risk ─▶ Assessment ─ decide ─▶ Decision
             ─ rewrite ─▶ Replacement ─ verify ─▶ Leak            all of it: Result

The annotation model (semantic types, identifier types, confidential status, entities) is that of
the Text Anonymization Benchmark (TAB), section 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum


class SemanticType(StrEnum):
    """The semantic type of a mention (TAB, section 3.2)."""

    PERSON = "PERSON"
    CODE = "CODE"
    LOC = "LOC"
    ORG = "ORG"
    DEM = "DEM"
    DATETIME = "DATETIME"
    QUANTITY = "QUANTITY"
    MISC = "MISC"


class IdentifierType(StrEnum):
    """What an entity identifies: the person directly, only together with others, or nobody."""

    DIRECT = "DIRECT"
    QUASI = "QUASI"
    NO_MASK = "NO_MASK"


class ConfidentialStatus(StrEnum):
    """A confidential attribute of a person that a mention reveals (TAB, section 3.2)."""

    BELIEF = "BELIEF"
    POLITICS = "POLITICS"
    SEX = "SEX"
    ETHNIC = "ETHNIC"
    HEALTH = "HEALTH"
    NOT_CONFIDENTIAL = "NOT_CONFIDENTIAL"


class MentionSource(StrEnum):
    """The detector of a mention."""

    NEURAL = "neural"
    PATTERN = "pattern"
    GAZETTEER = "gazetteer"
    PROPAGATION = "propagation"
    POLICY = "policy"
    PLUGIN = "plugin"
    REVIEWER = "reviewer"
    GOLD = "gold"


class Certainty(StrEnum):
    """The reason to mask an entity regardless of its risk."""

    TARGET = "target"
    IDENTITY_NUMBER = "identity_number"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Code points ``[start, end)`` of a text; never empty.

    Raises:
        ValueError: unless ``0 <= start < end``.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise ValueError(
                f"Span [{self.start!r}, {self.end!r}) is invalid: 0 <= start < end must hold."
            )

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, span: Span) -> bool:
        """Return whether the spans share a code point."""
        return self.start < span.end and span.start < self.end

    def contains(self, span: Span) -> bool:
        """Return whether every code point of ``span`` is in this span."""
        return self.start <= span.start and span.end <= self.end

    def of(self, text: str) -> str:
        """Return the substring of ``text`` at this span."""
        return text[self.start : self.end]


def united(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans that cover the same code points, in order, merging those that overlap or touch."""
    union: list[Span] = []
    for span in sorted(spans):
        if union and span.start <= union[-1].end:
            union[-1] = Span(union[-1].start, max(union[-1].end, span.end))
        else:
            union.append(span)
    return tuple(union)


@dataclass(frozen=True, slots=True)
class Mention:
    """A span with a semantic type and its detector's probabilities.

    Attributes:
        span: its position in the text.
        type: semantic type.
        p_mask: probability in [0, 1] that it must be masked (is QUASI or DIRECT).
        p_direct: probability in [0, 1] that it is a direct identifier; at most ``p_mask``.
        source: its detector.
        kind: the detector's own name for it, such as ``email`` or ``iban``; may be empty.
        p_mask_min_word: probability in [0, 1] that every word of it must be masked; None if the
            detector judges it as a whole.
        deny: index of its deny rule in the policy; None for all other mentions.
        may_be_person: whether PERSON is also likely, although it has another type.
    """

    span: Span
    type: SemanticType
    p_mask: float
    p_direct: float
    source: MentionSource
    kind: str = ""
    p_mask_min_word: float | None = None
    deny: int | None = None
    may_be_person: bool = False

    @property
    def names_target(self) -> bool:
        """Whether it names the person to protect."""
        return self.source is MentionSource.POLICY and self.deny is None


@dataclass(frozen=True, slots=True)
class Entity:
    """All mentions of one person or thing, in text order.

    Attributes:
        id: id within the document: ``e1``, ``e2``, … in order of first mention.
        type: the semantic type of its most certain mentions.
        number: its number among the document's entities of the same type, from 1.
        mentions: at least one.
    """

    id: str
    type: SemanticType
    number: int
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one risk indicator found out about an entity: the indicator's name, a value in [0, 1], and the finding in words.

    The words never contain text of the document, since they go into public records.
    """

    indicator: str
    value: float
    statement: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """The risk of an entity, with the evidence for it.

    Attributes:
        entity: the entity assessed.
        risk: the masking probability in [0, 1].
        identifier: DIRECT, QUASI or NO_MASK, whichever is most probable.
        evidence: at least one finding, the most important first.
        certain: the reason to mask it regardless of its risk; None if the risk decides.
    """

    entity: Entity
    risk: float
    identifier: IdentifierType
    evidence: tuple[Evidence, ...]
    certain: Certainty | None = None


@dataclass(frozen=True, slots=True)
class Combination:
    """Entities at least one of which must change: if all are left, they point to the person.

    Attributes:
        entity_ids: at least one, without duplicates, in document order.
        risk: in [0, 1], how far they point to the person if all of them are left.
        evidence: at least one finding, the most important first.

    Raises:
        ValueError: if there are no ids or duplicates, or the risk isn't in [0, 1].
    """

    entity_ids: tuple[str, ...]
    risk: float
    evidence: tuple[Evidence, ...]

    def __post_init__(self) -> None:
        if not self.entity_ids or len(set(self.entity_ids)) < len(self.entity_ids):
            raise ValueError(f"entity_ids {self.entity_ids!r} must be non-empty and unique.")
        if not 0.0 <= self.risk <= 1.0:
            raise ValueError(f"risk {self.risk!r} of {self.entity_ids!r} is not in [0, 1].")


@dataclass(frozen=True, slots=True)
class Option:
    """A generalization of an entity: true of it, but less specific.

    An entity's options are ordered from most to least specific; the last one is always suppression:
    ``***`` keeps nothing and singles nobody out.

    Attributes:
        text: the words, without brackets and article, such as ``date in the 1990s``.
        level: index among the entity's options, 0 for the most specific.
        source: where it comes from, such as ``rule:decade`` or ``ontology:Q6256``.
        kept: estimated share of the entity's information that it keeps, in [0, 1].
        risk: estimated residual risk in [0, 1], how far it still singles out: 1 / number of things
            it fits.
    """

    text: str = field(repr=False)
    level: int
    source: str
    kept: float
    risk: float


AS_IT_STANDS = "rule:as-it-stands"
"""Source of the option to leave a common noun that fits many people."""


class RuleKind(StrEnum):
    """What a reason is based on."""

    TARGET = "target"
    TARGET_NAME = "target_name"
    DENY = "deny"
    IDENTITY_NUMBER = "identity_number"
    DIRECT_IDENTIFIER = "direct_identifier"
    ALLOW = "allow"
    ALLOW_EXACT = "allow_exact"
    THRESHOLD = "threshold"
    RISK_BUDGET = "risk_budget"
    MASKED_ELSEWHERE = "masked_elsewhere"
    COMBINATION = "combination"
    ATTACK = "attack"
    REVIEWER = "reviewer"
    REVIEWED_IDENTIFIER = "reviewed_identifier"
    KEPT_ATTRIBUTE = "kept_attribute"
    INSTEAD = "instead"
    INDICATOR = "indicator"


class Effect(StrEnum):
    """The effect of a reason on an entity, or the effect it would have without a stronger reason."""

    MASK = "mask"
    KEEP = "keep"
    GENERALIZE = "generalize"
    EDIT = "edit"
    WOULD_MASK = "would_mask"
    WOULD_KEEP = "would_keep"
    YIELD = "yield"
    SUPPORT = "support"


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for a decision, without text of the document; ``explain.sentence`` puts it in words.

    Attributes:
        rule: what it is based on.
        effect: its effect on the decision.
        index: index of the rule in the policy's list (DENY, ALLOW, ALLOW_EXACT).
        risk: the entity's risk (THRESHOLD, RISK_BUDGET).
        type: the entity's type (THRESHOLD).
        threshold: what the risk was compared with (THRESHOLD, RISK_BUDGET).
        words: number of words in all mentions, if it raised the threshold (THRESHOLD).
        budget: maximum share of identifiers left, from which the threshold was set (RISK_BUDGET).
        others: number of other entities in the combination (COMBINATION).
        k: the person must not be among the first K (ATTACK).
        identifier: the identifier type that a reviewer set (REVIEWED_IDENTIFIER).
        attribute: the attribute in the policy's ``keep`` (KEPT_ATTRIBUTE).
        evidence: the finding (INDICATOR).
    """

    rule: RuleKind
    effect: Effect
    _: KW_ONLY
    index: int | None = None
    risk: float | None = None
    type: SemanticType | None = None
    threshold: float | None = None
    words: int | None = None
    budget: float | None = None
    others: int | None = None
    k: int | None = None
    identifier: IdentifierType | None = None
    attribute: str | None = None
    evidence: Evidence | None = None

    @classmethod
    def of_evidence(cls, evidence: Evidence) -> Reason:
        """Return an indicator's finding as a reason."""
        return cls(RuleKind.INDICATOR, Effect.SUPPORT, evidence=evidence)


_BY_PEOPLE = (RuleKind.REVIEWER, RuleKind.REVIEWED_IDENTIFIER)


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about an entity, with its reasons.

    Attributes:
        entity: the entity.
        masked: whether its mentions are edited.
        operator: name of the operator applied to its mentions; empty if it is kept.
        identifier: DIRECT, QUASI or NO_MASK.
        risk: the entity's masking probability in [0, 1].
        reasons: the most important first.
        options: the possible generalizations if the operator is *generalize*; a reviewer may choose
            another one.
        choice: the option that is written; None if there are no options.
        threshold: the policy's threshold that the risk was compared with; None if a rule, a bound
            on the document's risk or a person decided.
        masked_up_to: the highest threshold at which the entity is masked; None in the same cases.
    """

    entity: Entity
    masked: bool
    operator: str
    identifier: IdentifierType
    risk: float
    reasons: tuple[Reason, ...]
    options: tuple[Option, ...] = ()
    choice: Option | None = None
    threshold: float | None = None
    masked_up_to: float | None = None

    @property
    def attribute(self) -> str:
        """The attribute that is kept for readers; empty if none."""
        return next((reason.attribute or "" for reason in self.reasons[:1]), "")

    @property
    def risk_left(self) -> float:
        """The probability in [0, 1] that something that needs masking can still be read in the text."""
        if not self.masked:
            return self.risk
        return self.risk * self.choice.risk if self.attribute and self.choice else 0.0

    @property
    def is_kept_by_policy(self) -> bool:
        """Whether a rule keeps what would otherwise be masked, confirmed by a person or not."""
        effects = [reason.effect for reason in self.reasons if reason.rule not in _BY_PEOPLE]
        is_exception = effects[:1] == [Effect.KEEP] and Effect.WOULD_MASK in effects
        return bool(self.attribute) or (not self.masked and is_exception)

    @property
    def is_kept_by_person(self) -> bool:
        """Whether a person decided to keep what the policy doesn't keep on purpose."""
        by_person = any(reason.rule in _BY_PEOPLE for reason in self.reasons[:1])
        return by_person and not (self.masked or self.is_kept_by_policy)


@dataclass(frozen=True, slots=True)
class Replacement:
    """One edit: ``original`` in the document became ``output`` in the sanitized text.

    If nothing was written, ``output_start == output_end``. ``entity_ids`` lists the entities whose
    mentions the edit covers (adjacent masks are joined); it is empty if running text was made
    neutral or smoothed. ``italic`` text is set in italics in formats that have them.
    """

    original: Span
    output_start: int
    output_end: int
    text: str = field(repr=False)
    entity_ids: tuple[str, ...]
    italic: bool = False


@dataclass(frozen=True, slots=True)
class Leak:
    """A surface form of a masked entity in the sanitized text.

    ``output_start`` and ``output_end`` are code points of the sanitized text.
    """

    entity_id: str
    output_start: int
    output_end: int

    @property
    def place(self) -> str:
        """Its code points, in the form used in messages."""
        return f"{self.output_start}:{self.output_end}"


@dataclass(frozen=True, slots=True)
class Protected:
    """The policy's names and terms that are forbidden in every output, whether or not the text has them.

    Attributes:
        names: names of the person to protect.
        terms: strings of the deny list, each with the type of its rule.
        patterns: the deny list's regular expressions.
    """

    names: tuple[str, ...] = field(default=(), repr=False)
    terms: tuple[tuple[str, SemanticType], ...] = field(default=(), repr=False)
    patterns: tuple[re.Pattern[str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A text with an id.

    Attributes:
        id: the document's id, unique within a run.
        text: the original text, unchanged.
        target: names of the person to protect; empty to protect everyone.
        subject: the person it is about, by id or unique name in a store of people; empty if
            unknown.
        codes: identifying numbers and other codes from elsewhere in its record.
        language: ISO 639-1 code of the language that the user says it is in; empty to guess.
    """

    id: str
    text: str
    target: tuple[str, ...] = ()
    subject: str = ""
    codes: tuple[str, ...] = ()
    language: str = ""

    def __repr__(self) -> str:
        """Return the id and the length, without the text."""
        return f"Document(id={self.id!r}, {len(self.text):,} code points)"


@dataclass(frozen=True, slots=True)
class LanguagePart:
    """A part of a text in a language that the recognizer can't read.

    Attributes:
        span: its code points.
        language: ISO 639-1 code.
    """

    span: Span
    language: str


@dataclass(frozen=True, slots=True)
class LossBound:
    """A promise about the average share of identifiers left in documents of a domain.

    Attributes:
        share: the maximum share requested, in [0, 1].
        threshold: entities with at least this risk are masked.
        expected: estimated mean share left, including identifiers that are never detected.
        bound: upper confidence bound on that mean.
        tail: the share that nine out of ten documents don't exceed.
        confidence: the confidence level of the bound.
        domain: the domain it was measured on.
    """

    share: float
    threshold: float
    expected: float
    bound: float
    tail: float
    confidence: float
    domain: str

    @property
    def is_met(self) -> bool:
        """Whether the requested share can be promised."""
        return self.bound <= self.share


@dataclass(frozen=True, slots=True)
class Risk:
    """A document's risk, as expected numbers of entities that need masking.

    Attributes:
        before: the expected number among all entities.
        residual: the expected number in the sanitized text, not counting what a person decided to
            keep.
        highest_kept: the highest risk of a kept entity; 0 if none was kept.
        leaks: number of surface forms of masked entities left after verification.
        promise: the promise about all identifiers, including those never detected; None if the
            policy sets no bound.
        kept_by_people: the expected number among what a person decided to keep; None if nobody did.
        kept_attributes: the expected number left because of each attribute that the policy keeps,
            part of ``kept_by_policy``; None if it keeps none that occurs in the text.
        kept_by_policy: the expected number among what the policy keeps on purpose, part of
            ``residual``: through an allow rule, a higher threshold for a type, or an attribute;
            None if it keeps nothing.
    """

    before: float
    residual: float
    highest_kept: float
    leaks: int
    promise: LossBound | None = None
    kept_by_people: float | None = None
    kept_attributes: dict[str, float] | None = None
    kept_by_policy: float | None = None

    @property
    def undecided(self) -> float:
        """The expected number left that neither the policy nor a person keeps on purpose."""
        return max(0.0, self.residual - (self.kept_by_policy or 0.0))

    @property
    def to_mask(self) -> float:
        """The expected number of entities that need masking, not counting what the policy keeps on purpose."""
        return max(0.0, self.before - (self.kept_by_policy or 0.0))


@dataclass(frozen=True, slots=True)
class Identification:
    """The result of an attack on the sanitized text by somebody who knows many people.

    Attributes:
        attacker: its name.
        rank: the rank of the right person among all people, from 1.
        probability: the probability given to the right person.
        people: number of people that the attacker knows.
        k: the right person must not be among the first K.
        telling_words: the words of the sanitized text that point to the person most, strongest
            first, by their code points; empty if the person isn't found.
        held_out: whether the attacker wasn't used to decide what was masked.
        silence: why there is no answer, such as *refused*; empty if there is one. Without an answer
            the rank is meaningless.
    """

    attacker: str
    rank: int
    probability: float
    people: int
    k: int
    telling_words: tuple[Span, ...] = ()
    held_out: bool = False
    silence: str = ""

    @property
    def found(self) -> bool:
        """Whether the right person is among the first K."""
        return not self.silence and self.rank <= self.k
