"""Faults in plain words, for people who use the pages and have never seen a terminal.

Messages name the way out by an option of the command line. Here each way out is one that the pages
have; what is said of another option is left out.
"""

from __future__ import annotations

import re

from ..errors import InputError, MissingExtraError

_AS_TEXT = "save it as text instead"
_ENDING = "give its name the ending of what it is, such as .docx or .pdf"
_UTF_8 = "open it in the program that wrote it, and save it as text in UTF-8"
_WAYS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"name the (?:columns|field) that holds? (?:the )?text with --\w+ NAME(?:, or give a policy [^;.]*)?", "tick what holds the text"),
        (r"choose --to pdf for a new PDF of the text alone", 'save it as "PDF of the text" instead'),
        (r"choose --to [\w ,-]+?(?=[.;]|$)", _AS_TEXT),
        (r"if it is a \.docx, say --from docx", "if it is a Word file, give its name the ending .docx"),
        (r"name (?:its|the) format with --from(?: \w+)?", _ENDING),
        (r"if the text is in another encoding, name it with --encoding NAME \([^)]*\)", _UTF_8),
        (r"(?:read|name) it with --encoding(?: [\w-]+)?", _UTF_8),
        (
            r"is read by a field policy; name one with --fields\.(?: For one [^.]*\.)?",
            "has fields that nothing is known of; save what is to be sanitized as a table, such as .csv or .xlsx.",
        ),
        (r"say --keep-columns .*\.$", "say of each column in a new project what becomes of it."),
        (r"\b\w+ \(or --ocr-languages\) switches", "the settings of the server switch"),
    )
)  # fmt: skip
_CLAUSE = re.compile(r"[;,:(]?[^;,:().]*(?<!\w)--[a-z][^;,.)]*\)?")


def plainly(error: Exception | str) -> str:
    """The message of an error, without options and commands of a terminal."""
    if isinstance(error, MissingExtraError):
        feature = str(error).partition(" needs ")[0]
        return (
            f"{feature} needs a part of the program that is not installed ({error.extra}); "
            '"tacenda doctor", entered in a terminal, shows the command that adds it.'
        )
    document = error.document if isinstance(error, InputError) else ""
    # The name of a file may look like anything.
    place = f"{document}: " if document else ""
    message = str(error).removeprefix(place)
    for pattern, words in _WAYS:
        message = pattern.sub(words, message)
    return place + _CLAUSE.sub("", message).strip()
