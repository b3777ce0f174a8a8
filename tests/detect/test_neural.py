"""The shipped recognizer: what it finds, and that company does not change its mind."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacenda.detect.neural import NeuralDetector
from tacenda.document import Document, Mention
from tacenda.models.networks import RecognizerModel
from tacenda.models.session import ENGINE_VARIABLE

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def model() -> RecognizerModel:
    """Return the default model."""
    return RecognizerModel.load()


@pytest.fixture(
    scope="module",
    params=("onnxruntime", "openvino"),
)
def engine(request: pytest.FixtureRequest) -> RecognizerModel:
    """Return each recognizer, by each engine that is installed."""
    engine = request.param
    pytest.importorskip(engine, reason=f"needs {engine}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ENGINE_VARIABLE, engine)
        model = RecognizerModel.load()
    assert model.engine == engine
    return model


@pytest.fixture(scope="module")
def documents() -> list[Document]:
    """Return texts of very different lengths, some of several windows."""
    judgment = (EXAMPLES / "judgment.txt").read_text(encoding="utf-8")
    biography = (EXAMPLES / "biography.txt").read_text(encoding="utf-8")
    texts = [
        judgment,
        biography,
        "Mr Galip Yalman was born in 1966.",
        "",
        biography[:300],
        judgment[500:1500],
    ]
    return [Document(f"d{index}", text) for index, text in enumerate(texts)]


def test_decisions_do_not_depend_on_the_batch(
    engine: RecognizerModel, documents: list[Document]
) -> None:
    """A document alone gets, to the last bit, the mentions it gets among others, by each engine."""
    together = NeuralDetector(engine, threads=1).detect(documents)
    alone = [NeuralDetector(engine, threads=1).detect([document])[0] for document in documents]
    assert together == alone
    assert NeuralDetector(engine, threads=1).detect(documents[::-1])[::-1] == together


def test_decisions_do_not_depend_on_the_threads(
    engine: RecognizerModel, documents: list[Document]
) -> None:
    """More threads change the time, nothing else, by each engine."""
    one = NeuralDetector(engine, threads=1).detect(documents)
    assert NeuralDetector(engine, threads=3).detect(documents) == one


def test_names_and_dates_are_found(model: RecognizerModel) -> None:
    """In a sentence of the kind it was made for, it finds the person, the number and the date."""
    text = (
        "The case originated in an application (no. 36110/97) against the Republic of Turkey "
        "lodged with the Court by a Turkish national, Mr Galip Yalman, on 26 March 1997."
    )
    (found,) = NeuralDetector(model, threads=1).detect([Document("d", text)])
    masked = {mention.span.of(text) for mention in found if mention.p_mask > 0.5}
    assert "36110/97" in masked
    assert any(form.endswith("Galip Yalman") for form in masked)
    assert "26 March 1997" in masked


def test_nothing_past_a_window_is_lost(model: RecognizerModel) -> None:
    """A name after thousands of words is found as at the beginning."""
    sentence = "The applicant, Mr Galip Yalman, was arrested in Ankara. "
    text = sentence * 400
    (found,) = NeuralDetector(model, threads=2).detect([Document("d", text)])
    persons = [m for m in found if "Yalman" in m.span.of(text)]
    assert len(persons) == 400
    assert all(mention.p_mask > 0.2 for mention in persons)


def spans(found: tuple[Mention, ...]) -> list[tuple[int, int]]:
    """Return the mentions' offsets."""
    return [(mention.span.start, mention.span.end) for mention in found]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\0\0",
        "\ud800",
        "مرحبا اسمي غالب",
        "👩‍👩‍👧‍👦 Mr Yalman 👍🏽",
        "e\u0301" * 50,
        "a" * 20_000,
    ],
    ids=["empty", "blank", "nul", "surrogate", "right-to-left", "emoji", "combining", "one-word"],
)
def test_unusual_text_is_read(model: RecognizerModel, text: str) -> None:
    """Nothing that a string can hold makes the detector fail or leave the text."""
    (found,) = NeuralDetector(model, threads=1).detect([Document("d", text)])
    assert all(0 <= start < end <= len(text) for start, end in spans(found))


def test_threads_must_be_positive(model: RecognizerModel) -> None:
    """No threads, no work."""
    with pytest.raises(ValueError, match="threads is 0"):
        NeuralDetector(model, threads=0)
