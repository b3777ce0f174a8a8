"""The world of one document: its people, places, organisations and numbers, made when named.

``fill`` gives the value of a slot of a frame. The subject of the document is ``me``; their names
and codes are DIRECT, everyone else's QUASI.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

from ..tables import load_tables
from .frames import Country, WordBank, countries, fill_pattern
from .person import GeneratedPerson, form, new_person, plain

# Numbers and codes that name one person, one contract or one thing of a person.


_TABLES = load_tables("generated")
_OF_COUNTRY = frozenset(("passport", "national_id", "plate", "iban"))
_CODE_PATTERNS: dict[str, list[str]] = _TABLES["codes"]
CODES = frozenset((*_OF_COUNTRY, *_CODE_PATTERNS))
# All name their holder in someone's books; a serial number or a parcel only goes with one.
DIRECT_CODES = CODES - {"serial", "tracking"}


def random_code(name: str, random: Random, country: Country) -> tuple[str, str]:
    """Return a code of the given kind and its semantic type."""
    patterns = country[name] if name in _OF_COUNTRY else _CODE_PATTERNS[name]
    text = fill_pattern(random.choice(patterns), random)
    # Some words stand before the number in its pattern; they are part of how it is quoted.
    return text.strip(), "CODE"


# Dates, ages and durations as people write them.


_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_TIMES: dict[str, list[str]] = _TABLES["times"]
_NOW = date(2025, 6, 1)


def random_date(random: Random, years: int = 6) -> date:
    """Return a day of the last ``years`` years."""
    return _NOW - timedelta(days=random.randint(3, 365 * years))


def format_date(random: Random, day: date, american: bool, year: bool = False) -> str:
    """Return a day in one of the many ways of writing it; with its year where it is asked for."""
    forms = _TABLES["dates"]["american" if american else "other"]
    templates = [*forms["spelled"], *forms["spelled"], *forms["numeric"]]
    ways = [*(_in_words(template, day) for template in templates), day.isoformat()]
    if year:
        ways = [way for way in ways if str(day.year) in way]
    return random.choice(ways)


def format_month(random: Random, day: date) -> str:
    """Return a month with its year."""
    return _in_words(random.choice(_TIMES["months"]), day)


def _in_words(template: str, day: date) -> str:
    month = month_name(day)
    return template.format(
        day=day,
        month=month,
        short=month[:3],
        ordinal=f"{day.day}{_ordinal(day.day)}",
        yy=day.year % 100,
    )


def month_name(day: date) -> str:
    """Return the month alone."""
    return _MONTHS[day.month - 1]


def random_duration(random: Random) -> str:
    """Return a random duration in words."""
    words = "two three four five six seven eight nine ten eleven twelve".split()
    n = random.choice((*words, str(random.randint(2, 30)), str(random.randint(2, 14))))
    unit = random.choice(_TIMES["units"])
    return random.choice(_TIMES["durations"]).format(n=n, unit=unit)


def random_time(random: Random) -> str:
    """Return a time of day."""
    hour, minute = random.randint(0, 23), random.randint(0, 59)
    half = "am" if hour < 12 else "pm"
    template = random.choice(_TIMES["hours"])
    twelve = (hour - 1) % 12 + 1
    return template.format(hour=hour, minute=minute, twelve=twelve, half=half, HALF=half.upper())


def _ordinal(n: int) -> str:
    if 10 <= n % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


# Annotated text: what is written, semantic type (empty for no mention), identifier type.
SlotValue = tuple[str, str, str]

_ORGANISATIONS: dict[str, str] = _TABLES["organizations"]
_NAME_PATTERNS: dict[str, list[str]] = _TABLES["names"]
_DEMOGRAPHIC = frozenset(("job", "illness", "religion", "degree", "trait"))
_MISCELLANEOUS = frozenset(("hobby", "event", "contest", "car"))
_COUNTS = {
    "otherage": (18, 88, "DEM"),
    "childage": (2, 17, "DEM"),
    "count": (3, 60, "QUANTITY"),
    "n": (2, 12, ""),
}
"""Slots of a plain number: the lowest, the highest, and the semantic type."""


class World:
    """World of one document, drawn by ``random``."""

    def __init__(self, random: Random, words: WordBank) -> None:
        self.random = random
        self.words = words
        self.country = random.choice(countries())
        self.origin = random.choice(countries()) if random.random() < 0.4 else self.country
        self.age = random.choice((random.randint(16, 30), random.randint(18, 90)))
        self._past = 2025
        self._people: dict[str, GeneratedPerson] = {}
        self._same: dict[tuple[str, str], SlotValue] = {}

    def fill(self, path: str, same: str = "") -> SlotValue:
        """Return the value of a slot; the same value for the same mark or the same person.

        Raises:
            KeyError: if there is no such slot.
        """
        # A role's attributes stay the same, however often they are named.
        key = (path, same)
        lasting = same or path.startswith(("home.", "origin."))
        if lasting and key in self._same:
            return self._same[key]
        filled = self._fill(path)
        if lasting:
            self._same[key] = filled
        return filled

    def person(self, role: str) -> GeneratedPerson:
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

    def has_person(self, role: str) -> bool:
        """Return whether the role has a bearer by now."""
        return role in self._people

    def _fill(self, path: str) -> SlotValue:
        head, _, tail = path.partition(".")
        if head in ("home", "origin"):
            return self._at_home(head, tail)
        if head in CODES:
            text, type = random_code(head, self.random, self.country)
            return text, type, "DIRECT" if head in DIRECT_CODES else "QUASI"
        if head == "their":
            text, type = random_code(tail, self.random, self.country)
            return text, type, "QUASI"
        if head == "w":
            return self.random.choice(self.words.lists[tail]), "", ""
        if tail:
            return self._person_form(head, tail)
        if head in _ORGANISATIONS:
            return self._organisation(head), "ORG", "QUASI"
        if head in _DEMOGRAPHIC | _MISCELLANEOUS:
            type = "DEM" if head in _DEMOGRAPHIC else "MISC"
            return self.random.choice(self.words.lists[head]), type, "QUASI"
        if head in ("city", "region", "country", "nationality", "address", "street", "postcode"):
            return self._place(head, self.random.choice((self.country, self.origin)))
        if head == "abroad":
            return self._place(self.random.choice(("city", "country")), self._anywhere())
        return self._number(head)

    def _at_home(self, head: str, field: str) -> SlotValue:
        country = self.country if head == "home" else self.origin
        if field == "tag":
            city = self.fill(f"{head}.city")[0]
            return "#" + "".join(char for char in city if char.isalnum()), "LOC", "QUASI"
        if field == "address":
            parts = (self.fill(f"{head}.{part}")[0] for part in ("street", "postcode", "city"))
            return self._address(country, *parts), "LOC", "QUASI"
        return self._place(field, country)

    def _address(self, country: Country, street: str, postcode: str, city: str) -> str:
        after = country.code in ("GB", "US", "IN", "CA", "AU", "IE", "NG", "ZA", "PH")
        place = f"{city} {postcode}" if after else f"{postcode} {city}"
        return self.random.choice((f"{street}, {place}", f"{street}, {city}"))

    def _person_form(self, role: str, name: str) -> SlotValue:
        filled = form(self.person(role), name, self.random)
        if filled is None:
            raise KeyError(f"{role}.{name}")
        text, type = filled
        return text, type, ("DIRECT" if role == "me" else "QUASI") if type else ""

    def _anywhere(self) -> Country:
        return self.random.choice(countries())

    def _city(self, country: Country) -> str:
        cities = [
            name
            for place in country["data"]
            for name in self.words.by_country.get(("city", place), ())
        ]
        if cities and self.random.random() < 0.7:
            return self.random.choice(cities)
        return self.random.choice(country["cities"])

    def _near(self, country: Country) -> str:
        """Return a town of a country, half of the time that of ``me`` if it is there."""
        if country is self.country and self.random.random() < 0.5:
            return self.fill("home.city")[0]
        return self._city(country)

    def _place(self, field: str, country: Country) -> SlotValue:
        random = self.random
        match field:
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
                return fill_pattern(random.choice(country["postcode"]), random), "LOC", "QUASI"
            case "address":
                street = self._named("street", country)
                postcode = fill_pattern(random.choice(country["postcode"]), random)
                return self._address(country, street, postcode, self._city(country)), "LOC", "QUASI"
        raise KeyError(field)

    def _named(self, key: str, country: Country, patterns: Sequence[str] = ()) -> str:
        random = self.random
        pattern = random.choice(patterns or country[key])
        person = new_person(random, country, self.words.lists["handle"])
        return (
            fill_pattern(pattern, random)
            .replace("{n}", str(random.randint(1, 240)))
            .replace("{k}", str(random.randint(1, 19)))
            .replace("{s}", random.choice(country["streets"]).strip())
            .replace("{l}", person.last)
            .replace("{f}", person.first)
            .replace("{c}", self._near(country).split(",")[0])
        )

    def _organisation(self, field: str) -> str:
        key = _ORGANISATIONS[field]
        country = self.country if self.random.random() < 0.8 else self.origin
        kind = {"schools": "school", "companies": "company", "offices": "office"}.get(key, key)
        names = [
            name
            for place in country["data"]
            for name in self.words.by_country.get((kind, place), ())
        ]
        if names and self.random.random() < 0.4:
            return self.random.choice(names)
        return self._named(key, country, _NAME_PATTERNS.get(key, ()))

    def _domain(self) -> str:
        name = plain(self.fill("employer", "work")[0].replace(" ", ""))[:18] or "office"
        return name + self.random.choice((".com", ".org", ".net", ".co.uk", ".eu", ".de", ".io"))

    def _number(self, head: str) -> SlotValue:
        random = self.random
        if head in _COUNTS:
            low, high, type = _COUNTS[head]
            return str(random.randint(low, high)), type, "QUASI" if type else ""
        american = self.country.code in ("US", "PH", "CA")
        match head:
            case "date":
                return format_date(random, random_date(random), american), "DATETIME", "QUASI"
            case "dob":
                born = date(2025, 1, 1) - timedelta(days=365 * self.age + random.randint(1, 360))
                return format_date(random, born, american, year=True), "DATETIME", "QUASI"
            case "birthyear":
                return str(2025 - self.age), "DATETIME", "QUASI"
            case "month":
                return format_month(random, random_date(random, 12)), "DATETIME", "QUASI"
            case "monthname":
                return month_name(random_date(random)), "DATETIME", "QUASI"
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
                return random_duration(random), "DATETIME", "QUASI"
            case "time":
                return random_time(random), "DATETIME", "NO_MASK"
            case "age":
                return str(self.age), "DEM", "QUASI"
            case "money":
                pattern = random.choice(self.country["money"])
                return fill_pattern(pattern, random), "QUANTITY", "QUASI"
            case "percent":
                text = f"{random.randint(2, 98)}{random.choice(('%', ' %', ' per cent'))}"
                return text, "QUANTITY", "QUASI"
        raise KeyError(head)
