"""Masks with an earlier release in mind, by counts of shared words made here."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from math import log
from pathlib import Path

import pytest

from tacenda.document import Document
from tacenda.errors import InputError
from tacenda.reidentify.anonymize.earlier_release import (
    Unlinked,
    anonymize_after,
    linkers_with_thresholds,
)
from tacenda.reidentify.criteria import ReleaseCase
from tests.forks import tacenda

PASTIMES = "bells kites maps clocks shells dolls coins spoons keys masks fossils tins".split()
WORK = "baker roofer welder florist".split()


def note(n: int, text: str, person: str) -> ReleaseCase:
    """Return a note of a person."""
    return ReleaseCase(Document(str(n), text), person)


def releases(*, has_ids: bool = True) -> tuple[list[ReleaseCase], list[ReleaseCase]]:
    """Two notes of each person, who have a pastime of their own and work of several."""
    earlier, later = [], []
    for n, pastime in enumerate(PASTIMES):
        person = f"p{n}" * has_ids
        work = WORK[n % len(WORK)]
        earlier.append(note(n, f"This {work} collects {pastime}.", person))
        later.append(note(n + 100, f"Seen at noon, a {work} with {pastime}.", person))
    return earlier, later


def unlinked(earlier: list[ReleaseCase], later: list[ReleaseCase]) -> Iterator[Unlinked]:
    """The later notes, masked by all linkers."""
    return anonymize_after(earlier, later, linkers_with_thresholds([*earlier, *later]))


def shared_rarity(texts: list[str], first: str, second: str) -> float:
    """The sum of log(n / count) over words that two texts share and few have."""
    sets = [frozenset(text.strip(".").replace(",", "").lower().split()) for text in texts]
    counts = Counter(word for words in sets for word in words)
    shared = sets[texts.index(first)] & sets[texts.index(second)]
    return sum(log(len(texts) / counts[word]) for word in shared if counts[word] <= 2)


def test_the_word_that_only_one_person_has_is_masked() -> None:
    """By a linker computed here, each note shared something rare before, and nothing afterwards."""
    earlier, later = releases()
    results = list(unlinked(earlier, later))
    before = [case.document.text for case in (*earlier, *later)]
    after = [*before[: len(earlier)], *(each.text for each in results)]
    for n, (pastime, result) in enumerate(zip(PASTIMES, results, strict=True)):
        assert shared_rarity(before, before[n], before[n + len(earlier)]) == pytest.approx(log(12))
        assert shared_rarity(after, after[n], after[n + len(earlier)]) == 0
        assert result.reached
        assert pastime not in result.text
        assert 0 < result.n_masked < result.n_words == 7


def test_documents_of_one_release_count_as_released() -> None:
    """The second note of a person is masked because of the first, with nothing of it in the earlier release."""
    earlier, later = releases()
    results = list(unlinked([note(99, "Nothing to see here.", "other")], [*earlier, *later]))
    assert all(each.n_masked == 0 for each in results[: len(earlier)])
    assert all(each.n_masked for each in results[len(earlier) :])


def test_documents_of_other_people_are_not_considered() -> None:
    """With ids nothing is masked for what two people share."""
    earlier, later = releases()
    strangers = [ReleaseCase(case.document, f"q{n}") for n, case in enumerate(later)]
    results = list(unlinked([*earlier, *earlier], strangers))
    assert [each.text for each in results] == [case.document.text for case in later]


def test_without_ids_no_document_may_be_joined() -> None:
    """An unknown person may be anyone's, on either side."""
    earlier, later = releases(has_ids=False)
    twin = note(200, earlier[0].document.text, "")
    for before, case in ((earlier, twin), (releases()[0], twin)):
        *_, result = unlinked(before, [*later[1:], case])
        assert result.reached
        texts = [each.document.text for each in (*before, *later[1:])]
        copy = shared_rarity([*texts, "copy"], before[0].document.text, before[0].document.text)
        masked = shared_rarity([*texts, result.text], before[0].document.text, result.text)
        assert masked < copy


def test_without_any_attacker_it_is_an_error(tmp_path: Path) -> None:
    """Where no similarity separates people, nothing is called not joined, and nothing is written."""
    earlier = [note(1, "Alpha beta gamma.", "p1")]
    later = [note(2, "Delta, epsilon and zoo.", "p1")]
    with pytest.raises(InputError, match="no attacker has a threshold"):
        list(unlinked(earlier, later))
    for name, cases in (("earlier", earlier), ("later", later)):
        line = {"text": cases[0].document.text, "person": "p1"}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(line) + "\n")
    files = [str(tmp_path / f"{name}.jsonl") for name in ("later", "earlier", "out")]
    run = tacenda("anonymize", files[0], "--after", files[1], "-o", files[2])
    assert run.returncode == 1
    assert b"no attacker has a threshold" in run.stderr
    assert b"joined" not in run.stdout + run.stderr
    assert not Path(files[2]).exists()


def test_the_command(tmp_path: Path) -> None:
    """Its lines can be released again; other searches are refused; an unreadable earlier release is an error."""
    paths = []
    for name, cases in zip(("earlier", "later"), releases(), strict=True):
        lines = [json.dumps({"text": case.document.text, "person": case.person}) for case in cases]
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_text("\n".join(lines) + "\n")
    earlier, later = map(str, paths)
    run = tacenda("anonymize", later, "--after", earlier, "--to", "json")
    assert run.returncode == 0, run.stderr
    items = [json.loads(line) for line in run.stdout.splitlines()]
    assert [item["person"] for item in items] == [f"p{n}" for n in range(len(PASTIMES))]
    assert all(item["reached"] and 0 < item["words_masked"] < item["words"] for item in items)
    assert b"bells" not in run.stdout + run.stderr
    assert b"skipped (attributes)" in run.stderr
    run = tacenda("anonymize", later, "--after", earlier, "--operator", "generalize")
    assert run.returncode == 2
    assert b"--after" in run.stderr
    (tmp_path / "empty.jsonl").write_text("")
    run = tacenda("anonymize", later, "--after", str(tmp_path / "empty.jsonl"))
    assert run.returncode == 1
    assert run.stdout == b""
    assert b"earlier release" in run.stderr
