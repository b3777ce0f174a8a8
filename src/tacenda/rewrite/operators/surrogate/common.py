"""Words of names that name nobody: they stay in a surrogate, and may stand in any other."""

from __future__ import annotations

from ....text.word_lists import NEVER, PARTICLES

_FORMS = frozenset(
    """ltd limited inc llc llp plc corp corporation co gmbh ag kg asa as ab oy nv bv sa srl spa sas
    sarl college academy clinic church mosque theatre museum library club press times news airport
    station harbour bridge park square lane avenue drive close court gardens hill place terrace way
    boulevard road street st rd ave north south east west northern southern eastern western upper
    lower new saint island islands river lake mount mountain valley bay cape gulf sea ocean party
    union trust fund league federation society committee partners holdings group services systems
    borough parish canton commune prefecture barracks executive managing deputy assistant senior
    junior solutions technologies industries consulting studio media software""".split()
)
COMMON = NEVER | PARTICLES | _FORMS
"""Folded words: legal forms, kinds of bodies and places, function words, titles, months, numbers."""
