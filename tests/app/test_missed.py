"""What people masked in a review that the policy had left, as marks of an audit's sample."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacenda.app.audit import project_audit
from tacenda.app.events import Event, EventKind
from tacenda.app.missed import missed_spans
from tacenda.app.service import Service
from tacenda.audit.bound import bound
from tacenda.audit.marks import read_marks
from tacenda.audit.release import ReleasedDocument
from tacenda.audit.sample import SampleDesign, draw
from tacenda.document import Span
from tacenda.errors import InputError
from tacenda.policy import Policy
from tacenda_lab.train.corpus import annotator_views, read_gold

from .building import LETTER, MEMO, client, come_in, service

TEXTS = (LETTER, MEMO, "Nothing is here.")
DONE = Event(EventKind.DONE, value="yes")


def spans(made: Service, document: int, *changes: Event) -> list[str]:
    """What a review masks of a released text after some changes."""
    for revision, change in enumerate(changes):
        made.change(document, "Ann", revision, change)
    released = made.by_policy(document).sanitized
    found = missed_spans(released, made.open(document).reviewed)
    return [span.of(released.text) for span in found]


def place(string: str, text: str = LETTER) -> Span:
    """The first place of a string."""
    start = text.index(string)
    return Span(start, start + len(string))


@pytest.mark.parametrize(
    ("changes", "marks"),
    [
        ([], []),
        ([("add", "Kentville", "LOC")], ["Kentville"]),
        ([("decide", "Kentville", "mask")], ["Kentville"]),
        ([("add", "wrote to Ben Cole on", "MISC")], ["wrote to [PERSON 2] on"]),
        ([("add", "Kentville", "LOC"), ("remove", "Kentville", "")], []),
        ([("decide", "Ada Byron", "keep")], []),
        ([("decide", "Ada Byron", "mask")], []),
        ([("add", "lives", "MISC"), ("add", "so does", "MISC")], ["lives", "so does"]),
    ],
)
def test_marks_are_what_a_person_masks_that_the_policy_left(
    tmp_path: Path, changes: list[tuple[str, str, str]], marks: list[str]
) -> None:
    """However it came to be masked, and not what was masked before; on the text as it was released."""
    made = service(tmp_path, LETTER)
    events = [Event(EventKind(kind), (place(at),), value) for kind, at, value in changes]
    assert spans(made, 1, *events) == marks
    made.store.close()


def test_what_was_undone_is_no_mark(tmp_path: Path) -> None:
    """The log is read as it is in force."""
    made = service(tmp_path, LETTER)
    assert spans(made, 1, Event(EventKind.ADD, (place("Kentville"),), "LOC")) == ["Kentville"]
    made.undo(1, "Ann", 1)
    assert spans(made, 1) == []
    made.store.close()


def test_a_generalisation_that_a_person_suppressed_is_a_mark(tmp_path: Path) -> None:
    """Its words were left; one that a person confirms by other words is none."""
    policy = Policy(operator="generalize", patterns=False, threshold=0.3)
    made = service(tmp_path, LETTER, policy=policy)
    assert "1990s" in made.by_policy(1).sanitized.text
    day = (place("12 March 1994"),)
    (mark,) = spans(made, 1, Event(EventKind.DECIDE, day, "mask"))
    assert "1990s" in mark
    made.change(1, "Ann", 1, Event(EventKind.DECIDE, day, "generalise"))
    assert spans(made, 1) == []
    made.store.close()


def test_a_bound_is_made_of_a_review(tmp_path: Path) -> None:
    """Of a sample of what the policy releases; a document that nobody marked as reviewed was not read."""
    made = service(tmp_path, *TEXTS)
    released = [ReleasedDocument(f"d{n}.txt", made.by_policy(n).sanitized.text) for n in (1, 2, 3)]
    one = draw(released, SampleDesign(size=3))
    made.change(1, "Ann", 0, Event(EventKind.ADD, (place("Kentville"),), "LOC"))
    path = tmp_path / "missed.json"
    for number in (1, 2, 3):
        path.write_bytes(project_audit(made, 1, "missed").content)
        with pytest.raises(InputError, match=f"{4 - number} of 3 units"):
            read_marks(one.sample, [str(path)])
        revision = made.open(number).row.revision
        made.change(number, "Ben", revision, DONE)
    path.write_bytes(project_audit(made, 1, "missed").content)
    marks = read_marks(one.sample, [str(path)])
    assert marks == {"d1.txt": 1, "d2.txt": 0, "d3.txt": 0}
    assert bound(one.sample, marks).units.found == 1
    made.store.close()


def test_a_recognizer_learns_from_what_was_reviewed(tmp_path: Path) -> None:
    """From the originals of the documents marked as reviewed, with what is masked after all decisions."""
    made = service(tmp_path, *TEXTS)
    with pytest.raises(InputError, match="no document is marked as reviewed"):
        project_audit(made, 1, "training")
    made.change(1, "Ann", 0, Event(EventKind.ADD, (place("Kentville"),), "LOC"))
    made.change(1, "Ann", 1, Event(EventKind.DECIDE, (place("Ben Cole"),), "keep"))
    made.change(1, "Ann", made.open(1).row.revision, DONE)
    path = tmp_path / "training.json"
    path.write_bytes(project_audit(made, 1, "training").content)
    (view,) = annotator_views(read_gold(path), {})
    assert (view.document.id, view.document.text) == ("d1.txt", LETTER)
    masked = {
        mention.span.of(LETTER)
        for entity, is_masked in zip(view.entities, view.masked, strict=True)
        if is_masked
        for mention in entity.mentions
    }
    assert masked == {"Ada Byron", "Kentville"}
    made.store.close()


def test_the_text_with_masks_of_another_policy_is_refused(tmp_path: Path) -> None:
    """Its reader saw another release."""
    made = service(tmp_path, LETTER)
    one = draw([ReleasedDocument("d1.txt", LETTER)], SampleDesign(size=1))
    made.change(1, "Ann", 0, DONE)
    path = tmp_path / "missed.json"
    path.write_bytes(project_audit(made, 1, "missed").content)
    with pytest.raises(InputError, match="a different text"):
        read_marks(one.sample, [str(path)])
    made.store.close()


def test_a_project_is_saved_with_its_marks(tmp_path: Path) -> None:
    """By the link on its page, or by a program."""
    made = service(tmp_path, LETTER)
    inside = come_in(client(made))
    assert "audit?format=missed" in inside.get("/projects/1").text
    for path in ("/projects/1/audit", "/api/v1/projects/1/audit"):
        answer = inside.get(f"{path}?format=missed")
        assert answer.status_code == 200
        (record,) = json.loads(answer.content)
        assert record["text"] == made.by_policy(1).sanitized.text
        assert record["annotations"] == {}
    made.store.close()
