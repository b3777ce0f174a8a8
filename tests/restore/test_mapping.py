"""Mapping files: what they record is checked against the file that came in."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Decision, Entity, IdentifierType, Mention, MentionSource, Risk, Span
from tacenda.document import SemanticType as Type
from tacenda.documents.reading import read
from tacenda.documents.record import SourceDocument
from tacenda.documents.writing import writer
from tacenda.errors import InputError
from tacenda.policy import Policy
from tacenda.restore import by_mapping
from tacenda.restore.mapping import MappingWriter, read_mapping
from tacenda.result import Result
from tacenda.rewrite.rewrite import rewrite
from tests.examples import MANY


def sanitized(record: SourceDocument, spans: list[Span], operator: str = "suppress") -> Result:
    """Return the record's document with ``spans`` masked."""
    mentions = [Mention(span, Type.MISC, 0.9, 0.0, MentionSource.NEURAL) for span in spans]
    decisions = tuple(
        Decision(Entity(f"e{n}", Type.MISC, n, (m,)), True, operator, IdentifierType.QUASI, 0.9, ())
        for n, m in enumerate(mentions, start=1)
    )
    text, replacements = rewrite(record.document, decisions, Policy())
    entities = tuple(decision.entity for decision in decisions)
    return Result(
        record.document, text, entities, decisions, replacements, (), Risk(0.0, 0.0, 0.0, 0)
    )


def only(path: Path, encoding: str = "utf-8") -> SourceDocument:
    """Return the one document of a file."""
    (record,) = read(path, encoding=encoding)
    assert isinstance(record, SourceDocument)
    return record


_SPANS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=6)


@MANY
@given(
    text=st.text(st.characters(codec="utf-8"), max_size=40),
    places=_SPANS,
    operator=st.sampled_from(["suppress", "tag"]),
    keyed=st.booleans(),
)
def test_any_text_comes_back_from_its_mapping(
    tmp_path_factory: pytest.TempPathFactory,
    text: str,
    places: list[tuple[int, int]],
    operator: str,
    keyed: bool,
) -> None:
    """Whatever was masked by whatever operator, the file's bytes are those that came in."""
    folder = tmp_path_factory.mktemp("m")
    (folder / "a.txt").write_bytes(text.encode())
    try:
        record = only(folder / "a.txt")
    except AssertionError:
        return  # looks like no text at all
    length = len(record.document.text)
    spans = [Span(s, min(s + n, length)) for s, n in places if s < length]
    result = sanitized(record, sorted(spans), operator)
    key = b"k" * 16 if keyed else None
    mapping = MappingWriter(folder / "m", key)
    mapping.add(record, result)
    mapping.finish()
    stream = io.BytesIO()
    out = writer("same", stream, allow_leaks=True)  # the same string may stand elsewhere
    out.write(record, result)
    out.close()
    assert by_mapping(stream.getvalue(), read_mapping(folder / "m", key), "a") == text.encode()


def test_a_file_that_would_not_come_back_exactly_is_told(tmp_path: Path) -> None:
    """UTF-16 in the other byte order is written in this machine's: that is said at once."""
    (tmp_path / "a.txt").write_bytes(b"\xfe\xff" + "Anna".encode("utf-16-be"))
    record = only(tmp_path / "a.txt", "utf-16")
    mapping = MappingWriter(tmp_path / "m")
    mapping.add(record, sanitized(record, [Span(0, 2)]))
    with pytest.raises(InputError, match=r"a\.txt.*can't restore it byte for byte"):
        mapping.finish()
    assert not read_mapping(tmp_path / "m", None)[0].exact


def test_a_format_that_is_written_anew_has_no_mapping(tmp_path: Path) -> None:
    """A list of texts is serialised afresh, so there is nothing to lead back to its bytes."""
    (tmp_path / "a.json").write_text('["Anna"]', encoding="utf-8")
    mapping = MappingWriter(tmp_path / "m")
    record = only(tmp_path / "a.json")
    with pytest.raises(InputError, match="can't undo the format 'texts'"):
        mapping.add(record, sanitized(record, [Span(0, 2)]))
    mapping.abort()
    assert not (tmp_path / "m").exists()


def test_a_tag_stands_for_a_name_over_two_lines(tmp_path: Path) -> None:
    """Where a wrapped line breaks a name, what was written in the last line stands for all of it."""
    line = "went on to the village by the river and then further on and stayed"
    text = f"{line}\n{line}\nfor the whole rest of the winter and together with her uncle Galip\nYalman and {line}"
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    record = only(tmp_path / "a.txt")
    start = text.index("Galip")
    mapping = MappingWriter(tmp_path / "m")
    mapping.add(record, sanitized(record, [Span(start, start + 12)], "tag"))
    mapping.finish()
    (document,) = read_mapping(tmp_path / "m", None)[0].documents
    assert document == (("[ITEM 1]", "Galip Yalman", "e1"),)
