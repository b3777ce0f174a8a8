"""`tacenda restore` and `tacenda sanitize --mapping`: the original, byte for byte, or an error."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tests.cli.test_sanitize import tacenda
from tests.keys import KEY, OTHER_KEY, write_key

FILES = {
    "a.txt": b"\xef\xbb\xbfAnna Berg, anna@berg.no,\r\ncalled Bo Lund.\n\nAnna Berg's son\tis 7.",
    "b.md": "# Anna Berg\n\n**Anna Berg** and _Bo Lund_ `x` met – on [here](http://x.no/a).\n".encode(),
    "c.html": b'<p title="Anna Berg">Anna <b>Berg</b> &amp; Bo&nbsp;Lund &eacute;t&#233;</p>\n',
    "d.jsonl": b'{"text": "Anna Berg \\u00e9 wrote", "n": 1.0}\n\n{"n": 2, "text":"Bo Lund"}\n',
    "e.csv": b'id;text\r\n1;"Anna Berg; ""yes"""\r\n2;Bo Lund\r\n',
}
POLICY = """\
recognizer: false
threshold: 0.5
deny: [{exact: Anna Berg, type: PERSON}, {exact: Bo Lund, type: PERSON}]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with documents in every format, a policy and a key."""
    (tmp_path / "in").mkdir()
    for name, content in FILES.items():
        (tmp_path / "in" / name).write_bytes(content)
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    write_key(tmp_path / "key")
    write_key(tmp_path / "other", OTHER_KEY)
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[int, bytes, str]:
    """Run a command whose words that begin with @ are files of the folder."""
    done = tacenda(*(str(folder / a[1:]) if a[:1] == "@" else a for a in arguments))
    assert b"Traceback" not in done.stderr
    assert b"Anna" not in done.stderr
    return done.returncode, done.stdout, " ".join(done.stderr.decode().replace("│", " ").split())


def sanitize(folder: Path, *arguments: str) -> tuple[int, bytes, str]:
    """Run `sanitize` under the policy; other columns and fields stay."""
    return run(folder, "sanitize", "--policy", "@policy.yaml", "--keep-columns=*", *arguments)


@pytest.mark.parametrize("operator", ["suppress", "surrogate"])
def test_a_mapping_gives_back_every_format(folder: Path, operator: str) -> None:
    """Whatever the operator wrote, the original's bytes come back, escapes and line ends too."""
    code, _, said = sanitize(
        folder, "@in", "-o", "@out/", "--operator", operator, "--key-file", "@key",
        "--mapping", "@mapping",
    )  # fmt: skip
    assert code == 0, said
    assert stat.S_IMODE((folder / "mapping").stat().st_mode) == 0o600
    assert b"Berg" not in (folder / "mapping").read_bytes()
    for name, content in FILES.items():
        assert b"Berg" not in (folder / "out" / name).read_bytes()
        code, out, said = run(
            folder, "restore", f"@out/{name}", "--mapping", "@mapping", "--key-file", "@key"
        )
        assert (code, out) == (0, content), said


@pytest.mark.parametrize("name", ["a.txt", "b.md", "d.jsonl", "e.csv"])
def test_the_key_alone_gives_back_what_was_encrypted(folder: Path, name: str) -> None:
    """Without a mapping the text comes back byte for byte, but that JSON may spell it otherwise."""
    sealed, key = "@sealed" + name[1:], ("--key-file", "@key")
    assert sanitize(folder, f"@in/{name}", "--operator", "encrypt", *key, "-o", sealed)[0] == 0
    assert b"Anna" not in (folder / sealed[1:]).read_bytes()
    code, _, said = run(folder, "restore", sealed, *key, "-o", "@back")
    assert code == 0, said
    assert (folder / "back").read_bytes().replace("é".encode(), b"\\u00e9") == FILES[name]
    assert stat.S_IMODE((folder / "back").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--key-file", "@other"), 2, "was made with the key of id"),
        (("--key-file", "@nowhere"), 2, "can't be read"),
        (("--key-env", "NOT_SET_ANYWHERE"), 2, "contains 0 bytes"),
        ((), 2, "give --key-file or --key-env"),
        (("--key-file", "@key", "--key-env", "X"), 2, "can't be used together"),
        (("--key-file", "@key", "-o", "@sealed.txt"), 2, "the output is the input"),
        (("--mapping", "@key"), 1, "is not a mapping of version 1"),
        (("--mapping", "@nowhere"), 1, "can't be read"),
    ],
)
def test_a_wrong_key_or_mapping_restores_nothing(
    folder: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    """Nothing is written, and what was there stays."""
    sanitize(
        folder, "@in/a.txt", "--operator", "encrypt", "--key-file", "@key", "-o", "@sealed.txt"
    )
    before = (folder / "sealed.txt").read_bytes()
    (folder / "back").write_bytes(b"old")
    if "-o" not in arguments:
        arguments += ("-o", "@back")
    found, out, said = run(folder, "restore", "@sealed.txt", *arguments)
    assert found == code
    assert message in said
    assert out == b""
    assert (folder / "back").read_bytes() == b"old"
    assert (folder / "sealed.txt").read_bytes() == before
    assert not list(folder.glob(".tacenda*"))


def test_damaged_and_foreign_files_restore_nothing(folder: Path) -> None:
    """A cut token, a changed word and a file without tokens are errors that say so."""
    sanitize(
        folder, "@in/a.txt", "--operator", "encrypt", "--key-file", "@key", "-o", "@sealed.txt"
    )
    whole = (folder / "sealed.txt").read_bytes()
    cases = {
        whole[:40]: "cut off or damaged",
        whole.replace(b"called", b"phoned"): "was changed after",
        FILES["a.txt"]: "has no tokens of encrypt",
    }
    for data, message in cases.items():
        (folder / "bad.txt").write_bytes(data)
        code, out, said = run(folder, "restore", "@bad.txt", "--key-file", "@key", "-o", "@back")
        assert (code, out) == (1, b"")
        assert message in said
        assert not (folder / "back").exists()


def test_a_mapping_of_another_document_is_refused(folder: Path) -> None:
    """A mapping fits the very bytes that were written, and no others."""
    sanitize(folder, "@in/a.txt", "-o", "@one.txt", "--mapping", "@in/mapping")
    sanitize(folder, "@in/b.md", "-o", "@two.md")
    code, out, said = run(folder, "restore", "@two.md", "--mapping", "@in/mapping")
    assert (code, out) == (1, b"")
    assert "belongs to another document" in said
    whole = (folder / "in/mapping").read_bytes()
    for cut in (3, 30, 200):
        (folder / "cut").write_bytes(whole[:-cut])
        code, out, said = run(folder, "restore", "@one.txt", "--mapping", "@cut")
        assert (code, out) == (1, b"")
        assert "cut off" in said


def test_an_encrypted_mapping_needs_its_key_and_every_line(folder: Path) -> None:
    """Without the key, under another one, or with a line changed, nothing comes back."""
    sanitize(
        folder, "@in/a.txt", "-o", "@one.txt", "--key-file", "@key", "--mapping", "@in/mapping"
    )
    restore = ("restore", "@one.txt", "--mapping", "@in/mapping")
    assert "is encrypted; pass its key" in run(folder, *restore)[2]
    assert "was encrypted with key" in run(folder, *restore, "--key-file", "@other")[2]
    lines = (folder / "in/mapping").read_bytes().splitlines()
    lines[1:3] = lines[2:0:-1]
    (folder / "in/mapping").write_bytes(b"\n".join(lines))
    code, _, said = run(folder, *restore, "--key-file", "@key")
    assert code == 1
    assert "line 2 of the mapping was changed" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("@in/a.txt", "-o", "@one.txt", "--mapping", "@mapping"), "be in the output's folder"),
        (("@in", "-o", "@out/", "--mapping", "@out/mapping"), "be in the output's folder"),
        (("@in/a.txt", "-o", "@in/one.txt", "--mapping", "@key"), "already exists"),
        (("@in/a.txt", "@in/b.md", "--mapping", "@mapping"), "can't be separated"),
        (("@in/a.txt", "--to", "json", "--mapping", "@mapping"), "--to json is another"),
    ],
)
def test_where_a_mapping_may_not_be(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    """It is refused beside the output, over a file, and where it would be of no use."""
    (folder / "out").mkdir()
    code, out, said = sanitize(folder, *arguments)
    assert (code, out) == (2, b"")
    assert message in said
    assert (folder / "key").read_text() == KEY
    assert not list(folder.rglob(".tacenda*"))


def test_parts_the_output_only_when_asked(folder: Path) -> None:
    """The flag says that the mapping may lie there."""
    arguments = ("@in/a.txt", "-o", "@one.txt", "--mapping", "@mapping")
    assert sanitize(folder, *arguments, "--mapping-beside-output")[0] == 0
    assert run(folder, "restore", "@one.txt", "--mapping", "@mapping")[1] == FILES["a.txt"]


def test_two_originals_with_one_output_are_told_apart_by_name(folder: Path) -> None:
    """Where the output does not tell which original it was, the user says it."""
    for name, text in (("x.txt", "Anna Berg said so."), ("y.txt", "Bo Lund said so.")):
        (folder / "in" / name).write_text(text, encoding="utf-8")
    sanitize(folder, "@in", "-o", "@out/", "--mapping", "@mapping")
    restore = ("restore", "@out/x.txt", "--mapping", "@mapping")
    code, _, said = run(folder, *restore)
    assert code == 1
    assert "--original NAME" in said
    assert run(folder, *restore, "--original", "y.txt")[1] == b"Bo Lund said so."


def test_one_document_that_can_not_be_encrypted_does_not_stop_the_others(folder: Path) -> None:
    """A document with tokens already is named, the other one is done."""
    (folder / "two").mkdir()
    (folder / "two/a.txt").write_text("Anna Berg [PERSON e1.MFRGG]", encoding="utf-8")
    (folder / "two/b.txt").write_text("Bo Lund came.", encoding="utf-8")
    arguments = ("--operator", "encrypt", "--key-file", "@key", "-o", "@out/")
    code, _, said = sanitize(folder, "@two", *arguments)
    assert code == 1
    assert "a.txt: offset" in said
    assert [path.name for path in (folder / "out").iterdir()] == ["b.txt"]


@pytest.mark.parametrize("operator", ["tag", "pseudonym", "hash", "surrogate", "encrypt"])
def test_an_edited_text_comes_back_by_its_mapping(folder: Path, operator: str) -> None:
    """What a language model quotes in other words has the names again."""
    sanitize(
        folder, "@in/b.md", "-o", "@clean.md", "--operator", operator, "--key-file", "@key",
        "--mapping", "@in/mapping",
    )  # fmt: skip
    clean = (folder / "clean.md").read_text(encoding="utf-8")
    name = clean.partition("\n")[0].removeprefix("# ")
    assert "Anna" not in name
    (folder / "answer.txt").write_text(f"In short: {name} left.", encoding="utf-8")
    restore = ("restore", "@answer.txt", "--mapping", "@in/mapping", "--key-file", "@key")
    assert run(folder, *restore)[:2] == (1, b"")
    code, out, said = run(folder, *restore, "--edited")
    assert (code, out.decode()) == (0, "In short: Anna Berg left.")
    assert said == "1 placeholder restored, 0 left."


def test_placeholders_that_stay_are_counted_and_end_with_code_1(folder: Path) -> None:
    """The text is written all the same."""
    boxes = ("--operator", "suppress", "--mapping", "@in/mapping")
    sanitize(folder, "@in/b.md", "-o", "@clean.md", *boxes)
    (folder / "answer.txt").write_text("He (***) left [PERSON 7].", encoding="utf-8")
    code, out, said = run(folder, "restore", "@answer.txt", "--mapping", "@in/mapping", "--edited")
    assert (code, out) == (1, b"He (***) left [PERSON 7].")
    assert "0 placeholders restored, 2 left: 1 that are ambiguous, 1 that can't" in said


def test_tokens_that_cannot_be_opened_stay_in_an_edited_text(folder: Path) -> None:
    """By the key alone, a cut token does not keep the others from coming back."""
    sanitize(folder, "@in/a.txt", "--operator", "encrypt", "--key-file", "@key", "-o", "@clean.txt")
    token = (folder / "clean.txt").read_text(encoding="utf-8-sig").partition(",")[0]
    (folder / "answer.txt").write_text(f"{token} and {token[:60]} left.", encoding="utf-8")
    code, out, said = run(folder, "restore", "@answer.txt", "--key-file", "@key", "--edited")
    assert (code, out.decode()) == (1, f"Anna Berg and {token[:60]} left.")
    assert "1 placeholder restored, 1 left" in said
