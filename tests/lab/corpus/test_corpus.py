"""The corpus of our own: its markup, its lists beside existing texts, its rules and its agreement."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.document import IdentifierType, SemanticType, Span
from tacenda.errors import InputError
from tacenda.evaluate.gold import load_gold
from tacenda_lab.corpus import CorpusDocument, check, load, markup, standoff
from tacenda_lab.corpus.documents import write_key


def document(marked: str, id: str = "en-x-001", has_people: bool = True) -> CorpusDocument:
    """Return a document of a text in markup."""
    text, marks = markup.parse(marked, id)
    return CorpusDocument(id, text, marks, "train", "en", "letter", has_people)


def strings(each: CorpusDocument) -> list[tuple[str, str]]:
    """Return the keys and strings of its marks."""
    return [(write_key(mark), mark.span.of(each.text)) for mark in each.marks]


def test_markup_is_taken_out_and_its_marks_are_placed() -> None:
    """A capital is direct, a hyphen no mask, an equals sign a trap."""
    each = document("Dear ⟦P1:Ann Lee⟧, of ⟦l2:Leeds⟧ in ⟦-o3:England⟧, uses ⟦=:Jenkins⟧.")
    assert each.text == "Dear Ann Lee, of Leeds in England, uses Jenkins."
    assert strings(each) == [
        ("P1", "Ann Lee"),
        ("l2", "Leeds"),
        ("-o3", "England"),
        ("=", "Jenkins"),
    ]
    first = each.marks[0]
    assert (first.span, first.type, first.identifier) == (
        Span(5, 12),
        SemanticType.PERSON,
        IdentifierType.DIRECT,
    )
    assert [mark.is_masked for mark in each.marks] == [True, True, False, False]


@pytest.mark.parametrize("marked", ["⟦X1:Ann⟧", "⟦P:Ann⟧", "⟦P1:Ann", "Ann⟧"])
def test_markup_that_cannot_be_read_is_an_error_with_its_line(marked: str) -> None:
    """Of the document that has it."""
    with pytest.raises(InputError, match=r"en-x-001.*line 2"):
        markup.parse(f"Dear\n{marked}", "en-x-001")


def test_it_is_read_as_annotations_with_both_readers(tmp_path: Path) -> None:
    """By the commands on corpora; traps are no mentions."""
    text = "### en letter pos\nDear ⟦P1:Ann Lee⟧, ⟦P1:Ann⟧ of ⟦l1:Leeds⟧ uses ⟦=:Jenkins⟧.\n"
    for folder in ("written/dev", "doubles"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "written/dev/en-a.txt").write_text(text, "utf-8")
    second = replace(document(text.partition("\n")[2]), id="en-a-001", source="own")
    second = replace(second, marks=second.marks[:1])
    (tmp_path / "doubles/en-a.jsonl").write_text(standoff.write([second]), "utf-8")
    (gold,) = load_gold(tmp_path, "dev", "corpus")
    assert gold.annotators == ("reader1", "reader2")
    assert [
        [mention.span.of(gold.text) for mention in entity.mentions] for entity in gold.entities
    ] == [["Ann Lee", "Ann"], ["Leeds"], ["Ann Lee"]]
    run = CliRunner().invoke(
        app, ["evaluate", "agreement", str(tmp_path), "--from", "corpus", "--json"]
    )
    assert run.exit_code == 0
    assert json.loads(run.stdout)["documents"] == 1
    run = CliRunner().invoke(app, ["convert", str(tmp_path), "--from", "corpus", "--to", "tab"])
    assert [each["doc_id"] for each in json.loads(run.stdout)] == ["en-a-001"]


def test_documents_are_read_by_part_and_language(tmp_path: Path) -> None:
    """Written ones from markup, existing ones from JSON lines as they were written."""
    (tmp_path / "written/dev").mkdir(parents=True)
    (tmp_path / "existing/train").mkdir(parents=True)
    (tmp_path / "written/dev/en-a.txt").write_text(
        "### en letter pos\nDear ⟦P1:Ann⟧\n\n### en faq neg\nHello\n"
    )
    each = document("Dear ⟦P1:Ann⟧ of ⟦l2:Leeds⟧")
    (tmp_path / "existing/train/en-b.jsonl").write_text(standoff.write([each]))
    assert [(item.id, item.genre, item.has_people) for item in load(tmp_path, "dev")] == [
        ("en-a-001", "letter", True),
        ("en-a-002", "faq", False),
    ]
    assert [item.marks for item in load(tmp_path, "train", "en")] == [each.marks]
    assert list(load(tmp_path, language="de")) == []
    (tmp_path / "written/dev/en-a.txt").write_text("Dear Ann")
    with pytest.raises(InputError, match="not a header"):
        list(load(tmp_path, "dev"))


def test_a_list_marks_every_occurrence_outside_of_longer_strings() -> None:
    """Or those with their numbers; a letter alone is an entity of its own, a star all dates but those listed."""
    text = "Mr Lee came on 3 May 1999. Lee left on 4 June 2001 under the Act of 5 July 1990, in 1999 and\n1999."
    lines = [("P1", "Mr Lee"), ("P1", "Lee"), ("t", "*"), ("-t", "5 July 1990"), ("t", "1999 @3")]
    marks = standoff.place(text, lines, "a")
    each = CorpusDocument("a", text, marks, "train", "en", "judgment", has_people=True)
    assert [string for _, string in strings(each)] == [
        "Mr Lee",
        "3 May 1999",
        "Lee",
        "4 June 2001",
        "5 July 1990",
        "1999",
    ]
    keys = [key for key, _ in strings(each)]
    assert keys[0] == keys[2] == "P1"
    assert [key[:-1] for key in keys[3:]] == ["t", "-t", "t"]
    assert len({mark.entity for mark in marks}) == 5
    with pytest.raises(InputError, match="'Ann' does not occur"):
        standoff.place(text, [("P1", "Ann")], "a")


@pytest.mark.parametrize(
    ("marked", "fault"),
    [
        ("⟦P1:Ann Lee⟧ and Ann Lee", "marked elsewhere"),
        ("⟦P1:Ann\nLee⟧", "line end"),
        ("⟦P1:Ann,⟧ hello", "punctuation"),
        ("⟦P1:Ann's⟧ hat", "possessive"),
        ("⟦P1:Ann Lee⟧ and ⟦P2:Ann Lee⟧", "has the keys 1, 2"),
        ("⟦P1:Ann⟧ of ⟦l1:Leeds⟧", "has the types"),
        ("IBAN: ⟦C1:DE89370400440532013001⟧", "not a valid iban"),
        ("Dear Ann", "does not fit"),
    ],
)
def test_a_fault_of_a_document_is_said(marked: str, fault: str) -> None:
    """Each rule of the table has one."""
    assert any(fault in item for item in check.faults(document(marked)))


def test_a_good_document_has_no_fault() -> None:
    """A trap is not marked, a person's mailbox may have the person's key, and ids are valid."""
    marked = "⟦P1:Ann Lee⟧ (⟦C1:ann@example.org⟧), IBAN ⟦C2:DE89370400440532013000⟧, asked ⟦P1:Ann⟧'s ⟦=:Alexa⟧."
    assert list(check.faults(document(marked))) == []
    assert list(check.faults(document("Mix the flour.", has_people=False))) == []


def test_documents_of_one_skeleton_and_those_near_held_out_text_are_found() -> None:
    """Names taken out; twelve words in a row are near."""
    frame = (
        "I am writing to you about the broken boiler in the flat at the top of the house, ⟦P1:{}⟧"
    )
    twins = [document(frame.format(name), f"en-x-00{n}") for n, name in enumerate(("Ann", "Bob"))]
    assert len(list(check.look_alikes(twins))) == 1
    assert len(list(check.near(twins, [twins[0].text]))) == 2
    assert (
        list(
            check.near(
                twins,
                ["Another text of which not one run is the same at all, however long it may be"],
            )
        )
        == []
    )
