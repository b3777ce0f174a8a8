"""Field policies for a message's attachments: ``attachments.visits.csv.note``, or ``attachments.*.note``.

An attached file adds a segment in front of its own paths: its name or ``*``. What a field policy
says about ``attachments`` applies to all of them; if it says nothing, their fields are text.

A message is read and written in workers, which keep nothing between calls: the treatments are sent
there, and what was observed comes back with the message (``carried``, ``settled``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..fields import ALL, FieldPolicy, FieldRule, Fields, Treatment
from ..running_numbers import RunningNumbers

ATTACHMENTS = "attachments"
TEXTS = Fields(
    FieldPolicy(fields={ALL: FieldRule(treatment=Treatment.TEXT, unreadable="drop")}), "the message"
)
"""Treatment of unlisted fields of an attachment: they are text, like the rest of the message."""


@dataclass(slots=True)
class Seen:
    """What a worker observed about fields, in order.

    Attributes:
        values: path and value of each leaf.
        columns: path and possible treatments of each column.
    """

    values: list[tuple[tuple[str, ...], str]] = field(default_factory=list, repr=False)
    columns: list[tuple[tuple[str, ...], frozenset[Treatment] | None]] = field(default_factory=list)

    def observe(self, path: tuple[str, ...], value: str) -> None:
        """Record a leaf."""
        self.values.append((path, value))

    def take(self, path: tuple[str, ...], treatments: frozenset[Treatment] | None) -> None:
        """Record a column."""
        self.columns.append((path, treatments))


@dataclass(frozen=True, slots=True)
class AttachedFields:
    """Treatments of fields in attachments, in the form for a worker.

    Attributes:
        fields: the run's treatments, without what only its own process can do.
        seen: what was observed there; None if nobody wants to know.
    """

    fields: Fields
    seen: Seen | None = None

    @classmethod
    def carried(cls, fields: Fields | None) -> AttachedFields | None:
        """Return a run's treatments for a worker; None if they don't mention attachments."""
        if fields is None or (fields.observe is None and not _rules(fields.policy)):
            return None
        name = RunningNumbers() if isinstance(fields.name, RunningNumbers) else fields.name
        seen = None if fields.observe is None else Seen()
        return cls(replace(fields, name=name, observe=None, takes=None, passes=None), seen)

    @property
    def run(self) -> Fields:
        """The run's treatments, for a message inside the message."""
        if self.seen is None:
            return self.fields
        return replace(self.fields, observe=self.seen.observe, takes=self.seen.take)

    def settled(self, fields: Fields) -> AttachedFields:
        """Return a copy for the writer, in which identifiers have the run's numbers.

        Args:
            fields: the run's treatments, which are told what was observed.
        """
        for path, treatments in () if self.seen is None else self.seen.columns:
            fields.declare(path, treatments)
        for path, value in () if self.seen is None else self.seen.values:
            if fields.observe is not None:
                fields.observe(path, value)
        own, name = self.fields.name, fields.name
        if isinstance(own, RunningNumbers) and isinstance(name, RunningNumbers):
            numbers = {value: name.number(value) for value in own.values()}
            own = RunningNumbers(numbers)
        return AttachedFields(replace(self.fields, name=own))

    def of(self, name: str) -> Fields:
        """Return the treatments for one attachment.

        Args:
            name: its file name; empty if it has none.
        """
        policy = self.fields.policy
        own, others = _prefix(name), f"{ATTACHMENTS}.{ALL}."
        general = {ALL: policy.fields[ALL]} if ALL in policy.fields else {}
        # A treatment of a whole file takes precedence over treatments of fields in any file.
        shared = {} if own[:-1] in policy.fields else _within(policy, others)
        rules = {**general, **_whole(policy, name), **shared, **_within(policy, own)}
        prefixes = (own, others)
        fields = {path: _relative(rule, prefixes) for path, rule in rules.items()}
        records = _stripped(policy.records, prefixes)
        inner = replace(
            self.fields,
            policy=policy.model_copy(update={"fields": fields, "records": records}),
            source=self.fields.source or "the command",
            prefix=others,
            optional=frozenset(shared),
        )
        if self.seen is None:
            return inner
        seen = self.seen
        return replace(
            inner,
            observe=lambda path, value: seen.observe((ATTACHMENTS, ALL, *path), value),
            takes=lambda path, treatments: seen.take((ATTACHMENTS, ALL, *path), treatments),
        )

    def is_dropped(self, name: str) -> bool:
        """Return whether an attachment is dropped as a whole."""
        rules = self.of(name).policy.fields
        return bool(_whole(self.fields.policy, name)) and all(
            path == ALL and rule.treatment is Treatment.DROP for path, rule in rules.items()
        )


def _prefix(name: str) -> str:
    return f"{ATTACHMENTS}.{name}."


def _rules(policy: FieldPolicy) -> list[str]:
    return [path for path in policy.fields if f"{path}.".startswith(f"{ATTACHMENTS}.")]


def _within(policy: FieldPolicy, prefix: str) -> dict[str, FieldRule]:
    """Return the treatments of fields with a prefix, keyed by what follows it."""
    return {
        path.removeprefix(prefix): rule
        for path, rule in policy.fields.items()
        if path.startswith(prefix) and path != prefix
    }


def _whole(policy: FieldPolicy, name: str) -> Mapping[str, FieldRule]:
    """Return the treatment of a whole attachment, as that of all its fields."""
    for path in (_prefix(name)[:-1], f"{ATTACHMENTS}.{ALL}", ATTACHMENTS):
        if path in policy.fields:
            return {ALL: policy.fields[path]}
    return {}


def _relative(rule: FieldRule, prefixes: tuple[str, ...]) -> FieldRule:
    """Return a treatment whose ``by`` is a path in the attachment."""
    if rule.by is None:
        return rule
    return rule.model_copy(update={"by": _stripped(rule.by, prefixes) or rule.by})


def _stripped(path: str, prefixes: tuple[str, ...]) -> str:
    return next((path.removeprefix(p) for p in prefixes if path.startswith(p)), "")
