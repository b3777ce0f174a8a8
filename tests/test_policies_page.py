"""The page of policies says what they do."""

from __future__ import annotations

import importlib.util
from pathlib import Path

_MAKER = Path(__file__).parents[1] / "docs" / "policies.py"


def test_the_page_of_policies_is_what_the_command_writes() -> None:
    """Whoever changes a policy or the recognizer runs `python docs/policies.py`."""
    spec = importlib.util.spec_from_file_location("docs_policies", _MAKER)
    assert spec is not None
    assert spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert maker.PAGE.read_text("utf-8") == maker.page()
