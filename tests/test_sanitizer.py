"""The stages together: what a user of the Python API sees."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tacenda.detect.detector import _GROUP_CHARACTERS, _LONG_CHARACTERS, detections
from tacenda.document import Document, Mention
from tacenda.errors import InputError, ModelError, PolicyError
from tacenda.explain import sentences
from tacenda.pipeline import Sanitizer, load
from tacenda.policy import Policy
from tacenda.result import Result

EXAMPLES = Path(__file__).parents[1] / "examples"
JUDGMENT = (EXAMPLES / "judgment.txt").read_text(encoding="utf-8")
TEXT = (
    "The case originated in an application (no. 36110/97) against the Republic of Turkey lodged "
    "with the Court by a Turkish national, Mr Galip Yalman, on 26 March 1997.\n\nMr Yalman was "
    "born in 1966 and lives in Ankara. His e-mail is galip.yalman@example.org. YALMAN said so."
)


@pytest.fixture(scope="module")
def sanitizer() -> Sanitizer:
    """Return the default sanitizer."""
    return load(threads=1)


@pytest.fixture(scope="module")
def result(sanitizer: Sanitizer) -> Result:
    """Return the sanitized paragraph."""
    return sanitizer.sanitize(TEXT, target="Mr Galip Yalman")


@pytest.mark.parametrize(
    "secret", ["Yalman", "YALMAN", "yalman", "Galip", "36110/97", "26 March 1997", "example.org"]
)
def test_no_masked_string_is_left(result: Result, secret: str) -> None:
    """Every mention of what was masked is gone, in every case and form."""
    assert secret not in result.text
    assert result.leaks == ()


def test_the_rest_of_the_text_stays(result: Result) -> None:
    """What is not about a person is not touched."""
    for kept in (
        "The case originated in an application (no. ",
        "lodged with the Court",
        "His e-mail is",
    ):
        assert kept in result.text


def test_every_decision_has_a_reason_without_text(result: Result) -> None:
    """There is one decision an entity, and its reasons quote nothing."""
    assert [decision.entity for decision in result.decisions] == list(result.entities)
    for decision in result.decisions:
        assert decision.reasons
        assert not any("Yalman" in reason for reason in sentences(decision))


def test_offsets_lead_back_to_the_original(result: Result) -> None:
    """Outside the edits, output and original are the same characters."""
    original = output = 0
    for item in result.replacements:
        assert result.text[output : item.output_start] == TEXT[original : item.original.start]
        original, output = item.original.end, item.output_end
    assert result.text[output:] == TEXT[original:]


def test_the_target_stays_masked_at_any_threshold() -> None:
    """With a threshold of 1 the person to protect is masked all the same."""
    strict = load(Policy(threshold=1.0, operator="tag"), threads=1)
    text = strict.sanitize(TEXT, target="Mr Galip Yalman").text
    assert "Yalman" not in text
    assert "Ankara" in text
    assert text.count("[PERSON 1]") >= 2


def test_pipe_gives_what_sanitize_gives(sanitizer: Sanitizer) -> None:
    """A batch changes no result, and results come in order."""
    texts = [JUDGMENT, TEXT, "", "Nothing to see."]
    piped = list(sanitizer.pipe(texts, batch_size=3))
    assert [item.text for item in piped] == [sanitizer.sanitize(text).text for text in texts]


def test_reading_ahead_changes_nothing() -> None:
    """Two cores give what one gives, in order, of many documents in groups."""
    texts = [JUDGMENT * (1 + number % 3) + f" No. {number}." for number in range(4)]
    alone, together = (
        [item.text for item in load(threads=threads).pipe(texts)] for threads in (1, 2)
    )
    assert sum(map(len, texts)) > 2 * _GROUP_CHARACTERS
    assert together == alone


@pytest.mark.parametrize(("length", "expected"), [(_LONG_CHARACTERS, 2), (_GROUP_CHARACTERS, 1)])
def test_long_documents_are_read_by_all_cores_together(length: int, expected: int) -> None:
    """A document much longer than the others has all cores; documents of like length have one each."""
    threads: list[int] = []

    class CoreReader:
        def __init__(self, threads: int) -> None:
            self.threads = threads

        def on_one_core(self) -> CoreReader:
            return CoreReader(1)

        def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
            threads.append(self.threads)
            return [() for _ in documents]

    texts = [Document(f"d{number}", "a" * length) for number in range(3)]
    assert list(detections(CoreReader(2), texts)) == [(), (), ()]
    assert threads == [expected] * 3


@pytest.mark.parametrize("threads", [1, 2])
def test_no_documents_have_no_mentions(threads: int) -> None:
    """However many cores there are to read them."""
    assert load(threads=threads).analyze_all([]) == []


def test_a_fault_while_reading_ahead_is_told() -> None:
    """What fails in the recognizer's thread fails the batch."""

    class DamagedDetector:
        threads = 2

        def detect(self, documents: Sequence[Document]) -> list[tuple[Mention, ...]]:
            raise ModelError("damaged")

    sanitizer = Sanitizer(Policy(), DamagedDetector(), 0.2)
    with pytest.raises(ModelError, match="damaged"):
        list(sanitizer.pipe(["a " * _GROUP_CHARACTERS] * 3))


def test_pipe_reads_no_more_than_a_batch_ahead(sanitizer: Sanitizer) -> None:
    """A corpus is a stream: the second batch is not read before the first is given out."""
    read: list[int] = []

    def texts():  # type: ignore[no-untyped-def]
        for number in range(6):
            read.append(number)
            yield f"Text {number}."

    next(sanitizer.pipe(texts(), batch_size=2))
    assert read == [0, 1]


def test_batch_size_must_be_positive(sanitizer: Sanitizer) -> None:
    """No batch, no work."""
    with pytest.raises(ValueError, match="batch_size is 0"):
        next(sanitizer.pipe(["a"], batch_size=0))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "a\0b Mr Galip Yalman",
        "\ud800 Mr Galip Yalman",
        "السيد غالب يالمان born in 1966",
        "👩‍👩‍👧 Mr Galip Yalman 👍🏽",
        "Mr Ga\u0308lip Ya\u0308lman",
    ],
    ids=["empty", "newline", "nul", "surrogate", "right-to-left", "emoji", "combining"],
)
def test_unusual_text_works(sanitizer: Sanitizer, text: str) -> None:
    """Any string is a document; its target is masked and nothing fails."""
    found = sanitizer.sanitize(text, target="Galip Yalman")
    assert "Yalman" not in found.text
    assert found.leaks == ()


@pytest.mark.parametrize("value", [5, 2.5, b"x", ["x"], True])
def test_what_is_no_text_is_refused_by_its_type(sanitizer: Sanitizer, value: Any) -> None:
    """Alone, in a stream and in a document, by the name of what it is in."""
    kind = type(value).__name__
    with pytest.raises(InputError, match=f"^text: {kind}, not text; "):
        sanitizer.sanitize(value)
    with pytest.raises(InputError, match=f"^text-2: {kind}, not text; "):
        list(sanitizer.pipe(["x", value]))
    with pytest.raises(InputError, match=f"^case-7: {kind}, not text; "):
        list(sanitizer.pipe([Document("case-7", value)]))


@pytest.mark.parametrize("value", ["NaN", "12.5", "g/dL", "-3e5", "N/A"])
def test_a_value_alone_stays(sanitizer: Sanitizer, value: str) -> None:
    """As a text, and as one cell of a row; a telephone number does not."""
    assert sanitizer.sanitize(value).text == value
    row = sanitizer.sanitize(f"Mr Galip Yalman\n{value}\n+49 30 901820").text
    assert row.split("\n")[1] == value
    assert "Yalman" not in row
    assert "901820" not in row


def test_a_policy_without_a_recognizer_needs_a_threshold() -> None:
    """Patterns alone have no default threshold of their own."""
    with pytest.raises(PolicyError, match="set `threshold:`"):
        load(Policy(recognizer=False))
    alone = load(Policy(recognizer=False, threshold=0.5))
    assert "example.org" not in alone.sanitize(TEXT).text


def test_allow_and_deny_lists_reach_the_text() -> None:
    """What the user lists is kept or masked whatever the model thinks."""
    policy = Policy.build(
        allow=[{"exact": "Ankara"}], deny=[{"exact": "His e-mail"}], threshold=0.0001
    )
    text = load(policy, threads=1).sanitize(TEXT).text
    assert "Ankara" in text
    assert "His e-mail" not in text


def test_documents_keep_their_id(sanitizer: Sanitizer) -> None:
    """A document that comes with a name keeps it."""
    (only,) = sanitizer.pipe([Document("case-7", TEXT)])
    assert only.document.id == "case-7"


def test_import_loads_no_runtime() -> None:
    """`import tacenda` is cheap: it imports no numerical library and none of the extras."""
    heavy = "numpy onnxruntime torch ortools spacy fastapi pydantic typer rich phonenumbers".split()
    code = f"import sys, tacenda; print([m for m in {heavy!r} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
