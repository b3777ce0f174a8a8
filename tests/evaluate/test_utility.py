"""What a reader can still do with sanitized texts."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from tacenda.cli import app
from tacenda.document import Document, Span
from tacenda.errors import InputError
from tacenda.evaluate.facts import facts_kept, kept_share, read_release
from tacenda.evaluate.releases import Release, Rewriting, read_pairs, read_releases
from tacenda.evaluate.utility import PARTS, UTILITY, Utility, measure_utility, topic_similarity
from tacenda.rewrite.generalize.candidates import KIND_ALONE
from tacenda.text.tokens import words
from tests.examples import for_each

LIFE = (
    "Anna Berg, born in Drammen on 12 March 1984, is a Norwegian tennis player. She trained as an "
    "engineer; since 2006 she has played doubles for her club, and won the championship twice."
)
COOKING = (
    "Preheat the oven. Mix the flour with butter and sugar, add a teaspoon of salt and knead the "
    "dough until it is smooth. Bake for twenty minutes, then let it cool before serving."
)
SWEDISH = "Hon bor i Uppsala sedan många år. Barnen går i skolan och mannen arbetar på sjukhuset."


def masked(text: str, *strings: str) -> Release:
    """Return the text with the first occurrence of each string masked."""
    starts = [text.index(string) for string in strings]
    spans = [Span(a, a + len(s)) for a, s in zip(starts, strings, strict=True)]
    return Release.masked("d", text, spans)


def rewritten(original: str, string: str, text: str) -> Release:
    """Return a text with something else for a string."""
    start = original.index(string)
    return Release("d", original, (Rewriting(start, start + len(string), text),))


def facts(release: Release) -> float:
    """Return the share of facts kept."""
    share = facts_kept(read_release(release))
    assert share is not None
    return share


def values(utility: Utility) -> dict[str, float | None]:
    """Return the one figure and its parts."""
    return {name: utility.figures[name].value for name in (UTILITY, *PARTS)}


def test_the_original_keeps_everything_and_a_black_page_nothing() -> None:
    """1 and 0 in every part, with intervals of no width."""
    texts = {"life": LIFE, "cooking": COOKING}
    whole = measure_utility([Release.masked(id, text, []) for id, text in texts.items()])
    nothing = measure_utility(
        [Release.masked(id, text, [Span(0, len(text))]) for id, text in texts.items()]
    )
    assert values(whole) == pytest.approx(dict.fromkeys((UTILITY, *PARTS), 1.0))
    assert values(nothing) == dict.fromkeys((UTILITY, *PARTS), 0.0)
    assert whole.figures[UTILITY].interval == pytest.approx((1, 1))
    assert whole.figures["agreement_kind"].value == 1
    assert nothing.figures["agreement_kind"].value == 0


@for_each("text", [LIFE, COOKING, SWEDISH, LIFE.upper()])
@for_each("seed", range(2))
def test_masking_more_never_raises_a_part(text: str, seed: int) -> None:
    """Word after word in any order, until nothing is left."""
    order = [Span(start, end) for start, end in zip(*words(text), strict=True)]
    Random(seed).shuffle(order)
    before = dict.fromkeys((UTILITY, *PARTS), 1.0 + 1e-12)
    for n in range(len(order) + 1):
        now = values(measure_utility([Release.masked("d", text, order[:n])], 1))
        for name, value in now.items():
            if value is not None:
                assert value <= before[name] + 1e-12
                before[name] = value
    assert before[UTILITY] == 0


def test_a_text_of_an_unknown_kind_is_measured_without_classifiers() -> None:
    """Facts and topics need no training; what has no word at all is left out, with a note."""
    utility = measure_utility(
        [masked("qwzx vbnm; hjkl trewq", "vbnm"), Release.masked("e", "…", [])]
    )
    assert utility.figures["classification"].documents == 0
    assert utility.figures["classification"].value is None
    assert 0 < (utility.value or 0) < 1
    assert utility.by_document["e"] is None
    assert utility.notes == ("1 document without content left out",)


def test_a_word_alone_says_nothing() -> None:
    """What is left of a statement counts only beside another word of it."""
    two = masked("Surgeons operated. Rain fell.", "Rain", "fell")
    one = masked("Surgeons operated. Rain fell.", "Rain", "fell", "operated")
    assert 0 < facts(two) < 1
    assert facts(one) == 0


def test_a_true_generalisation_keeps_more_than_a_tag_and_a_tag_more_than_a_mask() -> None:
    """The nearer the class, the more is kept; something else of the same form keeps nothing."""
    date = "12 March 1984"
    written = ("***", "[DATE 1]", "[date in the 20th century]", "in the 1980s", "March 1984")
    shares = [facts(rewritten(LIFE, date, text)) for text in written]
    assert shares == sorted(shares)
    assert len(set(shares)) == len(shares)
    assert facts(rewritten(LIFE, date, "3 June 1991")) == shares[0]
    assert facts(rewritten(LIFE, date, "1991")) == shares[0]


@pytest.mark.parametrize(
    ("string", "text"), [("Drammen", "[city in Norway]"), ("Drammen", "<LOCATION>")]
)
def test_what_rewrite_knows_is_known_here(string: str, text: str) -> None:
    """Classes of the ontology, and tags of whatever system."""
    start = LIFE.index(string)
    share = kept_share(Document("d", LIFE), Rewriting(start, start + len(string), text))
    assert 0 < share < 1


@pytest.mark.parametrize(
    ("original", "text"),
    [
        ("May 23, 1971", "[in the 1970s]"),
        ("1968 Winter Olympics", "[1960s competition]"),
        ("film Ubik", "[film]"),
        ("Norway and Sweden", "[two countries]"),
        ("lecturer", "[professional]"),
    ],
)
def test_what_is_written_of_two_things_together_is_true_of_both(original: str, text: str) -> None:
    """Joined phrases, lists, and the word for one of many keep what their parts keep."""
    assert 0 < kept_share(Document("d", original), Rewriting(0, len(original), text)) < 1


@pytest.mark.parametrize(
    ("original", "text"),
    [
        ("May 23, 1971", "[in the 1980s]"),
        ("1968 Winter Olympics", "[1970s competition]"),
        ("Norway and Sweden", "[three countries]"),
        ("Norway and Telenor", "[two countries]"),
        ("Norway Hospital", "[country]"),
    ],
)
def test_what_is_true_of_one_part_alone_keeps_nothing(original: str, text: str) -> None:
    """Another decade, a wrong number, a list of other things, or the class of the first part."""
    assert kept_share(Document("d", original), Rewriting(0, len(original), text)) == 0


def test_made_up_names_keep_topics_and_no_facts() -> None:
    """A surrogate is no fact, but the classifiers read on."""
    surrogate = measure_utility([rewritten(LIFE, "Anna Berg", "Kari Dahl")])
    mask = measure_utility([rewritten(LIFE, "Anna Berg", "***")])
    assert surrogate.figures["facts"].value == mask.figures["facts"].value
    assert surrogate.figures["agreement_kind"].value == 1


def test_similarity_of_topics_is_the_cosine_where_words_are_left_out() -> None:
    """Of two words of the same information one is left: 1/√2."""
    read = read_release(masked("qwzx vbnm", "vbnm"))
    assert topic_similarity(read) == pytest.approx(2**-0.5)


def test_labels_give_accuracy() -> None:
    """True labels are compared with those of original and release; unknown ones are named."""
    spans = [Span(0, len(LIFE))]
    releases = [
        Release.masked("a", LIFE, [], "TennisPlayer"),
        Release.masked("b", LIFE, spans, "TennisPlayer"),
        Release.masked("c", LIFE, [], "Juggler"),
    ]
    utility = measure_utility(releases)
    assert utility.figures["accuracy_original"].value == 1
    assert utility.figures["accuracy_sanitized"].value == 0.5
    assert "1 document with an unknown label" in utility.notes[0]


def test_a_document_depends_on_no_other() -> None:
    """Batches decide nothing."""
    release = masked(LIFE, "tennis", "Norwegian")
    others = [Release.masked("x", COOKING, []), release]
    assert measure_utility(others).by_document["d"] == measure_utility([release]).value


def test_an_id_twice_and_no_document_are_refused() -> None:
    """Their figures would have no name."""
    with pytest.raises(InputError, match="d: occurs twice"):
        measure_utility([masked(LIFE, "tennis"), masked(LIFE, "doubles")])
    with pytest.raises(InputError, match="no document"):
        measure_utility([])


# Releases.


def test_two_texts_are_aligned_by_their_words() -> None:
    """What stands instead of what, at the start, within, and at the end."""
    release = Release.of_texts("d", "Anna Berg was born in Oslo", "[NAME] was born in a city")
    found = [(release.original[each.start : each.end], each.text) for each in release.rewritings]
    assert found == [("Anna Berg", "NAME"), ("Oslo", "a city")]


def test_texts_give_the_figures_of_their_masks() -> None:
    """With nothing repeated, the alignment finds the masks."""
    release = masked(COOKING, "oven", "butter and sugar", "serving")
    text = COOKING
    for string in ("oven", "butter and sugar", "serving"):
        text = text.replace(string, "***")
    aligned = Release.of_texts("d", COOKING, text)
    assert measure_utility([aligned]).by_document == measure_utility([release]).by_document


def test_all_forms_of_a_release_are_read(tmp_path: Path) -> None:
    """Masks, results, JSON Lines by id in any order, files in a folder, pairs: one figure."""
    originals = tmp_path / "notes.jsonl"
    lines = [{"id": "a", "text": LIFE}, {"id": "b", "text": COOKING, "label": "recipe"}]
    originals.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    start = LIFE.index("Drammen")
    clean = LIFE.replace("Drammen", "***")
    masks = tmp_path / "masks.json"
    masks.write_text(json.dumps({"a": [[start, start + 7]], "b": []}), "utf-8")
    texts = tmp_path / "clean.jsonl"
    reordered = [{"id": "b", "text": COOKING}, {"id": "a", "text": clean}]
    texts.write_text("".join(json.dumps(line) + "\n" for line in reordered), "utf-8")
    pairs = tmp_path / "pairs.jsonl"
    both = [
        {"id": "a", "original": LIFE, "sanitized": clean},
        {"id": "b", "original": COOKING, "sanitized": COOKING, "label": "recipe"},
    ]
    pairs.write_text("".join(json.dumps(line) + "\n" for line in both), "utf-8")
    for folder, text in (("before", LIFE), ("after", clean)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text(text, "utf-8")
        (tmp_path / folder / "b.txt").write_text(COOKING, "utf-8")
    releases = [
        read_releases(originals, masks),
        read_releases(originals, texts),
        read_releases(tmp_path / "before", tmp_path / "after"),
        read_pairs(pairs),
    ]
    figures = {measure_utility(release).value for release in releases}
    assert len(figures) == 1
    assert {release.label for release in read_releases(originals, texts)} == {"", "recipe"}


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    """Other ids, another number of texts, spans past the end: the message says which, and no text."""
    (tmp_path / "a.jsonl").write_text('{"id": "a", "text": "secret"}\n', "utf-8")
    (tmp_path / "two.jsonl").write_text('{"text": "one"}\n{"text": "two"}\n', "utf-8")
    (tmp_path / "other.json").write_text('{"x": []}', "utf-8")
    (tmp_path / "long.json").write_text('{"a": [[0, 99]]}', "utf-8")
    (tmp_path / "half.jsonl").write_text('{"original": "secret"}\n', "utf-8")
    for name, message in (
        ("two.jsonl", "has 2 documents, the originals are 1"),
        ("other.json", "none of its 1 documents"),
        ("long.json", r"\[0, 99\) .* ends past its text of 6"),
    ):
        with pytest.raises(InputError, match=message) as caught:
            read_releases(tmp_path / "a.jsonl", tmp_path / name)
        assert "secret" not in str(caught.value)
    with pytest.raises(InputError, match="'sanitized'"):
        read_pairs(tmp_path / "half.jsonl")


# The command.


def run(*arguments: object) -> str:
    """Run ``tacenda evaluate masks``, which must succeed."""
    result = CliRunner().invoke(
        app, ["evaluate", "masks", *map(str, arguments)], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_command_measures_texts_without_annotations(tmp_path: Path) -> None:
    """A table with intervals; ``--json`` has the figures of one system, or of several by name."""
    pairs = tmp_path / "pairs.jsonl"
    clean = LIFE.replace("Drammen", "***")
    pairs.write_text(json.dumps({"original": LIFE, "sanitized": clean}) + "\n", "utf-8")
    assert "classification" in run(pairs, "--utility")
    (report,) = json.loads(run(pairs, "--utility", "--json")).values()
    assert report["figures"]["utility"]["value"] < 1
    assert len(report["figures"]["utility"]["interval"]) == 2
    for name, text in (("one", LIFE), ("ours", LIFE), ("theirs", clean)):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    paths = [tmp_path / f"{name}.txt" for name in ("one", "ours", "theirs")]
    systems = json.loads(run(*paths, "--utility", "--json"))["systems"]
    shares = {name: item["figures"]["utility"]["value"] for name, item in systems.items()}
    assert shares["ours"] == 1 > shares["theirs"]


def test_the_command_adds_utility_to_the_benchmark(tmp_path: Path) -> None:
    """Of annotated documents and masks there are both; without masks there is neither."""
    mention = {
        "entity_type": "LOC",
        "entity_mention_id": "m1",
        "start_offset": LIFE.index("Drammen"),
        "end_offset": LIFE.index("Drammen") + 7,
        "span_text": "Drammen",
        "identifier_type": "QUASI",
        "entity_id": "e1",
        "confidential_status": "NOT_CONFIDENTIAL",
    }
    gold, masks = tmp_path / "gold.json", tmp_path / "masks.json"
    document = {"doc_id": "d", "text": LIFE, "annotations": {"a": {"entity_mentions": [mention]}}}
    gold.write_text(json.dumps([document]), "utf-8")
    masks.write_text(json.dumps({"d": [[0, 9]]}), "utf-8")
    report = json.loads(run(gold, masks, "--utility", "--json"))
    assert report["token_recall"] == 0
    assert 0 < report["utility"]["figures"]["utility"]["value"] < 1
    missing = CliRunner().invoke(app, ["evaluate", "masks", str(gold)])
    assert missing.exit_code == 2
    assert "MASKS" in missing.output
    stdin = CliRunner().invoke(app, ["evaluate", "masks", str(gold), "-", "--utility"])
    assert stdin.exit_code == 2


def test_a_true_class_keeps_a_part_of_the_topic() -> None:
    """By the share that facts count, as often as it stands; an untrue word of the same form is a new topic."""
    text = "The drummer met another drummer at the station."
    spans = [(at, at + 7) for at in (4, 24)]

    def similarity(*written: str) -> float:
        edits = tuple(Rewriting(*span, word) for span, word in zip(spans, written, strict=True))
        value = topic_similarity(read_release(Release("d", text, edits)))
        assert value is not None
        return value

    black = similarity("***", "***")
    assert black < similarity("musician", "***") < similarity("musician", "musician") < 1
    assert similarity("[musicians]", "***") == similarity("musician", "***")
    assert similarity("dentist", "***") < black
    # Of two pieces only what was written stands there, whether or not the text says it elsewhere.
    elsewhere = "The drummer met another musician at the station."
    release = rewritten(elsewhere, "drummer", "musician")
    (_, first), *_ = [(word.key, word.kept) for word in read_release(release).content]
    share, bare = (
        topic_similarity(read_release(r)) for r in (release, masked(elsewhere, "drummer"))
    )
    assert share is not None
    assert bare is not None
    assert 0 < first < 1
    assert share > bare


def test_other_words_for_an_option_keep_as_much() -> None:
    """A date before or after another one is in its decade; the name of a kind alone is a tag without brackets."""
    text = "He came on 12 March 1984, the second Norwegian."
    shares = [
        kept_share(Document("d", text), edit)
        for edit in (
            Rewriting(11, 24, "a [date in the 1980s]"),
            Rewriting(11, 24, "an [earlier date in the 1980s]"),
            Rewriting(11, 24, "a [later date in the 1970s]"),
            Rewriting(30, 36, "[Xth]"),
            Rewriting(37, 46, "[nationality]"),
            Rewriting(37, 46, "the"),
        )
    ]
    assert shares[0] == shares[1] > 0.3
    assert shares[2:] == [0, KIND_ALONE, KIND_ALONE, 0]
