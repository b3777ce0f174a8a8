"""Pages and reports say in words what JSON says in codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tacenda.document import IdentifierType, SemanticType
from tacenda.explain import brief, explain
from tacenda.wording import act_in_words, in_words

from .markup import Elements
from .test_accessibility import PAGES
from .test_result import result

_CODES = [*SemanticType, *IdentifierType, "masking_head", "decide_mention"]
_CODE = re.compile(rf"(?<![\[\w])(?:{'|'.join(_CODES)})(?![\w\]])")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_code(name: str, tmp_path: Path) -> None:
    """Neither its text nor what is shown on hover or read aloud; classes and data are for programs."""
    elements = Elements(PAGES[name](tmp_path))
    said = [
        value or ""
        for _, attributes in elements.tags
        for key, value in attributes.items()
        if key in ("title", "aria-label", "alt", "placeholder", "data-label")
    ]
    assert _CODE.findall("\n".join([elements.text, *said])) == []


@pytest.mark.parametrize("text", [explain(result()), brief(result())])
def test_an_explanation_has_no_code(text: str) -> None:
    """The words in tags of the text are those that were written."""
    assert _CODE.findall(text) == []


def test_every_code_has_words() -> None:
    """What a program adds keeps its name."""
    for code in _CODES[:-2]:
        assert in_words(code) != code
    assert in_words("QUASI") == "indirect identifier"
    assert act_in_words("decide_mention") == "decided on a mention"
    assert in_words("my_own_operator") == "my own operator"
