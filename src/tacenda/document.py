"""The vocabulary: the values passed between the stages, frozen.

Offsets are code points of the original text, always. A stage that normalises text keeps an
alignment of its own and hands on offsets of the original.

    Document ─ detect ─▶ Mention ─ link ─▶ Entity ─ risk ─▶ Assessment ─ decide ─▶ Decision
             ─ rewrite ─▶ Replacement ─ verify ─▶ Leak            all of it: Result

The annotation model (semantic types, identifier types, confidential status, entities) is that
of the Text Anonymization Benchmark (TAB), section 3.
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
    """Kind of identifier: alone, together with others, or none."""

    DIRECT = "DIRECT"
    QUASI = "QUASI"
    NO_MASK = "NO_MASK"


class ConfidentialStatus(StrEnum):
    """Confidential attribute of a person, revealed by a mention (TAB, section 3.2)."""

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
    """Ground for masking an entity regardless of its risk."""

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
        """Return whether the two share a code point."""
        return self.start < span.end and span.start < self.end

    def contains(self, span: Span) -> bool:
        """Return whether every code point of ``span`` is in this span."""
        return self.start <= span.start and span.end <= self.end

    def of(self, text: str) -> str:
        """The substring of ``text`` at this span."""
        return text[self.start : self.end]


def united(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans of the same code points in order, no two of them touching."""
    union: list[Span] = []
    for span in sorted(spans):
        if union and span.start <= union[-1].end:
            union[-1] = Span(union[-1].start, max(union[-1].end, span.end))
        else:
            union.append(span)
    return tuple(union)


@dataclass(frozen=True, slots=True)
class Mention:
    """Span with a semantic type and its detector's probabilities.

    Attributes:
        span: place in the text.
        type: semantic type.
        p_mask: probability in [0, 1] that it must be masked (QUASI or DIRECT).
        p_direct: probability in [0, 1] of a direct identifier; at most ``p_mask``.
        source: its detector.
        kind: the detector's own name for it, such as ``email`` or ``iban``; may be empty.
        p_mask_min_word: probability in [0, 1] that every word of it must be masked; None where the
            detector judges it as a whole.
        deny: place of its deny rule in the policy; None for all other mentions.
        may_be_person: whether PERSON is likely, too, though its type is another.
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
        """Whether it is a name of the person to protect."""
        return self.source is MentionSource.POLICY and self.deny is None


@dataclass(frozen=True, slots=True)
class Entity:
    """All mentions of one referent, in order of the text.

    Attributes:
        id: name within the document, ``e1``, ``e2``, … in order of first mention.
        type: semantic type of the entity (of its most certain mentions).
        number: running number among the document's entities of the type, from 1.
        mentions: at least one.
    """

    id: str
    type: SemanticType
    number: int
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Finding of one risk indicator about an entity: its name, its value in [0, 1], in words.

    The words never have text of the document: they go into public records.
    """

    indicator: str
    value: float
    statement: str


@dataclass(frozen=True, slots=True)
class Assessment:
    """The risk of an entity, with the evidence for it.

    Attributes:
        entity: the entity assessed.
        risk: masking probability in [0, 1].
        identifier: DIRECT, QUASI or NO_MASK, the most probable reading.
        evidence: at least one finding, the weightiest first.
        certain: ground for masking it regardless of its risk; None where the risk decides.
    """

    entity: Entity
    risk: float
    identifier: IdentifierType
    evidence: tuple[Evidence, ...]
    certain: Certainty | None = None


@dataclass(frozen=True, slots=True)
class Combination:
    """Entities of which one must change: if all are left, they point to the person.

    Attributes:
        entity_ids: at least one, each once, in the order of the document.
        risk: in [0, 1], how far they point to the person while all of them are shown.
        evidence: at least one finding, the weightiest first.

    Raises:
        ValueError: if there are no ids or one twice, or the risk is not in [0, 1].
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
    """A generalisation of an entity: true of it, and less specific.

    The options of an entity are ordered from the most to the least specific; the last one is
    always suppression: ``***`` keeps nothing and singles out no one.

    Attributes:
        text: the words, without brackets and article, such as ``date in the 1990s``.
        level: place among the entity's options, 0 for the most specific.
        source: its origin, ``rule:decade`` or ``ontology:Q6256``.
        kept: kept share of the entity's information in [0, 1], an estimate.
        risk: residual risk in [0, 1], how far it still singles out: 1 / number of things it fits,
            an estimate.
    """

    text: str = field(repr=False)
    level: int
    source: str
    kept: float
    risk: float


AS_IT_STANDS = "rule:as-it-stands"
"""Source of the option to leave a common noun that fits many people."""


class RuleKind(StrEnum):
    """The ground of a reason."""

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
    """The effect of a reason on an entity, or the one it would have without a stronger reason."""

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
    """One ground of a decision, without text of the document; ``explain.sentence`` words it.

    Attributes:
        rule: the ground.
        effect: its effect on the decision.
        index: place of the rule in the policy's list (DENY, ALLOW, ALLOW_EXACT).
        risk: of the entity (THRESHOLD, RISK_BUDGET).
        type: of the entity (THRESHOLD).
        threshold: compared with the risk (THRESHOLD, RISK_BUDGET).
        words: of all mentions, where they raised the threshold (THRESHOLD).
        budget: wanted share of the identifiers left at most, which set the threshold (RISK_BUDGET).
        others: number of other entities of the combination (COMBINATION).
        k: the person must not be among the first K (ATTACK).
        identifier: identifier set by a reviewer (REVIEWED_IDENTIFIER).
        attribute: of the policy's ``keep`` (KEPT_ATTRIBUTE).
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
        """The finding of an indicator as a reason."""
        return cls(RuleKind.INDICATOR, Effect.SUPPORT, evidence=evidence)


_BY_PEOPLE = (RuleKind.REVIEWER, RuleKind.REVIEWED_IDENTIFIER)


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about an entity, with its reasons.

    Attributes:
        entity: the entity decided on.
        masked: whether its mentions are edited.
        operator: name of the operator for its mentions; empty where it is kept.
        identifier: DIRECT, QUASI or NO_MASK.
        risk: masking probability of the entity in [0, 1].
        reasons: the weightiest first.
        options: possible generalisations, where the operator is *generalize*; a reviewer may take
            another one.
        choice: the written one of them; None where there are no options.
        threshold: of the policy, compared with the risk; None where a rule, a bound on
            the document's risk or a person decided.
        masked_up_to: the highest threshold that masks the entity; None likewise.
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
        """The attribute that it tells readers who need it; empty where none."""
        return next((reason.attribute or "" for reason in self.reasons[:1]), "")

    @property
    def risk_left(self) -> float:
        """Probability in [0, 1] that something in need of masking can still be read in the text."""
        if not self.masked:
            return self.risk
        return self.risk * self.choice.risk if self.attribute and self.choice else 0.0

    @property
    def is_kept_by_policy(self) -> bool:
        """Whether a rule keeps what would be masked otherwise, confirmed by a person or not."""
        effects = [reason.effect for reason in self.reasons if reason.rule not in _BY_PEOPLE]
        is_exception = effects[:1] == [Effect.KEEP] and Effect.WOULD_MASK in effects
        return bool(self.attribute) or (not self.masked and is_exception)

    @property
    def is_kept_by_person(self) -> bool:
        """Whether a person decided to keep what the policy does not keep on purpose."""
        by_person = any(reason.rule in _BY_PEOPLE for reason in self.reasons[:1])
        return by_person and not (self.masked or self.is_kept_by_policy)


@dataclass(frozen=True, slots=True)
class Replacement:
    """One edit: ``original`` in the document became ``output`` in the sanitized text.

    ``output_start == output_end`` where nothing was written. ``entity_ids`` names the entities
    whose mentions the edit covers (neighbouring masks are joined); none where running text was made
    neutral or smoothed. ``italic`` text is in italics where a format has them.
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
        """Its code points, as messages name it."""
        return f"{self.output_start}:{self.output_end}"


@dataclass(frozen=True, slots=True)
class Protected:
    """Names and terms of the policy forbidden in every output, whether or not the text has them.

    Attributes:
        names: of the person to protect.
        terms: strings of the deny list, each with the type of its rule.
        patterns: regular expressions of the deny list.
    """

    names: tuple[str, ...] = field(default=(), repr=False)
    terms: tuple[tuple[str, SemanticType], ...] = field(default=(), repr=False)
    patterns: tuple[re.Pattern[str], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A text with a name.

    Attributes:
        id: name of the document, unique in a run.
        text: the original, untouched.
        target: names of the person to protect; empty for everyone.
        subject: the person it is about, as in a store of people: an id, or a unique name; empty
            where unknown.
        codes: numbers and other codes that tell who a person is, from elsewhere in its record.
        language: ISO 639-1 code of the language that its user says it is in; empty to guess it.
    """

    id: str
    text: str
    target: tuple[str, ...] = ()
    subject: str = ""
    codes: tuple[str, ...] = ()
    language: str = ""

    def __repr__(self) -> str:
        """The name and the length, without the text."""
        return f"Document(id={self.id!r}, {len(self.text):,} code points)"


@dataclass(frozen=True, slots=True)
class LanguagePart:
    """A part of a text in one language that the recognizer can't read.

    Attributes:
        span: its code points.
        language: ISO 639-1 code.
    """

    span: Span
    language: str


@dataclass(frozen=True, slots=True)
class LossBound:
    """Promise about the share of identifiers left in documents of a domain, on average.

    Attributes:
        share: the wanted share at most, in [0, 1].
        threshold: entities are masked from this risk on.
        expected: estimated mean share left, identifiers never detected included.
        bound: upper confidence bound of that mean.
        tail: share that nine of ten documents don't exceed.
        confidence: of the bound.
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
        """Whether the wanted share can be promised."""
        return self.bound <= self.share


@dataclass(frozen=True, slots=True)
class Risk:
    """Risk of a document, in expected entities in need of masking.

    Attributes:
        before: their expected number over all entities.
        residual: their expected number in the sanitized text, besides what a person decided to keep.
        highest_kept: largest risk of a kept entity; 0 if none was kept.
        leaks: surface forms of masked entities left after verification.
        promise: about all identifiers, also those never detected; None where the policy bounds nothing.
        kept_by_people: expected number among what a person decided to keep; None where no one did.
        kept_attributes: expected number left because of each attribute that the policy keeps, a
            part of ``kept_by_policy``; None where it keeps none that the text tells.
        kept_by_policy: expected number among what the policy keeps on purpose, a part of ``residual``:
            by an allow rule, a higher threshold for the type, or an attribute; None where it keeps nothing.
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
        """Expected number left that neither the policy nor a person keeps on purpose."""
        return max(0.0, self.residual - (self.kept_by_policy or 0.0))

    @property
    def to_mask(self) -> float:
        """Expected number of entities in need of masking, besides what the policy keeps on purpose."""
        return max(0.0, self.before - (self.kept_by_policy or 0.0))


@dataclass(frozen=True, slots=True)
class Identification:
    """Result of an attack on the sanitized text, with knowledge of many people.

    Attributes:
        attacker: its name.
        rank: of the right person among all of them, from 1.
        probability: of the right person.
        people: number of people the attacker knows.
        k: the right person must not be among the first K.
        telling_words: words of the sanitized text most indicative of the person, the strongest
            first, by their code points there; none where the person is not found.
        held_out: whether the attacker had no part in what was masked.
        silence: reason for a missing answer, such as *refused*; else empty. The rank is then meaningless.
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
