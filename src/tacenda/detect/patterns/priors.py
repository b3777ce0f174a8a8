"""What each kind of hit is, and how probable it is that it must be masked.

Numbers of people, their contacts and their whereabouts are masked always. The others have priors
from `python benchmarks/patterns.py DATA` on the training texts: the share of hits that annotators
masked on TAB's 174 training judgments and on 453 training biographies (no development text).

| kind | judgments: hits, masked, direct | biographies: hits, masked | prior |
|---|---|---|---|
| date | 2934, .970, .000 | 695, .978 | .97 |
| year | 359, .862, .000 | 815, .752 | .81, the mean of the two corpora |
| statute_date | 116, .043, .000 | none | .04 |
| time | 10, .200, .000 | none | .25, (2 + 1) / (10 + 2) |
| duration | 192, .475, .000 | 39, .538 | .49, over all hits |
| money | 156, .936, .000 | 9, .889 | .93, over all hits |
| application_number | 199, .975, .952 | none | 1, always masked |
| case_number | 16, .875, .625 | none | .88, direct .63 |
| register_number | 19, 1.000, .000 | none | .95, (19 + 1) / (19 + 2) |
| foreign_script | none | 124, 1.000 | .99, (124 + 1) / (124 + 2) |
| url | none | none | .50, a guess: most pages are not about one person |

All other kinds have too few hits there to measure, or none, and are masked by decision.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...document import SemanticType


@dataclass(frozen=True, slots=True)
class Prior:
    """Semantic type of a kind, and probabilities that it must be masked and names somebody.

    Attributes:
        type: semantic type.
        masking: probability in [0, 1] that a mention of the kind must be masked.
        direct: probability in [0, 1] that it identifies a person alone; at most ``masking``.
    """

    type: SemanticType
    masking: float
    direct: float


_CODE, _LOC, _PERSON = SemanticType.CODE, SemanticType.LOC, SemanticType.PERSON
_DATETIME, _QUANTITY = SemanticType.DATETIME, SemanticType.QUANTITY

PRIORS: dict[str, Prior] = {
    "email": Prior(_CODE, 1.0, 1.0),
    "personal_url": Prior(_CODE, 1.0, 1.0),
    "url": Prior(_CODE, 0.5, 0.0),
    "user_name": Prior(_CODE, 1.0, 1.0),
    "ip": Prior(_CODE, 1.0, 1.0),
    "mac": Prior(_CODE, 1.0, 1.0),
    "phone": Prior(_CODE, 1.0, 1.0),
    "iban": Prior(_CODE, 1.0, 1.0),
    "card": Prior(_CODE, 1.0, 1.0),
    "national_id": Prior(_CODE, 1.0, 1.0),
    "identity_number": Prior(_CODE, 1.0, 1.0),
    "application_number": Prior(_CODE, 1.0, 1.0),
    "case_number": Prior(_CODE, 0.88, 0.63),
    "register_number": Prior(_CODE, 0.95, 0.0),
    "licence_plate": Prior(_CODE, 1.0, 1.0),
    "street_address": Prior(_LOC, 1.0, 1.0),
    "postcode": Prior(_LOC, 1.0, 1.0),
    "coordinates": Prior(_LOC, 1.0, 1.0),
    "date": Prior(_DATETIME, 0.97, 0.0),
    "statute_date": Prior(_DATETIME, 0.04, 0.0),
    "year": Prior(_DATETIME, 0.81, 0.0),
    "time": Prior(_DATETIME, 0.25, 0.0),
    "duration": Prior(_DATETIME, 0.49, 0.0),
    "money": Prior(_QUANTITY, 0.93, 0.0),
    # Of these most are somebody's name; which, the annotators don't say.
    "foreign_script": Prior(_PERSON, 0.99, 0.0),
}
