"""Words for street in English and in other European languages."""

from __future__ import annotations

ENGLISH = (
    "Street|Str|St|Road|Rd|Avenue|Ave|Av|Lane|Ln|Drive|Dr|Close|Court|Ct|Crescent|Cres|Gardens|Gdns"
    "|Grove|Hill|Mews|Parade|Park|Place|Pl|Row|Square|Sq|Terrace|Walk|Way|Boulevard|Blvd|Circle|Cir"
    "|Highway|Hwy|Parkway|Pkwy|Quay|Rise|View|Wharf|Green|Broadway|Embankment|Alley|Trail|Vale|Yard"
)
"""After the name, the house number before it: ``12 Baker Street``. For use inside a group."""

_OF_THEIR_OWN = (
    "rue avenue boulevard quai chemin via viale piazza corso calle avenida plaza rua praça strada "
    "ulica aleja"
).split()
BEFORE_NAME = (
    *("ul. ", "al. ", "pl. ", "os. ", "Ul. ", "Al. ", "Pl. ", "C/ ", "Avda. ", "str. ", "Str. "),
    *("Am ", "An der ", "Auf dem ", "Im ", "Unter den ", "Zum ", "Zur "),
    *(f"{word} " for word in _OF_THEIR_OWN),
    *(f"{word.capitalize()} " for word in _OF_THEIR_OWN),
)
"""Before the name, the house number after it: ``ul. Marszałkowska 12/4``, ``Via Roma 5``."""

END_OF_NAME = (
    *("straße", "strasse", "Straße", "Strasse", "str.", "Str.", "weg", "Weg", "platz", "Platz"),
    *("allee", "Allee", "gasse", "Gasse", " Ring", "dring", "tring", "damm", "ufer", "chaussee"),
    *("straat", "laan", "plein", "gracht", "skade", "nkade", "dijk", "singel"),
    *(
        "gatan",
        "vägen",
        "gata",
        "sgate",
        " gate",
        "veien",
        "vej",
        "katu",
        "rgade",
        "egade",
        "sgade",
    ),
    *("Caddesi", "Sokak", "Sokağı", "Bulvarı", "Cad.", "Sok.", "utca", "út", "körút"),
)
"""End of the name, the house number after it: ``Hauptstraße 5``, ``Keizersgracht 100``."""
