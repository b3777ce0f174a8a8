"""Tags in the language of a text: their words are data, and all that reads tags back knows them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.document import Decision, Document, IdentifierType, SemanticType
from tacenda.documents.reading import read
from tacenda.errors import PolicyError
from tacenda.models.store import DEFAULT, locate
from tacenda.models.text_language import NAMES, foreign_parts, language_of, main_language
from tacenda.pipeline import load
from tacenda.policy import Policy
from tacenda.reidentify.tokens import read_words
from tacenda.restore.mapping import FileMapping, by_placeholders
from tacenda.rewrite.rewrite import rewrite
from tacenda.text.placeholders import own_tags, taken_numbers
from tacenda.wording import LANGUAGES, TIME, read_languages
from tests.building import entity, mention

PARAGRAPHS = {
    "en": "She said that the meeting had been moved to the other building because of the noise.",
    "de": "Der Zeuge gab an, dass er das Fahrzeug zuletzt am Abend vor der Wohnung gesehen hatte.",
    "fr": "Je vous écris parce que je n'ai toujours pas reçu la réponse que vous aviez promise hier.",
    "pl": "Proszę o przesłanie dokumentów, które zostały wymienione w poprzednim liście do urzędu.",
    "sv": "Jag skriver till er eftersom jag fortfarande inte har fått något svar på mitt brev.",
}
ROMANIAN = (
    "Vă scriu pentru că nu am primit încă răspunsul pe care mi l-ați promis săptămâna trecută."
)
ROMANIAN_TABLE = """
name = "Romanian"

[tags]
PERSON = "PERSOANĂ"
CODE = "NUMĂR"
LOC = "LOC"
ORG = "ORGANIZAȚIE"
DEM = "DETALIU"
DATETIME = "DATĂ"
TIME = "TIMP"
QUANTITY = "CANTITATE"
MISC = "OBIECT"
"""
_codes = st.sampled_from(sorted(LANGUAGES))
_keys = st.sampled_from([*SemanticType, TIME])
_numbers = st.integers(1, 999)


def _tag(code: str, key: str, number: int) -> str:
    return f"[{LANGUAGES[code].tags[key]} {number}]"


def _type(key: str) -> SemanticType:
    return SemanticType.DATETIME if key == TIME else SemanticType(key)


@given(_codes, _keys, _numbers)
def test_a_tag_of_any_language_is_reserved_and_read_back(code: str, key: str, number: int) -> None:
    """Its number is taken for its type; it is nobody's name, and no word to an attacker."""
    tag = _tag(code, key, number)
    text = f"So {tag} left."
    assert number in taken_numbers(text)[_type(key)]
    assert [span.of(text) for span in own_tags(text)] == [tag]
    assert read_words(Document("d", text)).keys == ("so", "left")


@given(_codes, _keys, _numbers, st.sampled_from([str.lower, str.title, str.upper]))
def test_an_edited_tag_of_any_language_is_restored(
    tmp_path_factory: pytest.TempPathFactory,
    code: str,
    key: str,
    number: int,
    case: Callable[[str], str],
) -> None:
    """Whatever case and blanks it has."""
    tag = _tag(code, key, number)
    edited = case(tag).replace(" ", "\u00a0 ")
    path = tmp_path_factory.mktemp("edited") / "a.txt"
    path.write_text(f"So {edited} left.")
    mapping = FileMapping("a", "", "", True, (), (((tag, "Bo Lund", "e1"),),))
    assert by_placeholders(read(path), [mapping], "a.txt").data.decode() == "So Bo Lund left."


@given(_codes, st.sampled_from(["3 May 2004", "three years", "10.30 a.m."]))
def test_a_tag_has_the_word_of_its_language(code: str, string: str) -> None:
    """Times have one of their own; neighbouring tags stand as the words did."""
    document = Document("d", f"Bo {string} Lund.")
    types = {"Bo": SemanticType.PERSON, string: SemanticType.DATETIME}
    decisions = [
        Decision(
            entity(f"e{place}", mention(document, item, type), number=1),
            True, "tag", IdentifierType.QUASI, 0.9, (),
        )
        for place, (item, type) in enumerate(types.items())
    ]  # fmt: skip
    words = LANGUAGES[code].tags
    when = words["DATETIME" if "May" in string else TIME]
    text, _ = rewrite(document, decisions, Policy(tag_language=code))
    assert text == f"[{words['PERSON']} 1] [{when} 1] Lund."


def test_a_tag_changes_no_word_of_its_language() -> None:
    """Only in English an "a" is an article."""
    document = Document("d", "Escribe a Acme hoy.")
    named = entity("e1", mention(document, "Acme", SemanticType.ORG), number=1)
    decision = Decision(named, True, "tag", IdentifierType.QUASI, 0.9, ())
    text, _ = rewrite(document, [decision], Policy(tag_language="es"))
    assert text == "Escribe a [ORGANIZACIÓN 1] hoy."


@pytest.mark.parametrize("code", PARAGRAPHS)
def test_a_text_tells_its_language(code: str) -> None:
    """That of most of its running words, whatever names and codes stand beside them."""
    table = "| José García | 12.03.1994 | Sevilla |\n" * 5
    assert main_language(f"{table}\n\n{PARAGRAPHS[code]}\n\n{PARAGRAPHS[code]}") == code


def test_text_takes_the_language_of_each_text() -> None:
    """English words where the text is too short to tell, or its language has no table."""
    policy = Policy(recognizer=False, threshold=0.2, tag_language="text")
    sanitizer = load(policy)
    mail = "ann.bell@example.org"
    turkish = (
        "Dün akşam toplantıya geç kaldığım için özür dilerim, yarın sabah tekrar görüşelim mi."
    )
    expected = {PARAGRAPHS["de"]: "NUMMER", PARAGRAPHS["fr"]: "CODE", "": "CODE", turkish: "CODE"}
    for text, word in expected.items():
        assert sanitizer.sanitize(f"{text} {mail}").text == f"{text} [{word} 1]"


def test_what_a_user_says_goes_before_the_language_of_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In tags, and in the months of made-up dates."""
    monkeypatch.setenv(
        "KEY_OF_TEST", "9f3c5b7a12e4d6808f1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071"
    )
    rule = {"regex": r"\d+ \w+ 20\d\d", "type": "DATETIME"}
    tags = Policy(recognizer=False, threshold=0.2, deny=(rule,), tag_language="text")
    names = tags.with_changes(operator="surrogate", key_env="KEY_OF_TEST")
    dates = [f"{n} {month} 20{n}" for n in range(10, 15) for month in ("april", "november")]
    document = Document("d", f"{PARAGRAPHS['de']} {', '.join(dates)}")
    german = "januar februar märz april mai juni juli august september oktober november dezember"
    danish = "januar februar marts april maj juni juli august september oktober november december"
    for code, tag, months in (
        ("", "DATUM", german),
        ("de", "DATUM", german),
        ("da", "DATO", danish),
    ):
        stated = replace(document, language=code)
        assert language_of(stated) == (code or "de")
        ((tagged,), (made,)) = (load(p).pipe([stated], batch_size=1) for p in (tags, names))
        assert f"[{tag} {len(dates)}]" in tagged.text
        found = set(re.findall(r"\d (\w+) 20", made.text))
        assert found <= set(months.split())
        assert found - set(german.split()) or code != "da"


def test_an_unknown_language_is_a_fault_of_the_policy() -> None:
    """The message names those there are."""
    with pytest.raises(PolicyError, match="tag_language: should be text, or one of da, de, en, "):
        Policy(tag_language="xx")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "Romanian"', "", "needs a name"),
        ("[tags]", "[tags", "needs a name and a table of tags in TOML"),
        ('MISC = "OBIECT"', "", "exactly the fields PERSON, CODE"),
        ('"OBIECT"', '"Obiect"', "tags.MISC must be 2 to 15 capitals .found 'Obiect'"),
        ('"OBIECT"', "3", "tags.MISC must be 2 to 15 capitals"),
        ('"OBIECT"', '"DETALIU"', "a unique word"),
        ('"OBIECT"', '"DATUM"', "tags.MISC: 'DATUM' means DATETIME in another language"),
    ],
)
def test_a_faulty_table_is_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    """The error names the file and the field."""
    (tmp_path / "ro.toml").write_text(ROMANIAN_TABLE.replace(old, new))
    with pytest.raises(PolicyError, match=rf"ro\.toml: .*{message}"):
        read_languages(str(tmp_path))


def test_the_table_of_the_documentation_is_one(tmp_path: Path) -> None:
    """Whoever copies it has a language."""
    page = Path(__file__).parents[1] / "docs" / "languages.md"
    table = page.read_text().partition("```toml\n")[2].partition("```")[0]
    (tmp_path / "fi.toml").write_text(table)
    finnish = read_languages(str(tmp_path))["fi"]
    assert (finnish.name, finnish.tags["PERSON"]) == ("Finnish", "HENKILÖ")


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """The error names the variable."""
    with pytest.raises(PolicyError, match=r"TACENDA_LANGUAGES: .*check the path"):
        read_languages(str(tmp_path / "missing"))


def test_a_language_is_added_by_data_alone(tmp_path: Path) -> None:
    """A table in a folder, and a recognizer that says it reads the language: no code, and no warning."""
    (tmp_path / "ro.toml").write_text(ROMANIAN_TABLE)
    model = _reading(tmp_path / "model", "ro")
    letter = tmp_path / "scrisoare.txt"
    letter.write_text(f"{ROMANIAN} {ROMANIAN}\n\nVeche: [NUMĂR 1]. Adresa: ion.popa@example.org\n")

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tacenda", "sanitize", str(letter), *options],
            env=os.environ | {"TACENDA_LANGUAGES": str(tmp_path)},
            capture_output=True,
            text=True,
        )

    assert foreign_parts(letter.read_text())
    assert "Romanian" in run().stderr
    done = run("--model", str(model), "--tag-language", "text")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("Veche: [NUMĂR 1]. Adresa: [NUMĂR 2]\n")
    assert run("--tag-language", "ro").stdout.endswith("Adresa: [NUMĂR 2]\n")


def _reading(folder: Path, code: str) -> Path:
    """Return a copy of the shipped recognizer that says it reads another language, too."""
    shutil.copytree(locate(DEFAULT).path("config.json").parent, folder)
    config = json.loads((folder / "config.json").read_text())
    config["languages"].append(code)
    (folder / "config.json").write_text(json.dumps(config))
    digests = json.loads((folder / "digests.json").read_text())
    digests["config.json"] = hashlib.sha256((folder / "config.json").read_bytes()).hexdigest()
    (folder / "digests.json").write_text(json.dumps(digests))
    return folder


def test_each_language_that_is_read_has_a_table() -> None:
    """With a name; one word means one type in all of them."""
    config = json.loads(locate(DEFAULT).path("config.json").read_text())
    assert set(config["languages"]) == LANGUAGES.keys()
    assert all(NAMES[code] == language.name for code, language in LANGUAGES.items())
