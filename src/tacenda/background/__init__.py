"""Background knowledge of an adversary: profiles of people, in one store of one's own.

files ─ PeopleReader ─▶ Person ─ PeopleBuilder ─▶ store ─ People ─▶ people by word
"""

from __future__ import annotations

from .documents import IndexBuilder, IndexSize, LocalIndex
from .people import People, Posting
from .people_builder import PeopleBuilder
from .profiles import Person, terms
from .reading import PeopleReader

__all__ = [
    "IndexBuilder",
    "IndexSize",
    "LocalIndex",
    "People",
    "PeopleBuilder",
    "PeopleReader",
    "Person",
    "Posting",
    "terms",
]
