"""Group mentions into entities, and find further mentions of the same strings.

| mentions | one entity? |
|---|---|
| equal strings: folded, without possessive and leading ``the``, white space and line ends joined | yes, whatever their types; the entity has the type of its most certain mention |
| PERSON ``Mr Galip Yalman``, ``Galip Yalman``, ``Yalman, Galip``, ``YALMAN Galip``, ``Yalman Galip`` | yes: titles and the order of names are ignored |
| PERSON ``G. Yalman``, ``Yalman G.``, ``G.Y.`` and ``Galip Yalman`` | yes, if only one person has these initials |
| PERSON ``Galip Y.`` and ``Galip Yalman`` | yes, likewise |
| PERSON ``Ünal Tekeli`` and ``Ayten Ünal Tekeli`` | yes: the end of the longer name |
| PERSON ``Ana Lucía``, ``Ana Ortega`` and ``Ana Lucía Fernández Ortega`` | yes: given names; the first of these and a surname |
| PERSON ``Liz Marchetti`` and ``Elizabeth Marchetti``; ``Funmi`` and ``Funmilayo`` | yes: a listed short form; an unlisted one if only one given name begins with it |
| PERSON ``Maria Powell`` and ``Maria Powell-Mensah`` | yes: part of a double name |
| PERSON ``Wojciechowsky`` and ``Wojciechowski`` | yes: a misspelling, except at the end of a name, which shows gender and case (``Kowalska``) |
| PERSON ``anna.berg``, ``@anna_b``, ``aberg`` and ``Anna Berg`` | yes, if it fits only one person; also for a CODE that is a user name |
| PERSON ``first_name: Anna``, ``last_name: Berg`` in fields, columns, contact cards | yes |
| PERSON ``Piotr Zaręba`` and ``Zarębą``, ``Piotrowi Zarębie`` in Polish; ``Anna Berg`` and ``Annas``, ``Bergs`` in German, Swedish, Norwegian, Danish | yes: one name in several cases |
| PERSON ``Ute Peter`` and ``Peters``, where there is a ``Hans Peters`` | no: a name that somebody in the text has is never an inflected form of another |
| PERSON ``X, also known as Y``; ``Anna Berg (AB)`` | yes |
| PERSON ``Ali Yalman`` and ``Galip Yalman`` | never: given names differ |
| PERSON ``Mr Smith`` and ``Mrs Smith``, ``Mary Smith`` | never: the genders of title or given name differ |
| PERSON ``John Smith`` and ``John Smith Jr.``, ``Sr.``, ``III``, ``the Elder`` | never; ``Smith Jr.`` is the person with that name |
| PERSON ``PC Khan`` and ``Sgt Khan`` | never: the ranks differ |
| PERSON ``Tom`` and ``Ada Berg``, in ``Tom and Ada Berg`` | never; Tom is also a Berg, so ``Mr Berg`` may be him |
| PERSON ``Sgt Lee arrested Bruce Lee``, ``Dr Kaur and her husband, Mr Kaur`` | never: one acts on the other, or they are relatives (``relations``) |
| PERSON ``Yalman``, ``Mr Yalman`` with several Yalmans | the one whose full name or title is mentioned most, then the nearest |
| PERSON ``Mr Smith`` where there is a ``Mrs Smith`` too, with ``A. Smith``, ``B. Smith`` | no: a separate entity, since the text doesn't say which of them it is |
| PERSON ``Galip`` (no such surname) | the same, among the Galips |
| PERSON ``Mr and Mrs Smith`` | a separate entity: it names two people and joins neither |
| PERSON ``K.`` and ``Kasia``; ``R1`` | no: a single letter fits too many people, and a list marker fits nobody |
| ORG, LOC, MISC, DEM ``Yalman`` and PERSON ``Galip Yalman`` | yes, as a PERSON, if it fits only one person; a LOC on its own only as a given name |
| CODE ``4027/05``, ``4027 05``, ``4027 - 05`` | yes: equal letters and digits |
| ORG, LOC, MISC ``Prison Service (PS)``, ``European Court of Human Rights (“the ECHR”)`` | yes: name and defined acronym |
| ORG, LOC, MISC ``Supreme Court (Oberster Gerichtshof)`` | yes: both names and the whole |
| all others (DATETIME, QUANTITY, DEM) | equal strings only |

Equal strings are one entity, so a string masked once is masked everywhere.
"""
