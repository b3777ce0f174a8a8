"""Faults on the pages: no option of a command line, and a way out that the pages have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tacenda
from tacenda.app.intake import preview
from tacenda.app.plain_words import plainly
from tacenda.documents.fields import NAME_COLUMNS
from tacenda.errors import InputError, MissingExtraError, PolicyError

SOURCE = Path(tacenda.__file__).parent
OPTION = re.compile(r"(?<!\w)--[a-z]")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            f"there is no column 'text'; {NAME_COLUMNS}.",
            "there is no column 'text'; tick what holds the text.",
        ),
        (
            "byte offset 3: not valid utf-8; if the text is in another encoding, name it with "
            "--encoding NAME (such as cp1252 or utf-16).",
            "byte offset 3: not valid utf-8; open it in the program that wrote it, and save it as "
            "text in UTF-8.",
        ),
        (
            "looks like a ZIP archive or an office document, not like text; if it is a .docx, say "
            "--from docx.",
            "looks like a ZIP archive or an office document, not like text; if it is a Word file, "
            "give its name the ending .docx.",
        ),
        (
            "a page would look otherwise, so nothing was written; choose --to pdf for a new PDF of "
            "the text alone.",
            'a page would look otherwise, so nothing was written; save it as "PDF of the text" '
            "instead.",
        ),
        (
            "3 words would be missing; choose --to text.",
            "3 words would be missing; save it as text instead.",
        ),
        (
            "is read by a field policy; name one with --fields. For one that fits it: tacenda fields FILE.",
            "has fields that nothing is known of; save what is to be sanitized as a table, such as .csv or .xlsx.",
        ),
        ("this can't be; try --new-option of its own, or wait.", "this can't be, or wait."),
        ("nothing to say.", "nothing to say."),
    ],
)
def test_a_way_out_is_one_that_the_pages_have(message: str, words: str) -> None:
    """What is told of any other option is left out."""
    assert plainly(PolicyError(message)) == words
    # The name of a file is not touched, whatever it looks like.
    assert plainly(InputError(message, "a --draft.docx")) == f"a --draft.docx: {words}"


def test_a_part_that_is_not_installed_is_no_command() -> None:
    """The page says where its reader finds the command, and asks nobody else."""
    words = plainly(MissingExtraError("a Word file", "documents"))
    assert words.startswith(
        "a Word file needs a part of the program that is not installed (documents)"
    )
    assert "tacenda doctor" in words
    assert "pip" not in words


def _messages() -> Iterator[str]:
    for path in (*(SOURCE / "documents").rglob("*.py"), SOURCE / "text" / "decoding.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "InputError"
                and node.args
            ):
                (message, *_) = node.args
                parts = message.values if isinstance(message, ast.JoinedStr) else [message]
                yield "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "X" for part in parts
                )


def test_no_fault_of_a_file_names_an_option_on_a_page() -> None:
    """All that readers and writers say; each still ends as a sentence."""
    quoting = [message for message in _messages() if OPTION.search(message)]
    assert len(quoting) > 10
    for message in quoting:
        words = plainly(message)
        assert not OPTION.search(words), words
        assert words.endswith("."), words
        assert words != ".", message


def test_an_upload_that_can_not_be_read_says_so_in_plain_words() -> None:
    """As the drawer of a new project shows it."""
    fault = preview("letter.txt", b"\xff\xfeA\x00d\x00a\x00").fault
    assert "UTF-16" in fault
    assert "save it as text in UTF-8" in fault
    assert "--" not in fault
