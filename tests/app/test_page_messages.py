"""Messages on the pages: no option of a command line, and a remedy that the pages have."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import tacenda
from tacenda import errors
from tacenda.app.intake import preview
from tacenda.app.page_messages import page_message
from tacenda.documents.fields import FieldPolicy, Fields
from tacenda.errors import InputError, Message, MissingExtraError, Remedy
from tests.examples import for_each

SOURCE = Path(tacenda.__file__).parent
OPTION = re.compile(r"(?<!\w)--[a-z]")
REMEDIES = {name: value for name, value in vars(errors).items() if isinstance(value, Remedy)}


@for_each("remedy", REMEDIES.values())
def test_a_remedy_names_an_option_on_the_command_line_alone(remedy: Remedy) -> None:
    """The name of the file is not touched, whatever it looks like, and another process gives the same."""
    error = InputError("can't be read", "a --draft.docx", remedy)
    assert str(error) == f"a --draft.docx: can't be read; {remedy.command}."
    for one in (error, pickle.loads(pickle.dumps(error))):
        assert page_message(one) == f"a --draft.docx: can't be read; {remedy.page}."
    assert OPTION.search(remedy.command)
    assert not OPTION.search(remedy.page)
    assert page_message(error.of("b.txt")) == f"b.txt: can't be read; {remedy.page}."


def test_a_message_of_two_wordings_has_its_own_on_the_page() -> None:
    """Fields without treatment say on the page what can be done there."""
    fields = Fields(FieldPolicy(), "")
    error = InputError(fields.refusal({1: "ward"}, "column"))
    assert "--keep-columns" in str(error)
    assert not OPTION.search(page_message(error))
    assert page_message(error).endswith(".")


def test_a_part_that_is_not_installed_is_no_command() -> None:
    """The page says where its reader finds the command, and asks nobody else."""
    words = page_message(MissingExtraError("a Word file", "documents"))
    assert words.startswith(
        "a Word file needs a part of the program that is not installed (documents)"
    )
    assert "tacenda doctor" in words
    assert "pip" not in words


def _messages() -> Iterator[str]:
    """First arguments of the errors of readers and writers, as far as they are literal."""
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


def test_no_message_of_a_reader_or_writer_names_an_option() -> None:
    """Options are in remedies, which have other words for the page."""
    messages = list(_messages())
    assert len(messages) > 50
    assert [message for message in messages if OPTION.search(message)] == []


def test_an_upload_that_can_not_be_read_says_so_in_plain_words() -> None:
    """As the drawer of a new project shows it."""
    fault = preview("letter.txt", b"\xff\xfeA\x00d\x00a\x00").fault
    assert "UTF-16" in fault
    assert "save it as text in UTF-8" in fault
    assert "--" not in fault
    assert str(Message("a", "b")) == "a"
