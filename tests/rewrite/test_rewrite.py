"""Decisions to text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import (
    Decision,
    Document,
    Entity,
    IdentifierType,
    Mention,
    SemanticType,
    Span,
)
from tacenda.errors import PolicyError
from tacenda.policy import Policy
from tacenda.rewrite import rewrite
from tests.building import entity, mention

TEXT = "Mr Yalman, Ankara, wrote to Ayşe on 3 May 1994.\n\nBonn: Yalman won."
DOCUMENT = Document("d", TEXT)


def decision(item: Entity, operator: str = "suppress", masked: bool = True) -> Decision:
    """Return a decision about ``item``."""
    return Decision(item, masked, operator if masked else "", IdentifierType.QUASI, 0.9, ("Why.",))


def written(*decisions: Decision, policy: Policy | None = None) -> str:
    """Return the sanitized text."""
    return rewrite(DOCUMENT, decisions, policy or Policy())[0]


YALMAN = entity("e1", mention(DOCUMENT, "Mr Yalman"), mention(DOCUMENT, "Yalman", nth=1))
ANKARA = entity("e2", mention(DOCUMENT, "Ankara", "LOC"))
AYSE = entity("e3", mention(DOCUMENT, "Ayşe"), number=2)
BONN = entity("e4", mention(DOCUMENT, "Bonn", "LOC"), number=2)
DATE = entity("e5", mention(DOCUMENT, "3 May 1994", "DATETIME"))


def test_suppress_joins_neighbours() -> None:
    """Two masks with a comma between them are one: their number does not tell."""
    assert written(decision(YALMAN), decision(ANKARA)) == (
        "***, wrote to Ayşe on 3 May 1994.\n\nBonn: *** won."
    )


def test_masks_of_two_paragraphs_are_not_joined() -> None:
    """A line break or a full stop between two masks stays."""
    assert written(decision(DATE), decision(BONN)).endswith("on ***.\n\n***: Yalman won.")


def test_tag_gives_an_entity_one_number() -> None:
    """All mentions of an entity get its type and number; another entity gets another."""
    assert written(decision(YALMAN, "tag"), decision(AYSE, "tag")) == (
        "[PERSON 1], Ankara, wrote to [PERSON 2] on 3 May 1994.\n\nBonn: [PERSON 1] won."
    )


def test_kept_entities_stay() -> None:
    """What was decided to keep is not touched."""
    assert written(decision(YALMAN, masked=False)) == TEXT


def keyed(monkeypatch: pytest.MonkeyPatch, key: str = "k" * 16) -> Policy:
    """Return a policy with a pseudonym key."""
    monkeypatch.setenv("TACENDA_TEST_KEY", key)
    return Policy(operator="pseudonym", key_env="TACENDA_TEST_KEY")


def test_pseudonym_is_stable_across_documents_under_one_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same name gets the same pseudonym in another document, whatever its case and title."""
    policy = keyed(monkeypatch)
    texts = ["Mr Galip Yalman came.", "It was GALIP YALMAN."]
    forms = ["Mr Galip Yalman", "GALIP YALMAN"]
    outputs = []
    for text, form in zip(texts, forms, strict=True):
        document = Document("d", text)
        item = entity("e1", mention(document, form))
        _, replacements = rewrite(document, [decision(item, "pseudonym")], policy)
        outputs.append(replacements[0].text)
    assert outputs[0] == outputs[1]
    assert outputs[0].startswith("[PERSON ")


def test_pseudonym_depends_on_the_key_and_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another key or another person, another pseudonym."""
    one = written(decision(YALMAN, "pseudonym"), policy=keyed(monkeypatch))
    assert one != written(decision(YALMAN, "pseudonym"), policy=keyed(monkeypatch, "l" * 16))
    both = written(
        decision(YALMAN, "pseudonym"), decision(AYSE, "pseudonym"), policy=keyed(monkeypatch)
    )
    assert len({part[:8] for part in both.split("[PERSON ")[1:]}) == 2


def test_pseudonym_without_a_key_is_refused() -> None:
    """No key, no pseudonym."""
    with pytest.raises(PolicyError, match="need a key"):
        written(decision(YALMAN, "pseudonym"))


def test_overlapping_entities_are_both_covered() -> None:
    """The union of two overlapping mentions is replaced, and both entities are named."""
    long = entity("e8", Mention(Span(0, 17), SemanticType.ORG, 0.9, 0.0, "neural"))
    text, replacements = rewrite(
        DOCUMENT, [decision(long, "tag"), decision(ANKARA, "tag")], Policy()
    )
    assert text.startswith("[ORG 1] [LOC 1], wrote")
    assert replacements[0].entity_ids == ("e8", "e2")


@st.composite
def decisions(draw: st.DrawFn) -> list[Decision]:
    """Draw up to six entities of one or two mentions anywhere in the text."""
    spans = st.integers(0, len(TEXT) - 1).flatmap(
        lambda start: st.builds(Span, st.just(start), st.integers(start + 1, len(TEXT)))
    )
    result = []
    for index in range(draw(st.integers(0, 6))):
        mentions = tuple(
            Mention(span, SemanticType.PERSON, 0.9, 0.0, "neural")
            for span in sorted(draw(st.lists(spans, min_size=1, max_size=2)))
        )
        item = Entity(f"e{index}", SemanticType.PERSON, index + 1, mentions)
        result.append(
            decision(item, draw(st.sampled_from(["suppress", "tag"])), draw(st.booleans()))
        )
    return result


@given(drawn=decisions())
def test_every_output_offset_has_an_original(drawn: list[Decision]) -> None:
    """Between the edits the text is the original's; the edits cover every masked character."""
    text, replacements = rewrite(DOCUMENT, drawn, Policy())
    original, output = 0, 0
    for item in replacements:
        kept = TEXT[original : item.original.start]
        assert text[output : item.output_start] == kept
        assert text[item.output_start : item.output_end] == item.text
        original, output = item.original.end, item.output_end
    assert text[output:] == TEXT[original:]
    covered = {i for item in replacements for i in range(item.original.start, item.original.end)}
    masked = {
        i
        for one in drawn
        if one.masked
        for item in one.entity.mentions
        for i in range(item.span.start, item.span.end)
    }
    assert masked <= covered
