"""What a target can't hold is an error that names document, place and remedy, or a policy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.annotations import format_named
from tacenda.annotations.capabilities import ConversionOptions, Fragments, Overlaps
from tacenda.annotations.conll import tokens_of
from tacenda.annotations.convert import convert, resolve_overlaps, snap
from tacenda.annotations.corpus import AnnotatedDocument, AnnotatedMention, Annotation, Feature
from tacenda.document import ConfidentialStatus, IdentifierType, Span
from tacenda.errors import InputError, PolicyError
from tests.examples import for_each

from .corpora import at, document, texts

TEXT = "Anna Berg spoke in Berg."
DIRECT, QUASI, NO_MASK = IdentifierType.DIRECT, IdentifierType.QUASI, IdentifierType.NO_MASK


@for_each(
    ("features", "target", "message"),
    [
        ({"identifier": QUASI}, "conll", "can't hold identifier_type; use --drop identifier_type"),
        ({"entity": "e"}, "conll", "can't hold entity; use --drop entity"),
        ({"status": ConfidentialStatus.SEX}, "presidio", "can't hold confidential_status"),
        ({"id": "m1"}, "brat", "can't hold id; use --drop id"),
        ({"score": 0.5}, "tab", "can't hold score; use --drop score"),
        ({"type": "X"}, "masks", "can't hold type; use --drop type"),
        ({"properties": {"a": 1}}, "conll", "can't hold mention_properties"),
    ],
)
def test_a_feature_that_the_target_can_not_hold_is_an_error(
    features: dict[str, object], target: str, message: str
) -> None:
    """It names document, mention and the option; nothing of the text."""
    one = document(TEXT, at(TEXT, "Anna", **features))
    with pytest.raises(InputError, match=rf"^d1: mention 0 at \[0, 4\): {target} ") as error:
        convert([one], format_named(target), ConversionOptions())
    assert error.match(message)
    assert "Anna" not in str(error.value)


def test_dropped_features_are_gone_and_counted() -> None:
    """`--drop` leaves out what it names, and says so."""
    mention = at(TEXT, "Anna", type="PERSON", entity="e", identifier=QUASI)
    fitting = ConversionOptions(drop=frozenset({Feature.ENTITY, Feature.IDENTIFIER_TYPE}))
    fitted = convert([document(TEXT, mention)], format_named("conll"), fitting)
    assert fitted.documents[0].annotations[0].mentions == (at(TEXT, "Anna", type="PERSON"),)
    assert fitted.notes == ("dropped, where known: entity, identifier_type; documents: 1",)


def test_drop_all_keeps_what_the_target_holds() -> None:
    """`--drop all` is no more than what must go."""
    mention = at(TEXT, "Anna", type="PERSON", entity="e", score=0.5)
    fitted = convert(
        [document(TEXT, mention)], format_named("presidio"), ConversionOptions(drop_rest=True)
    )
    expected = at(TEXT, "Anna", type="PERSON", score=0.5)
    assert fitted.documents[0].annotations[0].mentions == (expected,)


@pytest.mark.parametrize(
    ("drop", "message"), [(Feature.TEXT, "text"), (Feature.OVERLAPS, "overlaps")]
)
def test_what_can_not_be_dropped_is_refused(drop: Feature, message: str) -> None:
    """Overlaps have a policy of their own; a text is carried or not."""
    with pytest.raises(PolicyError, match=f"--drop {message} is not possible"):
        ConversionOptions(drop=frozenset({drop}))


def test_what_the_target_needs_is_named_at_once() -> None:
    """TAB needs type, identifier type, entity and annotator; one message has all options."""
    with pytest.raises(
        InputError,
        match=r"--fill type=VALUE --fill identifier_type=VALUE --fill entity=mention\|string --annotator NAME",
    ):
        convert([document(TEXT, at(TEXT, "Anna"))], format_named("tab"), ConversionOptions())


def test_gaps_are_filled_where_asked_and_only_gaps() -> None:
    """Known values stay; equal strings become one entity by `entity=string`."""
    mentions = (
        at(TEXT, "Berg", type="LOC"),
        AnnotatedMention((Span(19, 23),)),
        at(TEXT, "Anna", entity="e1"),
    )
    fill = {Feature.TYPE: "MISC", Feature.IDENTIFIER_TYPE: "QUASI", Feature.ENTITY: "string"}
    fitted = convert(
        [document(TEXT, *mentions)],
        format_named("tab"),
        ConversionOptions(fill=fill, annotator="me"),
    )
    (annotation,) = fitted.documents[0].annotations
    assert annotation.annotator == "me"
    assert [mention.type for mention in annotation.mentions] == ["LOC", "MISC", "MISC"]
    assert [mention.entity for mention in annotation.mentions] == ["e2", "e2", "e1"]
    assert {mention.identifier for mention in annotation.mentions} == {QUASI}


@pytest.mark.parametrize(
    "fill",
    [
        {Feature.ENTITY: "x"},
        {Feature.IDENTIFIER_TYPE: "MAYBE"},
        {Feature.SCORE: "high"},
        {Feature.TYPE: ""},
        {Feature.ID: "1"},
    ],
)
def test_a_filling_that_makes_no_sense_is_a_fault_of_usage(fill: dict[Feature, str]) -> None:
    """Before anything is read."""
    with pytest.raises(PolicyError, match="--fill"):
        ConversionOptions(fill=fill)


def test_a_target_that_needs_the_text_says_how_to_give_it() -> None:
    """Masks have no text; what is made of them may need one."""
    with pytest.raises(InputError, match="d1: jsonl needs the text; give it with --text"):
        convert([AnnotatedDocument("d1", None)], format_named("jsonl"), ConversionOptions())


def test_no_mask_never_becomes_a_mask_unasked() -> None:
    """Even `--drop all` does not make a mask of what an annotator left in clear."""
    one = document(TEXT, at(TEXT, "Anna", identifier=DIRECT), at(TEXT, "spoke", identifier=NO_MASK))
    masks = format_named("masks")
    with pytest.raises(
        InputError, match=r"mention 1 at \[10, 15\) is NO_MASK.*--only DIRECT,QUASI"
    ):
        convert([one], masks, ConversionOptions(drop_rest=True))
    fitted = convert(
        [one], masks, ConversionOptions(drop_rest=True, only=frozenset({DIRECT, QUASI}))
    )
    assert fitted.documents[0].annotations[0].mentions == (at(TEXT, "Anna"),)
    assert "mentions left out by --only: 1" in fitted.notes


def test_only_needs_identifier_types() -> None:
    """Choosing by what is not known is an error."""
    with pytest.raises(InputError, match="has no identifier type, which --only needs"):
        convert(
            [document(TEXT, at(TEXT, "Anna"))],
            format_named("masks"),
            ConversionOptions(only=frozenset({QUASI})),
        )


def several() -> AnnotatedDocument:
    """Return a document of two annotators."""
    return AnnotatedDocument(
        "d1",
        TEXT,
        (Annotation("a", (at(TEXT, "Anna"),)), Annotation("b", (at(TEXT, "spoke"),))),
    )


def test_several_annotators_must_be_chosen_or_parted() -> None:
    """Their names can't be dropped while they are two."""
    masks = format_named("masks")
    for fitting in (ConversionOptions(), ConversionOptions(drop_rest=True)):
        with pytest.raises(
            InputError, match=r"several_annotators.*--annotator NAME or --each-annot"
        ):
            convert([several()], masks, fitting)
    (chosen,) = convert([several()], masks, ConversionOptions(annotator="b")).documents
    assert chosen == document(TEXT, at(TEXT, "spoke"))
    parted = convert([several()], masks, ConversionOptions(each_annotator=True)).documents
    assert [one.id for one in parted] == ["d1@a", "d1@b"]


def test_documents_of_other_annotators_are_left_out_and_counted() -> None:
    """Not there is not the same as nothing found."""
    fitted = convert([several()], format_named("masks"), ConversionOptions(annotator="c"))
    assert fitted.documents == ()
    assert fitted.notes == ("documents left out, which this annotator did not annotate: 1",)


def test_one_annotator_can_not_annotate_a_document_twice() -> None:
    """Formats that tell annotators apart by name would lose one of the two."""
    twice = AnnotatedDocument("d1", TEXT, 2 * (Annotation("a", (at(TEXT, "Anna"),)),))
    with pytest.raises(InputError, match="d1: has 2 annotations by annotator 'a'"):
        convert([twice], format_named("jsonl"), ConversionOptions())


def test_two_documents_of_one_id_are_an_error() -> None:
    """Masks and texts are told apart by id."""
    with pytest.raises(InputError, match="d1: two documents have this id"):
        convert([document(TEXT), document(TEXT)], format_named("jsonl"), ConversionOptions())


def nested() -> AnnotatedDocument:
    """Return a document with a name, and in it a place that is the stricter identifier."""
    return document(
        TEXT,
        at(TEXT, "Anna Berg", type="PERSON", identifier=QUASI),
        at(TEXT, "Berg", type="LOC", identifier=DIRECT),
    )


def test_overlaps_are_an_error_or_a_policy() -> None:
    """Merged, the longest names the type and the strictest the identifier; or the longest stays."""
    brat, conll = format_named("brat"), format_named("conll")
    assert (
        len(convert([nested()], brat, ConversionOptions()).documents[0].annotations[0].mentions)
        == 2
    )
    drop = frozenset({Feature.IDENTIFIER_TYPE})
    with pytest.raises(
        InputError, match=r"mention 1 at \[5, 9\): conll can't hold overlaps; use --overlaps"
    ):
        convert([nested()], conll, ConversionOptions(drop=drop))
    mentions = nested().annotations[0].mentions
    whole = at(TEXT, "Anna Berg", type="PERSON", identifier=DIRECT)
    assert resolve_overlaps(mentions, Overlaps.MERGE) == (whole,)
    assert resolve_overlaps(mentions, Overlaps.LONGEST) == mentions[:1]
    fitted = convert([nested()], conll, ConversionOptions(drop=drop, overlaps=Overlaps.MERGE))
    assert "mentions fewer by --overlaps: 1" in fitted.notes


spans = st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda x: Span(x[0], x[0] + x[1]))


@given(st.lists(spans, max_size=12), st.sampled_from(Overlaps))
def test_resolved_mentions_are_disjoint(places: list[Span], how: Overlaps) -> None:
    """Merging covers the same characters; the longest are some of those that were there."""
    before = tuple(AnnotatedMention((span,)) for span in places)
    after = resolve_overlaps(before, how)
    covered = [offset for mention in after for offset in range(mention.start, mention.end)]
    assert len(covered) == len(set(covered))
    if how is Overlaps.MERGE:
        assert set(covered) == {offset for span in places for offset in range(span.start, span.end)}
    else:
        assert {mention.extent for mention in after} <= set(places)


def test_discontinuous_mentions_are_an_error_or_a_policy() -> None:
    """Covered by one span, or split into mentions of the same entity."""
    apart = AnnotatedMention((Span(0, 4), Span(10, 15)), type="PERSON", entity="e", id="m")
    jsonl = format_named("jsonl")
    with pytest.raises(InputError, match=r"can't hold fragments; use --fragments cover\|split"):
        convert([document(TEXT, apart)], jsonl, ConversionOptions())
    for how, places in ((Fragments.COVER, [(0, 15)]), (Fragments.SPLIT, [(0, 4), (10, 15)])):
        (one,) = convert([document(TEXT, apart)], jsonl, ConversionOptions(fragments=how)).documents
        mentions = one.annotations[0].mentions
        assert [(mention.start, mention.end) for mention in mentions] == places
        assert {mention.entity for mention in mentions} == {"e"}


def test_mentions_not_aligned_with_tokens_are_an_error_or_moved() -> None:
    """`--snap expand` covers every token touched, and drops white space at the edges."""
    conll = format_named("conll")
    one = document(TEXT, AnnotatedMention((Span(2, 10),), type="PERSON"))
    with pytest.raises(
        InputError, match=r"^d1: mention 0 at \[2, 10\) does not begin and end .* --snap"
    ):
        convert([one], conll, ConversionOptions())
    fitted = convert([one], conll, ConversionOptions(snap=True))
    assert fitted.documents[0].annotations[0].mentions == (at(TEXT, "Anna Berg", type="PERSON"),)
    assert fitted.notes == ("mentions moved to token boundaries: 1",)
    with pytest.raises(InputError, match=r"\[4, 5\) is white space alone"):
        convert(
            [document(TEXT, AnnotatedMention((Span(4, 5),)))], conll, ConversionOptions(snap=True)
        )


@given(texts, st.data())
def test_snapping_keeps_every_character_that_is_no_white_space(
    text: str, data: st.DataObject
) -> None:
    """A moved mention begins and ends with tokens and loses nothing but white space."""
    tokens = tokens_of(text)
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    if not span.of(text).strip():
        return
    ((moved,), _) = snap((AnnotatedMention((span,)),), tokens, "d1")
    assert moved.start in {token.start for token in tokens}
    assert moved.end in {token.end for token in tokens}
    left = [
        offset for offset in range(span.start, span.end) if not moved.start <= offset < moved.end
    ]
    assert all(text[offset].isspace() for offset in left)


def test_renamed_types() -> None:
    """`--rename` changes the types it names."""
    one = document(TEXT, at(TEXT, "Anna", type="first name"), at(TEXT, "Berg", type="LOC"))
    fitted = convert(
        [one], format_named("conll"), ConversionOptions(rename={"first name": "PERSON"})
    )
    assert [m.type for m in fitted.documents[0].annotations[0].mentions] == ["PERSON", "LOC"]
