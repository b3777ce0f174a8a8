"""The world of one document: its people, places, organisations and numbers, made when named.

``fill`` answers a slot of a frame. The person whom the document is about is ``me``; names and
codes of theirs are DIRECT, everyone else's QUASI.
"""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from .codes import CODES, DIRECT_CODES, written_code
from .countries import Country, countries
from .moments import (
    month_name,
    some_date,
    written_date,
    written_duration,
    written_month,
    written_time,
)
from .patterns import written
from .person import Person, form, new_person, plain
from .words import Words

# Annotated text: what is written, semantic type (empty for no mention), identifier type.
Filled = tuple[str, str, str]

_ORGANISATIONS = {
    "school": "schools", "employer": "companies", "company": "companies", "office": "offices",
    "bank": "banks", "insurer": "insurers", "university": "university", "hospital": "hospital",
    "charity": "charity", "club": "club",
}  # fmt: skip
# Lists that have no block by country: patterns for want of data.
_PATTERNS = {
    "university": ("University of {c}", "{c} University", "{c} Technical University", "{c} College"),
    "hospital": ("{c} General Hospital", "St {f}'s Hospital", "{c} University Hospital",
                 "{s} Medical Centre", "{s} Clinic", "Clinica {f}", "{c} Children's Hospital"),
    "charity": ("{c} Food Bank", "{s} Trust", "{c} Women's Centre", "{l} Foundation"),
    "club": ("FC {c}", "{c} United", "{c} Rowing Club", "{s} Chess Club", "{c} Harriers",
             "SV {c}", "{c} Wanderers", "{s} Tennis Club"),
}  # fmt: skip
_DEMOGRAPHIC = {"job": "job", "illness": "illness", "religion": "religion", "degree": "degree",
                "trait": "trait"}  # fmt: skip
_MISCELLANEOUS = {"hobby": "hobby", "event": "event", "contest": "contest", "car": "car"}


class World:
    """What one document speaks of. All is decided by ``random``."""

    def __init__(self, random: Random, words: Words) -> None:
        self.random = random
        self.words = words
        self.country = random.choice(countries())
        self.origin = random.choice(countries()) if random.random() < 0.4 else self.country
        self.age = random.choice((random.randint(16, 30), random.randint(18, 90)))
        self._past = 2025
        self._people: dict[str, Person] = {}
        self._same: dict[tuple[str, str], Filled] = {}

    def fill(self, path: str, same: str = "") -> Filled:
        """Return the value of a slot; the same for the same mark, or for what is of one person.

        Raises:
            KeyError: if there is no such slot.
        """
        # What belongs to a role is one thing, however often it is named.
        key = (path, same)
        lasting = same or path.startswith(("home.", "origin."))
        if lasting and key in self._same:
            return self._same[key]
        filled = self._fill(path)
        if lasting:
            self._same[key] = filled
        return filled

    def person(self, role: str) -> Person:
        """Return the bearer of a role; a ``kin`` shares the family name of ``me``."""
        if role not in self._people:
            kin = role.startswith("kin") and self.random.random() < 0.8
            foreign = role == "me" and self.random.random() < 0.25
            self._people[role] = new_person(
                self.random,
                self.origin if role.startswith(("me", "kin")) or foreign else self.country,
                self.words.lists["handle"],
                self.person("me").last if kin else "",
                self._domain() if role.startswith(("staff", "boss")) else "",
            )
        return self._people[role]

    def _fill(self, path: str) -> Filled:
        head, _, tail = path.partition(".")
        if head in ("home", "origin"):
            return self._at_home(head, tail)
        if head in CODES:
            text, type = written_code(head, self.random, self.country)
            return text, type, "DIRECT" if head in DIRECT_CODES else "QUASI"
        if head == "their":
            text, type = written_code(tail, self.random, self.country)
            return text, type, "QUASI"
        if head == "w":
            return self.random.choice(self.words.lists[tail]), "", ""
        if tail:
            return self._person_form(head, tail)
        if head in _ORGANISATIONS:
            return self._organisation(head), "ORG", "QUASI"
        if head in _DEMOGRAPHIC:
            return self.random.choice(self.words.lists[_DEMOGRAPHIC[head]]), "DEM", "QUASI"
        if head in _MISCELLANEOUS:
            return self.random.choice(self.words.lists[_MISCELLANEOUS[head]]), "MISC", "QUASI"
        if head in ("city", "region", "country", "nationality", "address", "street", "postcode"):
            return self._place(head, self.random.choice((self.country, self.origin)))
        if head == "abroad":
            return self._place(self.random.choice(("city", "country")), self._anywhere())
        return self._number(head)

    def _at_home(self, head: str, what: str) -> Filled:
        country = self.country if head == "home" else self.origin
        if what == "tag":
            city = self.fill(f"{head}.city")[0]
            return "#" + "".join(char for char in city if char.isalnum()), "LOC", "QUASI"
        if what == "address":
            parts = (self.fill(f"{head}.{part}")[0] for part in ("street", "postcode", "city"))
            return self._address(country, *parts), "LOC", "QUASI"
        return self._place(what, country)

    def _address(self, country: Country, street: str, postcode: str, city: str) -> str:
        after = country.code in ("GB", "US", "IN", "CA", "AU", "IE", "NG", "ZA", "PH")
        place = f"{city} {postcode}" if after else f"{postcode} {city}"
        return self.random.choice((f"{street}, {place}", f"{street}, {city}"))

    def _person_form(self, role: str, name: str) -> Filled:
        filled = form(self.person(role), name, self.random)
        if filled is None:
            raise KeyError(f"{role}.{name}")
        text, type = filled
        return text, type, ("DIRECT" if role == "me" else "QUASI") if type else ""

    def _anywhere(self) -> Country:
        return self.random.choice(countries())

    def _city(self, country: Country) -> str:
        known = [
            name
            for place in country["data"]
            for name in self.words.by_country.get(("city", place), ())
        ]
        if known and self.random.random() < 0.7:
            return self.random.choice(known)
        return self.random.choice(country["cities"])

    def _near(self, country: Country) -> str:
        """Return the town where ``me`` lives, if it is in that country, or another."""
        if country is self.country and self.random.random() < 0.5:
            return self.fill("home.city")[0]
        return self._city(country)

    def _place(self, what: str, country: Country) -> Filled:
        random = self.random
        match what:
            case "city":
                return self._city(country), "LOC", "QUASI"
            case "region":
                return random.choice(country["regions"]), "LOC", "QUASI"
            case "country":
                return random.choice(country["country"]), "LOC", "QUASI"
            case "nationality":
                return random.choice(country["national"]), "DEM", "QUASI"
            case "street":
                return self._named("street", country), "LOC", "QUASI"
            case "postcode":
                return written(random.choice(country["postcode"]), random), "LOC", "QUASI"
            case "address":
                street = self._named("street", country)
                postcode = written(random.choice(country["postcode"]), random)
                return self._address(country, street, postcode, self._city(country)), "LOC", "QUASI"
        raise KeyError(what)

    def _named(self, key: str, country: Country, patterns: tuple[str, ...] = ()) -> str:
        random = self.random
        pattern = random.choice(patterns or country[key])
        other = new_person(random, country, self.words.lists["handle"])
        return (
            written(pattern, random)
            .replace("{n}", str(random.randint(1, 240)))
            .replace("{k}", str(random.randint(1, 19)))
            .replace("{s}", random.choice(country["streets"]).strip())
            .replace("{l}", other.last)
            .replace("{f}", other.first)
            .replace("{c}", self._near(country).split(",")[0])
        )

    def _organisation(self, what: str) -> str:
        key = _ORGANISATIONS[what]
        country = self.country if self.random.random() < 0.8 else self.origin
        kind = {"schools": "school", "companies": "company", "offices": "office"}.get(key, key)
        known = [
            name
            for place in country["data"]
            for name in self.words.by_country.get((kind, place), ())
        ]
        if known and self.random.random() < 0.4:
            return self.random.choice(known)
        return self._named(key, country, _PATTERNS.get(key, ()))

    def _domain(self) -> str:
        name = plain(self.fill("employer", "work")[0].replace(" ", ""))[:18] or "office"
        return name + self.random.choice((".com", ".org", ".net", ".co.uk", ".eu", ".de", ".io"))

    def _number(self, head: str) -> Filled:
        random = self.random
        american = self.country.code in ("US", "PH", "CA")
        match head:
            case "date":
                return written_date(random, some_date(random), american), "DATETIME", "QUASI"
            case "dob":
                born = date(2025, 1, 1) - timedelta(days=365 * self.age + random.randint(1, 360))
                return written_date(random, born, american, year=True), "DATETIME", "QUASI"
            case "birthyear":
                return str(2025 - self.age), "DATETIME", "QUASI"
            case "month":
                return written_month(random, some_date(random, 12)), "DATETIME", "QUASI"
            case "monthname":
                return month_name(some_date(random)), "DATETIME", "QUASI"
            case "year":
                year = 2025 - random.randint(1, max(3, min(self.age - 14, 45)))
                return str(year), "DATETIME", "QUASI"
            case "back":
                # Careers are told backwards: each is some years before the one named last.
                self._past -= random.randint(1, 4)
                return str(self._past), "DATETIME", "QUASI"
            case "years":
                until = self._past
                self._past -= random.randint(1, 6)
                dash = random.choice(("-", "–", " - ", " – ", " to "))
                return f"{self._past}{dash}{until}", "DATETIME", "QUASI"
            case "duration":
                return written_duration(random), "DATETIME", "QUASI"
            case "time":
                return written_time(random), "DATETIME", "NO_MASK"
            case "age":
                return str(self.age), "DEM", "QUASI"
            case "otherage":
                return str(random.randint(18, 88)), "DEM", "QUASI"
            case "childage":
                return str(random.randint(2, 17)), "DEM", "QUASI"
            case "money":
                pattern = random.choice(self.country["money"])
                return written(pattern, random), "QUANTITY", "QUASI"
            case "percent":
                return (
                    f"{random.randint(2, 98)}{random.choice(('%', ' %', ' per cent'))}",
                    "QUANTITY",
                    "QUASI",
                )
            case "count":
                return str(random.randint(3, 60)), "QUANTITY", "QUASI"
            case "n":
                return str(random.randint(2, 12)), "", ""
        raise KeyError(head)
