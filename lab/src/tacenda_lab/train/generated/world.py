"""The world of one document: its people, places, organisations and numbers, made when named.

``fill`` gives the value of a slot of a frame. The subject of the document is ``me``; their names
and codes are DIRECT, everyone else's QUASI.
"""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from .frames import Country, WordBank, countries, fill_pattern
from .person import GeneratedPerson, form, new_person, plain

# Numbers and codes that name one person, one contract or one thing of a person.


_OF_COUNTRY = {
    "passport": "passport",
    "national_id": "national_id",
    "plate": "plate",
    "iban": "iban",
}
_CODE_PATTERNS = {
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
CODES = frozenset((*_OF_COUNTRY, *_CODE_PATTERNS))
# All name their holder in someone's books; a serial number or a parcel only goes with one.
DIRECT_CODES = CODES - {"serial", "tracking"}


def random_code(name: str, random: Random, country: Country) -> tuple[str, str]:
    """Return a code of the given kind and its semantic type."""
    patterns = country[_OF_COUNTRY[name]] if name in _OF_COUNTRY else _CODE_PATTERNS[name]
    text = fill_pattern(random.choice(patterns), random)
    # Some words stand before the number in its pattern; they are part of how it is quoted.
    return text.strip(), "CODE"


# Dates, ages and durations as people write them.


_MONTHS = (
    "January February March April May June July August September October November December".split()
)
_NOW = date(2025, 6, 1)


def random_date(random: Random, years: int = 6) -> date:
    """Return a day of the last ``years`` years."""
    return _NOW - timedelta(days=random.randint(3, 365 * years))


def format_date(random: Random, day: date, american: bool, year: bool = False) -> str:
    """Return a day in one of the many ways of writing it; with its year where it is asked for."""
    month, short = _MONTHS[day.month - 1], _MONTHS[day.month - 1][:3]
    ordinal = f"{day.day}{_ordinal(day.day)}"
    numeric = (
        (f"{day.month}/{day.day}/{day.year}", f"{day.month:02}/{day.day:02}/{day.year % 100:02}")
        if american
        else (
            f"{day.day:02}/{day.month:02}/{day.year}",
            f"{day.day}.{day.month}.{day.year}",
            f"{day.day:02}.{day.month:02}.{day.year % 100:02}",
            f"{day.day:02}-{day.month:02}-{day.year}",
        )
    )
    spelled = (
        (f"{month} {day.day}, {day.year}", f"{short} {day.day} {day.year}", f"{month} {ordinal}")
        if american
        else (
            f"{day.day} {month} {day.year}",
            f"{ordinal} {month} {day.year}",
            f"{ordinal} of {month}",
            f"{day.day} {short} {day.year}",
            f"{day:%A} {day.day} {month}",
            f"{day.day} {month}",
        )
    )
    ways: tuple[str, ...] = (*spelled, *spelled, *numeric, day.isoformat())
    if year:
        ways = tuple(way for way in ways if str(day.year) in way)
    return random.choice(ways)


def format_month(random: Random, day: date) -> str:
    """Return a month with its year."""
    month = _MONTHS[day.month - 1]
    return random.choice(
        (
            f"{month} {day.year}", f"{month} {day.year}", f"{month[:3]} {day.year}",
            f"{month} '{day.year % 100:02}", f"{month} of {day.year}", f"{day.month:02}/{day.year}",
        )
    )  # fmt: skip


def month_name(day: date) -> str:
    """Return the month alone."""
    return _MONTHS[day.month - 1]


def random_duration(random: Random) -> str:
    """Return a random duration in words."""
    words = "two three four five six seven eight nine ten eleven twelve".split()
    n = random.choice((*words, str(random.randint(2, 30)), str(random.randint(2, 14))))
    unit = random.choice(("years", "years", "months", "weeks", "days", "yrs"))
    return random.choice(
        (f"{n} {unit}", f"{n} {unit}", f"{n} {unit}", f"almost {n} {unit}", f"over {n} years",
         "a year and a half", f"{n} and a half years")
    )  # fmt: skip


def random_time(random: Random) -> str:
    """Return a time of day."""
    hour, minute = random.randint(0, 23), random.randint(0, 59)
    twelve = (hour - 1) % 12 + 1
    half = "am" if hour < 12 else "pm"
    return random.choice(
        (f"{hour:02}:{minute:02}", f"{twelve}:{minute:02} {half}", f"{twelve}{half}",
         f"{hour}.{minute:02}", f"{twelve}:{minute:02}{half.upper()}")
    )  # fmt: skip


def _ordinal(n: int) -> str:
    if 10 <= n % 100 <= 20:
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


# Annotated text: what is written, semantic type (empty for no mention), identifier type.
SlotValue = tuple[str, str, str]

_ORGANISATIONS = {
    "school": "schools", "employer": "companies", "company": "companies", "office": "offices",
    "bank": "banks", "insurer": "insurers", "university": "university", "hospital": "hospital",
    "charity": "charity", "club": "club",
}  # fmt: skip
# Lists that have no block by country: patterns for want of data.
_NAME_PATTERNS = {
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
        if head in _DEMOGRAPHIC:
            return self.random.choice(self.words.lists[_DEMOGRAPHIC[head]]), "DEM", "QUASI"
        if head in _MISCELLANEOUS:
            return self.random.choice(self.words.lists[_MISCELLANEOUS[head]]), "MISC", "QUASI"
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

    def _named(self, key: str, country: Country, patterns: tuple[str, ...] = ()) -> str:
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
            case "otherage":
                return str(random.randint(18, 88)), "DEM", "QUASI"
            case "childage":
                return str(random.randint(2, 17)), "DEM", "QUASI"
            case "money":
                pattern = random.choice(self.country["money"])
                return fill_pattern(pattern, random), "QUANTITY", "QUASI"
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
