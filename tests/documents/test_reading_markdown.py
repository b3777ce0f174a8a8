"""Markdown: emphasis splits no name, and replacements are no markup."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tacenda.documents.markdown import extract
from tests.examples import for_each
from tests.growth import assert_linear

Through = Callable[..., str]


@for_each(
    ("source", "text"),
    [
        ("**Galip** Yalman", "Galip Yalman"),
        ("*Gal*ip", "Galip"),
        ("_Galip_ and snake_case", "Galip and snake_case"),
        ("~~Galip~~ `Yalman`", "Galip Yalman"),
        ("a \\* b \\_", "a * b _"),
        ("R&eacute;ne &amp; Co", "Réne & Co"),
        ("Galip <b>Yalman</b>", "Galip Yalman"),
        ("# Title\n\n- [Galip](http://x.org)\n", "# Title\n\n- [Galip](http://x.org)\n"),
        ("2 * 3 _ 4", "2 * 3 _ 4"),
        ("```\n*x* `y`\n```\n*z*", "```\n*x* `y`\n```\nz"),
    ],
)
def test_marks_are_no_part_of_the_text(source: str, text: str) -> None:
    """Emphasis, code ticks, escapes, references and bare tags are taken out of the text."""
    assert extract(source).text == text


def test_markdown_stays_markdown(through: Through) -> None:
    """An edit keeps the marks around and within the name."""
    source = "# On **Galip** *Yalman*\r\n\r\n> `x` **y**\r\n"
    expected = "# On **Mr X**\r\n\r\n> `x` **y**\r\n"
    assert through(source, "markdown", "Galip Yalman", text="Mr X") == expected


@pytest.mark.parametrize("replacement", ["***", "[PERSON 1]", "_x_", "<b>", "`", "a|b", "&amp;"])
@pytest.mark.parametrize(
    "source",
    [
        "Galip",
        "Galip, (Galip) and (Galip)",
        "x Galip(1950)",
        "## Galip",
        "Galip: x",
        "Galip[1]",
        "x\nGalip\n: x",
        "a[x]Galip",
    ],
)
def test_replacements_are_shown_as_they_are(
    source: str, replacement: str, through: Through
) -> None:
    """A CommonMark reader shows the replacement literally; ``***`` is no rule and no emphasis."""
    output = through(source, "markdown", "Galip", text=replacement)
    tokens = MarkdownIt().parse(output)
    shown = "".join(
        child.content or "\n"
        for token in tokens
        for child in token.children or ()
        if child.type != "html"
    )
    assert shown == source.removeprefix("## ").replace("Galip", replacement)


@pytest.mark.parametrize("source", ["We met Galip in Ulm.", "| Galip | x |", "- *Galip*, Ulm"])
def test_a_tag_needs_no_backslash_where_brackets_make_no_link(
    source: str, through: Through
) -> None:
    """It is read in the source, too."""
    assert "[PERSON 1]" in through(source, "markdown", "Galip", text="[PERSON 1]")


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ("Galip **Yalman** left", "X left"),
        ("*Galip* **_Yalman_** left", "*X* left"),
        ("**Galip** Yalman", "**X**"),
        ("Galip *Yalman left*", "X* left*"),
        ("**** Galip Yalman", "**** X"),
    ],
)
def test_marks_around_nothing_go_too(source: str, output: str, through: Through) -> None:
    """Emphasis that an edit empties leaves no asterisks behind."""
    assert through(source, "markdown", "Galip Yalman", text="X") == output


def test_nothing_is_escaped_within_code(through: Through) -> None:
    """Code shows a backslash as a backslash, so none is written there."""
    source = "`by Galip` \n```\nGalip\n```\n"
    assert through(source, "markdown", "Galip", text="***") == "`by ***` \n```\n***\n```\n"


@given(source=st.text(alphabet="Gal *_`~\\\n&amp;<b>[](é🙂", max_size=60))
def test_without_edits_markdown_comes_back_as_it_was(source: str, through: Through) -> None:
    """No edit, no change."""
    assert through(source, "markdown") == source


@for_each("unit", ["*", "`", "` `` ", "\\", "_a", "<b", "&a", "~~", "```\n"])
def test_hostile_markdown_takes_linear_time(unit: str) -> None:
    """However many marks are unfinished."""
    assert_linear(lambda size: extract(unit * size), 20_000)
