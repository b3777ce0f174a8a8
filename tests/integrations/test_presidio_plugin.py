"""The recognizer and the operators within the real Presidio."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tacenda.document import SemanticType
from tacenda.integrations.presidio.entities import NAMES, type_named
from tacenda.pipeline import Sanitizer
from tests.deferred import DeferredModule

analyzer = DeferredModule("presidio_analyzer")
nlp_engine = DeferredModule("presidio_analyzer.nlp_engine")
registries = DeferredModule("presidio_analyzer.recognizer_registry")
anonymizer = DeferredModule("presidio_anonymizer")
entities = DeferredModule("presidio_anonymizer.entities")
plugin = DeferredModule("tacenda.integrations.presidio.plugin")

LETTER = (
    "Dear Ms Berg, Anna Berg was born in Drammen on 12 March 1984. Her address is anna@posteo.de."
)


def blank_engine() -> Any:
    """Return an engine of tokens alone: tacenda needs no model of Presidio's."""

    class BlankEngine(nlp_engine.NlpEngine):  # type: ignore[misc]
        def __init__(self) -> None:
            self._nlp = DeferredModule("spacy").blank("en")

        def load(self) -> None: ...

        def is_loaded(self) -> bool:
            return True

        def process_text(self, text: str, language: str) -> Any:
            doc = self._nlp(text)
            places = [token.idx for token in doc]
            return nlp_engine.NlpArtifacts(
                [], doc, places, [token.text for token in doc], self, language
            )

        def process_batch(self, texts: Any, language: str, **_: Any) -> Any:
            return ((text, self.process_text(text, language)) for text in texts)

        def is_stopword(self, word: str, language: str) -> bool:
            return False

        def is_punct(self, word: str, language: str) -> bool:
            return False

        def get_supported_entities(self) -> list[str]:
            return []

        def get_supported_languages(self) -> list[str]:
            return ["en"]

    return BlankEngine()


@pytest.fixture(scope="module")
def engine(sanitizer: Sanitizer) -> Any:
    """Return an analyzer with no other recognizer."""
    registry = analyzer.RecognizerRegistry(supported_languages=["en"])
    registry.add_recognizer(plugin.TacendaRecognizer(policy=sanitizer))
    return analyzer.AnalyzerEngine(
        registry=registry, nlp_engine=blank_engine(), supported_languages=["en"]
    )


def test_the_analyzer_finds_what_the_sanitizer_masks(engine: Any, sanitizer: Sanitizer) -> None:
    """Each masked mention is a result, with its name in Presidio and the probability of its entity."""
    results = engine.analyze(LETTER, language="en")
    masked = [item for item in sanitizer.sanitize(LETTER).decisions if item.masked]
    expected = {
        (mention.span.start, mention.span.end, round(decision.risk, 6))
        for decision in masked
        for mention in decision.entity.mentions
    }
    assert {(item.start, item.end, round(item.score, 6)) for item in results} == expected
    names = {LETTER[item.start : item.end]: item.entity_type for item in results}
    assert names["Anna Berg"] == "PERSON"
    assert names["Drammen"] == "LOCATION"
    assert names["12 March 1984"] == "DATE_TIME"
    assert names["anna@posteo.de"] == "EMAIL_ADDRESS"
    assert {item.recognition_metadata["recognizer_name"] for item in results} == {
        "TacendaRecognizer"
    }


def test_only_what_is_asked_for_is_found(engine: Any) -> None:
    """``entities`` and ``score_threshold`` do what they do for other recognizers."""
    results = engine.analyze(LETTER, language="en", entities=["EMAIL_ADDRESS"])
    assert [LETTER[item.start : item.end] for item in results] == ["anna@posteo.de"]
    all_results = engine.analyze(LETTER, language="en")
    high = engine.analyze(LETTER, language="en", score_threshold=0.99)
    assert 0 < len(high) < len(all_results)
    assert engine.analyze("", language="en") == []


def test_a_registry_of_yaml_has_the_recognizer(tmp_path: Path) -> None:
    """By the name of its class, with the policy as one of its fields."""
    path = tmp_path / "registry.yaml"
    path.write_text(
        "supported_languages: [en]\nglobal_regex_flags: 26\nrecognizers:\n"
        "  - name: TacendaRecognizer\n    type: predefined\n    supported_languages: [en]\n"
    )
    recognizer_type = plugin.TacendaRecognizer  # Presidio looks among the classes there are.
    registry = registries.RecognizerRegistryProvider(conf_file=path).create_recognizer_registry()
    (recognizer,) = registry.recognizers
    assert isinstance(recognizer, recognizer_type)
    assert set(recognizer.supported_entities) == set(NAMES)


def anonymized(operators: dict[str, Any], text: str, *results: tuple[int, int, str]) -> str:
    """Return what the anonymizer writes with our operators."""
    engine = anonymizer.AnonymizerEngine()
    for operator in (plugin.TagOperator, plugin.GeneralizeOperator, plugin.SurrogateOperator):
        engine.add_anonymizer(operator)
    found = [entities.RecognizerResult(name, start, end, 0.9) for start, end, name in results]
    return str(engine.anonymize(text, found, operators).text)


def test_the_whole_way_hides_the_letter(engine: Any) -> None:
    """Analyzer and anonymizer together leave nothing of what the policy masks."""
    results = engine.analyze(LETTER, language="en")
    operators = {"DEFAULT": entities.OperatorConfig("tacenda_tag", {"numbers": {}})}
    places = [(item.start, item.end, item.entity_type) for item in results]
    text = anonymized(operators, LETTER, *places)
    assert not any(secret in text for secret in ("Berg", "Drammen", "1984", "posteo"))
    assert "[PERSON 1]" in text


def test_a_tag_is_that_of_its_string() -> None:
    """Over all calls that share the dictionary; without one it is refused."""
    numbers: dict[str, dict[str, int]] = {}
    operators = {"DEFAULT": entities.OperatorConfig("tacenda_tag", {"numbers": numbers})}
    places = ((0, 3, "PERSON"), (4, 7, "PERSON"), (8, 11, "PERSON"))
    first = anonymized(operators, "Ann,Bob,ANN", *places)
    assert first == "[PERSON 1],[PERSON 2],[PERSON 1]"
    assert anonymized(operators, "ann", (0, 3, "PERSON")) == first[:10]
    with pytest.raises(entities.InvalidParamError, match="numbers"):
        anonymized({"DEFAULT": entities.OperatorConfig("tacenda_tag", {})}, "Ann", (0, 3, "PERSON"))


def test_a_tag_has_the_language_that_is_asked_for() -> None:
    """English by default."""
    settings = {"numbers": {}, "language": "de"}
    operators = {"DEFAULT": entities.OperatorConfig("tacenda_tag", settings)}
    assert anonymized(operators, "in Ulm", (3, 6, "LOCATION")) == "in [ORT 1]"


def test_a_generalisation_says_less() -> None:
    """A date becomes a time, a place what it is; of a code nothing is left."""
    operators = {"DEFAULT": entities.OperatorConfig("tacenda_generalize", {})}
    date = anonymized(operators, "12 March 1984", (0, 13, "DATE_TIME"))
    assert "12 March" not in date
    assert date != "***"
    place = anonymized(operators, "Paris", (0, 5, "LOCATION"))
    assert "Paris" not in place
    assert place != "***"
    assert "AB-1234" not in anonymized(operators, "AB-1234", (0, 7, "US_PASSPORT"))


def test_a_surrogate_is_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for the same string under a key; without one it is refused."""
    monkeypatch.setenv("SURROGATES", "8c0d7a5b9e3f41262f8b1c6d0e9a7435")
    operators = {"DEFAULT": entities.OperatorConfig("tacenda_surrogate", {"key_env": "SURROGATES"})}
    mail = anonymized(operators, "anna@posteo.de", (0, 14, "EMAIL_ADDRESS"))
    assert "@" in mail
    assert "anna" not in mail
    assert anonymized(operators, "anna@posteo.de", (0, 14, "EMAIL_ADDRESS")) == mail
    with pytest.raises(entities.InvalidParamError, match="key_env"):
        anonymized(
            {"DEFAULT": entities.OperatorConfig("tacenda_surrogate", {})}, "Ann", (0, 3, "PERSON")
        )


def test_each_name_of_presidio_has_a_type() -> None:
    """Names of types lead back to them, other names are codes."""
    assert type_named("PERSON") is SemanticType.PERSON
    assert type_named("LOCATION") is SemanticType.LOC
    assert type_named("NRP") is SemanticType.DEM
    assert type_named("IBAN_CODE") is type_named("ID") is SemanticType.CODE
