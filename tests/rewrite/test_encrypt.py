"""Encrypt and its tokens: what was sealed comes back byte for byte, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import (
    Decision,
    Document,
    Entity,
    IdentifierType,
    Mention,
    MentionSource,
    SemanticType,
    Span,
)
from tacenda.errors import InputError, PolicyError
from tacenda.policy import Policy
from tacenda.rewrite.rewrite import rewrite
from tacenda.sealing import open_text
from tests.building import entity, mention, reason
from tests.examples import MANY
from tests.keys import KEY as SECRET
from tests.keys import write_key

KEY = SECRET.encode()
DOCUMENT = Document("d", "Anna Berg of Bergen met Bo Lund. Anna's son is 7.\n")


@pytest.fixture(scope="session")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """Return a policy that encrypts everything."""
    path: Path = tmp_path_factory.mktemp("key") / "key"
    write_key(path, KEY)
    return Policy(operator="encrypt", key_file=path)


def decision(item: Entity, operator: str = "encrypt") -> Decision:
    """Return the decision to mask ``item``."""
    return Decision(item, True, operator, IdentifierType.QUASI, 0.9, (reason(),))


ANNA = entity("e1", mention(DOCUMENT, "Anna Berg"), mention(DOCUMENT, "Anna", nth=1))
BERGEN = entity("e2", mention(DOCUMENT, "Bergen", "LOC"))
BO = entity("e3", mention(DOCUMENT, "Bo Lund"), number=2)


def sealed(policy: Policy, document: Document = DOCUMENT, *items: Decision) -> str:
    """Return the document with its people and place encrypted."""
    chosen = items or tuple(map(decision, (ANNA, BERGEN, BO)))
    return rewrite(document, chosen, policy)[0]


def test_the_key_gives_the_document_back(policy: Policy) -> None:
    """Nothing of a name is in the output; with the key all of it is there again."""
    text = sealed(policy)
    assert not any(name in text for name in ("Anna", "Berg", "Bo", "Lund"))
    assert "'s son is 7." in text
    assert open_text(text, KEY).text == DOCUMENT.text


def test_equal_strings_of_a_document_have_equal_tokens(policy: Policy) -> None:
    """The encryption is deterministic, and bound to the document."""
    first = Document("a", "Anna and Anna.")
    item = entity("e1", mention(first, "Anna"), mention(first, "Anna", nth=1))
    one, two = sealed(policy, first, decision(item)).removesuffix(".").split(" and ")
    assert one == two
    second = Document("b", "Anna and Anna!")
    assert one not in sealed(policy, second, decision(item))


def test_other_operators_stay_beside_encrypted_entities(policy: Policy) -> None:
    """What was suppressed is gone for good; the rest of the document can be checked all the same."""
    text = sealed(policy, DOCUMENT, decision(ANNA), decision(BO, "suppress"))
    opened = open_text(text, KEY).text
    assert opened == DOCUMENT.text.replace("Bo Lund", "***")
    with pytest.raises(InputError, match="was changed after"):
        open_text(text[:-3], KEY)


def test_an_overlap_with_what_is_suppressed_can_not_be_opened(policy: Policy) -> None:
    """Where mentions overlap the operator that gives nothing back wins."""
    whole = entity("e9", mention(DOCUMENT, "Anna Berg of Bergen", "ORG"))
    text = sealed(policy, DOCUMENT, decision(whole), decision(BERGEN, "suppress"))
    assert text.startswith("*** met")


def test_a_wrong_key_is_told_from_a_changed_token(policy: Policy) -> None:
    """Another key is named by its id; a changed token is damage."""
    text = sealed(policy)
    with pytest.raises(PolicyError, match="made with the key of id"):
        open_text(text, b"l" * 32)
    at = text.index("]") - 4
    changed = text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]
    with pytest.raises(InputError, match="token 1 at offset 0 was tampered with"):
        open_text(changed, KEY)


def test_a_token_under_another_type_is_refused(policy: Policy) -> None:
    """The type is authenticated too."""
    with pytest.raises(InputError, match="tampered"):
        open_text(sealed(policy).replace("[PERSON", "[ORG", 1), KEY)


def test_a_token_of_another_document_is_refused(policy: Policy) -> None:
    """A token moved to another document can't be opened there, with or without its neighbours."""
    other = Document("e", "Anna Berg left. Bo Lund came.")
    anna, bo = entity("e1", mention(other, "Anna Berg")), entity("e2", mention(other, "Bo Lund"))
    text = sealed(policy, other, decision(anna), decision(bo))
    token = sealed(policy).partition("]")[0] + "]"
    moved = token + text[text.index(" left") :]
    with pytest.raises(InputError, match=r"token 2 at offset .* is from another document"):
        open_text(moved, KEY)
    with pytest.raises(InputError, match="was changed after"):
        open_text(f"{token} left.", KEY)


@pytest.mark.parametrize("cut", [1, 4, 40, 60, 300])
def test_a_truncated_text_is_refused(policy: Policy, cut: int) -> None:
    """Whatever is missing at the end, nothing is given back."""
    with pytest.raises(InputError, match=r"cut off or damaged|was changed after"):
        open_text(sealed(policy)[:-cut], KEY)


def test_changes_around_tokens_can_be_allowed(policy: Policy) -> None:
    """A reviewer may have edited what was left readable."""
    text = sealed(policy).replace("met", "has met")
    with pytest.raises(InputError, match="--edited"):
        open_text(text, KEY)
    assert "Berg of Bergen has met Bo" in open_text(text, KEY, edited=True).text


def test_a_document_with_tokens_is_not_encrypted_again(policy: Policy) -> None:
    """What looks like a token already would be taken for one of ours."""
    document = Document("twice", f"{sealed(policy)} Bo Lund")
    with pytest.raises(InputError, match=r"^twice: offset 0 of the output.*restore"):
        sealed(policy, document, decision(entity("e1", mention(document, "Bo Lund"))))


_TEXTS = st.text(st.characters(), min_size=1, max_size=200)


@st.composite
def documents(draw: st.DrawFn) -> tuple[Document, list[Decision]]:
    """Draw a text of any code points, lone surrogates too, and up to eight overlapping entities."""
    text = draw(_TEXTS)
    spans = st.integers(0, len(text) - 1).flatmap(
        lambda start: st.builds(Span, st.just(start), st.integers(start + 1, len(text)))
    )
    items = []
    for index in range(draw(st.integers(0, 8))):
        type = draw(st.sampled_from(list(SemanticType)))
        found = sorted(draw(st.lists(spans, min_size=1, max_size=3)))
        mentions = tuple(Mention(span, type, 0.9, 0.0, MentionSource.NEURAL) for span in found)
        items.append(decision(Entity(f"e{index}", type, index + 1, mentions)))
    return Document("d", text), items


@MANY
@given(drawn=documents())
def test_any_document_comes_back_byte_for_byte(
    policy: Policy, drawn: tuple[Document, list[Decision]]
) -> None:
    """Restoring is the inverse of encrypting, whatever the text and however mentions overlap."""
    document, items = drawn
    text, replacements = rewrite(document, items, policy)
    assert open_text(text, KEY).text == document.text
    for edit in replacements:
        assert text[edit.output_start : edit.output_end] == edit.text
