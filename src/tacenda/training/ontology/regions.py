"""Which part of the world a country is in, and what its largest subdivisions are called.

The parts are those of the United Nations geoscheme (M49), in the names that people use.
"""

from __future__ import annotations

_PARTS = {
    ("Northern Europe", "Europe"): "AX DK EE FO FI GB GG IE IM IS JE LT LV NO SE SJ",
    ("Western Europe", "Europe"): "AT BE CH DE FR LI LU MC NL",
    ("Eastern Europe", "Europe"): "BG BY CZ HU MD PL RO RU SK UA",
    ("Southern Europe", "Europe"): "AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM VA XK CS",
    ("North Africa", "Africa"): "DZ EG EH LY MA SD TN",
    ("West Africa", "Africa"): "BF BJ CI CV GH GM GN GW LR ML MR NE NG SH SL SN TG",
    ("Central Africa", "Africa"): "AO CD CF CG CM GA GQ ST TD",
    ("East Africa", "Africa"): "BI DJ ER ET KE KM MG MU MW MZ RE RW SC SO SS TZ UG YT ZM ZW",
    ("Southern Africa", "Africa"): "BW LS NA SZ ZA",
    ("North America", "the Americas"): "BM CA GL PM US MX",
    ("Central America", "the Americas"): "BZ CR GT HN NI PA SV",
    ("the Caribbean", "the Americas"): (
        "AG AI AN AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI"
    ),
    ("South America", "the Americas"): "AR BO BR CL CO EC FK GF GY PE PY SR UY VE",
    ("Central Asia", "Asia"): "KG KZ TJ TM UZ",
    ("East Asia", "Asia"): "CN HK JP KP KR MN MO TW",
    ("Southeast Asia", "Asia"): "BN ID KH LA MM MY PH SG TH TL VN",
    ("South Asia", "Asia"): "AF BD BT IN IR LK MV NP PK",
    ("the Middle East", "Asia"): "AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE",
    ("Oceania",): (
        "AS AU CC CK CX FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV VU WF WS"
    ),
}
REGIONS = {code: names for names, codes in _PARTS.items() for code in codes.split()}
"""ISO code of a country to the parts of the world it is in, the smallest first."""

ADJECTIVES = {
    "Northern Europe": "Northern European",
    "Western Europe": "Western European",
    "Eastern Europe": "Eastern European",
    "Southern Europe": "Southern European",
    "Europe": "European",
    "North Africa": "North African",
    "West Africa": "West African",
    "Central Africa": "Central African",
    "East Africa": "East African",
    "Southern Africa": "Southern African",
    "Africa": "African",
    "North America": "North American",
    "Central America": "Central American",
    "the Caribbean": "Caribbean",
    "South America": "South American",
    "Central Asia": "Central Asian",
    "East Asia": "East Asian",
    "Southeast Asia": "Southeast Asian",
    "South Asia": "South Asian",
    "the Middle East": "Middle Eastern",
    "Asia": "Asian",
    "Oceania": "Oceanian",
}
"""Adjectives that are nouns too."""

DIVISIONS = {
    "US": "U.S. state",
    **dict.fromkeys("AU BR DE IN MX MY MM NG SD SS VE AT".split(), "state"),
    **dict.fromkeys(
        "AF AR AO BE BG BF CD CN CR CU DO DZ EC FJ GA ID IR KH KE KR KZ LA LK MN MZ NL NP PA"
        " PG PH PK RW SB TH TR TJ UZ VN ZA ZM ZW".split(),
        "province",
    ),
    **dict.fromkeys("EE HR HU KE LR NO RO SE TW".split(), "county"),
    **dict.fromkeys("BD BW BY IL LS MG MU MW PT UG".split(), "district"),
    **dict.fromkeys("BO CO FR GT HN HT NI PY SV UY".split(), "region"),
    "JP": "prefecture of Japan",
    "PL": "voivodeship of Poland",
    "CH": "canton of Switzerland",
}
"""ISO code of a country to the class of its largest subdivisions; elsewhere they are regions."""

MUNICIPALITIES = {
    "FR": "commune of France",
    "IT": "comune of Italy",
}
"""Countries in which every town is one of the smallest administrative unit, and what it is called."""

LEGALLY_CITIES = frozenset(("US", "CA", "AU", "PH"))
"""Countries that call much smaller places a city."""
