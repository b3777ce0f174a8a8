"""What an adversary knows: profiles of people, in one store of one's own.

files ─ PeopleReader ─▶ Person ─ PeopleBuilder ─▶ store ─ People ─▶ who has a word
"""

from __future__ import annotations

from .builder import PeopleBuilder
from .people import People, Posting
from .person import Person
from .reading import PeopleReader
from .terms import terms

__all__ = ["People", "PeopleBuilder", "PeopleReader", "Person", "Posting", "terms"]
