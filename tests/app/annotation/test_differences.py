"""Where annotations of one document differ."""

from __future__ import annotations

from pathlib import Path

from tacenda.app.annotation.comparison import places
from tacenda.app.events import Event, EventKind
from tacenda.document import Span

from .building import add, at, make, project


def test_each_place_says_in_what_it_differs(tmp_path: Path) -> None:
    """Spans first; then types, decisions, statuses and entities, each by its name."""
    annotations = project(tmp_path)
    name, second, town = at("Galip Yalman"), at("Galip Yalman", nth=1), at("Ankara")
    both = (add("Galip Yalman"), add("Galip Yalman", nth=1), add("Ankara", "LOC"))
    one = make(annotations, "ann", *both, add("journalist", "DEM"), add("4 May 1999", "DATETIME"))
    other = make(
        annotations,
        "ben",
        *both,
        Event(EventKind.SPLIT, (second,)),
        Event(EventKind.TYPE, (town,), "ORG"),
        Event(EventKind.IDENTIFIER, (town,), "QUASI"),
        Event(EventKind.STATUS, (town,), "ETHNIC"),
        add("May 1999", "DATETIME"),
    )
    found = places([one, other])
    assert [(place.span, place.differ) for place in found] == [
        (name, ("entity",)),
        (town, ("type", "identifier", "status")),
        (second, ("entity",)),
        (at("journalist"), ("span",)),
        (at("4 May 1999"), ("span",)),
    ]
    assert found[3].marked[1] == ()
    assert [item.span for item in found[4].marked[1]] == [at("May 1999")]
    annotations.store.close()


def test_equal_annotations_differ_nowhere(tmp_path: Path) -> None:
    """Numbers of entities do not matter, only who is with whom."""
    annotations = project(tmp_path)
    one = make(annotations, "ann", add("Ankara", "LOC"), add("Galip Yalman"))
    other = make(annotations, "ben", add("Galip Yalman"), add("Ankara", "LOC"))
    assert [place.differ for place in places([one, other])] == [(), ()]
    assert places([one, other])[0].span == Span(3, 15)
    annotations.store.close()
