"""The result, and the values below it."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import tacenda.document
from tacenda.document import Document, Risk
from tacenda.result import Result


def test_the_values_import_nothing_of_the_package() -> None:
    """Neither at the top nor in a function."""
    tree = ast.parse(Path(tacenda.document.__file__).read_text("utf-8"))
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [node.module for node in froms if node.level or "tacenda" in str(node.module)]


def test_json_is_the_object_in_one_line() -> None:
    """What a program reads back is what ``to_dict`` says."""
    document = Document("d", "Zoë left.\nAnkara")
    result = Result(document, document.text, (), (), (), (), Risk(0.0, 0.0, 0.0, 0))
    assert json.loads(result.to_json()) == result.to_dict()
    assert "\n" not in result.to_json()
