"""Members of the US Congress for ``reidentification.py``: profiles an adversary would have, and texts."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacenda.document import Document
from tacenda.reidentify import PeopleReader, Person, WordedDocument, read_words

STATES = dict(
    pair.split(":")
    for pair in (
        "AL:Alabama Ala|AK:Alaska|AZ:Arizona Ariz|AR:Arkansas Ark|CA:California Calif|CO:Colorado Colo|"
        "CT:Connecticut Conn|DE:Delaware Del|FL:Florida Fla|GA:Georgia Ga|HI:Hawaii|ID:Idaho|"
        "IL:Illinois Ill|IN:Indiana Ind|IA:Iowa|KS:Kansas Kans|KY:Kentucky Ky|LA:Louisiana La|ME:Maine|"
        "MD:Maryland Md|MA:Massachusetts Mass|MI:Michigan Mich|MN:Minnesota Minn|MS:Mississippi Miss|"
        "MO:Missouri Mo|MT:Montana Mont|NE:Nebraska Nebr|NV:Nevada Nev|NH:New Hampshire|NJ:New Jersey|"
        "NM:New Mexico|NY:New York|NC:North Carolina|ND:North Dakota|OH:Ohio|OK:Oklahoma Okla|"
        "OR:Oregon Oreg|PA:Pennsylvania Pa|RI:Rhode Island|SC:South Carolina|SD:South Dakota|"
        "TN:Tennessee Tenn|TX:Texas Tex|UT:Utah|VT:Vermont Vt|VA:Virginia Va|WA:Washington Wash|"
        "WV:West Virginia|WI:Wisconsin Wis|WY:Wyoming Wyo|PR:Puerto Rico|DC:District Columbia"
    ).split("|")
)
_UNITS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_UNITS += [f"{name}teenth" for name in "thir four fif six seven eigh nine".split()]
_TENS = "twent thirt fort fift sixt sevent eight ninet".split()


@dataclass(frozen=True, slots=True)
class Members:
    """People, and the texts about some of them: pairs to learn from, and a sample to attack."""

    people: list[Person]
    learning: list[tuple[Person, WordedDocument]]
    testing: list[tuple[int, WordedDocument]]


def read_members(path: Path, sample: int) -> Members:
    """Split by person: every tenth id, by its digest, is never learned from."""
    people, learning, testing = [], [], []
    reader = PeopleReader(without=frozenset({"text", "wikipedia"}))
    for record in _records(path):
        person = reader.person({**record, "profile": _expanded(record["profile"])}, record["id"])
        people.append(person)
        if "text" not in record:
            continue
        words = read_words(Document(record["id"], record["text"]))
        digest = hashlib.sha256(record["id"].encode()).hexdigest()
        if int(digest, 16) % 10:
            learning.append((person, words))
        else:
            testing.append((digest, len(people) - 1, words))
    chosen = sorted(testing, key=lambda item: item[0])[:sample]
    return Members(people, learning, [(number, words) for _, number, words in chosen])


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        yield from map(json.loads, stream)


def _expanded(profile: dict[str, Any]) -> dict[str, Any]:
    """Write states and numbers of congresses as the biographies do: Pa., Forty-first."""
    states = [STATES.get(state, state) for state in profile.get("states", ())]
    congresses = [ordinal(n) for n in profile.get("congresses", ())]
    office_years = [profile[key][:4] for key in ("term_start", "term_end") if key in profile]
    rest = {k: v for k, v in profile.items() if k not in ("congresses", "term_start", "term_end")}
    return {**rest, "states": states, "congresses": congresses, "terms": office_years}


def ordinal(number: int) -> str:
    """Return 41 as Forty-first, 112 as One Hundred Twelfth."""
    if number >= 100:
        rest = number - 100
        return f"one hundred {ordinal(rest)}" if rest else "one hundredth"
    if number <= 19:
        return _UNITS[number - 1]
    ten, unit = divmod(number, 10)
    stem = _TENS[ten - 2]
    return f"{stem}y {_UNITS[unit - 1]}" if unit else f"{stem}ieth"
