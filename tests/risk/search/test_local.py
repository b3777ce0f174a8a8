"""The local index: what is found in it, and how it grows."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.background.documents import IndexBuilder, LocalIndex, Query
from tacenda.errors import InputError, SearchError
from tacenda.text.tokens import word_list


def built(path: Path, **texts: str) -> LocalIndex:
    """Return an index of texts by address, all of one source."""
    with IndexBuilder(path) as builder:
        builder.begin("source")
        for address, text in texts.items():
            builder.add(address, text)
        builder.finish()
    return LocalIndex(path)


def addresses(index: LocalIndex, *phrases: str, count: int = 10) -> list[str]:
    """Return what holds all phrases, the best first."""
    query = Query.of(*((phrase,) for phrase in phrases))
    return [hit.address for hit in index.search(query, count)]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Yücel DOĞAN, born in Łódź", "yucel dogan"),
        ("Yücel DOĞAN, born in Łódź", "Lodz"),
        ("application (no. 1520/06)", "1520/06"),
        ("the Straße of Øster", "STRASSE OF OSTER"),
        ("他住在北京市朝阳区。", "北京市"),
        ("เขาอยู่ที่กรุงเทพ", "กรุงเทพ"),
        ("он живёт в Санкт-Петербурге", "САНКТ ПЕТЕРБУРГЕ"),
        ("bare AND necessities", "and"),
        ('a "NEAR" miss', "near"),
    ],
)
def test_phrases_are_found_however_they_are_written(tmp_path: Path, text: str, phrase: str) -> None:
    """Case, diacritics and punctuation don't count; scripts without spaces are searched too."""
    assert addresses(built(tmp_path / "k.db", a=text, b="something else"), phrase) == ["a"]


def test_a_phrase_is_not_its_words(tmp_path: Path) -> None:
    """Words of a phrase stand side by side; parts may stand anywhere."""
    index = built(tmp_path / "k.db", a="Anna met Carl Berg", b="Anna Berg met Carl")
    assert addresses(index, "Anna Berg") == ["b"]
    assert sorted(addresses(index, "Anna", "Berg")) == ["a", "b"]


def test_one_string_of_each_part_suffices(tmp_path: Path) -> None:
    """Alternatives are joined by or, parts by and."""
    index = built(tmp_path / "k.db", a="the PKK in Ankara", b="the Kurdistan party", c="Ankara")
    query = Query.of(("PKK", "Kurdistan party"), ("Ankara",))
    assert [hit.address for hit in index.search(query, 9)] == ["a"]


def test_the_best_come_first_and_no_more_than_asked(tmp_path: Path) -> None:
    """Hits are ordered by falling score (bm25)."""
    index = built(tmp_path / "k.db", a="bees " + "and wax " * 50, b="bees bees bees", c="bees, wax")
    hits = index.search(Query.of(("bees",)), 2)
    assert [hit.address for hit in hits] == ["b", "c"]
    assert hits[0].score > hits[1].score


def test_a_query_without_words_finds_nothing(tmp_path: Path) -> None:
    """Punctuation alone is on no page."""
    assert addresses(built(tmp_path / "k.db", a="***"), "***", "-") == []


def test_addresses_can_be_left_out(tmp_path: Path) -> None:
    """What the adversary is taken not to know takes no place among the results."""
    built(tmp_path / "k.db", a="bees bees", b="bees").close()
    index = LocalIndex(tmp_path / "k.db", without=["a"])
    assert addresses(index, "bees", count=1) == ["b"]


def test_only_what_is_new_or_changed_is_indexed(tmp_path: Path) -> None:
    """A second run leaves the equal alone, replaces the changed, and forgets the gone."""
    built(tmp_path / "k.db", a="bees", b="wax", c="honey").close()
    with IndexBuilder(tmp_path / "k.db") as builder:
        builder.begin("source")
        builder.add("a", "bees")
        builder.add("b", "candles")
        builder.finish()
    assert (builder.unchanged, builder.written, builder.forgotten) == (1, 1, 1)
    index = LocalIndex(tmp_path / "k.db")
    found = [addresses(index, word) for word in ("bees", "wax", "candles", "honey")]
    assert found == [["a"], [], ["b"], []]
    assert index.size().documents == 2


def test_other_sources_stay_as_they_are(tmp_path: Path) -> None:
    """Finishing one source forgets nothing of another."""
    with IndexBuilder(tmp_path / "k.db") as builder:
        for source in "xy":
            builder.begin(source)
            builder.add(source, "bees")
            builder.finish()
    with IndexBuilder(tmp_path / "k.db") as builder:
        builder.begin("x")
        builder.finish()
    assert addresses(LocalIndex(tmp_path / "k.db"), "bees") == ["y"]


def test_what_was_added_before_an_interruption_stays(tmp_path: Path) -> None:
    """The next run goes on behind it, and until then the source counts as incomplete."""

    def interrupted() -> None:
        with IndexBuilder(tmp_path / "k.db") as builder:
            builder.begin("source")
            builder.add("a", "bees")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert LocalIndex(tmp_path / "k.db").size().incomplete == 1
    index = built(tmp_path / "k.db", a="bees", b="wax")
    assert (index.size().incomplete, index.size().documents) == (0, 2)


def test_no_other_file_is_taken_for_an_index(tmp_path: Path) -> None:
    """Missing, text, and another database: each an error that names the file and the way out."""
    (tmp_path / "text").write_text("bees " * 500)
    sqlite3.connect(tmp_path / "other").execute("CREATE TABLE t (x)").connection.close()
    for name in ("missing", "text", "other"):
        with pytest.raises(InputError, match=f"{name}.*tacenda index build"):
            LocalIndex(tmp_path / name)
    for name in ("text", "other"):
        with pytest.raises(InputError, match=name):
            IndexBuilder(tmp_path / name)
    assert (tmp_path / "text").read_text() == "bees " * 500


def test_an_index_of_another_version_is_refused(tmp_path: Path) -> None:
    """The message names both versions."""
    built(tmp_path / "k.db", a="bees").close()
    with sqlite3.connect(tmp_path / "k.db") as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(InputError, match="version 99, expected 1"):
        LocalIndex(tmp_path / "k.db")


def test_a_damaged_index_gives_no_answer_rather_than_a_wrong_one(tmp_path: Path) -> None:
    """The search fails; the message holds neither the query nor a traceback of SQLite's."""
    index = built(tmp_path / "k.db", a="bees")
    with sqlite3.connect(tmp_path / "k.db") as database:
        database.execute("DROP TABLE texts")
    database.close()
    with pytest.raises(SearchError, match="build it again") as raised:
        addresses(index, "Berg")
    assert "Berg" not in str(raised.value)


@given(text=st.text(max_size=60), data=st.data())
def test_every_stretch_of_words_is_found(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject
) -> None:
    """Whatever the script: consecutive words of a document find it, as phrase and as text."""
    words = word_list(text)
    if not words:
        return
    start = data.draw(st.integers(0, len(words) - 1))
    phrase = " ".join(words[start : data.draw(st.integers(start + 1, len(words)))])
    index = built(tmp_path_factory.mktemp("index") / "k.db", a=text)
    assert addresses(index, phrase) == ["a"]
    assert addresses(index, text) == ["a"]
    index.close()
