"""An attacker that is no part of the product: nothing in ``src`` imports it, no search is guided by it.

It reads the register as people have it (``ND``, ``82``, ``1897-04-09``) with expansions of its own, and combines

    cosines     TF-IDF of words and pairs, and of character 3- to 5-grams, text against profile
    fields      dates of the text against those of the profile (exact, month, year, off by one, by decade),
                after *born* and *died* above all; states, ordinals, names, offices, parties, years of a life
    guesses     a ridge regression from the words of a text to what its profile says

by weights that logistic regression finds on pairs (right person, another one) of texts of other people.
Learned from original texts it is *independent*; from anonymized ones, *independent, adaptive*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge

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
MONTHS = (
    "january february march april may june july august september october november december".split()
)
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?\\.?" for name in MONTHS)
_DATE = re.compile(
    rf"\b({_MONTH}) (\d{{1,2}}),? (\d{{4}})|\b(\d{{1,2}}) ({_MONTH}),? (\d{{4}})", re.I
)
_MONTH_YEAR = re.compile(rf"\b({_MONTH}),? (?:of )?(\d{{4}})\b", re.I)
_DAY_MONTH = re.compile(rf"\b({_MONTH}) (\d{{1,2}})\b|\b(\d{{1,2}}) ({_MONTH})\b", re.I)
_YEAR = re.compile(r"\b(1[6-9]\d\d|20[0-2]\d)(s?)\b")
_WORD = re.compile(r"[a-z]+")
_MASK = re.compile(r"\*{3}")
_HARD = 6
"""Wrong people of a pair that are like the right one, and as many drawn at random."""
_EASY = 6
NAMES = (
    "words", "characters", "date", "birth", "death", "birth year", "death year", "month and year",
    "month and day", "decades", "state", "other states", "first congress", "congresses", "name",
    "office", "party", "alive", "term", "guess",
)  # fmt: skip


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


def _month(string: str) -> int:
    return next(n for n, name in enumerate(MONTHS, 1) if name.startswith(string[:3].lower()))


def _dates(text: str) -> list[tuple[int, int, int]]:
    found = []
    for m in _DATE.finditer(text):
        month, day, year = (m[1], m[2], m[3]) if m[1] else (m[5], m[4], m[6])
        found.append((int(year), _month(month), int(day)))
    return found


def _after(text: str, word: str) -> str:
    """Return what follows a word, up to the next semicolon."""
    at = text.find(word)
    return "" if at < 0 else text[at : (text + ";").find(";", at)]


class Cosines:
    """TF-IDF cosines of a text with what is known of everybody, by words and pairs, and by character 3- to 5-grams.

    Args:
        profiles: a text a person.
    """

    def __init__(self, profiles: Sequence[str]) -> None:
        self._parts = []
        for vectorizer in (
            TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
            TfidfVectorizer(
                analyzer="char_wb",
                ngram_range=(3, 5),
                min_df=2,
                sublinear_tf=True,
                dtype=np.float32,
            ),
        ):
            self._parts.append((vectorizer, vectorizer.fit_transform(profiles).T.tocsr()))

    def __call__(self, text: str) -> NDArray[np.float64]:
        """Return the cosines by words and by characters, [2, people]."""
        rows = [vectorizer.transform([text]) @ profiles for vectorizer, profiles in self._parts]
        return np.array([np.asarray(row.todense(), dtype=np.float64)[0] for row in rows])


@dataclass(frozen=True)
class _Profiles:
    """What the fields of everybody say, as arrays over people; 0 stands for nothing."""

    birth: NDArray[np.int64]
    death: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    states: NDArray[np.float64]
    congresses: NDArray[np.float64]
    first: NDArray[np.int64]
    offices: NDArray[np.float64]
    parties: NDArray[np.float64]


class IndependentAttacker:
    """Ranks people by words, characters, fields and learned guesses.

    Args:
        records: the register, as in its file.
    """

    def __init__(self, records: Sequence[dict[str, Any]]) -> None:
        texts = [_profile_text(record) for record in records]
        self._cosines = Cosines(texts)
        self._state_names = sorted(STATES)
        self._aliases = {
            alias.lower().split()[0] if code == "DC" else alias.lower(): place
            for place, code in enumerate(self._state_names)
            for alias in _state_aliases(code)
        }
        alternatives = sorted(map(re.escape, self._aliases), key=len, reverse=True)
        self._state = re.compile(rf"\b(?:{'|'.join(alternatives)})\b")
        self._party_names = sorted({p for r in records for p in r["profile"].get("parties", ())})
        self._people = self._arrays([record["profile"] for record in records])
        self._names = [set(_WORD.findall(record["name"].lower())) for record in records]
        self._by_name: dict[str, list[int]] = {}
        for number, name in enumerate(self._names):
            for part in name:
                self._by_name.setdefault(part, []).append(number)
        self._targets = self._attributes()
        self._weights = np.zeros(len(NAMES))

    def learn(self, pairs: Sequence[tuple[str, int]], seed: int = 0) -> None:
        """Learn weights and guesses from texts and the number of the person each is about."""
        texts = [text for text, _ in pairs]
        numbers = np.array([number for _, number in pairs])
        self._of_text = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
        rows = self._of_text.fit_transform(map(_visible, texts))
        half = np.arange(len(pairs)) % 2 == 0
        generator = np.random.default_rng(seed)
        differences = []
        # Guesses about texts that they were not learned from: each half by the other.
        for own in (half, ~half):
            self._guess = Ridge(alpha=2.0).fit(rows[~own], self._targets[numbers[~own]])
            for place in np.flatnonzero(own):
                features = self.features(texts[place])
                features_right = features[numbers[place]]
                rough = features @ np.where(np.arange(len(NAMES)) < 3, 1.0, 0.3)
                hard = np.argsort(-rough)[: _HARD + 1]
                others = np.concatenate([hard, generator.integers(0, len(features), _EASY)])
                others = others[others != numbers[place]]
                differences.append(features_right - features[others])
        stacked = np.concatenate(differences)
        signs = generator.choice([-1.0, 1.0], len(stacked))
        model = LogisticRegression(C=1.0, fit_intercept=False, max_iter=1000)
        model.fit(stacked * signs[:, None], signs > 0)
        self._weights = model.coef_[0]
        self._guess = Ridge(alpha=2.0).fit(rows, self._targets[numbers])

    def scores(self, text: str) -> NDArray[np.float64]:
        """Return the score of everybody, [people]."""
        return self.features(text) @ self._weights

    def features(self, text: str) -> NDArray[np.float64]:
        """Return the features of everybody, [people, features], of comparable size."""
        visible = _visible(text)
        low = visible.lower()
        p = self._people
        dates = np.array(
            sorted({y * 10000 + m * 100 + d for y, m, d in _dates(low)}), dtype=np.int64
        )
        years = np.array([int(y) for y, s in _YEAR.findall(low) if not s], dtype=np.int64)
        decades = np.array([int(y) // 10 for y, s in _YEAR.findall(low) if s], dtype=np.int64)
        month_years = np.array(
            [int(y) * 100 + _month(m) for m, y in _MONTH_YEAR.findall(low)], dtype=np.int64
        )
        month_days = np.array(
            [_month(a or d) * 100 + int(b or c) for a, b, c, d in _DAY_MONTH.findall(low)],
            dtype=np.int64,
        )
        fields = (p.birth, p.death, p.start, p.end)
        born, died = _after(low, "born"), _after(low, "died")
        states, mentioned = self._states_of(low)
        f = np.zeros((len(p.birth), len(NAMES)))
        f[:, :2] = 10 * self._cosines(visible).T
        f[:, 2] = sum(np.isin(field, dates) & (field > 0) for field in fields)
        for column, (part, field) in ((3, (born, p.birth)), (4, (died, p.death))):
            near = [y * 10000 + m * 100 + d for y, m, d in _dates(part)]
            f[:, column] = np.isin(field, near) & (field > 0)
            near_years = [int(y) for y, s in _YEAR.findall(part) if not s]
            if near_years:
                gap = np.abs(field // 10000 - near_years[0])
                f[:, column + 2] = np.where(
                    gap == 0, 1.0, np.where(gap == 1, 0.3, np.where(gap > 5, -0.3, 0.0))
                )
        f[:, 7] = sum(np.isin(field // 100, month_years) & (field > 0) for field in fields)
        f[:, 8] = sum(np.isin(field % 10000, month_days) & (field > 0) for field in fields)
        f[:, 9] = sum(np.isin(field // 100000, decades) & (field > 0) for field in fields)
        if states is not None:
            f[:, 10] = p.states[:, states]
        if len(mentioned):
            f[:, 11] = p.states[:, mentioned].mean(axis=1)
        ordinals = [n for n in range(1, 119) if re.search(rf"\b{_ordinal_pattern(n)}\b", low)]
        if ordinals:
            f[:, 12] = p.first == ordinals[0]
            f[:, 13] = p.congresses[:, ordinals].mean(axis=1)
        for part in set(_WORD.findall(low)):
            for number in self._by_name.get(part, ()):
                f[number, 14] += 1 / (1 + np.log(len(self._by_name[part])))
        f[:, 15] = p.offices @ np.array(
            ["representative" in low, "senator" in low, "delegate" in low]
        )
        parties = np.array([name.lower() in low for name in self._party_names])
        f[:, 16] = (p.parties * parties).sum(axis=1)
        if len(years):
            life = (p.birth[:, None] // 10000 <= years) & (
                (p.death[:, None] // 10000 + 3 >= years) | (p.death[:, None] == 0)
            )
            f[:, 17] = np.where(p.birth > 0, life.mean(axis=1), 0.8)
            f[:, 18] = np.isin(p.start // 10000, years) + 1.0 * np.isin(p.end // 10000, years)
        if hasattr(self, "_guess"):
            guess = self._guess.predict(self._of_text.transform([visible]))[0]
            f[:, 19] = self._targets @ guess / 4
        return f

    def _states_of(self, low: str) -> tuple[int | None, list[int]]:
        """Return the state that a member was from, as the beginning says, and all that are named."""
        places = [(m.start(), self._aliases[m.group()]) for m in self._state.finditer(low)]
        first = next((place for start, place in places if start < 60), None)
        return first, sorted({place for _, place in places})

    def _arrays(self, profiles: Sequence[dict[str, Any]]) -> _Profiles:
        def dates(key: str) -> NDArray[np.int64]:
            values = [profile.get(key, "") or "" for profile in profiles]
            return np.array([int(v.replace("-", "")) if len(v) == 10 else 0 for v in values])

        def members(key: str, names: Sequence[Any]) -> NDArray[np.float64]:
            return np.array(
                [[name in profile.get(key, ()) for name in names] for profile in profiles],
                dtype=float,
            )

        return _Profiles(
            dates("birth_date"),
            dates("death_date"),
            dates("term_start"),
            dates("term_end"),
            members("states", self._state_names),
            members("congresses", range(0, 120)),
            np.array([min(profile.get("congresses", ()), default=0) for profile in profiles]),
            members("offices", ("Representative", "Senator", "Delegate")),
            members("parties", self._party_names),
        )

    def _attributes(self) -> NDArray[np.float64]:
        """Return what may be guessed from a text, [people, attributes], centred and of length 1."""
        p = self._people
        middles = np.arange(1730, 2000, 10)
        birth = p.birth // 10000
        era = np.exp(-(((birth[:, None] - middles) / 8.0) ** 2)) * (birth[:, None] > 0)
        begin = p.start // 10000
        term = np.exp(-(((begin[:, None] - middles - 30) / 8.0) ** 2)) * (begin[:, None] > 0)
        common = p.parties.sum(axis=0) > 20
        count = np.minimum(p.congresses.sum(axis=1, keepdims=True), 12) / 6
        blocks = [2 * era, 2 * term, 2 * p.states, p.offices, p.parties[:, common], count]
        values = np.concatenate(blocks, axis=1)
        values = values - values.mean(axis=0)
        return values / np.linalg.norm(values, axis=1, keepdims=True) * 4


def _visible(text: str) -> str:
    return _MASK.sub(" ; ", text)


def _ordinal_pattern(number: int) -> str:
    words = ordinal(number).split()
    before = r"(?<!y-)(?<!y )(?<!hundred )(?<!hundred and )" if len(words) == 1 else ""
    digits = rf"{number}(?:st|nd|rd|th)"
    return rf"(?:{before}{'[- ](?:and )?'.join(words)}|{digits})"


def _state_aliases(code: str) -> Iterable[str]:
    names = {
        "NH": ["New Hampshire", "N.H"], "NJ": ["New Jersey", "N.J"], "NM": ["New Mexico", "N.Mex"],
        "NY": ["New York", "N.Y"], "NC": ["North Carolina", "N.C"], "ND": ["North Dakota", "N.Dak"],
        "RI": ["Rhode Island", "R.I"], "SC": ["South Carolina", "S.C"],
        "SD": ["South Dakota", "S.Dak"], "WV": ["West Virginia", "W.Va"], "PR": ["Puerto Rico", "P.R"],
        "DC": ["Washington, D.C"],
    }  # fmt: skip
    return names.get(code) or STATES[code].split()


def _profile_text(record: dict[str, Any]) -> str:
    profile = record["profile"]
    parts = [record["name"]]
    for key, value in profile.items():
        if key == "wikipedia":
            continue
        values = value if isinstance(value, list) else [value]
        parts += [_expanded(key, str(item)) for item in values]
    return " ; ".join(parts)


def _expanded(key: str, value: str) -> str:
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        year, month, day = value.split("-")
        name = MONTHS[int(month) - 1]
        return f"{name} {int(day)} {year}, {int(day)} {name} {year}, {year[:3]}0s"
    if key == "states":
        return f"{value} {' '.join(_state_aliases(value)) if value in STATES else ''}"
    if key == "congresses" and value.isdigit():
        return f"{ordinal(int(value)).replace(' ', '-')} {ordinal(int(value))} congress"
    return value
