"""Background knowledge of an adversary: profiles of people, in one store of one's own.

files ─ PeopleReader ─▶ Person ─ PeopleBuilder ─▶ store ─ People ─▶ people by word
"""

from __future__ import annotations
