"""Entities of mentions, and further mentions at equal strings.

| mentions | one entity? |
|---|---|
| equal strings: folded, without possessive and leading ``the``, white space and line ends joined | yes, whatever their types; the entity has the type of its most certain mention |
| PERSON ``Mr Galip Yalman``, ``Galip Yalman``, ``Yalman, Galip`` | yes: titles do not count |
| PERSON ``G. Yalman``, ``G.Y.`` and ``Galip Yalman`` | yes; initials only if one person has them |
| PERSON ``Ünal Tekeli`` and ``Ayten Ünal Tekeli`` | yes: the end of the longer name |
| PERSON ``Ali Yalman`` and ``Galip Yalman`` | never: given names differ |
| PERSON ``Mr Smith`` and ``Mrs Smith`` | never: titles differ |
| PERSON ``Yalman``, ``Mr Yalman`` with several Yalmans | the one mentioned most, then the nearest |
| PERSON ``Mr Smith`` where there is a ``Mrs Smith`` too, with ``John Smith``, ``Mary Smith`` | no: an entity of its own: the titles do not tell them apart |
| PERSON ``Galip`` (no such surname) | the same, among the Galips |
| PERSON ``Mr and Mrs Smith`` | an entity of its own: it names two, and joins neither |
| CODE ``4027/05``, ``4027 05``, ``4027 - 05`` | yes: equal letters and digits |
| ORG, LOC, MISC ``Prison Service (PS)``, ``European Court of Human Rights (“the ECHR”)`` | yes: name and defined acronym |
| ORG, LOC, MISC ``Supreme Court (Oberster Gerichtshof)`` | yes: both names and the whole |
| all others (DATETIME, QUANTITY, DEM) | equal strings only |

Equal strings are one entity, so a string masked once is masked everywhere.
"""

from .linking import link, propagate

__all__ = ["link", "propagate"]
