"""Columns and fields beside the text: nothing is said of one, nothing of it leaves."""

from __future__ import annotations

import csv
import io
import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda import documents
from tacenda.documents.fields import Fields, names_of, refuse_unnamed
from tacenda.documents.writing import writer
from tacenda.errors import InputError, LeakError
from tacenda.pipeline import Sanitizer
from tacenda.policy import Policy
from tests.cli.test_sanitize import tacenda

NAME = "Galip Yalman"
CHARACTERS = st.characters(exclude_categories=("Cs",))


def others(keep: str = "", drop: str = "", pseudonym: str = "", **more: Any) -> Fields:
    """Return what three options say, as on the command line."""
    said = (names_of(line) for line in (keep, drop, pseudonym))
    return Fields.of_options(*said, **more)


def records(source: str, format: str, said: Fields, **options: Any) -> list[Any]:
    """Return what is read of a file."""
    stream = io.BytesIO(source.encode())
    return list(documents.read("-", format, stdin=stream, fields=said, **options))


def written(source: str, format: str, said: Fields, *, policy: Any = None, **options: Any) -> str:
    """Return a file sanitized under a policy that knows only what it names."""
    chosen = Policy(recognizer=False, threshold=0.5, **(policy or {}))
    sanitizer = Sanitizer(chosen, None, 0.5)
    output = io.BytesIO()
    sink = writer("same", output, input_format=format)
    for item in records(source, format, said, **options):
        if isinstance(item, documents.Failure):
            raise item.error
        sink.write(item, next(sanitizer.pipe([item.document])))
    sink.close()
    return output.getvalue().decode()


@pytest.mark.parametrize(
    ("format", "source"),
    [
        ("csv", f"id,text,name\n1,hello,{NAME}\n2,again,{NAME}\n"),
        ("jsonl", f'{{"id": 1, "text": "hello", "name": "{NAME}"}}\n{{"id": 2, "text": "x"}}\n'),
    ],
)
def test_a_column_of_which_nothing_is_said_is_refused(format: str, source: str) -> None:
    """The message has the very options that allow it, and none of the values."""
    with pytest.raises(InputError, match="--drop-columns id,name") as caught:
        written(source, format, Fields())
    assert NAME not in str(caught.value)
    (failure,) = refuse_unnamed(records(source, format, Fields()), "same")
    assert isinstance(failure, documents.Failure)
    assert str(failure.error) == str(caught.value)
    assert len(list(refuse_unnamed(records(source, format, Fields()), "text"))) == 2


def test_a_refusal_names_ten_columns_and_counts_the_others() -> None:
    """However many there are, and one option would do for all."""
    names = [f"c{number}" for number in range(1, 5001)]
    source = f"{','.join(names)},text\n{',' * len(names)}hello\n"
    with pytest.raises(InputError, match=r"^[^']*--drop-columns c1,c2,.*,c10 or") as caught:
        written(source, "csv", Fields())
    assert "5000 columns" in str(caught.value)
    assert "4990 more; '*' is all" in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("format", "source"),
    [
        ("csv", f"id,{NAME},text\n1,2,hello\n"),
        ("jsonl", f'{{"id": 1, "{NAME}": 2, "text": "hello"}}\n'),
    ],
)
def test_a_column_that_may_be_named_after_somebody_is_shown_by_its_place(
    format: str, source: str
) -> None:
    """Only names that look like those of a program are repeated."""
    with pytest.raises(InputError, match=r"--keep-columns 'id,(column|field) 2'") as caught:
        written(source, format, Fields())
    assert NAME not in str(caught.value)


def test_a_column_is_named_by_its_place_as_well() -> None:
    """As the message has it."""
    source = "id,Some One,text,Else\n1,2,hello,4\n"
    assert written(source, "csv", others("column 2", "column 4,id")) == "Some One,text\n2,hello\n"


@pytest.mark.parametrize(("format", "source"), [("csv", "text\nhello\n"), ("jsonl", '{"text":1}')])
def test_a_text_alone_needs_nothing_said(format: str, source: str) -> None:
    """A file of one column or field is written as ever."""
    source = source.replace("1", '"hello"')
    assert written(source, format, Fields()).strip() == source.strip()


@given(
    names=st.lists(st.text(CHARACTERS, min_size=1, max_size=6), min_size=1, max_size=3, unique=True)
)
def test_the_options_of_the_message_allow_it(names: list[str]) -> None:
    """Whatever columns are called, what the message says is understood."""
    names = [name for name in names if name not in ("text", "*")]
    stream = io.StringIO(newline="")
    csv.writer(stream).writerows([["text", *names], ["hello", *names]])
    (record,) = records(stream.getvalue(), "csv", Fields())
    if not names:
        return
    message = record.beside.refusal.removesuffix(".")
    value = shlex.split(message[message.index("--keep-columns") :])[1].removesuffix(",")
    (record,) = records(stream.getvalue(), "csv", others(keep=value))
    assert not record.beside.refusal


def test_columns_are_kept_dropped_or_replaced() -> None:
    """The header goes with its column; the same value has the same pseudonym in every column."""
    source = 'name,id,text,"by, who",age\nAnna,1,hello,Bo,40\nBo,2,"a,b",Anna,41\nBo,,x,,\n'
    said = others("id", "age", '"by, who",name')
    assert written(source, "csv", said) == (
        'name,id,text,"by, who"\n[ID 1],1,hello,[ID 2]\n[ID 2],2,"a,b",[ID 1]\n[ID 2],,x,\n'
    )


def test_fields_are_named_by_their_path() -> None:
    """What is said of a field holds within it, but for what is named there itself."""
    source = '{"a":{"id":7,"name":"Bo","of":[{"name":"Al"}, 3]},"text":"hello","b":[],"c":true}\n'
    said = others("a,c", "b,a.name", "a.id,a.of.name")
    assert written(source, "jsonl", said) == (
        '{"a":{"id":"[ID 1]","of":[{"name":"[ID 2]"}, 3]},"text":"hello","c":true}\n'
    )
    with pytest.raises(InputError, match=r"--keep-columns a\.name,a\.of,b,c,"):
        written(source, "jsonl", others("a.id"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner),
    max_leaves=8,
)


@given(
    fields=st.dictionaries(st.sampled_from("abcd"), JSON), dropped=st.sets(st.sampled_from("abcd"))
)
def test_what_is_dropped_leaves_json(fields: dict[str, Any], dropped: set[str]) -> None:
    """A line without some fields is the object without them."""
    item = {**dict(list(fields.items())[:2]), "text": "hello", **fields}
    line = written(json.dumps(item), "jsonl", others("*", ",".join(dropped)))
    assert json.loads(line) == {key: item[key] for key in item if key not in dropped}


@pytest.mark.parametrize(
    "policy",
    [
        {"target": [NAME]},
        {"deny": [{"exact": NAME, "type": "PERSON"}]},
        {"deny": [{"regex": "[Gg]alip.[Yy]alman"}]},
    ],
)
def test_who_the_policy_names_is_struck_out_everywhere(policy: Any) -> None:
    """In kept columns, their names, keys within keys, numbers' neighbours and later rows."""
    said = others(keep="*")
    table = f"id,{NAME},text\n1,by galip_yalman,hello\n2,x,hello\n"
    assert written(table, "csv", said, policy=policy) == "id,***,text\n1,by ***,hello\n2,x,hello\n"
    line = f'{{"text": "hello", "a": {{"{NAME}": ["by Galip Yalman", 7]}}}}\n'
    expected = '{"text": "hello", "a": {"***": ["by ***", 7]}}\n'
    assert written(line, "jsonl", said, policy=policy) == expected


def test_what_the_text_masks_is_struck_out_of_its_row() -> None:
    """A number of the text is gone from a kept column, where it is a string then."""
    line = '{"text": "Call +44 20 7946 0958.", "phone": "+44-20-7946-0958", "n": 1.50}\n'
    kept = json.loads(written(line, "jsonl", others(keep="*")), parse_float=str)
    assert "0958" not in kept["phone"] + kept["text"]
    assert kept["n"] == "1.50"
    line = '{"text": "IBAN GB82WEST12345698765432", "n": 3, "x": "gb82 west 1234 5698 7654 32"}\n'
    assert "9876" not in written(line, "jsonl", others(keep="*"))


def test_a_column_called_what_a_row_masks_makes_it_unwritable() -> None:
    """The header may be out already: such a row is refused, and says which column it is."""
    table = "a@b.org,text\n1,hello\n2,Write to a@b.org.\n"
    with pytest.raises(LeakError, match="name of column 1"):
        written(table, "csv", others(keep="*"))
    assert written(table, "csv", others(drop="*")).splitlines()[:2] == ["text", "hello"]


def test_a_first_row_that_fails_leaves_the_header() -> None:
    """The names of the columns stand before whichever row is written first."""
    output = io.BytesIO()
    sink = writer("same", output, input_format="csv")
    sanitizer = Sanitizer(Policy(recognizer=False, threshold=0.5), None, 0.5)
    _, second = records("id,text\n1,one\n2,two\n", "csv", others("id"))
    sink.write(second, next(sanitizer.pipe([second.document])))
    sink.close()
    assert output.getvalue() == b"id,text\n2,two\n"


def test_formulas_are_made_text_where_that_is_asked_for() -> None:
    """In text, other columns and the header, quoted or not; numbers stay numbers."""
    table = 'id,=x,text\n-1.5,@a,=1+1\n+2,"=b;""c""",-x\n3,-,hello\n'
    assert written(table, "csv", others("*", harmless=True)) == (
        "id,'=x,text\n-1.5,'@a,'=1+1\n+2,\"'=b;\"\"c\"\"\",'-x\n3,'-,hello\n"
    )
    assert written(table, "csv", others("*")) == table


def test_two_treatments_of_a_column_are_a_fault_of_usage() -> None:
    """One name in two options is refused, and so is one to drop that no column has."""
    with pytest.raises(InputError, match="'a' is in --keep-columns and in --drop-columns"):
        others("a", "a")
    with pytest.raises(InputError, match="no column 'nmae'"):
        written("name,text\nAnna,hello\n", "csv", others("*", "nmae"))


def test_a_row_longer_than_its_header_is_refused() -> None:
    """A cell that has no name is nobody's to keep, unless all are kept."""
    with pytest.raises(InputError, match="3 cells, the header 2"):
        written("id,text\n1,hello,Anna\n", "csv", others("id"))
    assert written("id,text\n1,hello,Anna\n", "csv", others("*")) == "id,text\n1,hello,Anna\n"
    assert written("id,text\n1,hello,Anna\n", "csv", others(drop="*")) == "text\nhello\n"


def test_the_command_says_what_to_say(tmp_path: Path) -> None:
    """One line names the options; with a key, pseudonyms are the same in every run."""
    policy = tmp_path / "p.yaml"
    policy.write_text("recognizer: false\nthreshold: 0.5\n")
    table = tmp_path / "a.csv"
    table.write_text(f"id,note,name\n7,hello,{NAME}\n8,hello,{NAME}\n")
    command = ("sanitize", str(table), "--policy", str(policy), "--column", "note")
    run = tacenda(*command)
    assert (run.returncode, run.stdout) == (1, b"")
    assert run.stderr.count(b"\n") == 1
    assert b"--pseudonym-columns id,name" in run.stderr
    run = tacenda(*command, "--keep-columns", "id", "--drop-columns", "id")
    assert run.returncode == 2
    key = tmp_path / "key"
    key.write_text("0f3c" * 16)
    key.chmod(0o600)
    command += ("--drop-columns", "id", "--pseudonym-columns", "name")
    first, second, without = (
        tacenda(*command, *more).stdout.decode()
        for more in (("--key-file", str(key)), ("--key-file", str(key)), ())
    )
    assert first == second != without
    assert without == "note,name\nhello,[ID 1]\nhello,[ID 1]\n"
