"""The page stands alone, says what the evaluation says, and shows any text as text."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.evaluate.curves import Run, measure
from tacenda.evaluate.evaluation import EvaluationSettings
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.systems import Level, System
from tacenda.pages.evaluation import page

from ..evaluate.corpus import FIGURE_3
from .building import read, run_of

HOSTILE = '</p><script>alert(1)</script><img src=x onerror="y"> & $title \'"`'
TEXT = f"Anna Berg of Oslo, born 1950.\n{HOSTILE}\n\ud800 and a null \0 as well"


def hostile() -> Run:
    """Return a run whose every string tries to break out."""
    return run_of(TEXT, "Anna Berg", "born", names=[HOSTILE, "b"], title=HOSTILE, doc_id=HOSTILE)


def test_nothing_breaks_out() -> None:
    """Text, id, names and title become no element, no attribute, and no part of the template."""
    found = read(hostile())
    tags = [tag for tag, _ in found.elements]
    assert tags.count("script") == 1
    assert "img" not in tags
    assert not any(name.startswith("on") for _, attributes in found.elements for name in attributes)
    assert HOSTILE in found.lines[""]
    page(hostile()).encode("utf-8")


def test_all_columns_hold_the_text() -> None:
    """Annotators' and systems' columns show every line that is not blank, entire."""
    found = read(hostile())
    expected = TEXT.replace("\ud800", "\ufffd").replace("\0", "\ufffd").split("\n")
    assert found.lines == {"": expected, "0": expected, "1": expected}


@given(st.text(alphabet=st.sampled_from("<>&\"'$ a\n\r\t\u2028é\U0001f600"), max_size=40))
def test_any_text_comes_back(suffix: str) -> None:
    """Whatever follows, a parser reads the lines as they are."""
    text = f"Anna Berg of Oslo, born 1950 {suffix}"
    lines = [line for line in text.split("\n") if line.strip()]
    assert read(run_of(text, "Anna Berg")).lines[""] == lines


def test_it_loads_nothing() -> None:
    """No address but places in the page; the policy forbids all but its own script and style."""
    content = page(run_of("Anna Berg of Oslo, born 1950.", "Oslo"))
    assert not re.search(r"https?:|//[a-z]|url\(|@import", content)
    for _, attributes in read(hostile()).elements:
        assert not {"src", "srcset", "action", "style", "xlink:href"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")
    assert "default-src 'none'" in content


@pytest.mark.parametrize("name", ["script", "style"])
def test_the_policy_knows_what_is_in_the_page(name: str) -> None:
    """The digest in the head is of what stands in the element, as a browser takes it."""
    content = page(hostile())
    inside = re.search(f"<{name}>(.*?)</{name}>", content, re.DOTALL)
    assert inside
    digest = b64encode(sha256(inside.group(1).encode()).digest()).decode()
    assert f"{name}-src 'sha256-{digest}'" in content


def test_places_are_marked_with_their_outcome() -> None:
    """What leaked, what was masked rightly and what in vain, each with its type."""
    content = page(run_of("Anna Berg of Oslo, born 1950.", "Anna Berg", "Oslo", "born"))
    marks = (
        ("g direct", "PERSON", "person", "person, direct identifier", "Anna Berg"),
        ("s right", "PERSON", "person", "right, person", "Anna Berg"),
        ("s missed", "DATETIME", "date or time", "missed, date or time", "1950"),
        ("s over-masked", "LOC", "place", "over-masked, place", "Oslo"),
        ("s over-masked", "NONE", "not annotated", "over-masked, not annotated", "born"),
    )
    for kind, type, label, title, text in marks:
        mark = (
            f'<mark class="{kind}" data-type="{type}" data-label="{label}" title="{title}">{text}'
        )
        assert mark in content


def test_without_a_curve_the_page_says_why() -> None:
    """Masks alone are a point; levels make a curve and a table of its figures."""
    text = "Anna Berg of Oslo, born 1950."
    plain = page(run_of(text, "Anna Berg"))
    assert "Masks say nothing of other thresholds" in plain
    assert "polyline" not in plain
    gold = parse_gold([FIGURE_3])
    masks = {"d1": tuple(m.span for e in gold[0].entities for m in e.mentions)}
    system = System("s", masks, 0.5, (Level(0.5, masks), Level(0.9, masks)))
    drawn = page(measure(gold, [system], EvaluationSettings(bootstrap=0)))
    assert "polyline" in drawn
    assert "Figures of s by threshold" in drawn


def test_a_corpus_with_nothing_to_mask_has_a_page() -> None:
    """Undefined figures are dashes, and no picture divides by zero."""
    record = {"doc_id": "d1", "text": "Nothing.", "annotations": {"a": {"entity_mentions": []}}}
    content = page(
        measure(parse_gold([record]), [System("s", {"d1": ()})], EvaluationSettings(bootstrap=10))
    )
    assert '<td class="n">–</td>' in content
    assert "nothing to divide by" in content


def test_what_leaked_is_shared_out_by_type() -> None:
    """Figure 5: half of what leaked is the person here, as is two thirds of what was to be masked."""
    content = page(run_of("Anna Berg of Oslo, born 1950.", "Oslo"))
    row = r'<th scope="row">person</th><td class="n">1</td><td class="n">50.0%</td><td class="n quiet">66.7%'
    assert re.search(row, content)


def test_several_systems_are_tested_against_the_first() -> None:
    """The table has the differences with their p-values, here of equal systems."""
    content = page(run_of("Anna Berg of Oslo, born 1950.", "Oslo", names=["a", "b"]))
    assert '<data value="1.0">1.000</data>' in content
    assert "paired randomization" in content
