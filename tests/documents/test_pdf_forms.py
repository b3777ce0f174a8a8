"""Forms of a PDF: drawn once, compared with that drawing, and still fillable where nothing is masked."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pypdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from .test_pdf_redaction import everything, record_of, redacted

NAME = "Ilke Varnholt"
WARD = "Ward A"
CHOICES = [WARD, "Quellendorf"]


def form(*, needs_appearances: bool = True) -> bytes:
    """Return a page with a name, a ward and a tick, which no drawing shows if it needs them."""
    stream = io.BytesIO()
    paper = Canvas(stream, pagesize=(400, 300), invariant=1)
    paper.drawString(50, 270, "Application for a place in the ward")
    place = {"width": 200, "height": 20, "forceBorder": True}
    fields = paper.acroForm
    fields.textfield(name="nm", tooltip="Applicant", value=NAME, x=50, y=220, **place)
    fields.choice(
        name="Varnholt", tooltip="Place", value=WARD, options=CHOICES, x=50, y=180, **place
    )
    fields.checkbox(name="cb", tooltip="Consent", checked=True, x=50, y=140, size=20)
    fields.radio(name="side", value="Varnholt", selected=False, x=50, y=100, size=20)
    fields.radio(name="side", value="right", selected=True, x=90, y=100, size=20)
    paper.showPage()
    paper.save()
    if not needs_appearances:
        return stream.getvalue()
    output = io.BytesIO()
    with pikepdf.open(stream) as pdf:
        pdf.Root.AcroForm.NeedAppearances = True
        for field in pdf.pages[0].Annots:
            if field.get("/FT") in ("/Tx", "/Ch"):
                del field["/AP"]
        pdf.save(output)
    return output.getvalue()


def fields_of(data: bytes) -> list[Any]:
    """Return the fields of a file as another program reads them."""
    return list((pypdf.PdfReader(io.BytesIO(data)).get_fields() or {}).values())


@pytest.mark.parametrize("needs_appearances", [True, False])
def test_fields_without_a_masked_word_can_still_be_filled_in(needs_appearances: bool) -> None:
    """The field with the name becomes a box on the page; the others keep their kind, value and choices, not their names."""
    output = redacted(form(needs_appearances=needs_appearances), NAME, "Varnholt")
    fields = fields_of(output)
    assert [field["/FT"] for field in fields] == ["/Ch", "/Btn", "/Btn"]
    assert (fields[0]["/V"], fields[0]["/Opt"], fields[0]["/TU"]) == (WARD, CHOICES, "Place")
    assert fields[1]["/V"] != "/Off"
    assert b"Varnholt" not in everything(output)
    writer = pypdf.PdfWriter(io.BytesIO(output))
    writer.update_page_form_field_values(writer.pages[0], {fields[0]["/T"]: CHOICES[1]})
    filled = io.BytesIO()
    writer.write(filled)
    assert CHOICES[1] in record_of(filled.getvalue()).document.text


def test_a_value_that_is_typed_over_leaves_the_page() -> None:
    """What a field shows is drawn by the field alone, not under it as well."""
    output = redacted(form(), NAME)
    with pikepdf.open(io.BytesIO(output)) as pdf:
        del pdf.Root.AcroForm, pdf.pages[0].Annots
        bare = io.BytesIO()
        pdf.save(bare)
    text = pypdf.PdfReader(io.BytesIO(bare.getvalue())).pages[0].extract_text()
    assert "Application" in text
    assert WARD not in text


def test_a_choice_with_a_masked_word_is_offered_no_more() -> None:
    """The options of a choice are read with its page; where one is masked the field is only drawn."""
    assert CHOICES[1] in record_of(form()).document.text
    output = redacted(form(), CHOICES[1])
    assert [field["/FT"] for field in fields_of(output)] == ["/Tx", "/Btn", "/Btn"]
    assert b"Quellendorf" not in everything(output)


def test_names_that_fields_get_are_no_words() -> None:
    """A masked word of forms doesn't keep them from being written."""
    output = redacted(form(needs_appearances=False), NAME, "field", "Fields")
    assert len(fields_of(output)) == 3
