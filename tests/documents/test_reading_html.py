"""HTML: edits reach the text and every place a name hides in; markup stays."""

from __future__ import annotations

import html
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.documents.html import _HtmlReader
from tests.examples import for_each
from tests.growth import assert_linear

Through = Callable[..., str]


def text_of(source: str) -> str:
    """Return the text that is read from a page."""
    reader = _HtmlReader(source)
    reader.run()
    return reader.extraction.text


class Tags(HTMLParser):
    """The tags of a page, in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.data = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        self.tags.append("/" + tag)

    def handle_data(self, data: str) -> None:
        self.data += data


def test_without_edits_a_page_comes_back_as_it_was(through: Through) -> None:
    """No edit, no change: every character of the source survives."""
    page = "<!DOCTYPE html>\r\n<p CLASS=x>a &amp; b<br/>\t\tc <!-- d --><img alt='e' ><"
    assert through(page, "html") == page


def test_inline_tags_split_no_word() -> None:
    """A name with an inline tag in its middle is one word of the text."""
    assert text_of("<p>Mr Yal<b>man</b> went</p>") == "Mr Yalman went\n"


@for_each("tag", ["p", "div", "li", "td", "h1", "br", "option"])
def test_block_tags_part_the_text(tag: str) -> None:
    """Text on both sides of a block-level tag is on two lines."""
    assert text_of(f"one<{tag}>two") == "one\ntwo\n"


def test_white_space_folds_as_in_a_browser_but_not_in_pre() -> None:
    """Runs of white space are one space of the text, except in preformatted text."""
    assert text_of("<p>Galip\n   Yalman</p>") == "Galip Yalman\n"
    assert text_of("<pre>a\n   b</pre>") == "a\n   b\n"


def test_an_edit_across_tags_keeps_them_balanced(through: Through) -> None:
    """A name that tags run through is removed from all its parts, and the tags stay."""
    page = "<p>Mr <b>Galip</b> <i>Yal</i>man left</p>"
    assert through(page, "html", "Galip Yalman") == "<p>Mr <b>[X]</b><i></i> left</p>"


def test_references_are_decoded_for_reading_and_encoded_for_writing(through: Through) -> None:
    """A name spelled with references is found, and what replaces it can't become markup."""
    page = "<p>Ren&eacute;e &amp; S&#246;n, &copy;</p>"
    assert through(page, "html", "Renée & Sön", text="<i>&") == "<p>&lt;i&gt;&amp;, &copy;</p>"


@pytest.mark.parametrize(
    "page",
    [
        "<title>Galip Yalman</title>",
        "<img alt='Galip Yalman'>",
        '<p title="Galip Yalman">x</p>',
        '<input placeholder="Galip Yalman" value="Galip Yalman">',
        '<a aria-label="about Galip Yalman" href=#>x</a>',
        '<meta name="author" content="Galip Yalman">',
        '<div data-owner="Galip Yalman"></div>',
        "<!-- by Galip Yalman -->",
        "<?php // Galip Yalman ?>",
        "<!-- by Galip Yalman",
        '<a href="x" title="Galip Yalman',
        "<textarea>Galip Yalman</textarea>",
        "<noscript>Galip Yalman</noscript>",
        '<script type="application/ld+json">{"name": "Galip Yalman"}</script>',
        "<svg><title>Galip Yalman</title><text aria-label='Galip Yalman'>x</text></svg>",
        "<p title=Galip&#32;Yalman>x",
        "Write to <Galip Yalman>",
        "<b Galip Yalman>x</b>",
        "<Galip Yalman@example.org> wrote",
    ],
)
def test_a_name_is_removed_wherever_it_is_text(page: str, through: Through) -> None:
    """Titles, attributes, comments and data in scripts are text, and are edited."""
    output = through(page, "html", "Galip Yalman")
    assert "[X]" in output
    assert "Galip" not in html.unescape(output)
    assert "Yalman" not in html.unescape(output)


@pytest.mark.parametrize(
    "hidden",
    [
        '<a href="/people/galip-yalman.html">x</a>',
        '<a href="/p?q=Galip%20Yalman">x</a>',
        '<img src="photos/Galip_Yalman.jpg">',
        "<h2 id=galip-yalman>x</h2>",
        "<script>var user = 'Galip Yalman'</script>",
        """<p onclick="show('Galip Yalman')">x</p>""",
        '<iframe src="/GALIP+YALMAN"></iframe>',
    ],
)
def test_a_masked_name_is_struck_out_where_no_text_is(hidden: str, through: Through) -> None:
    """Addresses, ids and scripts lose the names that were masked in the text."""
    output = through("<p>Galip Yalman</p>" + hidden, "html", "Galip Yalman")
    assert "galip" not in output.lower()
    assert "yalman" not in output.lower()
    assert Tags(output).tags == Tags("<p>Galip Yalman</p>" + hidden).tags


def test_a_name_percent_encoded_in_utf_8_takes_the_address_along(through: Through) -> None:
    """An address that shows a masked name only when decoded is struck out as a whole."""
    page = '<p>Göran Åström</p><a href="/wiki/G%C3%B6ran_%C3%85str%C3%B6m">x</a>'
    assert through(page, "html", "Göran Åström") == '<p>[X]</p><a href="***">x</a>'


def test_words_of_styles_are_left_alone_and_names_in_them_struck_out(through: Through) -> None:
    """A class named after who was masked goes, from the style too; a colour stays."""
    page = "<!doctype html><style>.card{}</style><p class=card style='color:black'>Card Black"
    expected = "<!doctype html><style>.x{}</style><p class=*** style='color:black'>[X] [X]"
    assert through(page, "html", "Card", "Black") == expected


def test_a_mail_address_keeps_its_scheme(through: Through) -> None:
    """The address of a mailto link is text; the scheme is not."""
    page = '<a href="mailto:g@x.org">write</a>'
    assert through(page, "html", "g@x.org") == '<a href="mailto:[X]">write</a>'


def test_unquoted_values_get_quotes_when_edited(through: Through) -> None:
    """What is written into an unquoted attribute can't spill into other attributes."""
    page = "<img alt=Galip src=a.png>"
    assert through(page, "html", "Galip", text="a b") == '<img alt="a b" src=a.png>'
    assert through(page, "html", "Galip", text="") == '<img alt="" src=a.png>'


def test_comments_can_not_be_broken_out_of(through: Through) -> None:
    """A replacement within a comment can't end it."""
    output = through("<!-- Galip -->after", "html", "Galip", text="--><script>")
    assert Tags(output).data == "after"


def test_an_opened_tag_that_never_ends_is_text() -> None:
    """What a browser would drop is read as text, since it may name somebody."""
    assert "Galip" in text_of("<p>x</p><a title='Galip")


def test_a_lone_angle_bracket_is_text(through: Through) -> None:
    """``a < b`` is text, and so is what follows."""
    assert text_of("a < b <3") == "a < b <3\n"
    assert through("a < Galip", "html", "Galip") == "a < [X]"


def test_other_encodings_are_kept_and_references_fill_their_gaps(through: Through) -> None:
    """A page in Latin-1 stays in it; what it can't hold is written as a reference."""
    page = '<meta charset="iso-8859-1"><p>Renée Galip</p>'.encode("latin-1")
    output = through(page, "html", "Galip", text="…", encoding="latin-1")
    assert output == '<meta charset="iso-8859-1"><p>Renée &#8230;</p>'


_FRAGMENTS = st.lists(
    st.sampled_from(
        ["Galip", " ", "\n", "é", "שלום", "🙂", "&amp;", "&", "&#x47;", "<p>", "</p>", "<b>", "</b>",
         "<img alt='Galip'>", "<i title=Galip>", "</i>", "<!-- Galip -->", "<", ">", '"', "a", "<br/>"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@given(_FRAGMENTS)
def test_slots_map_the_text_onto_the_source(source: str) -> None:
    """Slots are in order and disjoint in the text; verbatim ones are equal to their source."""
    reader = _HtmlReader(source)
    reader.run()
    text, position = reader.extraction.text, 0
    for slot in reader.extraction.slots:
        assert position <= slot.start <= slot.end
        position = slot.end
        if slot.verbatim:
            assert text[slot.start : slot.end] == source[slot.source_start : slot.source_end]
    spans = sorted((slot.source_start, slot.source_end) for slot in reader.extraction.slots)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


@given(source=_FRAGMENTS)
def test_masking_any_page_removes_the_name(source: str, through: Through) -> None:
    """However a page is broken, a name that is in its text is not in its output."""
    assert "Galip" not in html.unescape(through(source, "html", "Galip"))


@for_each(
    "unit", ["<a ", '<a t="', "<a t='x", "<!--", "<!", "&", "&#", "<", "</", " ", "<p>", "<script>"]
)
def test_hostile_pages_take_linear_time(unit: str) -> None:
    """However many constructs are unfinished."""
    assert_linear(lambda size: text_of(unit * size), 20_000)
