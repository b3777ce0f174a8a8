"""The public surface: eight modules, whose names change only on purpose.

What is not listed here is internal and may change with any version.
"""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import pytest

import tacenda
from tacenda import documents
from tests.examples import for_each

NAMES = {
    "tacenda": """
        AdditionalParts Analysis AnnotationFormat AssessedResult Assessment Certainty Check Combination CombinationIndicator ConfidentialStatus
        Decision Detector Document DocumentFormat Effect Entity Evidence Finding Generalisation GuardSession GuardStream Identification
        IdentifierType Indicator InputError LanguagePart Leak LeakError LossBound Mention MentionSource MissingExtraError MissingLabError
        ModelError Noun Ontology Operator OperatorRule Option OutputError PluginError Policy PolicyError PolishCounts Protected
        Reason Remedy Replacement Result Risk Rule RuleKind Sanitizer SearchError SemanticType SentenceEditor Span TacendaError __version__
        guard load""",
    "tacenda.documents": """
        Assembly Block Container DocumentFormat Extraction FORMATS Failure FieldPolicy FieldRule Fields
        Head Kept Kind NameScrubber OUTPUT_FORMATS OcrSettings Origin Passage Region Slot SourceDocument
        SurroundingFields Treatment edited_source read write""",
    "tacenda.annotations": """
        AnnotatedDocument AnnotatedMention Annotation AnnotationFormat ConversionOptions FORMATS
        Feature Files Fitted Fragments Overlaps Reading Unit convert format_named format_names
        guess_input guess_output load load_texts save""",
    "tacenda.evaluate": """
        Agreement AgreementRow Comparison Composition DocumentStatistics ErrorKind ErrorReport
        Estimate EvaluationSettings ExtraFigures ExtraMeasure GoldDocument GoldEntity GoldMention IgnoredTokenLists
        InformationContent Interval MaskingError PairedTest Release Report Rewriting SplitRow
        Tally TypeRow UniformWeights Utility compare describe evaluate load_gold load_masks
        measure_agreement measure_utility parse_gold parse_masks read_pairs read_releases
        weighting
    """,
    "tacenda.reidentify": """
        Anonymized AttackCase AttackIndicator AttackOutcome AttackReport AttackResult Attacker
        AttributeGuess Cost Identity Inference Judge Judgment MaskUnit People PeopleBuilder
        PeopleReader Person Posting Ranking Rate Rates ResidualAttack Silence TellingWord
        TokenizedDocument anonymize attack entity_units open_attackers read_words word_units""",
    "tacenda.audit": "Act AuditWriter Provenance SCHEMA_VERSION as_object provenance_of schema",
    "tacenda.frames": "sanitize_column sanitize_columns",
    "tacenda.restore": """
        FileMapping MappingWriter Restored by_key by_mapping by_placeholders read_mapping""",
}


def _public() -> dict[str, Any]:
    """Return the public values by their full names."""
    modules = {name: import_module(name) for name in NAMES}
    return {
        f"{module}.{name}": getattr(modules[module], name)
        for module, names in NAMES.items()
        for name in names.split()
    }


@for_each("module", NAMES)
def test_public_names_are_these(module: str) -> None:
    """They are frozen here, and every one of them resolves."""
    loaded = import_module(module)
    assert sorted(loaded.__all__) == sorted(NAMES[module].split())
    assert all(getattr(loaded, name) is not None for name in loaded.__all__)


@pytest.mark.parametrize("module", ["tacenda", "tacenda.documents", "tacenda.evaluate"])
def test_a_name_that_is_none_is_refused(module: str) -> None:
    """Although names are resolved when they are first used."""
    with pytest.raises(AttributeError, match="no attribute 'sanitise'"):
        _ = import_module(module).sanitise


def test_every_type_of_a_public_annotation_is_public() -> None:
    """Of parameters, results, attributes and fields: whoever reads a signature can import it."""
    public = _public()
    classes = {value for value in public.values() if inspect.isclass(value)}
    hidden = {
        f"{name}: {type.__module__}.{type.__qualname__}"
        for name, value in public.items()
        for hint in _annotations(value)
        for type in _classes(hint)
        if type.__module__.partition(".")[0] == "tacenda" and type not in classes
    }
    assert hidden == set()


def test_everything_public_says_what_it_is() -> None:
    """Functions, classes and their public methods have docstrings, modules too."""
    silent = {
        name
        for name, value in _with_methods(_public())
        if (inspect.isfunction(value) or inspect.isclass(value)) and not inspect.getdoc(value)
    }
    assert silent == set()
    assert all(import_module(name).__doc__ for name in NAMES)


def test_import_is_quick_and_loads_nothing() -> None:
    """``import tacenda`` imports none of its modules but the version."""
    code = "import sys, tacenda; print(sorted(m for m in sys.modules if m.startswith('tacenda')))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "['tacenda', 'tacenda._version']"


def _with_methods(public: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in public.items():
        yield name, value
        if inspect.isclass(value) and value.__module__.startswith("tacenda"):
            for key, member in vars(value).items():
                if not key.startswith("_") and inspect.isfunction(member):
                    yield f"{name}.{key}", member


def _annotations(value: Any) -> Iterator[Any]:
    if inspect.isfunction(value):
        yield from _hints(value).values()
    elif inspect.isclass(value) and value.__module__.startswith("tacenda"):
        yield from (hint for key, hint in _hints(value).items() if not key.startswith("_"))
        for key, member in vars(value).items():
            if key.startswith("_") and key not in ("__init__", "__call__", "__iter__"):
                continue
            function = member.fget if isinstance(member, property) else member
            function = getattr(function, "__func__", function)
            if inspect.isfunction(function):
                yield from _hints(function).values()


def _hints(value: Any) -> dict[str, Any]:
    """Return the annotations; what only the type checker imports must be public, or of rich."""
    public = {name.rpartition(".")[2]: item for name, item in _public().items()}
    table = import_module("rich.table").Table
    module = sys.modules[value.__module__]
    return get_type_hints(value, localns={"Table": table, **public, **vars(module)})


def _classes(hint: Any) -> Iterator[type]:
    if isinstance(hint, TypeVar):
        yield from _classes(hint.__bound__)
    elif isinstance(hint, list | tuple):
        for part in hint:
            yield from _classes(part)
    elif get_origin(hint) is not None:
        yield from _classes(get_args(hint))
    elif isinstance(hint, type):
        yield hint


def test_files_are_read_and_written(tmp_path: Path) -> None:
    """Whatever the format, by two functions."""
    source, output = tmp_path / "a.md", tmp_path / "b.md"
    source.write_text("**Ann Berg** came.\n", encoding="utf-8")
    sanitizer = tacenda.load(tacenda.Policy(recognizer=False, threshold=0.5))
    (item,) = documents.read(source)
    assert isinstance(item, documents.SourceDocument)
    result = sanitizer.sanitize(item.document.text, target="Ann Berg")
    documents.write([(item, result)], output)
    assert output.read_text(encoding="utf-8") == "**[PERSON 1]** came.\n"


def test_a_file_that_would_leak_is_not_written(tmp_path: Path) -> None:
    """Nor is there a part of it."""
    source, output = tmp_path / "a.txt", tmp_path / "b.txt"
    source.write_text("Ann Berg came.", encoding="utf-8")
    sanitizer = tacenda.load(tacenda.Policy(recognizer=False, threshold=0.5))
    (item,) = documents.read(source)
    assert isinstance(item, documents.SourceDocument)
    result = sanitizer.sanitize(item.document.text, target="Ann Berg")
    leaking = replace(result, leaks=(tacenda.Leak("e1", 0, 3),))
    with pytest.raises(tacenda.LeakError):
        documents.write([(item, leaking)], output)
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
