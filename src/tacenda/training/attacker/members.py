"""Members of the US Congress: profiles an adversary would have, and biographies to learn from.

Profiles are written as the biographies are: *Pa.*, *Forty-first and two succeeding*, March 4, 1869. Nothing
is added that the profile does not say.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...background.person import Person
from ...background.reading import PeopleReader
from ...document import Document
from ...reidentify.tokens import WordedDocument, read_words

FILE = Path("reid/congress_people.jsonl.gz")
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
_NUMBERS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
_READER = PeopleReader(without=frozenset({"text", "wikipedia"}))


@dataclass(frozen=True, slots=True)
class Member:
    """A candidate, and what is written about them.

    Attributes:
        person: the profile, written as the biographies are.
        given: the same as the file has it.
        text: the biography; None of those of whom there is none.
        digest: of the id.
    """

    person: Person
    given: Person
    text: WordedDocument | None
    digest: int

    @property
    def held_out(self) -> bool:
        """Whether nothing may be learned from the biography: every tenth person."""
        return self.digest % 10 == 0

    @property
    def chosen_on(self) -> bool:
        """Whether settings are chosen on the biography: every eighteenth of the others."""
        return not self.held_out and self.digest // 10 % 18 == 0


def read_members(path: Path) -> Iterator[Member]:
    """Yield all members, in the order of the file."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for record in map(json.loads, stream):
            id, text = record["id"], record.get("text")
            yield Member(
                _READER.person({**record, "profile": written_out(record["profile"])}, id),
                _READER.person(record, id),
                None if text is None else read_words(Document(id, text)),
                int(hashlib.sha256(id.encode()).hexdigest(), 16),
            )


def written_out(profile: dict[str, Any]) -> dict[str, Any]:
    """Return a profile with states, congresses and terms as the biographies have them."""
    congresses = profile.get("congresses", ())
    rest = {k: v for k, v in profile.items() if k not in ("congresses", "term_start", "term_end")}
    found = {
        **rest,
        "states": [STATES.get(state, state) for state in profile.get("states", ())],
        "congresses": [ordinal(n) for n in congresses],
        "terms": [profile[key][:4] for key in ("term_start", "term_end") if key in profile],
    }
    if "term_start" in profile:
        found["term"] = f"{profile['term_start']} - {profile.get('term_end', '')}"
    if congresses:
        found["elected"] = ordinal(congresses[0])
        following = len(congresses) - 1
        if following:
            count = _NUMBERS[following - 1] if following <= len(_NUMBERS) else str(following)
            found["elected"] += f" and {count} succeeding"
    return found


def ordinal(number: int) -> str:
    """Return 41 as forty first, 112 as one hundred twelfth."""
    if number >= 100:
        rest = number - 100
        return f"one hundred {ordinal(rest)}" if rest else "one hundredth"
    if number <= 19:
        return _UNITS[number - 1]
    ten, unit = divmod(number, 10)
    stem = _TENS[ten - 2]
    return f"{stem}y {_UNITS[unit - 1]}" if unit else f"{stem}ieth"
