"""How probable it is that a mention of each kind must be masked.

From `python benchmarks/gazetteer.py DATA` on the training texts: the share of the tokens of the hits
that annotators masked, and that they called DEM or MISC, on TAB's 174 training judgments and on 453
training biographies (no development text). The prior is the mean of the two corpora where both have
20 hits or more, else over all hits, (masked + 1) / (hits + 2). It is for a hit by itself: beside the
recognizer, what only the gazetteer finds was mostly left for a reason.

| kind | judgments: hits, masked, own | biographies: hits, masked, own | prior |
|---|---|---|---|
| award | none | 40, .300, .574 | .31 |
| cause_of_death | 5, .000, .000 | 1, .000, 1.000 | .12 |
| crime | 72, .024, .056 | 14, .429, .607 | .10 |
| degree | 17, .176, .176 | 12, .333, .500 | .26 |
| ethnic_group | 23, .826, .935 | 12, .333, .542 | .65 |
| event | 7, .107, .429 | 28, .339, .702 | .30 |
| field | 17, .118, .118 | 22, .364, .591 | .27 |
| genre | none | 22, .091, .364 | .12 |
| health | 27, .444, .722 | 21, .762, .667 | .60 |
| ideology | 18, .014, .167 | 17, .294, .706 | .17 |
| instrument | none | 7, .429, .286 | .44 |
| kinship | 17, .000, .000 | 28, .107, .214 | .09 |
| language | 6, .319, .278 | 29, .448, .500 | .43 |
| military_rank | 3, 1.000, 1.000 | 14, .667, .810 | .70 |
| movement | none | 2, .500, 1.000 | .50 |
| nationality | 79, .646, .848 | 485, .285, .936 | .47 |
| nationality_of_person | 187, .171, 1.000 | 4, .375, .250 | .18 |
| nationality_of_state | 78, .679, .391 | 9, .611, .778 | .67 |
| occupation | 322, .063, .075 | 414, .214, .861 | .14 |
| orientation | none | 5, .000, 1.000 | .14 |
| penalty | 13, .154, .000 | none | .20 |
| person_said | 42, .732, .738 | 89, .237, .735 | .48 |
| position | 18, .056, .426 | 20, .438, .438 | .27 |
| possession | 37, .000, .000 | 22, .318, .864 | .16 |
| religion | 12, .500, .500 | 35, .543, .686 | .53 |
| social_status | 10, .000, .000 | 9, .333, .333 | .19 |
| sport | 12, .667, .667 | 169, .198, .553 | .23 |
| sport_position | none | 165, .133, .945 | .14 |
| title | none | 2, .500, 1.000 | .50 |
| treatment | 7, .000, .286 | 2, .500, .500 | .18 |
| work | none | 24, .906, .892 | .88 |

*appearance* has no term in the shipped gazetteer; a build from a full dump has some, and .2 is a guess.
"""

from __future__ import annotations

PRIORS: dict[str, float] = {
    "appearance": 0.2,
    "award": 0.31,
    "cause_of_death": 0.12,
    "crime": 0.1,
    "degree": 0.26,
    "ethnic_group": 0.65,
    "event": 0.3,
    "field": 0.27,
    "genre": 0.12,
    "health": 0.6,
    "ideology": 0.17,
    "instrument": 0.44,
    "kinship": 0.09,
    "language": 0.43,
    "military_rank": 0.7,
    "movement": 0.5,
    "nationality": 0.47,
    "nationality_of_person": 0.18,
    "nationality_of_state": 0.67,
    "occupation": 0.14,
    "orientation": 0.14,
    "penalty": 0.2,
    "person_said": 0.48,
    "position": 0.27,
    "possession": 0.16,
    "religion": 0.53,
    "social_status": 0.19,
    "sport": 0.23,
    "sport_position": 0.14,
    "title": 0.5,
    "treatment": 0.18,
    "work": 0.88,
}
