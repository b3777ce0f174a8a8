"""Information content: the weights of weighted precision."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rich.console import Console

from tacenda.annotations.tab import parse_masks
from tacenda.document import Span
from tacenda.errors import InputError, MissingExtraError, UnknownNameError
from tacenda.evaluate import weights as weights_module
from tacenda.evaluate.evaluation import EvaluationSettings, evaluate
from tacenda.evaluate.gold import parse_gold
from tacenda.evaluate.tables import print_reports
from tacenda.evaluate.weights import ModelSurprisal, Subword, weighting, windows
from tacenda.text.information import UnigramSurprisal, count_words, format_counts, parse_counts
from tests.examples import for_each

from .corpus import FIGURE_3, FIGURE_3_TEXT, spans


def test_surprisal_of_a_word() -> None:
    """Of the corpus "a a b", with one added to a, b and all unseen words: 3/6, 2/6, 1/6."""
    unigram = UnigramSurprisal(count_words(["a A b"]))
    shares = [math.exp(-unigram.surprisal(word)) for word in ("A", "b", "c")]
    assert shares == pytest.approx([3 / 6, 2 / 6, 1 / 6])


@dataclass(frozen=True)
class WeightsByWord:
    """Weights of the words of a text."""

    name: str
    by_word: dict[str, float]

    def weights(self, text: str, tokens: Sequence[Span]) -> Sequence[float]:
        return [self.by_word[token.of(text)] for token in tokens]


def test_weighted_precision_by_hand() -> None:
    """Weights 3 of Doe, which both masked, and 1 of "The", which none did: 6 of 8."""
    by_hand = WeightsByWord("by hand", {"Doe": 3.0, "The": 1.0})
    masks = parse_masks({"d1": spans(FIGURE_3_TEXT, "Doe", "The")})
    report = evaluate(parse_gold([FIGURE_3]), masks, EvaluationSettings(weights=by_hand))
    assert report.scores["weighted_token_precision"] == 6 / 8
    assert report.scores["token_precision"] == 2 / 4
    assert "weight:by hand" in report.signature


@pytest.mark.parametrize("weight", [math.nan, math.inf, -1.0])
def test_weights_must_be_numbers_to_divide_by(weight: float) -> None:
    """A weighting that gives anything else is an error that names it and the token's place."""
    broken = WeightsByWord("broken", {"The": weight})
    masks = parse_masks({"d1": [[0, 3]]})
    with pytest.raises(InputError, match=r"d1: the weight of token \[0, 3\) by broken is"):
        evaluate(parse_gold([FIGURE_3]), masks, EvaluationSettings(weights=broken))


def test_a_model_that_says_nan_is_not_taken_for_sure() -> None:
    """A log probability that is no number stays none, and does not become a weight of 0."""

    class Broken(TinyModel):
        def log_probabilities(
            self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
        ) -> NDArray[np.floating]:
            return np.full(len(places), np.nan)

    (weight,) = ModelSurprisal(Broken(8)).weights("it is", tokens("it is", 0))
    assert math.isnan(weight)


def test_the_shipped_table_knows_english() -> None:
    """Function words tell little, names a lot, and what nobody wrote the most."""
    shipped = UnigramSurprisal.shipped()
    the, court, surname, unseen = map(shipped.surprisal, ("the", "court", "Keitel", "xyzzyq"))
    assert the < court < surname < unseen
    assert the == pytest.approx(2.6, abs=0.5)


def test_counts_round_trip() -> None:
    """What is written is what is read, the most frequent first."""
    counts = count_words(["The cat saw the dog.", "É é"])
    assert list(counts.items())[:2] == [("the", 2), ("é", 2)]
    assert parse_counts(format_counts(counts)) == counts
    assert count_words(["a a b"], at_least=2) == {"a": 2}


def test_a_corpus_of_the_users(tmp_path: Path) -> None:
    """``unigram:FILE`` counts the words of a text; without words it is an error."""
    path = tmp_path / "corpus.txt"
    path.write_text("a a b", "utf-8")
    assert weighting(f"unigram:{path}").name == "unigram:corpus.txt"
    path.write_text(" … ", "utf-8")
    with pytest.raises(InputError, match="has no word to count"):
        weighting(f"unigram:{path}")
    path.write_bytes(b"ab\xff")
    with pytest.raises(InputError, match="byte 2 is not UTF-8"):
        weighting(f"unigram:{path}")
    with pytest.raises(InputError, match="can't be read"):
        weighting(f"unigram:{tmp_path / 'none.txt'}")


@for_each("name", ["", "hf:", "unigram:", "bert", "bert:", "uniform:x"])
def test_unknown_weights_are_an_error(name: str) -> None:
    """The message names those that there are."""
    with pytest.raises(
        InputError, match="choose uniform, unigram, unigram:FILE, lm, hf:NAME or bert:NAME"
    ):
        weighting(name)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without transformers the message says what to install."""
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingExtraError, match=r"\[hf\]"):
        weighting("hf:some/model")


class TinyModel:
    """Pieces of two letters; p of an id is 1/2 where its left neighbour is seen, else 1/8."""

    name = "tiny"
    mask_id = 0

    def __init__(self, window: int) -> None:
        self.window = window
        self.asked: list[list[int]] = []

    def pieces(self, text: str) -> list[Subword]:
        cuts = (match.span() for match in re.finditer(r"\w{1,2}", text))
        return [Subword(1 + len(text[s:e]), s, e) for s, e in cuts]

    def log_probabilities(
        self, ids: Sequence[int], places: Sequence[int], targets: Sequence[int]
    ) -> NDArray[np.floating]:
        assert len(ids) <= self.window
        assert all(ids[place] == self.mask_id for place in places)
        self.asked.append(list(ids))
        seen = [place > 0 and ids[place - 1] != self.mask_id for place in places]
        return np.log([1 / 2 if here else 1 / 8 for here in seen])


def tokens(text: str, *indices: int) -> list[Span]:
    """Return the words of a text at these places."""
    words = [Span(*match.span()) for match in re.finditer(r"\w+", text)]
    return [words[idx] for idx in indices]


def test_a_token_weighs_as_its_least_likely_piece() -> None:
    """The first piece of "masked" is guessable from the left, the second is not."""
    text = "it is masked now"
    weights = ModelSurprisal(TinyModel(10)).weights(text, tokens(text, 2, 3))
    assert weights == pytest.approx([math.log(8), math.log(8)])
    assert ModelSurprisal(TinyModel(10)).weights(text, tokens(text, 1)) == pytest.approx(
        [math.log(2)]
    )


def test_all_masked_tokens_are_masked_at_once() -> None:
    """The model sees the mask in place of every piece of every token."""
    model = TinyModel(10)
    text = "it is masked now"
    ModelSurprisal(model).weights(text, tokens(text, 0, 3))
    assert model.asked == [[0, 3, 3, 3, 3, 0, 0]]


def test_no_token_asks_nothing() -> None:
    """A document without masks costs no run of the model."""
    model = TinyModel(4)
    assert ModelSurprisal(model).weights("it is", []) == []
    assert model.asked == []


def test_a_token_without_pieces_weighs_nothing() -> None:
    """What the tokenizer drops tells the model nothing."""
    assert ModelSurprisal(TinyModel(4)).weights("a . b", [Span(2, 3)]) == [0.0]


def test_long_texts_are_read_in_windows() -> None:
    """Every token of a text longer than the window has its weight."""
    text = "ab " * 50
    weights = ModelSurprisal(TinyModel(8)).weights(text, tokens(text, *range(1, 50, 2)))
    assert weights == pytest.approx([math.log(2)] * 25)


@given(st.integers(0, 60), st.integers(1, 12), st.floats(0, 0.9))
def test_windows_share_out_the_pieces(n: int, size: int, overlap: float) -> None:
    """Each piece counts in exactly one window, which holds it."""
    counted = []
    for start, end, first, last in windows(n, size, overlap):
        assert start <= first < last <= end <= start + size
        counted += range(first, last)
    assert counted == list(range(n))


def test_a_masked_model_of_the_users(tmp_path: Path) -> None:
    """A tiny model saved in a folder gives a finite weight to each token."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "anna", "ber", "##g", "spoke", "."]
    (tmp_path / "vocab.txt").write_text("\n".join(words), "utf-8")
    tokenizer = transformers.BertTokenizerFast(str(tmp_path / "vocab.txt"))
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        max_position_embeddings=12,
        pad_token_id=0,
    )
    transformers.BertForMaskedLM(config).save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    text = "Anna Berg spoke. " * 9
    weights = weighting(f"hf:{tmp_path / 'model'}").weights(text, tokens(text, 0, 1, 25))
    assert len(weights) == 3
    assert all(0 < weight < 10 for weight in weights)
    short = weighting(f"hf:{tmp_path / 'model'}").weights(
        "Anna Berg spoke.", tokens("Anna Berg", 1)
    )
    # [CLS] anna [MASK] [MASK] spoke . [SEP]: "Berg" is ber and ##g, the less likely counts.
    model = transformers.BertForMaskedLM.from_pretrained(tmp_path / "model").eval()
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([[2, 5, 4, 4, 8, 9, 3]])).logits[0]
    log_p = torch.log_softmax(logits, dim=-1)
    assert short == pytest.approx([-min(float(log_p[2, 6]), float(log_p[3, 7]))], rel=1e-4)


TINY_BERT = Path(__file__).parents[1] / "data" / "tiny_bert"


@for_each(
    ("before", "file"), [(None, "expected.json"), ("2022-06", "expected_before_2022-06.json")]
)
@for_each("name", ["judgment.txt", "biography.txt", "letter.txt"])
def test_the_benchmark_weights_are_those_of_its_program(
    name: str, before: str | None, file: str
) -> None:
    """In one segment and in many; before the correction, rows of the later ones are those of other pieces."""
    text = (TINY_BERT.parents[2] / "examples" / name).read_text("utf-8")
    text = text[:150] if name == "letter.txt" else text
    words = [Span(*match.span()) for match in re.finditer(r"\w+", text)]
    masked = [word for word in words if not text[word.start].islower()]
    expected = json.loads((TINY_BERT / file).read_text("utf-8"))[name]
    weights = weighting(f"bert:{TINY_BERT}", before).weights(text, masked)
    assert weights == pytest.approx(expected, rel=1e-5)


@given(st.integers(1, 450), st.sets(st.integers(0, 449), min_size=1))
def test_each_piece_has_its_own_probability_in_its_own_segment(n: int, masked: set[int]) -> None:
    """The segments are cut after every hundredth piece, the two at the ends of the text counted.

    The score of word v in row r is v/10 · (visible pieces in the segment) + v·r/100, worked out here by hand.
    """
    text = " ".join("abc"[idx % 3] for idx in range(n))
    hidden = sorted(idx for idx in masked if idx < n)
    sequence = [0, *(1 + idx % 3 for idx in range(n)), 4]
    expected = []
    for place in (idx + 1 for idx in hidden):
        first = place // 100 * 100
        segment = range(first, min(first + 100, n + 2))
        visible = sum(1 for other in segment if other - 1 not in hidden)
        scores = [v / 10 * visible + v * (place - first) / 100 for v in range(6)]
        expected.append(
            math.log(sum(map(math.exp, scores))) - scores[sequence[place]],
        )
    weights = _formula_weights(text, tokens(text, *hidden))
    assert weights == pytest.approx(expected, rel=1e-4, abs=1e-5)


def _formula_weights(text: str, masked: Sequence[Span]) -> Sequence[float]:
    """The benchmark's weights where the model is the formula of the test above."""
    torch = pytest.importorskip("torch")

    class Formula:
        before, after = (0,), (4,)

        def __init__(self) -> None:
            self.torch = torch

        def pieces(self, text: str) -> list[Subword]:
            cuts = [match.span() for match in re.finditer(r"\w", text)]
            return [Subword("abc".index(text[start]) + 1, start, end) for start, end in cuts]

        def run_batch(self, ids: Any, attention: Any) -> Any:
            visible = attention.sum(dim=1)[:, None, None] / 10
            rows = torch.arange(ids.shape[1])[None, :, None] / 100
            return SimpleNamespace(logits=torch.arange(6)[None, None, :] * (visible + rows))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weights_module, "_masked_checkpoint", lambda _: (Formula(), 5))
        return weighting("bert:formula").weights(text, masked)


@pytest.mark.parametrize(
    ("name", "before"), [("unigram", "2022-06"), ("bert:x", "2021-01"), ("bert:x", "")]
)
def test_only_the_benchmark_has_a_program_of_before(name: str, before: str) -> None:
    """Another weighting or another month is a fault of usage that names both."""
    with pytest.raises(UnknownNameError, match=f"{name!r} before {before!r}; choose"):
        weighting(name, before)


def test_the_benchmark_weighs_nothing_without_pieces() -> None:
    """Neither what no piece stands for, nor a text without a mask."""
    benchmark = weighting(f"bert:{TINY_BERT}")
    assert benchmark.weights("a \x01 b", [Span(2, 3)]) == [0.0]
    assert benchmark.weights("a b", []) == []


def test_only_the_benchmark_makes_wp() -> None:
    """A table has a row named WP where its weights are the benchmark's, and otherwise none."""

    def table(name: str, before: str | None = None) -> str:
        masks = parse_masks({"d1": spans(FIGURE_3_TEXT, "Doe", "The")})
        report = evaluate(
            parse_gold([FIGURE_3]), masks, EvaluationSettings(weights=weighting(name, before))
        )
        console = Console(file=StringIO(), width=120)
        print_reports(console, {"system": report}, types=False)
        return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]

    assert "WP, weighted token precision" in table(f"bert:{TINY_BERT}")
    assert "WP, weighted token precision" in table(f"bert:{TINY_BERT}", "2022-06")
    other = table("unigram")
    assert "token precision by information" in other
    assert "WP" not in other
