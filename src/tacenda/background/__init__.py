"""An adversary's background knowledge: profiles of people, in a store of their own.

files ─ PeopleReader ─▶ Person ─ PeopleBuilder ─▶ store ─ People ─▶ people by word
"""

from __future__ import annotations
