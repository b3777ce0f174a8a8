"""Encoders small enough to be trained in a test, with tokenizers of the kinds that transformers has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = (
    "the clerk of room saw on stairs and spoke to zorblax quimby in oslo a nurse ate soup . , "
    "1 2 3 4 5 6 7 8 9 0 ##0 ##1"
).split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 130,
    "pad_token_id": 0,
}
FAMILIES = ("bert", "roberta", "longformer", "deberta-v2", "modernbert")


def tokenizer(kind: str) -> Any:
    """A tokenizer by words (BERT's), by bytes (RoBERTa's), or by words with their space (DeBERTa's)."""
    from tokenizers import (
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        processors,
        trainers,
    )

    if kind in ("roberta", "data2vec-text", "longformer", "modernbert", "gpt2"):
        made = Tokenizer(models.BPE(unk_token="[UNK]"))
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        made.decoder = decoders.ByteLevel()
        letters = pre_tokenizers.ByteLevel.alphabet()
        made.train_from_iterator(
            [f"The {' '.join(WORDS)} Zorblax Quimby Oslo"] * 2,
            trainers.BpeTrainer(
                vocab_size=600,
                special_tokens=SPECIAL,
                initial_alphabet=letters,
                show_progress=False,
            ),
        )
    elif kind == "deberta-v2":
        letters = ["▁", *(chr(code) for code in range(33, 127))]
        pieces = [(token, 0.0) for token in SPECIAL]
        pieces += [(f"▁{word}", -2.0) for word in WORDS if word.isalpha()]
        made = Tokenizer(models.Unigram([*pieces, *((one, -9.0) for one in letters)], unk_id=1))
        made.normalizer = normalizers.Lowercase()
        made.pre_tokenizer = pre_tokenizers.Metaspace()
    else:
        vocabulary = {token: number for number, token in enumerate([*SPECIAL, *WORDS])}
        made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
        made.normalizer = normalizers.BertNormalizer(lowercase=True)
        made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    made.add_special_tokens(SPECIAL)
    return made


def encoder(folder: Path, family: str = "bert", head: str = "AutoModel", **changes: Any) -> Path:
    """Write a random encoder of a family with two thin layers, and its tokenizer."""
    import torch
    import transformers

    torch.manual_seed(3)
    pieces = tokenizer(family)
    settings: dict[str, Any] = SIZES | {"vocab_size": pieces.get_vocab_size()} | changes
    if family == "longformer":
        settings["attention_window"] = [16, 16]
    if family == "modernbert":
        settings |= {"cls_token_id": 2, "sep_token_id": 3, "bos_token_id": 2, "eos_token_id": 3}
    config = transformers.AutoConfig.for_model(family, **settings)
    getattr(transformers, head).from_config(config).save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=pieces,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    ).save_pretrained(folder)
    return folder


def mention(text: str, string: str, type: str, identifier: str, number: int) -> dict[str, object]:
    """An annotated mention in TAB's form."""
    start = text.index(string)
    return {
        "entity_type": type,
        "entity_mention_id": f"m{number}",
        "entity_id": f"e{number}",
        "start_offset": start,
        "end_offset": start + len(string),
        "span_text": string,
        "identifier_type": identifier,
        "confidential_status": "NOT_CONFIDENTIAL",
    }


def documents(first: int, last: int, annotators: int = 1) -> list[dict[str, object]]:
    """Documents with one invented person and one place; the second annotator lets the place stand."""
    result = []
    for number in range(first, last):
        text = f"The clerk of room {number} saw Zorblax Quimby on the stairs in Oslo."
        views = {
            f"a{view}": {
                "entity_mentions": [
                    mention(text, "Zorblax Quimby", "PERSON", "DIRECT", 1),
                    mention(text, "Oslo", "LOC", "NO_MASK" if view else "QUASI", 2),
                ]
            }
            for view in range(annotators)
        }
        result.append(
            {"doc_id": f"d{number}", "text": text, "dataset_type": "train", "annotations": views}
        )
    return result
