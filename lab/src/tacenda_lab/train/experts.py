"""The two experts of a recognizer: what they have in common, and the folder with both."""

from __future__ import annotations

from pathlib import Path

from tacenda.models.calibration import Calibration
from tacenda.models.networks import ROUTER_FILE, RecognizerModel, Router
from tacenda.models.store import ShippedModel

from .networks import Recognizer
from .onnx import dequantize, write_package
from .packages import CONFIG_FILE, TOKENIZER_FILE, write_digests, write_json


def share_embeddings(network: Recognizer) -> None:
    """Leave the embeddings as they are: both experts read them."""
    encoder = network.encoder
    for module in (
        encoder.word_embedding,
        encoder.position_embedding,
        encoder.shape_embedding,
        encoder.embedding_norm,
    ):
        module.requires_grad_(False)


def write_experts(
    source: ShippedModel,
    everyday: Recognizer,
    calibration: Calibration,
    router: Router,
    folder: Path,
    formal: Recognizer | None = None,
) -> Path:
    """Write a recognizer with the source's expert of formal prose and another, and return its folder.

    Args:
        source: an int8 recognizer.
        everyday: the expert of everyday text, with the source's embeddings.
        calibration: of that expert.
        router: between the two.
        folder: where to.
        formal: another expert of formal prose, with the source's embeddings.
    """
    model = RecognizerModel(source)
    if formal is None:
        formal = dequantize(source.folder / "model.onnx")
    tokenizer = source.path("tokenizer.json")
    write_package(
        formal,
        tokenizer,
        model.calibration,
        model.threshold,
        folder,
        everyday=(everyday, calibration),
    )
    content = {"constant": router.constant, "words": dict(sorted(router.words.items()))}
    write_json(folder / ROUTER_FILE, content)
    write_digests(folder, ("model.onnx", TOKENIZER_FILE, CONFIG_FILE, ROUTER_FILE))
    return folder
