"""How the shipped masked language model is made: BERT's task on unlabelled texts of the domain.

Documents of development splits are left out, and one in fifty of the others is held out for the
perplexity in the card.
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

from ..models.encoding import Encoding, TextEncoder
from ..models.language import LanguageModel as ShippedLanguageModel
from ..models.language import Question
from ..models.store import digest
from .export_language import write_language_package
from .language_batch import Batch, hide, window
from .language_loop import LanguageSchedule, train_language_model, word_chances
from .language_network import LanguageModel

_HELD_OUT = 50
_TESTED = 200
"""Windows of held-out documents, in batches of eight, with a share of .15 hidden."""


def read_texts(data: Path) -> dict[str, str]:
    """Return judgments and articles by name, without those of development splits."""
    left_out = {item["doc_id"] for item in _json(data / "tab/dev.json")}
    left_out |= {item["doc_id"] for item in _json(data / "wiki/wikireplace_dev.json")}
    texts: dict[str, str] = {}
    for name in ("echr_judgments.json.gz", "wiki553_article_bodies.json.gz"):
        with gzip.open(data / "background" / name, "rt", encoding="utf-8") as file:
            texts |= json.load(file)
    return {name: text for name, text in texts.items() if name not in left_out}


def split(names: Collection[str]) -> tuple[list[str], list[str]]:
    """Return (seen, held out) names; every fiftieth in order of the alphabet is held out."""
    order = sorted(names)
    return [name for i, name in enumerate(order) if i % _HELD_OUT], order[::_HELD_OUT]


def start(words: torch.Tensor, encodings: Sequence[Encoding], seed: int) -> LanguageModel:
    """Return a model that says about what the frequencies of the subwords say, ready to be trained.

    Args:
        words: [vocabulary, hidden], the table to start from.
        encodings: the texts.
        seed: of the other weights.
    """
    torch.manual_seed(seed)
    model = LanguageModel(words)
    with torch.no_grad():
        model.bias.copy_(word_chances(encodings, len(words)).log())
    return model


def words_of(encoder_folder: Path) -> torch.Tensor:
    """Return the table of words of a BERT checkpoint."""
    weights = load_file(encoder_folder / "model.safetensors")
    (name,) = (name for name in weights if name.endswith("word_embeddings.weight"))
    return weights[name].float()


def held_out_batches(encodings: Sequence[Encoding], encoder: TextEncoder, size: int) -> list[Batch]:
    """Return the windows on which perplexity is measured, the same ones every time."""
    random = np.random.default_rng(7)
    parts = [window(encodings[i % len(encodings)], size, random) for i in range(_TESTED)]
    groups = [parts[i : i + 8] for i in range(0, _TESTED, 8)]
    return [hide(group, encoder, 0.15, random, torch.device("cpu")) for group in groups]


def shipped_perplexity(folder: Path, batches: Sequence[Batch]) -> float:
    """Return the perplexity of the exported model on what is masked in batches."""
    questions = []
    for batch in batches:
        length = batch.ids.shape[1]
        targets = iter(batch.targets.tolist())
        for row, ids in enumerate(batch.ids.tolist()):
            n = int(batch.mask[row].sum())
            inside = batch.wanted[batch.wanted // length == row] % length
            places = tuple((inside - 1).tolist())
            answers = tuple(next(targets) for _ in places)
            questions.append(Question(tuple(ids[1 : n - 1]), places, answers))
    told = np.concatenate(ShippedLanguageModel.load(folder).answer(questions))
    return math.exp(-float(told.mean()))


def unigram_perplexity(batches: Sequence[Batch], chances: torch.Tensor) -> float:
    """Return the perplexity of what is masked by the frequencies of the subwords alone."""
    targets = torch.cat([batch.targets for batch in batches])
    return math.exp(-float(chances[targets].log().mean()))


def train_shipped_model(data: Path, work: Path, encoder_folder: Path) -> Path:
    """Run the recipe and return the folder with the finished model and its card.

    Args:
        data: the data folder.
        work: where the state of an unfinished run lies, and the result.
        encoder_folder: BERT checkpoint whose words are started from.
    """
    tokenizer = encoder_folder / "tokenizer.json"
    encoder = TextEncoder.from_file(tokenizer)
    texts = read_texts(data)
    seen, unseen = ([encoder.encode(texts[name]) for name in names] for names in split(texts))
    schedule = LanguageSchedule()
    model = start(words_of(encoder_folder), seen, schedule.seed)
    train_language_model(model, seen, encoder, schedule, work / "language.state")
    folder = work / "language-en"
    write_language_package(model, tokenizer, schedule.window, folder)
    write_card(seen, unseen, schedule, folder)
    return folder


def write_card(
    seen: Sequence[Encoding],
    unseen: Sequence[Encoding],
    schedule: LanguageSchedule,
    folder: Path,
) -> None:
    """Measure perplexity and write the card beside what was exported, with its digest."""
    encoder = TextEncoder.from_file(folder / "tokenizer.json")
    vocabulary = Tokenizer.from_file(str(folder / "tokenizer.json")).get_vocab_size()
    batches = held_out_batches(unseen, encoder, schedule.window)
    card = _CARD.format(
        steps=schedule.steps,
        alone=schedule.alone,
        window=schedule.window,
        seen=len(seen),
        subwords=sum(map(len, seen)) / 1e6,
        held_out=len(unseen),
        masked=sum(len(batch.targets) for batch in batches),
        perplexity=shipped_perplexity(folder, batches),
        unigram=unigram_perplexity(batches, word_chances(seen, vocabulary)),
        megabytes=(folder / "model.onnx").stat().st_size / 1e6,
    )
    (folder / "CARD.md").write_text(card, encoding="utf-8")
    digests = json.loads((folder / "digests.json").read_text(encoding="utf-8"))
    digests["CARD.md"] = digest(folder / "CARD.md")
    (folder / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", encoding="utf-8")


def _json(path: Path) -> list[dict[str, str]]:
    loaded: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


_CARD = """\
# language-en

What could stand where words are hidden: a masked language model for English, int8, {megabytes:.0f} MB. It weighs
tokens in `tacenda evaluate --weights lm`, and the indicators `language` and `perturbation` ask it how surprising an
entity is. Uncased; windows of {window} subwords.

**Made from** the table of words of `all-MiniLM-L6-v2` (Apache-2.0), which is read and said with; a hidden layer over
the five subwords on each side of what is hidden, and attention over the words of the window. Trained for {steps} steps on
{seen} judgments of the European Court of Human Rights and Wikipedia articles ({subwords:.1f} million subwords, no
document of a development split), the first {alone} of them on the neighbours alone. A small model after a short training
on a part of one core: it knows the phrases of judgments and hardly the world.

**Measured** on {held_out} such documents held out, {masked} subwords in runs of whole words, 15 % of a window:

| | perplexity |
|---|---|
| this model | {perplexity:.1f} |
| frequencies of the training texts alone | {unigram:.1f} |

**Licence.** Apache-2.0; judgments Apache-2.0 (trusthlt/mining-legal-arguments), articles CC BY-SA (Wikipedia); no text of
them is in it.

**Rebuild.** `tacenda train language-model --data DATA --out FOLDER`. SHA-256 of each file: `digests.json`, compared
whenever the model is loaded.
"""
