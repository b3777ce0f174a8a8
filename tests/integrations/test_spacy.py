"""The component in real pipelines of spaCy."""

from __future__ import annotations

import tomllib
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from tacenda.errors import PolicyError
from tacenda.integrations.spacy import create
from tacenda.pipeline import Sanitizer

LETTER = "Dear Ms Berg, Anna Berg was born in Drammen on 12 March 1984. Call 07700 900231."
TEXTS = (LETTER, "", "The bus stops at the corner.", "Mail ola@example.org or Ola Nordmann.")
RULES = {"recognizer": False, "threshold": 0.2, "deny": [{"exact": "Qyzzyx", "type": "ORG"}]}


def pipeline(**config: Any) -> Any:
    """Return a blank pipeline with the component."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tacenda", config={"threads": 1, **config})
    return nlp


@pytest.fixture(scope="module")
def nlp() -> Any:
    """Return a blank pipeline under the default policy."""
    return pipeline()


def test_the_entry_point_names_the_factory() -> None:
    """Where the package is installed, spaCy finds the component without an import."""
    root = Path(__file__).parents[2]
    points = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]
    assert resolve_name(points["spacy_factories"]["tacenda"]) is create


def test_a_doc_has_what_the_sanitizer_says(nlp: Any, sanitizer: Sanitizer) -> None:
    """Text, risk, spans, labels and decisions are those of the result."""
    doc, result = nlp(LETTER), sanitizer.sanitize(LETTER)
    assert doc.text == LETTER
    assert doc._.tacenda_text == result.text
    assert doc._.tacenda_risk == pytest.approx(result.risk.before)
    assert doc._.tacenda_residual == pytest.approx(result.risk.residual)
    of_entity = {decision.entity.id: decision for decision in result.decisions}
    mentions = [mention for entity in result.entities for mention in entity.mentions]
    assert len(doc.spans["tacenda"]) == len(mentions) >= 4
    for span in doc.spans["tacenda"]:
        decision = of_entity[span.id_]
        assert span.label_ == decision.entity.type
        assert span._.tacenda_risk == pytest.approx(decision.risk)
        assert span._.tacenda_masked is decision.masked
        assert span._.tacenda_identifier == decision.identifier
        assert (span.start_char, span.end_char) in {
            (mention.span.start, mention.span.end) for mention in decision.entity.mentions
        }


def test_a_span_inside_a_token_takes_all_of_it() -> None:
    """Tokens never cut a span short of what is masked."""
    doc = pipeline(policy=RULES)("See pre-Qyzzyx's page.")
    (span,) = doc.spans["tacenda"]
    assert span.start_char <= 8
    assert span.end_char >= 14


def test_batches_and_processes_say_the_same(nlp: Any) -> None:
    """``nlp.pipe`` gives what single calls give, in order, also over processes."""
    expected = [nlp(text)._.tacenda_text for text in TEXTS]
    assert [doc._.tacenda_text for doc in nlp.pipe(TEXTS, batch_size=3)] == expected
    docs = list(nlp.pipe(TEXTS, batch_size=2, n_process=2))
    assert [doc._.tacenda_text for doc in docs] == expected
    alone = nlp(LETTER)
    labels = [span.label_ for span in alone.spans["tacenda"]]
    assert [span.label_ for span in docs[0].spans["tacenda"]] == labels


def test_a_pipeline_and_its_docs_can_be_saved(nlp: Any, tmp_path: Path) -> None:
    """Loaded again, the pipeline says the same, and a DocBin has kept what it said."""
    nlp.to_disk(tmp_path / "pipeline")
    doc = spacy.load(tmp_path / "pipeline")(LETTER)
    assert doc._.tacenda_text == nlp(LETTER)._.tacenda_text
    content = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    (again,) = DocBin().from_bytes(content).get_docs(nlp.vocab)
    assert again._.tacenda_text == doc._.tacenda_text
    assert [span._.tacenda_risk for span in again.spans["tacenda"]] == [
        span._.tacenda_risk for span in doc.spans["tacenda"]
    ]


def test_a_target_is_set_on_the_doc(nlp: Any) -> None:
    """Names of the person to protect come with the document."""
    doc = nlp.make_doc("Then Wren came in.")
    doc._.tacenda_target = "Wren"
    doc = nlp(doc)
    assert "Wren" not in doc._.tacenda_text


def test_a_doc_at_fault_goes_to_the_error_handler() -> None:
    """It is not yielded, the message has no text of it, and the others go on."""
    nlp = pipeline(policy={**RULES, "languages": "refuse"})
    foreign = "Der Patient wurde gestern in das Krankenhaus gebracht und ist dort geblieben. " * 3
    faults: list[str] = []
    nlp.set_error_handler(lambda name, *rest: faults.append(f"{name}: {rest[-1]}"))
    docs = list(nlp.pipe(["Qyzzyx is here.", foreign, "Nothing."]))
    assert [doc._.tacenda_text for doc in docs] == ["[ORGANISATION 1] is here.", "Nothing."]
    assert len(faults) == 1
    assert "Krankenhaus" not in faults[0]


def test_without_a_handler_a_fault_is_raised() -> None:
    """No document passes unannotated."""
    nlp = pipeline(policy={**RULES, "languages": "refuse"})
    with pytest.raises(ValueError, match="language"):
        nlp("Der Patient wurde gestern in das Krankenhaus gebracht und ist dort geblieben. " * 3)


def test_a_bad_policy_is_said_at_once() -> None:
    """A pipeline with it can't be made."""
    with pytest.raises(PolicyError, match="thresold"):
        pipeline(policy={"thresold": 0.2})


def test_a_doc_without_the_component_has_nothing() -> None:
    """Extensions of a document that never came to it are None."""
    doc = Doc(spacy.blank("en").vocab, words=["Anna"])
    assert doc._.tacenda_text is None
    assert doc[0:1]._.tacenda_risk is None
