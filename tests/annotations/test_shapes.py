"""What each format looks like, and what of other tools' habits is read."""

from __future__ import annotations

import json

import pytest

from tacenda.annotations import format_named, guess_input, guess_output
from tacenda.annotations.capabilities import ConversionOptions
from tacenda.annotations.convert import convert
from tacenda.annotations.corpus import AnnotatedMention, Feature, Reading, Unit
from tacenda.annotations.spacy import SpacyDocBin
from tacenda.document import IdentifierType, Span
from tacenda.errors import InputError
from tests.examples import for_each

from .corpora import at, document, needs_spacy, written

TEXT = "Anna Berg spoke.\nBerg left."
PERSON = at(
    TEXT, "Anna Berg", type="PERSON", identifier=IdentifierType.DIRECT, entity="e1", score=0.9
)


def test_jsonl_has_a_line_a_document_and_annotator() -> None:
    """The shape that the module's docstring states; unknown keys are absent."""
    files = written(format_named("jsonl"), document(TEXT, PERSON, annotator="ann1"))
    assert json.loads(files[""]) == {
        "id": "d1",
        "text": TEXT,
        "_annotator_id": "ann1",
        "spans": [
            {
                "start": 0,
                "end": 9,
                "label": "PERSON",
                "identifier_type": "DIRECT",
                "entity": "e1",
                "score": 0.9,
            }
        ],
    }


@for_each(
    "line",
    [
        {"text": TEXT, "spans": [{"start": 0, "end": 4, "label": "PERSON"}]},
        {"text": TEXT, "label": [[0, 4, "PERSON"]]},
        {"text": TEXT, "labels": [[0, 4, "PERSON"]]},
        {"text": TEXT, "spans": [[0, 4, "PERSON"]]},
        {"text": TEXT, "spans": [[0, 4, "PERSON", None]]},
        {"text": TEXT, "entities": [{"start_offset": 0, "end_offset": 4, "label": "PERSON"}]},
        {"text": TEXT, "spans": [{"start": 0, "end": 4, "label": "PERSON", "text": "Anna"}]},
    ],
)
def test_prodigy_and_doccano_lines_are_read(line: dict[str, object]) -> None:
    """Each is one mention; a line without id is named by its number."""
    files = {"in": b"\n" + json.dumps(line).encode()}
    assert list(format_named("jsonl").read(files, Reading())) == [
        document(TEXT, at(TEXT, "Anna", type="PERSON"), id="2")
    ]


def test_a_jsonl_span_as_a_list_may_have_its_identifier_type_last() -> None:
    """A list is shorter than an object, and a data set of lists needs no converter of its own."""
    files = {"in": json.dumps({"text": TEXT, "spans": [[0, 4, "PERSON", "DIRECT"]]}).encode()}
    (one,) = format_named("jsonl").read(files, Reading())
    assert one.annotations[0].mentions[0].identifier is IdentifierType.DIRECT


def test_brat_writes_a_pair_of_files() -> None:
    """Text-bound annotations with attributes; a line end in the text column is a space."""
    apart = AnnotatedMention((Span(0, 4), Span(10, 21)), type="X")
    files = written(format_named("brat"), document(TEXT, PERSON, apart))
    assert files["d1.txt"].decode() == TEXT
    assert files["d1.ann"].decode() == (
        "T1\tPERSON 0 9\tAnna Berg\n"
        "A1\tIdentifierType T1 DIRECT\n"
        "A2\tEntity T1 e1\n"
        "A3\tScore T1 0.9\n"
        "T2\tX 0 4;10 21\tAnna spoke. Berg\n"
    )


def test_brat_equivalences_are_entities() -> None:
    """Classes of ``Equiv`` lines that share a member are one, named by the first mention."""
    ann = (
        "T1\tX 0 4\tAnna\nT2\tX 5 9\tBerg\nT3\tX 17 21\tBerg\nT4\tX 10 15\tspoke\n"
        "*\tEquiv T3 T2\n*\tEquiv T1 T2\n"
    )
    files = {"d1.txt": TEXT.encode(), "d1.ann": ann.encode()}
    (read,) = format_named("brat").read(files, Reading())
    assert [mention.entity for mention in read.annotations[0].mentions] == ["T1", "T1", "T1", ""]


@for_each("id", ["../d1", "/d1", "a/../d1", "", ".d1", "a//b", "a\\b", "a:b", "a\n"])
def test_brat_writes_nothing_outside_its_folder(id: str) -> None:
    """An id that is no plain file name is refused."""
    with pytest.raises(InputError, match="is not a valid file name within the folder"):
        written(format_named("brat"), document(TEXT, id=id))


@pytest.mark.parametrize(
    ("format", "mention", "message"),
    [
        ("brat", at(TEXT, "Anna", type="first name"), "brat can't represent its type"),
        ("brat", at(TEXT, "Anna", type="X", entity="e 1"), "brat can't represent its entity"),
        ("brat", at(TEXT, "Anna", type="X", properties={"a": [1]}), "its property 'a'"),
        ("conll", at(TEXT, "Anna", type="first name"), "can't write the type 'first name'.*--rename"),
        ("jsonl", at(TEXT, "Anna", properties={"label": 1}), "'label' has the name of a key"),
    ],
)  # fmt: skip
def test_a_value_that_can_not_be_spelled_is_an_error(
    format: str, mention: AnnotatedMention, message: str
) -> None:
    """It names the document and what to do."""
    with pytest.raises(InputError, match=rf"^d1: .*{message}"):
        written(format_named(format), document(TEXT, mention))


def test_label_studio_has_regions_that_share_an_id() -> None:
    """Labels, and what is said of them as per-region choices and text."""
    files = written(format_named("label-studio"), document(TEXT, PERSON, annotator="a@x.org"))
    ((task,), place) = (json.loads(files[""]), {"start": 0, "end": 9, "text": "Anna Berg"})
    (annotation,) = task["annotations"]
    assert annotation["completed_by"] == {"email": "a@x.org"}
    assert task["data"] == {"id": "d1", "text": TEXT}
    assert [(one["id"], one["type"], one["from_name"]) for one in annotation["result"]] == [
        ("r1", "labels", "label"),
        ("r1", "choices", "identifier_type"),
        ("r1", "textarea", "entity"),
    ]
    assert annotation["result"][0]["value"] == {**place, "labels": ["PERSON"]}
    assert annotation["result"][0]["score"] == 0.9


def test_conll_has_a_token_a_line_and_a_b_for_each_mention() -> None:
    """Adjacent mentions are told apart by B; a line of the text is a sentence."""
    adjacent = [at(TEXT, "Anna", type="PERSON"), at(TEXT, "Berg", type="PERSON")]
    files = written(format_named("conll"), document(TEXT, *adjacent))
    assert files[""].decode() == (
        "-DOCSTART- (d1)\tO\n\n"
        "Anna\tB-PERSON\nBerg\tB-PERSON\nspoke\tO\n.\tO\n\nBerg\tO\nleft\tO\n.\tO\n\n"
    )


def test_conll_2003_is_read() -> None:
    """Four columns, documents without names, sentences parted by empty lines."""
    content = b"-DOCSTART- -X- O O\n\nAnna NNP I-NP B-PER\nBerg NNP I-NP I-PER\n\nLeft VBD O O\n"
    (read,) = format_named("conll").read({"in": content}, Reading())
    assert (read.id, read.text) == ("1", "Anna Berg\nLeft")
    assert read.annotations[0].mentions == (at("Anna Berg", "Anna Berg", type="PER"),)


def test_a_presidio_answer_for_one_document_takes_its_only_text() -> None:
    """As the analyzer service returns it, null values and all."""
    result = {"entity_type": "PERSON", "start": 0, "end": 9, "score": 0.85}
    content = json.dumps([{**result, "analysis_explanation": None}]).encode()
    (read,) = format_named("presidio").read({"in": content}, Reading(texts={"d1": TEXT}))
    assert (read.id, read.text) == ("d1", TEXT)
    (mention,) = read.annotations[0].mentions
    assert (mention.type, mention.score) == ("PERSON", 0.85)
    assert mention.properties == {"analysis_explanation": None}


@needs_spacy
def test_a_docbin_is_what_spacy_makes_of_it() -> None:
    """Entities, their ids and the document's name are where spaCy's users look for them."""
    import spacy
    from spacy.tokens import DocBin

    mention = at(TEXT, "Anna Berg", type="PERSON", entity="e1")
    content = written(SpacyDocBin(), document(TEXT, mention))[""]
    (doc,) = DocBin().from_bytes(content).get_docs(spacy.blank("en").vocab)
    assert [(span.text, span.label_, span.id_) for span in doc.ents] == [
        ("Anna Berg", "PERSON", "e1")
    ]
    assert doc.user_data["doc_id"] == "d1"


@needs_spacy
def test_span_groups_are_not_passed_over_in_silence() -> None:
    """A DocBin with groups says which there are, and is read by ``--spans-key``."""
    mentions = (at(TEXT, "Anna Berg", type="PERSON"), at(TEXT, "Berg", type="LOC"))
    files = {"in": written(SpacyDocBin("en", "sc"), document(TEXT, *mentions))[""]}
    with pytest.raises(InputError, match=r"has span groups \['sc'\] \(--spans-key KEY reads one\)"):
        list(SpacyDocBin().read(files, Reading()))
    assert list(SpacyDocBin().read(files, Reading(drop=frozenset({Feature.OTHER})))) == [
        document(TEXT)
    ]
    assert list(SpacyDocBin("en", "sc").read(files, Reading())) == [document(TEXT, *mentions)]


@needs_spacy
def test_an_unknown_language_is_named() -> None:
    """SpaCy has one tokenizer a language."""
    with pytest.raises(InputError, match="spaCy has no language 'qq'"):
        convert([document(TEXT)], SpacyDocBin("qq"), ConversionOptions())


@for_each("name", ["tab", "label-studio", "presidio", "jsonl", "brat", "conll"])
def test_a_format_is_known_by_its_content_or_extension(name: str) -> None:
    """JSON by its outermost shape, the others by the names of their files."""
    format = format_named(name)
    fill = {feature: "1" for feature in format.needs if feature is Feature.SCORE}
    fill |= {Feature.IDENTIFIER_TYPE: "QUASI", Feature.ENTITY: "mention"} if name == "tab" else {}
    fitting = ConversionOptions(annotator="a", fill=fill, drop_rest=True)
    one = document(TEXT, at(TEXT, "Anna", type="X"))
    files = format.write(convert([one], format, fitting).documents, Unit.CODE_POINTS)
    extension = {"jsonl": ".jsonl", "conll": ".conll"}.get(name, ".json")
    files = files if format.folder else {f"in{extension}": files[""]}
    assert guess_input(files, "in") == name


def test_masks_are_known_by_their_content() -> None:
    """An object of lists of pairs; without any pair it might be Presidio's."""
    assert guess_input({"m.json": b'{"d0": [], "d1": [[0, 1]]}'}, "m.json") == "masks"
    for content in (b'{"d1": []}', b"{}", b"[]", b"text", b"{"):
        with pytest.raises(
            InputError, match=r"m\.json: can't tell its format; give it with --from"
        ):
            guess_input({"m.json": content}, "m.json")


def test_the_output_format_is_known_by_an_extension_that_only_one_has() -> None:
    """``.json`` is four formats'."""
    assert guess_output("train.spacy") == "spacy"
    with pytest.raises(InputError, match=r"out\.json: can't tell .* give it with --to"):
        guess_output("out.json")
    with pytest.raises(InputError, match="unknown format 'xml'"):
        format_named("xml")
