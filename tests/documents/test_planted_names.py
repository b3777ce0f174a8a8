"""A name that was masked, or is the target's, stands nowhere in a file that is written."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tacenda import documents
from tacenda.document import Document, Protected, SemanticType
from tacenda.documents import inspection
from tacenda.documents.names import NameScrubber
from tacenda.documents.writing import writer
from tacenda.errors import LeakError
from tacenda.result import Result
from tests.examples import for_each
from tests.growth import assert_linear

from .building_docx import build, paragraph
from .planting import NAME, PLACES, SPELLINGS, TEXTS, pages, survives, tags

Mask = Callable[..., Result]
_PAGES: dict[str, list[str]] = {}
for _place, _, _page in pages():
    _PAGES.setdefault(_place, []).append(_page)
_TEXT = f"<p>Dear {NAME},</p>\n"


def _written(
    source: str, format: str, mask: Mask, *strings: str, target: tuple[str, ...] = ()
) -> str:
    (record,) = documents.read("-", format, stdin=io.BytesIO(source.encode()))
    assert isinstance(record, documents.SourceDocument)
    result = replace(mask(record.document, *strings), protected=Protected(names=target))
    stream = io.BytesIO()
    sink = writer("same", stream, input_format=format)
    sink.write(record, result)
    sink.close()
    return stream.getvalue().decode()


@pytest.mark.parametrize("place", _PAGES)
def test_a_masked_name_survives_nowhere_in_a_page(place: str, mask: Mask) -> None:
    """Whatever the place and the spelling, it can't be read any more."""
    for page in _PAGES[place]:
        assert survives(page)
        for format in ("html", "markdown"):
            assert not survives(_written(_TEXT + page, format, mask, NAME)), (format, page)


@pytest.mark.parametrize("place", _PAGES)
def test_a_target_is_found_where_no_text_is(place: str, mask: Mask) -> None:
    """The target's name goes although the text never mentions it."""
    for page in _PAGES[place]:
        assert not survives(_written(page, "html", mask, target=(NAME,))), page


@pytest.mark.parametrize("place", TEXTS)
@pytest.mark.parametrize("spelling", ["as it is", "camel case", "inside a word", "capitals"])
def test_text_that_the_sanitizer_has_missed_is_refused(
    place: str, spelling: str, mask: Mask
) -> None:
    """What people read is searched as verification does it, in the bytes that would leave."""
    page = PLACES[place].format(SPELLINGS[spelling])
    result = mask(Document("d", NAME), NAME)
    places = inspection.survivors(inspection.passages(page.encode(), "html"), result)
    assert places
    assert not survives(" ".join(places))


@pytest.mark.parametrize("place", PLACES)
def test_a_page_keeps_its_elements(place: str, mask: Mask) -> None:
    """What is struck out changes no structure, but for elements named after somebody."""
    page = _TEXT + PLACES[place].format(*["gokce-yalmanoglu"] * 2)
    if "element" not in place and place not in TEXTS:
        assert tags(_written(page, "html", mask, NAME)) == tags(page)


@pytest.mark.parametrize("place", PLACES)
def test_a_page_without_the_name_stays_byte_for_byte(place: str, mask: Mask) -> None:
    """Nothing but the text is edited where nobody is named."""
    page = PLACES[place].format(*["somewhere"] * 2)
    assert _written(_TEXT + page, "html", mask, NAME) == "<p>Dear [X],</p>\n" + page


@pytest.mark.parametrize(
    ("page", "written"),
    [
        ("<script>f('yalmanoglu'); g();</script>", "<script></script>"),
        ("<p onclick=\"f('yalmanoglu')\">x</p>", '<p onclick="">x</p>'),
        ("<p onclick=f('yalmanoglu')>x</p>", '<p onclick="">x</p>'),
        ('<a href="javascript:f(&quot;yalmanoglu&quot;)">x</a>', '<a href="">x</a>'),
        ('<p style="color:red;font:Yalmanoglu">x', '<p style="color:red;font:x">x'),
        ('<p class="card yalmanoglu big">x', '<p class="card *** big">x'),
    ],
)
def test_programs_are_emptied_and_values_struck_out(page: str, written: str, mask: Mask) -> None:
    """Half of a script does something else; of a value only the name goes."""
    assert _written(page, "html", mask, target=(NAME,)) == written


def test_a_page_within_an_attribute_is_text(mask: Mask) -> None:
    """What srcdoc says is sanitized as other text is."""
    page = '<iframe srcdoc="<p>Dear <b>Ann</b> Lee,</p><p>bye</p>"></iframe>'
    expected = '<iframe srcdoc="&lt;p&gt;Dear [X],&lt;/p&gt;&lt;p&gt;bye&lt;/p&gt;"></iframe>'
    assert _written(page, "html", mask, "Ann Lee") == expected


@pytest.mark.parametrize(
    ("word", "page"),
    [
        ("1994", '<p style="width:1994px" id="s1994">x</p>'),
        ("Rose", '<p class="rose" style="color:rose">x</p>'),
        ("of", '<p class="of">x</p>'),
        ("Li", "<ul><li>x</li></ul>"),
    ],
)
def test_innocent_structure_stays(word: str, page: str, mask: Mask) -> None:
    """A year, a word of the language and a short name are not looked for inside of markup."""
    assert _written(f"<p>{word}</p>{page}", "html", mask, word) == f"<p>[X]</p>{page}"


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    ("format", "frame", "place"),
    [
        ("jsonl", '{{"text": "Dear [X],", "by": "{}"}}', "value 2"),
        ("jsonl", '{{"text": "Dear [X],", "a": [{{"{}": 1}}]}}', "key 3"),
        ("csv", 'text,by\n"Dear [X],","{}"\n', "column 2, row 2"),
        ("csv", '"{}";text\n1;x\n', "column 1, row 1"),
    ],
)
def test_tables_are_searched_beside_the_text(
    format: str, frame: str, place: str, spelling: str, mask: Mask
) -> None:
    """Keys, values, headers and cells are found by their number."""
    name = SPELLINGS[spelling].replace("\\", "\\\\") if format == "jsonl" else SPELLINGS[spelling]
    result = mask(Document("d", f"Dear {NAME},"), NAME)
    data = frame.format(name).encode()
    assert inspection.survivors(inspection.passages(data, format), result) == (place,)


def test_a_document_that_still_names_somebody_is_refused(mask: Mask) -> None:
    """Nothing of it is written, and the error says in which part it is, and who, by id and place."""
    data = build(paragraph(f"Dear {NAME},"), {"header": paragraph("yalmanoglu.example.org")})
    (record,) = documents.read("-", "docx", stdin=io.BytesIO(data))
    assert isinstance(record, documents.SourceDocument)
    stream = io.BytesIO()
    place = r"paragraph 1 of part .*\(of e1, code points 5:21\)"
    with pytest.raises(LeakError, match=place) as refusal:
        writer("same", stream).write(record, mask(record.document, NAME))
    assert refusal.value.masked == ("e1, code points 5:21",)
    assert "yalman" not in str(refusal.value).casefold()
    assert not stream.getvalue()


def test_a_long_output_is_searched_once_for_all_who_may_be_in_it(
    mask: Mask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not once for each entity; also those are named whose name is encoded."""
    people = ["Anna Berger", "Carl Dorn", "Emil Fuchs", "Gerd Hahn", "Ines Jung", "Karl Lenz"]
    text = "\n".join(people)
    result = mask(Document("d", text), *people)
    output = f"{'Some words. ' * 500} Carl Dorn, %4aung {'Some words. ' * 500}"
    lengths: list[int] = []
    search = NameScrubber._spans

    def counted(forms: NameScrubber, string: str, code: bool) -> Iterator[tuple[int, int]]:
        lengths.append(len(string))
        return search(forms, string, code)

    monkeypatch.setattr(NameScrubber, "_spans", counted)
    starts = {text.index(name) for name in ("Carl Dorn", "Ines Jung")}
    entities = inspection.entities_in([output], result)
    assert {int(row.rpartition(" ")[2].partition(":")[0]) for row in entities} == starts
    assert sum(lengths) < 4 * len(output)


@for_each(
    ("string", "type", "telling", "innocent"),
    [
        ("16444/07", SemanticType.CODE, ("/case/16444-07", "case1644407"), ("916444-07", "16444")),
        ("Paris", SemanticType.LOC, ("paris-office", "parisoffice", "GreaterParis"), ("comparison",)),
        ("Rose Brown", SemanticType.PERSON, ("rose-brown", "Rose.html", "aBrownBag"), ("rose", "brownie")),
        ("Ann Lee", SemanticType.PERSON, ("annlee", "photo-ann", "AnnCV"), ("annex", "sleeve")),
        ("EU", SemanticType.ORG, ("EU-2004",), ("eu", "queue")),
        ("widow", SemanticType.DEM, ("the-widow",), ("widows",)),
        ("1994", SemanticType.DATETIME, (), ("1994", "y-1994")),
        ("12 May 1990", SemanticType.DATETIME, ("12-may-1990",), ("may",)),
        ("a.berg@example.org", SemanticType.CODE, ("a.berg%40example.org",), ("example.org",)),
    ],
)  # fmt: skip
def test_what_tells_outside_of_text(
    string: str, type: SemanticType, telling: tuple[str, ...], innocent: tuple[str, ...]
) -> None:
    """Names and codes are found inside words, other words by themselves, years and words never."""
    forms = NameScrubber({(string, type)})
    assert [text for text in telling if not forms.occurs_in(text)] == []
    assert [text for text in innocent if forms.occurs_in(text)] == []


def test_half_a_character_is_no_obstacle() -> None:
    """Damaged files have lone surrogates, which no encoding takes."""
    forms = NameScrubber({("Galip Yalman", SemanticType.PERSON)})
    assert forms.occurs_in("%47alip Yalman \udeff")
    assert not forms.occurs_in("%48ans \udeff")


@pytest.mark.parametrize(
    "piece",
    ["<a ", "<!--", "<", "<x<", "<p a='", "</a b", '"', "<![CDATA[", "<script>", "&", "a/", "aB"],
)
def test_a_hostile_page_is_searched_in_linear_time(piece: str, mask: Mask) -> None:
    """Marks that nothing closes cost no more than others."""
    result = mask(Document("d", NAME), NAME)

    def searched(size: int) -> None:
        page = (f"<p>{NAME}</p>" + piece * (size // len(piece))).encode()
        inspection.survivors(inspection.passages(page, "html"), result)

    assert_linear(searched, 15_000)
