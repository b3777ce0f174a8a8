"""The definitions of FHIR R4 as a table: the type of each element of each resource and data type.

    pip install --no-deps --target fhir 'fhir.resources==6.0.0'
    python -m tacenda_lab.train.fhir fhir/fhir/resources src/tacenda/data/fhir_r4.json.gz

The package's classes were generated from the structure definitions of FHIR 4.0.1 (HL7, CC0). They are read
as text, never imported: names and types of elements, nothing else of them, go into the table.
"""

from __future__ import annotations

import ast
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

_PRIMITIVES = {
    name.lower(): name
    for name in (
        "base64Binary boolean canonical code date dateTime decimal id instant integer markdown oid "
        "positiveInt string time unsignedInt uri url uuid xhtml"
    ).split()
} | {"bool": "boolean"}


def definitions(folder: Path) -> dict[str, tuple[str, dict[str, str]]]:
    """Return for each type the one that it is based on, and its own elements with their types.

    Args:
        folder: modules of ``fhir.resources`` for R4.
    """
    table: dict[str, tuple[str, dict[str, str]]] = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                elements = dict(_elements(node))
                if "resource_type" in {_name(item) for item in node.body}:
                    table[node.name] = (_base(node), elements)
    return table


def write(table: dict[str, tuple[str, dict[str, str]]], path: Path) -> None:
    """Write a table, the same bytes for the same definitions."""
    data = json.dumps(table, sort_keys=True, separators=(",", ":")).encode()
    path.write_bytes(gzip.compress(data, mtime=0))


def _base(node: ast.ClassDef) -> str:
    name = ast.unparse(node.bases[0]).rpartition(".")[2]
    return "" if name == "FHIRAbstractModel" else name


def _name(item: ast.stmt) -> str:
    targets = [item.target] if isinstance(item, ast.AnnAssign) else getattr(item, "targets", [])
    return next((target.id for target in targets if isinstance(target, ast.Name)), "")


def _elements(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for item in node.body:
        if not isinstance(item, ast.AnnAssign) or not isinstance(item.value, ast.Call):
            continue
        options = {keyword.arg: keyword.value for keyword in item.value.keywords}
        alias = options.get("alias")
        if "element_property" in options and isinstance(alias, ast.Constant):
            yield str(alias.value), _type(ast.unparse(item.annotation))


def _type(annotation: str) -> str:
    name = annotation.replace("typing.List[", "").replace("typing.Union[", "").partition(",")[0]
    name = name.strip("[]").rpartition(".")[2]
    return _PRIMITIVES.get(name.lower()) or name.removesuffix("Type")


if __name__ == "__main__":
    write(definitions(Path(sys.argv[1])), Path(sys.argv[2]))
