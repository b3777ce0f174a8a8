"""Decisions to text."""

from __future__ import annotations

import base64
import hmac
import re

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
from tacenda.errors import PolicyError
from tacenda.policy import Policy
from tacenda.policy.rules import OPERATORS
from tacenda.rewrite.rewrite import Pseudonym, rewrite, warnings
from tests.building import entity, mention, reason
from tests.examples import MANY
from tests.growth import assert_linear
from tests.keys import KEY, OTHER_KEY, write_key

TEXT = "Mr Yalman, Ankara, wrote to Ayşe on 3 May 1994.\n\nBonn: Yalman won."
DOCUMENT = Document("d", TEXT)


def decision(item: Entity, operator: str = "suppress", masked: bool = True) -> Decision:
    """Return a decision about ``item``."""
    return Decision(
        item, masked, operator if masked else "", IdentifierType.QUASI, 0.9, (reason(),)
    )


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


def keyed(monkeypatch: pytest.MonkeyPatch, key: str = KEY) -> Policy:
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
    assert one != written(decision(YALMAN, "pseudonym"), policy=keyed(monkeypatch, OTHER_KEY))
    both = written(
        decision(YALMAN, "pseudonym"), decision(AYSE, "pseudonym"), policy=keyed(monkeypatch)
    )
    assert len({part[:8] for part in both.split("[PERSON ")[1:]}) == 2


def test_pseudonym_without_a_key_is_refused() -> None:
    """No key, no pseudonym."""
    with pytest.raises(PolicyError, match="need a key"):
        written(decision(YALMAN, "pseudonym"))


def test_overlapping_entities_are_both_covered() -> None:
    """The union of two overlapping mentions has the wider one's tag, and both entities are named."""
    long = entity("e8", Mention(Span(0, 17), SemanticType.ORG, 0.9, 0.0, MentionSource.NEURAL))
    text, replacements = rewrite(
        DOCUMENT, [decision(long, "tag"), decision(ANKARA, "tag")], Policy()
    )
    assert text.startswith("[ORGANISATION 1], wrote")
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
            Mention(span, SemanticType.PERSON, 0.9, 0.0, MentionSource.NEURAL)
            for span in sorted(draw(st.lists(spans, min_size=1, max_size=2)))
        )
        item = Entity(f"e{index}", SemanticType.PERSON, index + 1, mentions)
        result.append(decision(item, draw(st.sampled_from(OPERATORS)), draw(st.booleans())))
    return result


@pytest.fixture(scope="session")
def with_key(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """Return a policy with a key in a file."""
    path = tmp_path_factory.mktemp("key") / "key"
    write_key(path)
    return Policy(key_file=path)


@MANY
@given(drawn=decisions())
def test_every_output_offset_has_an_original(with_key: Policy, drawn: list[Decision]) -> None:
    """Between the edits the text is the original's; the edits cover all that is masked but blanks.

    That holds for all operators, together in one text and with mentions that overlap.
    """
    text, replacements = rewrite(DOCUMENT, drawn, with_key)
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
        if not TEXT[i].isspace()
    }
    assert masked <= covered


@pytest.mark.parametrize(
    ("text", "string", "output"),
    [
        ("Yalman's son", "Yalman's", "***'s son"),
        ("Yalman’s son", "Yalman’s", "***’s son"),
        ("by  Yalman \nand", " Yalman \n", "by  *** \nand"),
        ("'s", "'s", "***"),
    ],
)
def test_blanks_and_possessives_stay(text: str, string: str, output: str) -> None:
    """What a reader needs and nobody is told by is not in the edit."""
    document = Document("d", text)
    item = decision(entity("e1", mention(document, string)))
    assert rewrite(document, [item], Policy())[0] == output


def test_white_space_alone_is_not_replaced_and_counted() -> None:
    """A mention of two blanks has no edit and a warning, and changes none beside it."""
    document = Document("d", "Anna  was here.")
    blanks = Span(4, 6)
    mentions = (Mention(blanks, SemanticType.MISC, 1.0, 0.0, MentionSource.GOLD),)
    name = decision(entity("e1", mention(document, "Anna")), "tag")
    empty = decision(Entity("e2", SemanticType.MISC, 1, mentions), "tag")
    policy = Policy(operator="tag")
    text, replacements = rewrite(document, [name, empty], policy)
    assert text == "[PERSON 1]  was here."
    assert warnings(text, [name, empty], replacements, policy) == (
        "Masked entities that are only white space were not replaced: 1.",
    )
    assert warnings(text, [name], replacements, policy) == ()


def test_neighbours_of_one_entity_are_one_tag() -> None:
    """Title and name as two mentions read as one, two people as two."""
    document = Document("d", "Mr Galip, Yalman; Ada, Bo")
    he = entity("e1", mention(document, "Mr Galip"), mention(document, "Yalman"))
    ada = entity("e2", mention(document, "Ada"), number=2)
    bo = entity("e3", mention(document, "Bo"), number=3)
    text, _ = rewrite(document, [decision(item, "tag") for item in (he, ada, bo)], Policy())
    assert text == "[PERSON 1]; [PERSON 2], [PERSON 3]"


@pytest.mark.parametrize("between", ["\n", "\t", "\r\n", ". ", " and "])
def test_lines_columns_and_words_stay_between_masks(between: str) -> None:
    """Only blanks, commas, hyphens and slashes vanish between two masks."""
    document = Document("d", f"Ada{between}Bo")
    items = [entity("e1", mention(document, "Ada")), entity("e2", mention(document, "Bo"))]
    text, _ = rewrite(document, [decision(item) for item in items], Policy())
    assert text == f"***{between}***"


@MANY
@given(
    pieces=st.lists(
        st.sampled_from(
            (
                *("Ada", "a", "3 May 1994", "+44 20 7946 0018", "Bonn", ",", "went to her", "\n-"),
                *("\n", "\r\n", "\n\n", "\f", "\t", "|", "   ", "\u2028"),
            )
        ),
        min_size=1,
        max_size=30,
    ),
    data=st.data(),
)
def test_pages_lines_and_cells_are_as_many_as_before(
    with_key: Policy, pieces: list[str], data: st.DataObject
) -> None:
    """No edit takes away what parts two lines, whatever its mentions reach over."""
    text = " ".join(pieces)
    starts = st.integers(0, len(text) - 1)
    drawn = []
    for index in range(data.draw(st.integers(1, 5))):
        type = data.draw(st.sampled_from(list(SemanticType)))
        start = data.draw(starts)
        span = Span(start, data.draw(st.integers(start + 1, len(text))))
        if not span.of(text).strip():
            continue  # Nobody is named by white space.
        item = Entity(
            f"e{index}", type, index + 1, (Mention(span, type, 0.9, 0.0, MentionSource.NEURAL),)
        )
        drawn.append(decision(item, data.draw(st.sampled_from(OPERATORS))))
    output, replacements = rewrite(Document("d", text), drawn, with_key)
    parting = r"\r\n|\n- |[\n\f\t\u2028|]"
    assert re.findall(parting, output) == re.findall(parting, text)
    assert not any(re.search(parting, item.original.of(text)) for item in replacements)
    restored, position = "", 0
    for item in replacements:
        restored += output[position : item.output_start] + item.original.of(text)
        position = item.output_end
    assert restored + output[position:] == text


@pytest.mark.parametrize(
    ("name", "output"),
    [("suppress", "with her uncle \n*** and"), ("tag", "with her uncle \n[PERSON 1] and")],
)
def test_a_name_over_a_wrapped_line_is_written_once(name: str, output: str) -> None:
    """The line end stays, what stands for the name is in the last of its lines."""
    line = "went on to the village by the river and then further on and stayed"
    text = f"{line}\n{line}\nfor the whole rest of the winter and together with her uncle Galip\nYalman and {line}"
    document = Document("d", text)
    item = decision(entity("e1", mention(document, "Galip\nYalman")), name)
    assert output in rewrite(document, [item], Policy())[0]


def test_each_passage_that_a_mention_reaches_gets_its_text() -> None:
    """Two cells of one mention, as a reviewer may mark it, are both written."""
    document = Document("d", "| Ada | Bo |\fCy")
    item = decision(entity("e1", mention(document, "Ada | Bo |\fCy")), "tag")
    assert rewrite(document, [item], Policy())[0] == "| [PERSON 1] | [PERSON 1] |\f[PERSON 1]"


def test_a_long_run_of_neighbours_takes_linear_time() -> None:
    """A list of thousands of names is one edit."""
    assert_linear(_rewrite_neighbours, 4_000)


def _rewrite_neighbours(size: int) -> None:
    document = Document("d", "Ada, " * size)
    items = [
        Entity(
            f"e{n}",
            SemanticType.PERSON,
            n + 1,
            (Mention(Span(5 * n, 5 * n + 3), SemanticType.PERSON, 1.0, 0.0, MentionSource.NEURAL),),
        )
        for n in range(size)
    ]
    text, replacements = rewrite(document, [decision(item) for item in items], Policy())
    assert text == "***, "
    assert len(replacements[0].entity_ids) == size


@pytest.mark.parametrize(
    ("forms", "other"),
    [
        (("Mr Yalman", "Galip Yalman"), "Galip Yalman"),
        (("G. K. Yalman", "Galip Yalman"), "galip yalman"),
        (("Yalman's",), "Yalman"),
        (("Öztürk",), "OZTURK"),
    ],
)
def test_the_fullest_name_decides_the_pseudonym(forms: tuple[str, ...], other: str) -> None:
    """Whatever else a document calls somebody, the fullest name is what is hashed."""
    first = Document("d", ", ".join(forms))
    second = Document("e", other)
    operator = Pseudonym(KEY.encode())
    named = entity("e1", *(mention(first, form) for form in forms))
    again = entity("e1", mention(second, other))
    one = operator.write(first, named, named.mentions[0].span)
    assert one == operator.write(second, again, again.mentions[0].span)


def test_a_pseudonym_is_the_keyed_digest() -> None:
    """HMAC-SHA256 of type and canonical name, 40 bits in base32."""
    document = Document("d", "Dr Galip Yalman")
    digest = hmac.digest(KEY.encode(), b"PERSON\0galip yalman", "sha256")[:5]
    item = entity("e1", mention(document, "Dr Galip Yalman"))
    written = Pseudonym(KEY.encode()).write(document, item, item.mentions[0].span)
    assert written == f"[PERSON {base64.b32encode(digest).decode()}]"


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator_of_a_policy_writes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a policy may name is an operator that replaces the name."""
    assert "Ayşe" not in written(decision(AYSE, name), policy=keyed(monkeypatch))


def test_a_hash_is_the_whole_keyed_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """HMAC-SHA256 of type and canonical name, parted from that of a pseudonym."""
    digest = hmac.digest(KEY.encode(), b"hash\0PERSON\0ayse", "sha256").hex()
    assert f"to [PERSON {digest}] on" in written(decision(AYSE, "hash"), policy=keyed(monkeypatch))
