"""Annotations as TAB standoff JSON and WikiReplace JSON, and what reads them."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tacenda.annotations.tab import parse_masks
from tacenda.app.annotation.comparison import agreement_view
from tacenda.app.annotation.export import as_tab, as_wikireplace
from tacenda.app.annotation.service import ADJUDICATOR, AnnotationProject
from tacenda.app.annotation.sources import MarkOptions, from_files
from tacenda.app.annotation.store import AnnotationSource, Flow
from tacenda.app.events import Event, EventKind
from tacenda.document import ConfidentialStatus, IdentifierType, SemanticType, Span
from tacenda.evaluate.agreement import measure_agreement
from tacenda.evaluate.composition import describe
from tacenda.evaluate.evaluation import evaluate
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.replacement_gold import ReplacedSpan, measure_annotators, parse_replacements

from .building import SUBMIT, TEXT, add, at, make, project, replaced

_TOWN, _NAME, _TITLE = at("Ankara"), at("Galip Yalman"), at("Mr")


def _choose(string: str, option: str) -> Event:
    return Event(EventKind.CHOOSE, (at(string, replaced().text),), option)


def _annotated(folder: Path) -> AnnotationProject:
    """Return a project in which Ann and Ben have submitted the judgment; Ben calls Ankara an ORG."""
    annotations = project(folder)
    for person, type in (("ann", "LOC"), ("ben", "ORG")):
        make(
            annotations,
            person,
            add("Ankara", type),
            add("Galip Yalman"),
            add("Mr"),
            Event(EventKind.MERGE, (_TITLE, _NAME)),
            Event(EventKind.IDENTIFIER, (_NAME, _TITLE), "DIRECT"),
            Event(EventKind.IDENTIFIER, (_TOWN,), "QUASI" if person == "ann" else "NO_MASK"),
            Event(EventKind.STATUS, (_TOWN,), "ETHNIC"),
            SUBMIT,
        )
    return annotations


def test_tab_json_has_what_was_annotated(tmp_path: Path) -> None:
    """Every field of the release, related mentions by id, reviewed annotations by name."""
    annotations = _annotated(tmp_path)
    annotations.check(1, "ann", "ben", "protected", "")
    annotations.check(1, "ben", "ann", "exposed", "")
    (record,) = as_tab(annotations, ADJUDICATOR)
    assert record["quality_checked"] == ["ben"]
    assert record["task"].endswith("following person: Galip Yalman")
    assert (record["doc_id"], record["dataset_type"], record["text"]) == ("001-1", "dev", TEXT)
    title, name, town = record["annotations"]["ann"]["entity_mentions"]
    assert title["related_mentions"] == [name["entity_mention_id"]]
    assert title["entity_id"] == name["entity_id"] == "001-1_a1_e1"
    assert town == {
        "entity_type": "LOC",
        "entity_mention_id": "001-1_a1_em3",
        "start_offset": _TOWN.start,
        "end_offset": _TOWN.end,
        "span_text": "Ankara",
        "edit_type": "insert",
        "identifier_type": "QUASI",
        "entity_id": "001-1_a1_e2",
        "confidential_status": "ETHNIC",
    }
    annotations.store.close()


def test_tacenda_reads_what_it_wrote(tmp_path: Path) -> None:
    """``stats``, ``agreement`` and ``evaluate`` take the file; the figures are worked out by hand."""
    annotations = _annotated(tmp_path)
    gold = parse_gold(as_tab(annotations, ADJUDICATOR))
    assert describe(gold).splits["dev"].annotations == 2
    found = measure_agreement(gold)
    assert dict(found.type_disagreements) == {("LOC", "ORG"): 1}
    assert found.relations_kappa == 1.0
    masks = parse_masks({"001-1": [[_TITLE.start, _NAME.end]]})
    scores = evaluate(gold, masks).scores
    # Direct: one entity of each; quasi: Ankara, for Ann alone, is not masked.
    assert (scores["entity_recall_direct"], scores["entity_recall_quasi"]) == (1.0, 0.0)
    assert scores["entity_recall"] == 2 / 3
    annotations.store.close()


def test_nobody_gets_what_they_may_not_see(tmp_path: Path) -> None:
    """A file holds submitted annotations that the person may see, and no others."""
    annotations = _annotated(tmp_path)
    make(annotations, "ben", Event(EventKind.REOPEN))
    assert list(as_tab(annotations, "ann")[0]["annotations"]) == ["ann"]
    assert as_tab(annotations, "ben") == []
    assert agreement_view(annotations, ADJUDICATOR).documents == 0
    annotations.store.close()


def test_masked_spans_get_options_for_wikireplace(tmp_path: Path) -> None:
    """The spans of one annotator, masked ones with options up to ``***``, none of them chosen."""
    annotations = _annotated(tmp_path)
    (record,) = as_wikireplace(annotations, ADJUDICATOR, "ann")
    assert list(record["annotations"]) == ["ann"]
    mentions = record["annotations"]["ann"]["entity_mentions"]
    assert all("confidential_status" not in mention for mention in mentions)
    assert [mention["replacement"]["generalization_selection"] for mention in mentions] == [{}] * 3
    for mention in mentions:
        (options,) = mention["replacement"]["generalizations"].values()
        assert options[-1] == "***"
        assert not {"Ankara", "Galip Yalman", "Mr"} & set(options)
    assert record["generalized_text"] == TEXT
    annotations.store.close()


def test_choices_are_written_as_wikireplace(tmp_path: Path) -> None:
    """Who chose which option; the text has what most chose; equal votes go to the first."""
    annotations = project(tmp_path, [replaced()], ["ann", "ben", "cem"], Flow.REPLACEMENT)
    for person, date in (("ann", "1815"), ("ben", "***"), ("cem", "***")):
        name = _choose("Ada Byron", "PERSON 1")
        make(annotations, person, name, _choose("4 May 1815", date), SUBMIT)
    (record,) = as_wikireplace(annotations, ADJUDICATOR)
    assert list(record["annotations"]) == ["annotator3"]
    _, date, town = record["annotations"]["annotator3"]["entity_mentions"]
    assert date["replacement"] == {
        "generalizations": {"heuristics": ["1815", "date in the 1810s", "***"]},
        "generalization_selection": {"1815": ["ann"], "***": ["ben", "cem"]},
    }
    assert "replacement" not in town
    assert record["generalized_text"] == "[PERSON 1] was born on *** in London."
    agreement = measure_annotators(parse_replacements([record]))
    assert agreement.kappa["ben", "cem"] == 1.0
    view = agreement_view(annotations, ADJUDICATOR)
    assert view.chosen == agreement
    assert view.heat_map is not None
    assert len(view.heat_map.cells) == 3
    (tab_record,) = as_tab(annotations, ADJUDICATOR)
    assert parse_gold([tab_record])[0].annotators == ("annotator3",)
    annotations.store.close()


def _write(folder: Path, records: Any) -> str:
    path = folder / "gold.json"
    path.write_text(json.dumps(records), "utf-8")
    return str(path)


def _options(span: ReplacedSpan) -> list[str]:
    """Return the options without ``***``, which is once a source in the data, at its end here."""
    return [option for option in span.shown if option != "***"]


def test_wikireplace_comes_back_as_it_was(tmp_path: Path, shared_data: Path) -> None:
    """Marks, entities and options of the data set survive reading, storing and writing."""
    path = shared_data / "wiki" / "wikireplace_dev.json"
    sources = list(from_files([str(path)], options=MarkOptions(marks=True, decisions=True)))
    annotations = project(tmp_path, sources, ["ann"], Flow.REPLACEMENT)
    original = json.loads(path.read_text("utf-8"))
    for id, record in enumerate(original, start=1):
        view = annotations.open(id, "ann")
        made = {
            Span(mention["start_offset"], mention["end_offset"]): next(iter(selection))
            for mention in next(iter(record["annotations"].values()))["entity_mentions"]
            if (selection := mention.get("replacement", {}).get("generalization_selection"))
        }
        # A few choices of the data set are none of its options; *** is one of every span.
        acts = [
            Event(EventKind.CHOOSE, (span,), made[span] if made[span] in item.choices else "***")
            for item in view.annotation.mentions
            if (span := item.span) and item.choices
        ]
        make(annotations, "ann", *acts, SUBMIT, document=id)
    written = as_wikireplace(annotations, "ann")
    before, after = parse_replacements(original), parse_replacements(written)
    assert [(s.span, _options(s), s.entity.type) for s in after] == [
        (s.span, _options(s), s.entity.type) for s in before
    ]
    assert [s.entity.mentions for s in after] == [s.entity.mentions for s in before]
    assert [record["doc_id"] for record in written] == [record["doc_id"] for record in original]
    annotations.store.close()


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).filter(
    str.strip
)


@st.composite
def _cases(draw: st.DrawFn) -> tuple[str, list[Event]]:
    text = draw(_TEXTS)
    starts = st.integers(0, len(text) - 1)
    spans = draw(
        st.lists(
            starts.flatmap(lambda s: st.integers(s + 1, len(text)).map(lambda e: Span(s, e))),
            unique=True,
            max_size=5,
        )
    )
    spans = [span for span in spans if span.of(text).strip()]
    acts = []
    for span in spans:
        acts += [
            Event(EventKind.ADD, (span,), str(draw(st.sampled_from(SemanticType)))),
            Event(EventKind.IDENTIFIER, (span,), str(draw(st.sampled_from(IdentifierType)))),
            Event(EventKind.STATUS, (span,), str(draw(st.sampled_from(ConfidentialStatus)))),
        ]
    if len(spans) > 1 and draw(st.booleans()):
        acts.append(Event(EventKind.MERGE, tuple(spans[:2])))
    return text, acts


@given(_cases())
def test_any_annotation_survives_a_round_trip(case: tuple[str, list[Event]]) -> None:
    """Written as TAB and taken as the marks of a new project, it is the same annotation."""
    text, acts = case
    with TemporaryDirectory() as name:
        folder = Path(name)
        annotations = project(folder, [AnnotationSource("doc", text)], ["ann"])
        done = make(annotations, "ann", *acts, SUBMIT).annotation
        path = _write(folder, as_tab(annotations, "ann"))
        annotations.store.close()
        (source,) = from_files([path], options=MarkOptions(marks=True, decisions=True))
    assert source.text == text
    marks = source.marks.items
    assert [(m.span, m.type, m.identifier, m.status, m.edit) for m in marks] == [
        (m.span, m.type, m.identifier, m.status, m.edit)
        for m in sorted(done.mentions, key=lambda mention: mention.span)
    ]
    groups = {frozenset(m.span for m in marks if m.entity == one.entity) for one in marks}
    assert groups == {frozenset(m.span for m in group) for group in done.entities().values()}
