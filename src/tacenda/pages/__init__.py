"""HTML pages as self-contained files: templates, one style sheet, and the labels of ``wording``.

    values ─ result, assess, audit, evaluation, attack ─▶ templates ─▶ HTML

A page is rendered from values; other packages write it to a file. It needs no network. Its content
security policy lets the browser load nothing, and run and apply only the script and the style sheet
whose digests are in the page's head, so even unescaped markup could do nothing.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from .. import wording

_UNWRITABLE: Final = re.compile("[\0\ud800-\udfff]")
"""A lone surrogate can't be written as UTF-8, and a browser drops a null."""

_SUBSCRIPT: Final = re.compile(r"_(\w+)")

_SECTIONS: Final = "<!-- sections -->"
"""Stands in the template of a page that is written section by section; no value can contain it."""


def render(template: str, **values: Any) -> str:
    """Return part of a page; every value in it is escaped and can be encoded."""
    return _environment().get_template(template).render(values)


def page(template: str, *, script: str = "", **values: Any) -> str:
    """Return a whole page.

    Args:
        template: a template that extends ``base.html``; its name without the extension is the class
            of the body.
        script: the script file; empty for none.
        values: values for the template.
    """
    style = _resource("colours.css") + _resource("style.css")
    program = _resource(script) if script else ""
    return render(
        template,
        kind=template.removesuffix(".html"),
        style=Markup(style),
        style_digest=_digest(style),
        script=Markup(program),
        script_digest=_digest(program),
        **values,
    )


def frame(template: str, **values: Any) -> tuple[str, str]:
    """Return the two halves of a page, to write its sections one by one between them."""
    start, _, end = page(template, **values).partition(_SECTIONS)
    return start, end


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("tacenda.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_writable,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"count": count, "short": short, "subscripts": subscripts}
    environment.globals |= {"wording": wording}
    return environment


def count(n: float) -> str:
    """Return a count with thousands separators (narrow no-break spaces)."""
    return f"{n:,.0f}".replace(",", "\u202f")


def short(value: float) -> str:
    """Return a number with three significant digits."""
    return f"{value:.3g}"


def subscripts(label: str) -> Markup:
    """Return a label with the part after ``_`` as a subscript, as in ``ER_di``."""
    return Markup(_SUBSCRIPT.sub(r"<sub>\1</sub>", str(escape(label))))


def _writable(value: Any) -> Any:
    if not isinstance(value, str) or not _UNWRITABLE.search(value):
        return value
    text = _UNWRITABLE.sub("\ufffd", str(value))
    return Markup(text) if isinstance(value, Markup) else text


@cache
def _resource(name: str) -> str:
    return (resources.files(__package__) / "templates" / name).read_text("utf-8")


def _digest(content: str) -> str:
    return b64encode(sha256(content.encode()).digest()).decode()
