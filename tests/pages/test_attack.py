"""The page of an attack: what it shows of each document, and what it keeps to itself."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from tacenda.background.people import People
from tacenda.pages.attack import page
from tacenda.reidentify.report import AttackCase, AttackReport, attack, people_shown, rate_rows
from tests.reidentify.village import ABOUT_ANNA, store, word_attackers, worded

STRIPPED = "*** is a *** in ***. She was born on ***. *** bakes."


def html_of(report: AttackReport, people: People, *, reveal: bool = False) -> str:
    """Return the page of an attack on these people."""
    return page(report, rate_rows(report), people_shown(report, people), reveal=reveal)


def pages(folder: Path, *, originals: bool = False, name: str = "<b>anna") -> tuple[str, str]:
    """Return the page of a document that tells and one that does not: as it is, and revealed."""
    people = store(folder / "p.db")
    original = worded(ABOUT_ANNA) if originals else None
    cases = [
        AttackCase(worded(STRIPPED, "stripped"), 0, original),
        AttackCase(worded(ABOUT_ANNA, name), 0, original),
    ]
    report = attack(cases, word_attackers(people), k=2)
    return html_of(report, people), html_of(report, people, reveal=True)


def entries(html: str) -> list[str]:
    """Return the documents of a page."""
    return re.findall(r"<details(?: open)?><summary><span.*?</details>", html, re.DOTALL)


def test_the_verdict_comes_first_and_the_worst_document_after_it(tmp_path: Path) -> None:
    """Half is found; that document is folded out, the hidden one is not; markup stays text."""
    html, _ = pages(tmp_path)
    assert "1 of 2 documents are re-identified" in html
    assert "between 9.5% and 90.5%" in html
    worst, other = entries(html)
    assert worst.startswith("<details open>")
    assert 'class="badge found">found' in worst
    assert "&lt;b&gt;anna" in worst
    assert "<b>anna" not in html
    assert other.startswith("<details><summary>")
    assert 'class="badge hidden">hidden' in other
    assert "No word speaks for the person" in other


def test_one_attacker_is_no_ensemble(tmp_path: Path) -> None:
    """Its bar is not drawn twice."""
    people = store(tmp_path / "p.db")
    cases = [AttackCase(worded(ABOUT_ANNA, "anna"), 0)]
    both, alone = (
        html_of(attack(cases, attackers, k=2), people)
        for attackers in (word_attackers(people), word_attackers(people)[:1])
    )
    assert "ensemble</text>" in both
    assert "ensemble</text>" not in alone


def test_each_document_has_rank_probability_control_and_original(tmp_path: Path) -> None:
    """One row an attacker; the original's rank is there only if it is known."""
    html, _ = pages(tmp_path)
    worst, _ = entries(html)
    assert worst.count("<tr>") == 3
    assert "rank of a stranger" in worst
    assert "rank in the original" not in html
    assert "Originals</text>" not in html
    html, _ = pages(tmp_path, originals=True)
    _, stripped = entries(html)
    assert "rank in the original" in stripped
    assert re.search(r"<td>bm25</td><td class=\"n\">3</td>.*?<td class=\"n\">1</td>", stripped)
    assert "Originals</text>" in html


def test_words_and_texts_are_shown_only_if_revealed(tmp_path: Path) -> None:
    """Revealed, the words are listed with their weights and marked in the text."""
    html, revealed = pages(tmp_path)
    assert "1966" not in html
    assert "words speak for the person" in html
    worst, _ = entries(revealed)
    assert '<mark class="w3">Anna</mark>' in worst
    assert "What gave the person away" in worst
    assert "She was born on" in worst


def test_the_page_may_load_and_run_nothing(tmp_path: Path) -> None:
    """Its one style sheet is named by digest; no script, no inline style, no address."""
    _, html = pages(tmp_path)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in html
    assert "<script" not in html
    assert "style=" not in html
    assert "http://" not in html
    assert "https://" not in html


def test_every_text_can_be_written(tmp_path: Path) -> None:
    """Half characters, which no file can hold, are replaced."""
    html, _ = pages(tmp_path, name="a\ud800")
    assert "a\ufffd" in html
    html.encode("utf-8")
