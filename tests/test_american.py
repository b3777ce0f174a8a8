"""Pages, messages and docs have one spelling."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
_PAIRS = """
analyse analyze, anonymise anonymize, apologise apologize, artefact artifact, authorise authorize, behaviour behavior,
cancelled canceled, capitalise capitalize, catalogue catalog, categorise categorize, centre center, colour color,
customise customize, defence defense, favour favor, finalise finalize, generalise generalize, grey gray, honour honor,
initialise initialize, labelled labeled, labelling labeling, licence license, maximise maximize, minimise minimize,
misspelt misspelled, modelled modeled, modelling modeling, neighbour neighbor, normalise normalize, optimise optimize,
organise organize, prioritise prioritize, programme program, pseudonymise pseudonymize, randomise randomize,
recognise recognize, sanitise sanitize, serialise serialize, specialise specialize, spelt spelled, standardise standardize,
summarise summarize, tokenise tokenize, travelled traveled, unlabelled unlabeled, utilise utilize, visualise visualize
"""
"""British and American, without endings."""
_AMERICAN = dict(pair.split() for pair in _PAIRS.replace("\n", " ").split(","))
_STEMS = "|".join(british.removesuffix("e") for british in _AMERICAN)
_BRITISH = re.compile(
    rf"(?<![\w/'.-])(?:{_STEMS})(?:e|es|ed|s|ing|ation|ations|al|hood)?(?![\w/'-])", re.IGNORECASE
)
_CODE = re.compile(
    r"`[^`]*`|\]\([^)]*\)|\[[A-Z]+ \d+\]|<code>.*?</code>|\b(?:[A-Z_]{4,}|[a-z]+\.analysed)\b",
    re.DOTALL,
)
"""Code, links, tags and constants, which keep the names that they had."""
_DATA = {
    "app/annotation/export.py": "the task as the benchmark's files have it",
    "models/token_classifier.py": "labels of recognizers",
    "text/placeholders.py": "words in the tags of other tools",
    "__init__.py": "names that are exported",
}
"""Modules with words of texts that the program reads or others wrote."""


def _markdown() -> Iterator[tuple[str, str]]:
    pages = [
        *(ROOT / "docs").rglob("*.md"),
        *map(ROOT.joinpath, ("README.md", "SECURITY.md", "ARCHITECTURE.md", "CONTRIBUTING.md")),
    ]
    for page in pages:
        is_fenced = False
        for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
            is_fenced ^= line.startswith("```")
            if not is_fenced and not line.startswith(("    ", "<")):
                yield f"{page.name}:{number}", line


def _templates() -> Iterator[tuple[str, str]]:
    for folder in ("app/web/templates", "pages/templates"):
        for page in (ROOT / "src/tacenda" / folder).rglob("*.html"):
            text = re.sub(r"{[{%#].*?[}%#]}", " ", page.read_text("utf-8"), flags=re.DOTALL)
            said = re.findall(r'(?:title|aria-label|placeholder|alt)="([^"]*)"', text)
            yield page.name, "\n".join([re.sub(r"<[^>]*>", " ", text), *said])


def _scripts() -> Iterator[tuple[str, str]]:
    for script in (ROOT / "src/tacenda/app/web/static").rglob("*.js"):
        if not script.name.endswith(".min.js"):
            strings = re.findall(r'"[^"\n]*"|`[^`]*`', script.read_text("utf-8"))
            yield script.name, "\n".join(text.strip('"`') for text in strings if " " in text)


def _messages() -> Iterator[tuple[str, str]]:
    for module in [*(ROOT / "src/tacenda").rglob("*.py"), ROOT / "docs/site_hooks.py"]:
        if any(str(module).endswith(f"tacenda/{name}") for name in _DATA):
            continue
        tree = ast.parse(module.read_text("utf-8"))
        statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
            is_pattern = is_text and "\\b" in node.value
            if (
                is_text
                and not is_pattern
                and id(node) not in statements
                and " " in node.value.strip()
            ):
                yield f"{module.name}:{node.lineno}", node.value


def _help() -> Iterator[tuple[str, str]]:
    for name in ("cli/help.toml", "data/hipaa.toml"):
        path = ROOT / "src/tacenda" / name
        tomllib.loads(path.read_text("utf-8"))
        yield name, path.read_text("utf-8")
    for policy in (ROOT / "src/tacenda/policy").glob("*.yaml"):
        yield policy.name, policy.read_text("utf-8")


def test_everything_that_people_read_is_american() -> None:
    """Names in code and JSON keep what they were called first."""
    faults = [
        f"{place}: {word}"
        for texts in (_markdown(), _templates(), _scripts(), _messages(), _help())
        for place, text in texts
        for word in _BRITISH.findall(_CODE.sub(" ", text))
    ]
    assert faults == []


def test_the_words_of_data_are_in_their_modules() -> None:
    """A module that has none any more is read as all others are."""
    for name in _DATA:
        assert _BRITISH.search((ROOT / "src/tacenda" / name).read_text("utf-8"))
