"""Field numbers: ``field 5`` is the fifth name in a file without columns, in order of first appearance.

Messages show the number of a name that may be a person's, and a field policy may use it to name the
field. Numbers depend only on the file, never on the treatments, so they don't change while a policy
is being written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from .fhir import definitions
from .fields import FieldPolicy, Fields
from .json_leaves import BLANK, DECODER
from .shapes import paths_in

_PLACE = re.compile(r"field \d{1,6}")
_MOST = 100_000
"""Maximum number of names that get a number; if there are more, they are data."""


class FieldPlaces:
    """The numbers of the names in one file.

    Args:
        fields: the treatments; fields may be named by number.
        is_whole: whether the file is read from its start; numbers are unknown in a part of a file.

    Attributes:
        fields: the treatments; for numbers already seen, under the corresponding names.
    """

    def __init__(self, fields: Fields, *, is_whole: bool = True) -> None:
        self.fields = fields
        # Names from definitions are public, and restart at each resource.
        self._counts = is_whole and not fields.policy.definitions
        self._numbers: dict[str, int] = {}
        self._pending = set(places_of(fields.policy))

    def add(self, paths: Iterable[tuple[str, ...]]) -> None:
        """Add the paths in a part of the file, in order."""
        for path in paths if self._counts else ():
            name = ".".join(path)
            if name in self._numbers or len(self._numbers) >= _MOST:
                continue
            self._numbers[name] = len(self._numbers) + 1
            place = f"field {len(self._numbers)}"
            if place in self._pending:
                self._pending.remove(place)
                self._name(place, name)

    def _name(self, place: str, name: str) -> None:
        """Give a field the treatment of its number, which may also be another field's name."""
        policy = self.fields.policy
        rules = {name: policy.fields[place], **policy.fields}
        self.fields = replace(
            self.fields,
            policy=policy.model_copy(update={"fields": rules}),
            places={**self.fields.places, name: place},
        )

    def add_json(self, source: str) -> None:
        """Add a JSON value; anything else has no names."""
        if not self._counts:
            return
        try:
            value, _ = DECODER.raw_decode(source.lstrip(BLANK + "\ufeff"))
            self.add(paths_in(value))
        except (ValueError, RecursionError):
            return

    def refusal(self, names: Iterable[str]) -> str:
        """Return the message for fields without treatment, or an empty string."""
        places = {self._place(name): name for name in names}
        return self.fields.refusal(places, "field") if places else ""

    def _place(self, name: str) -> str:
        number = self._numbers.get(name)
        public = definitions().types if self.fields.policy.definitions else ()
        return self.fields.pattern(name, public) if number is None else f"field {number}"


def places_of(policy: FieldPolicy) -> list[str]:
    """Return the fields that a policy names by number in a file without columns."""
    return [name for name in policy.fields if _PLACE.fullmatch(name)]
