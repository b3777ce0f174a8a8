"""The page: its parts put together, with a policy that lets nothing in.

The browser is told to load nothing, and to run and apply only the script and the style sheet
whose digests are in the page's head: even markup that escaped our escaping could do nothing.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib import resources
from string import Template

from ..evaluate.errors import ErrorKind
from .curve_section import curve_section
from .error_tables import error_tables
from .figure_table import figure_table
from .markup import number, text
from .run import Run
from .text_view import text_view
from .type_tables import type_tables
from .worst_tables import worst_tables


def page(run: Run) -> str:
    """Return the page of a run, without lone surrogates, the same for the same run.

    It holds the texts of all documents reported on: keep it where they are.
    """
    style, script = _resource("report.css"), _resource("report.js")
    return Template(_resource("page.html")).substitute(
        style_digest=_digest(style),
        script_digest=_digest(script),
        style=style,
        script=script,
        title=text(run.title),
        summary=_summary(run),
        signature=text(run.findings[0].report.signature),
        notes=_notes(run),
        figures=figure_table(run),
        test=_TEST if run.tests else "",
        curves=curve_section(run),
        types=type_tables(run),
        errors=error_tables(run),
        worst=worst_tables(run),
        type_options=_options(sorted(_types(run))),
        kind_options=_options([kind.value for kind in ErrorKind]),
        system_options="".join(
            f'<option value="{idx}">{text(found.system.name)}</option>'
            for idx, found in enumerate(run.findings)
        ),
        texts=text_view(run),
    )


_TEST = (
    "<p>Differences are from the first system; <i>p</i> is of a two-sided paired randomisation "
    "test over documents, not corrected for the number of comparisons.</p>"
)


def _summary(run: Run) -> str:
    documents = [prepared.document for prepared in run.documents]
    annotations = sum(len(prepared.annotators) for prepared in run.documents)
    words = sum(len(prepared.words) for prepared in run.documents)
    systems = ", ".join(text(found.system.name) for found in run.findings)
    pairs = (
        ("System" if len(run.findings) == 1 else "Systems", systems),
        ("Documents", number(len(documents))),
        ("Annotations", number(annotations)),
        ("Words", number(words)),
    )
    return "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in pairs)


def _notes(run: Run) -> str:
    if not run.notes:
        return ""
    items = "".join(f"<li>{text(note)}</li>" for note in run.notes)
    return f'<ul class="notes">{items}</ul>'


def _types(run: Run) -> set[str]:
    wanted = {entity.type for prepared in run.documents for entity in prepared.entities}
    return wanted | {type_ for found in run.findings for _, type_ in found.errors.counts}


def _options(values: list[str]) -> str:
    return "".join(f'<option value="{text(value)}">{text(value)}</option>' for value in values)


def _resource(name: str) -> str:
    return (resources.files(__package__) / name).read_text("utf-8")


def _digest(content: str) -> str:
    return f"'sha256-{b64encode(sha256(content.encode()).digest()).decode()}'"
