"""The MCP server, by the real client over stdio: counts and files, never text."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from tacenda.errors import InputError
from tacenda.integrations.mcp import Root
from tests.deferred import DeferredModule

mcp = DeferredModule("mcp")

SECRETS = ("qyzzyx", "anna", "berg", "posteo")
RULES = "recognizer: false\nthreshold: 0.2\ndeny: [{exact: Qyzzyx, type: ORG}]\n"
TEXT = "Qyzzyx wrote to anna.berg@posteo.de.\nThat is all.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a server, with a secret beside it."""
    base = tmp_path_factory.mktemp("mcp")
    (base / "rules.yaml").write_text(RULES)
    (base / "outside.txt").write_text(TEXT)
    root = base / "root"
    (root / "in").mkdir(parents=True)
    (root / "in" / "a.txt").write_text(TEXT)
    (root / "a.csv").write_text(f'id,note\n1,"{TEXT.strip()}"\n')
    (root / "a.pdf").write_bytes(b"%PDF-1.4 damaged Qyzzyx")
    (root / "link.txt").symlink_to(base / "outside.txt")
    (root / "away").symlink_to(base)
    (root / "dangling.txt").symlink_to(base / "new.txt")
    return root


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_files", {}),
    ("scan_file", {"path": "in/a.txt"}),
    ("assess_file", {"path": "in/a.txt"}),
    ("sanitize_file", {"path": "in/a.txt", "output": "in/clean.txt"}),
    (
        "sanitize_file",
        {"path": "a.csv", "output": "clean.csv", "columns": ["note"], "keep": ["id"]},
    ),
    ("sanitize_file", {"path": "in/a.txt", "output": "in/clean.txt"}),
    ("sanitize_file", {"path": "in/a.txt", "output": "in/a.txt"}),
    ("sanitize_file", {"path": "in/a.txt", "output": "../clean.txt"}),
    ("sanitize_file", {"path": "in/a.txt", "output": "away/clean.txt"}),
    ("sanitize_file", {"path": "in/a.txt", "output": "dangling.txt"}),
    ("sanitize_file", {"path": "in/a.txt", "output": "clean.pdf"}),
    ("scan_file", {"path": "../outside.txt"}),
    ("scan_file", {"path": "link.txt"}),
    ("assess_file", {"path": "away/outside.txt"}),
    ("assess_file", {"path": "/etc/hostname"}),
    ("assess_file", {"path": "a.pdf"}),
    ("assess_file", {"path": "in/a.txt", "fields": "../rules.yaml"}),
    ("list_files", {"folder": ".."}),
    ("scan_file", {"path": "in/a\u0000.txt"}),
]


async def _answers(root: Path) -> tuple[list[Any], list[Any]]:
    """Return the tools of a server, and its answers to all calls."""
    path = os.pathsep.join(filter(None, [*sys.path]))
    parameters = mcp.StdioServerParameters(
        command=sys.executable,
        args=[
            "-m",
            "tacenda",
            "serve",
            "mcp",
            "--root",
            str(root),
            "--policy",
            str(root.parent / "rules.yaml"),
        ],
        env={"PYTHONPATH": path},
    )
    async with (
        DeferredModule("mcp.client.stdio").stdio_client(parameters) as (reading, writing),
        mcp.ClientSession(reading, writing) as session,
    ):
        await session.initialize()
        tools = (await session.list_tools()).tools
        return list(tools), [await session.call_tool(name, arguments) for name, arguments in CALLS]


@pytest.fixture(scope="module")
def outcome(folder: Path) -> tuple[list[Any], list[Any]]:
    """Return what one server says to all calls."""
    return anyio.run(_answers, folder)


def content(answer: Any) -> Any:
    """Return the object of an answer."""
    return json.loads(answer.content[0].text)


def is_error(answer: Any) -> bool:
    """Tell whether an answer is an error."""
    return bool(answer.model_dump(by_alias=True)["isError"])


def test_tools_take_paths_alone(outcome: Any) -> None:
    """None has a parameter for text."""
    tools, _ = outcome
    parameters = {
        tool.name: set(tool.model_dump(by_alias=True)["inputSchema"]["properties"])
        for tool in tools
    }
    assert parameters == {
        "list_files": {"folder"},
        "scan_file": {"path"},
        "assess_file": {"path", "columns", "fields"},
        "sanitize_file": {"path", "output", "columns", "keep", "drop", "fields"},
    }


def test_no_answer_has_text(outcome: Any) -> None:
    """Neither a result nor an error."""
    for call, answer in zip(CALLS, outcome[1], strict=True):
        said = json.dumps(answer.model_dump(mode="json")).lower()
        assert not any(secret in said for secret in SECRETS), call


def test_files_are_listed_without_links(outcome: Any) -> None:
    """With their formats."""
    files = content(outcome[1][0])["files"]
    assert [(item["path"], item["format"]) for item in files] == [
        ("a.csv", "csv"),
        ("a.pdf", "pdf"),
        ("in/a.txt", "text"),
    ]


def test_a_scan_and_an_assessment_count(outcome: Any) -> None:
    """Types with their risks and places; nothing is written."""
    scan, assessment = map(content, outcome[1][1:3])
    assert scan["counts"] == {"CODE": 1, "ORG": 1}
    assert [(item["line"], item["column"]) for item in scan["findings"]] == [(1, 1), (1, 17)]
    assert assessment["masked_by_type"] == {"CODE": 1, "ORG": 1}
    assert assessment["documents"] == 1


def test_a_file_is_sanitized_beside_itself(outcome: Any, folder: Path) -> None:
    """The answer names the output; the original stays."""
    answers = outcome[1]
    assert content(answers[3])["output"] == "in/clean.txt"
    assert content(answers[4])["masked"] == 2
    assert (folder / "in" / "a.txt").read_text() == TEXT
    for name in ("in/clean.txt", "clean.csv"):
        clean = (folder / name).read_text()
        assert "[ORGANISATION 1] wrote to [CODE 1]" in clean
        assert not any(secret in clean.lower() for secret in SECRETS)


def test_everything_else_is_refused(outcome: Any, folder: Path) -> None:
    """What is there already, what is outside, also by a link, and what can't be read."""
    for call, answer in zip(CALLS[5:], outcome[1][5:], strict=True):
        assert is_error(answer), call
    assert sorted(path.name for path in folder.parent.iterdir()) == [
        "outside.txt",
        "root",
        "rules.yaml",
    ]


def test_a_root_must_be_a_folder(tmp_path: Path) -> None:
    """A file or nothing is none."""
    (tmp_path / "a").write_text("x")
    for name in ("a", "b"):
        with pytest.raises(InputError):
            Root(tmp_path / name)
