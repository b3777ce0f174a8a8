"""Pictures, comments and hidden text of sanitized files: found, and treated as people say."""

from __future__ import annotations

import io

import pytest

from tacenda.documents.parts import (
    PartDecision,
    PartKind,
    PartTreatment,
    PictureBox,
    accepted_changes,
    ocr_text,
    parts_of,
    treated,
)
from tacenda.errors import InputError

from .building_docx import build, entries, paragraph

pikepdf = pytest.importorskip("pikepdf")
Image = pytest.importorskip("PIL.Image")

_DRAWING = (
    "<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><pic:pic><pic:blipFill>"
    '<a:blip r:embed="p1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline>'
    "</w:drawing></w:r></w:p>"
)
_COMMENTED = (
    '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>Seen</w:t></w:r><w:commentRangeEnd w:id="0"/>'
    '<w:r><w:commentReference w:id="0"/></w:r></w:p>'
)
_HIDDEN = (
    "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>unseen</w:t></w:r><w:r><w:t> seen</w:t></w:r></w:p>"
)
_COMMENT = '<w:comment w:id="0" w:author="A"><w:p><w:r><w:t>Ask Eve</w:t></w:r></w:p></w:comment>'


def picture(kind: str = "PNG", colour: str = "white") -> bytes:
    """Return a picture of 40 by 20 dots, with an edge in it."""
    stream = io.BytesIO()
    image = Image.new("RGB", (40, 20), colour)
    image.paste("silver", (35, 0, 40, 20))
    image.save(stream, kind)
    return stream.getvalue()


def letter() -> bytes:
    """Return a .docx with a picture, a comment and hidden text."""
    return build(
        paragraph("Dear Eve") + _DRAWING + _COMMENTED + _HIDDEN,
        {"comments": _COMMENT},
        ties=(("p1", "image", "media/picture1.png"),),
        files={"word/media/picture1.png": picture()},
    )


def _dots(content: bytes) -> list[tuple[int, int]]:
    """Return the dark dots of a picture."""
    image = Image.open(io.BytesIO(content)).convert("L")
    return [
        (x, y)
        for y in range(image.height)
        for x in range(image.width)
        if image.getpixel((x, y)) < 64
    ]


def test_a_letter_has_its_parts() -> None:
    """Each with its kind, and a key that its content makes."""
    parts = parts_of(letter(), "docx")
    kinds = [part.kind for part in parts]
    assert kinds == [PartKind.PICTURE, PartKind.HIDDEN, PartKind.COMMENT]
    assert [part.text for part in parts] == ["", "unseen", "Ask Eve"]
    assert parts[0].content == picture()
    assert parts_of(letter(), "docx") == parts
    assert parts_of(b"text", "text") == ()


def test_nothing_decided_changes_nothing() -> None:
    """A file of which all is kept is the same, byte for byte; a picture with an edge is blank until it is decided on."""
    content = letter()
    keep = {part.key: PartDecision(PartTreatment.KEEP) for part in parts_of(content, "docx")}
    assert treated(content, "docx", keep) == content
    assert picture() not in entries(treated(content, "docx", {})).values()


def test_boxes_are_in_the_pixels() -> None:
    """Under a box no dot is left; outside of it the picture is as it was."""
    content = letter()
    part, *_ = parts_of(content, "docx")
    box = PartDecision(PartTreatment.KEEP, (PictureBox(0, 0, 5000, 5000),))
    painted = entries(treated(content, "docx", {part.key: box}))["word/media/picture1.png"]
    assert set(_dots(painted)) == {(x, y) for x in range(20) for y in range(10)}
    assert parts_of(treated(content, "docx", {part.key: box}), "docx")[0].key != part.key


@pytest.mark.parametrize("treatment", [PartTreatment.BLANK, PartTreatment.REMOVE])
def test_what_is_blanked_or_removed_is_gone(treatment: PartTreatment) -> None:
    """Picture, comment and hidden text; the text around them stays."""
    content = letter()
    decisions = {part.key: PartDecision(treatment) for part in parts_of(content, "docx")}
    output = entries(treated(content, "docx", decisions))
    assert picture() not in output.values()
    body, comments = output["word/document.xml"], output["word/comments.xml"]
    assert b"Ask Eve" not in comments
    assert b"unseen" not in body
    for kept in (b"Dear Eve", b"Seen", b" seen"):
        assert kept in body
    is_there = treatment is PartTreatment.BLANK
    for element in (b"<w:drawing", b"commentReference", b"vanish"):
        assert (element in body) is is_there, element


@pytest.mark.parametrize("kind", ["png", "jpeg"])
def test_a_picture_is_its_own_part(kind: str) -> None:
    """A file that is a picture is painted as one inside a document is."""
    content = picture(kind.upper())
    (part,) = parts_of(content, kind)
    decided = PartDecision(PartTreatment.KEEP, (PictureBox(0, 0, 10_000, 10_000),))
    assert len(_dots(treated(content, kind, {part.key: decided}))) == 40 * 20


def test_a_picture_of_a_pdf_is_painted() -> None:
    """In the stream itself: what lay under the box is in no byte."""
    stream = io.BytesIO()
    Image.new("RGB", (40, 20), "orange").save(stream, "PDF")
    content = stream.getvalue()
    (part,) = parts_of(content, "pdf")
    assert part.place == "page 1"
    for decided, n_dark in (
        (PartDecision(PartTreatment.KEEP, (PictureBox(0, 0, 5000, 10_000),)), 400),
        (PartDecision(PartTreatment.BLANK), 0),
        (PartDecision(PartTreatment.REMOVE), 0),
    ):
        (painted,) = parts_of(treated(content, "pdf", {part.key: decided}), "pdf")
        assert painted.key != part.key
        assert len(_dots(painted.content)) == n_dark


def test_changes_were_accepted_when_the_file_was_read() -> None:
    """A person can know of them, and not bring them back."""
    tracked = build(paragraph("a") + '<w:p><w:ins w:id="1"><w:r><w:t>b</w:t></w:r></w:ins></w:p>')
    part = accepted_changes(tracked, "docx")
    assert part is not None
    assert part.treatments == (PartTreatment.KEEP,)
    assert "1 tracked" in part.text
    assert accepted_changes(letter(), "docx") is None
    assert accepted_changes(b"", "pdf") is None


@pytest.mark.parametrize(
    "box", [(0, 0, 0, 1), (0, 0, 1), (-1, 0, 5, 5), (0, 0, 5, 10_001), (0, 0, 5, "x")]
)
def test_a_box_lies_in_its_picture(box: tuple[int, ...]) -> None:
    """Anything else is refused."""
    with pytest.raises(InputError, match="box"):
        PictureBox.of(box)


def test_what_is_no_picture_is_removed_not_painted() -> None:
    """A damaged picture can't be painted; the message says what to do."""
    content = build(
        _DRAWING,
        ties=(("p1", "image", "media/picture1.png"),),
        files={"word/media/picture1.png": picture()[:40]},
    )
    (part,) = parts_of(content, "docx")
    with pytest.raises(InputError, match="remove it"):
        treated(content, "docx", {part.key: PartDecision(PartTreatment.BLANK)})


def test_the_words_of_a_picture_or_why_not() -> None:
    """A person is told either."""
    part, comment, *_ = parts_of(letter(), "docx")
    assert "No word was found" in ocr_text(part) or "can't be read here" in ocr_text(part)
    assert "not a picture" in ocr_text(comment)
