"""Numbers and codes that name one person, one contract or one thing of a person."""

from __future__ import annotations

from random import Random

from .countries import Country
from .patterns import written

_OF_COUNTRY = {
    "passport": "passport",
    "national_id": "national_id",
    "plate": "plate",
    "iban": "iban",
}
_PATTERNS = {
    "policy": ("POL-#######", "@@#######", "##/######/##", "HH-####-####", "@@@/####/######",
               "#########", "P########-0#", "MTR ### ### ###", "%### #### ####", "@#########"),
    "account": ("########", "####-####", "AC########", "## ## ## / ########", "10#######",
                "%### ### ###", "acct ####-######"),
    "case": ("CAS-#####-@%@#@#", "2024/####", "####/2#", "INC#######", "REF/##/####",
             "@@-####-2#", "22/######", "CR-####-###", "#### Js ####/##", "II C ###/##"),
    "ticket": ("#######", "INC0######", "SR-#####", "HD-####", "TKT##########", "00######"),
    "order": ("###-#######-#######", "ORD-######", "#%#######", "PO####", "@@@######"),
    "booking": ("@@@@@@", "@#@@#@", "@@##@@", "%######", "@@#####", "#### #### ##"),
    "patient": ("MRN #######", "######", "P-#####", "####### @", "### ### ####", "H#######"),
    "customer": ("########", "C-######", "K%######", "CUST####", "%##-###-###", "0######"),
    "employee": ("E#####", "######", "EMP-####", "P/#####", "00####"),
    "card": ("%### #### #### ####", "%###############", "%###-####-####-####"),
    "tracking": ("1Z@@@########", "@@#########GB", "RR#########@@", "00###########", "JD0############"),
    "licence": ("@@@@@######@@#@@", "@######", "##-###-####", "@###-####-####", "#########"),
    "visa": ("@@@##########", "GWF#########", "V#######", "###-###-###", "EOI-####-#####"),
    "tax": ("%##########", "### ### ###", "##-#######", "##/###/#####", "@@@@@####@"),
    "student": ("s#######", "20#####", "@@@#####", "u#######"),
    "ip": ("%#.%##.%#.%#", "192.168.%.%#", "%#.%#.%##.%"),
    "serial": ("SN@@@######", "@#@@##@#@@", "35##########%##", "VF1@@@###########"),
}  # fmt: skip
CODES = frozenset((*_OF_COUNTRY, *_PATTERNS))
# All name their holder in someone's books; a serial number or a parcel only goes with one.
DIRECT_CODES = CODES - {"serial", "tracking"}


def written_code(name: str, random: Random, country: Country) -> tuple[str, str]:
    """Return a code of the given kind and its semantic type."""
    patterns = country[_OF_COUNTRY[name]] if name in _OF_COUNTRY else _PATTERNS[name]
    text = written(random.choice(patterns), random)
    # Some words stand before the number in its pattern; they are part of how it is quoted.
    return text.strip(), "CODE"
