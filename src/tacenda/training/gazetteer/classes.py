"""Which classes of the Wikidata slice stand for which property.

The slice has labels, aliases, "instance of" (P31) and "subclass of" (P279), but no statements
about people, so it can't say which occupations people have. The subclasses and instances of
*occupation* stand for the values of the property *occupation*, and so on; properties of
`properties.PROPERTIES` without a class here have no terms from the slice.
"""

from __future__ import annotations

CLASSES: dict[str, tuple[str, ...]] = {
    "ethnic_group": ("Q41710", "Q2472587"),  # ethnic group, people
    "kinship": ("Q171318",),
    "military_rank": ("Q56019",),
    "religion": ("Q9174", "Q13414953", "Q2061186", "Q1826286"),  # … denomination, order, movement
    "ideology": ("Q12909644",),
    "health": ("Q12136", "Q169872", "Q193078"),  # disease, symptom, injury
    "sport_position": ("Q1781513",),
    "occupation": ("Q12737077", "Q28640"),  # occupation, profession
    "position": ("Q4164871", "Q294414"),  # position, public office
    "degree": ("Q189533", "Q217577"),  # academic degree, diploma
    "title": ("Q355567", "Q486983"),  # noble title, academic rank
    "language": ("Q1288568", "Q33742"),  # modern language, natural language
    "crime": ("Q83267",),
    "award": ("Q618779", "Q38033430", "Q131647"),  # award, class of award, medal
    "field": ("Q4671286",),  # academic major
    "instrument": ("Q34379",),
    "sport": ("Q31629", "Q2312410"),  # type of sport, sports discipline
    "event": ("Q198", "Q178561", "Q13406554"),  # war, battle, sports competition
    "movement": ("Q968159", "Q1387659"),  # art movement, school of thought
    "genre": ("Q188451", "Q223393"),  # music genre, literary genre
    "work": (
        "Q11424",
        "Q5398426",
        "Q506240",
        "Q24869",
    ),  # film, series, television and feature film
    "treatment": ("Q796194",),  # medical procedure
}

EXCLUDED = ("Q5", "Q15632617", "Q95074", "Q4167410", "Q4167836", "Q13406463", "Q3241045")
"""Human, fictional human or character, disambiguation, category, list, disease outbreak."""
