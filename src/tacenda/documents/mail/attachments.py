"""Field policies for the attachments of a message: ``attachments.visits.csv.note``, or ``attachments.*.note``.

An attached file is one more segment before the paths that it has by itself, its name or ``*``. What a field policy
says of ``attachments`` is said of all of them; where it says nothing, their fields are text.

A message is read and written in workers, which keep nothing between calls: the treatments travel there, and what
they saw comes back with the message (``carried``, ``settled``).
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
    """Observations about fields in a worker, in order.

    Attributes:
        values: path and value of each leaf.
        columns: path and possible treatments of each column.
    """

    values: list[tuple[tuple[str, ...], str]] = field(default_factory=list, repr=False)
    columns: list[tuple[tuple[str, ...], frozenset[Treatment] | None]] = field(default_factory=list)

    def observe(self, path: tuple[str, ...], value: str) -> None:
        """Take a leaf."""
        self.values.append((path, value))

    def take(self, path: tuple[str, ...], treatments: frozenset[Treatment] | None) -> None:
        """Take a column."""
        self.columns.append((path, treatments))


@dataclass(frozen=True, slots=True)
class AttachedFields:
    """Treatments of the fields of attachments, as a worker has them.

    Attributes:
        fields: of the run, without what only its own process can do.
        seen: what was seen there; None where nothing looks.
    """

    fields: Fields
    seen: Seen | None = None

    @classmethod
    def carried(cls, fields: Fields | None) -> AttachedFields | None:
        """Return the treatments of a run for a worker; None where it doesn't mention attachments."""
        if fields is None or (fields.observe is None and not _rules(fields.policy)):
            return None
        name = RunningNumbers() if isinstance(fields.name, RunningNumbers) else fields.name
        seen = None if fields.observe is None else Seen()
        return cls(replace(fields, name=name, observe=None, takes=None, passes=None), seen)

    @property
    def run(self) -> Fields:
        """Treatments of a run for a message within the message."""
        if self.seen is None:
            return self.fields
        return replace(self.fields, observe=self.seen.observe, takes=self.seen.take)

    def settled(self, fields: Fields) -> AttachedFields:
        """Return the same for the writer: identifiers have the numbers that they have in the run.

        Args:
            fields: of the run, which is told what was seen.
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
        """Return the treatments of one attachment.

        Args:
            name: of its file; empty if it has none.
        """
        policy = self.fields.policy
        own, others = _prefix(name), f"{ATTACHMENTS}.{ALL}."
        general = {ALL: policy.fields[ALL]} if ALL in policy.fields else {}
        # A treatment of a whole file takes precedence over treatments of fields of any file.
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
        """Return whether an attachment goes as a whole."""
        rules = self.of(name).policy.fields
        return bool(_whole(self.fields.policy, name)) and all(
            path == ALL and rule.treatment is Treatment.DROP for path, rule in rules.items()
        )


def _prefix(name: str) -> str:
    return f"{ATTACHMENTS}.{name}."


def _rules(policy: FieldPolicy) -> list[str]:
    return [path for path in policy.fields if f"{path}.".startswith(f"{ATTACHMENTS}.")]


def _within(policy: FieldPolicy, prefix: str) -> dict[str, FieldRule]:
    """Return the treatments of fields behind a prefix, by what is behind it."""
    return {
        path.removeprefix(prefix): rule
        for path, rule in policy.fields.items()
        if path.startswith(prefix) and path != prefix
    }


def _whole(policy: FieldPolicy, name: str) -> Mapping[str, FieldRule]:
    """Return the treatment of all of an attachment, as that of all its fields."""
    for path in (_prefix(name)[:-1], f"{ATTACHMENTS}.{ALL}", ATTACHMENTS):
        if path in policy.fields:
            return {ALL: policy.fields[path]}
    return {}


def _relative(rule: FieldRule, prefixes: tuple[str, ...]) -> FieldRule:
    """Return a treatment whose ``by`` is a path of the attachment."""
    if rule.by is None:
        return rule
    return rule.model_copy(update={"by": _stripped(rule.by, prefixes) or rule.by})


def _stripped(path: str, prefixes: tuple[str, ...]) -> str:
    return next((path.removeprefix(p) for p in prefixes if path.startswith(p)), "")
