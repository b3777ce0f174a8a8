"""Whose identifiers are planted: names of many scripts and cultures, made up by number."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

_GIVEN = (
    "Galip Ayşe Çiğdem Björk Guðrún Þórdís Sørine Łukasz Zoë José-María Niamh Siobhán Oğuz İlknur "
    "François Jürgen Günther Nguyet Xiaoming Ngozi Oluwaseun Priyanka Mehmet Dmitri Svetlana Eleni "
    "Yiannis Ibrahim Fatimah Kwame Aroha Tove Ragnhild Czesława Håkon Želimir Đorđe Bahar"
).split()
_SURNAME = (
    "Yalman Öztürkoğlu Þorsteinsdóttir Sigurðardóttir Kowalczyk Wiśniewska Sørensen-Krogh Villaseñor "
    "Etxeberria O'Donoghue MacAllister Grünwaldt Weißmüller Nakagawara Okonkwo Adeyemi-Bright "
    "Subramaniam Karapetyan Papadimitriou Vasilyevskaya Kyriakopoulos Rakotomalala Tamihana "
    "Lindqvist Dvořáčková Hrvatinić Ćosićević Thibodeaux D'Ambrosio Saint-Exupère Quispe-Mamani "
    "Haddadine Benchekroun Wojciechowski Jónasdóttir Brændegaard Åkesson"
).split()
# Names whose script has no case, or whose surname is one character.
_OTHER = (
    ("Дмитрий", "Верхоглядов"),
    ("Светлана", "Колокольцева"),
    ("Ελένη", "Παπαδημητρίου"),
    ("Խաչատուր", "Աբովյանցի"),
    ("გიორგი", "მაისურაძე"),
    ("שירה", "אברמוביץ"),
    ("فاطمة", "الزهراني"),
    ("प्रियंका", "चतुर्वेदी"),
)
_SHORT = (("Wei", "U"), ("Jae-Sung", "O"), ("Ljubica", "Ó"), ("Anne-Marie", "Y"))


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a name and what leads to them.

    Attributes:
        given, surname: of the name; the surname may be one character.
        email, phone, iban: found by their form, wherever they stand in a text.
    """

    given: str
    surname: str
    email: str
    phone: str
    iban: str

    @property
    def name(self) -> str:
        """Given name and surname."""
        return f"{self.given} {self.surname}"


def person(random: Random) -> Person:
    """Draw somebody; one in eight has a name in another script, one in twelve a short one."""
    kind = random.random()
    if kind < 1 / 8:
        given, surname = random.choice(_OTHER)
    elif kind < 1 / 8 + 1 / 12:
        given, surname = random.choice(_SHORT)
    else:
        given, surname = random.choice(_GIVEN), random.choice(_SURNAME)
    account = "".join(random.choice("0123456789") for _ in range(18))
    return Person(
        given,
        surname,
        f"q{random.randrange(10**8):08d}.zx@mailhost{random.randrange(10**4)}.example",
        f"+44 7700 900{random.randrange(1000):03d}",
        _iban(account),
    )


def _iban(account: str) -> str:
    """German account number with its right check digits (ISO 7064, mod 97-10)."""
    number = int(account + "131400")
    return f"DE{98 - number % 97:02d}{account}"
