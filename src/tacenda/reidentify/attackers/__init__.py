"""Attackers: they rank people, with probabilities, given a document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from ... import plugins
from ...background.people import People
from ...errors import UnknownNameError
from ...models.checkpoint import PREFIX
from ...models.encoder_pair import EncoderPair, is_encoder_pair
from ...models.networks import AttackerModel
from .adaptive import AdaptiveAttacker, adaptive_pair
from .base import Attacker
from .encoder import BiEncoder, JointAttacker, SentenceAttacker, TransformerAttacker
from .lexical import Bm25, NaiveBayes
from .ngrams import CharacterNgrams
from .records import RecordLinkage

__all__ = ["AdaptiveAttacker", "Attacker", "CharacterNgrams", "RecordLinkage", "adaptive_pair"]


# Attackers by name. An ensemble consists of several: a person found by any of them is found.


ENSEMBLE: Final = "ensemble"
_ATTACKERS: Final[dict[str, Callable[[People], Attacker]]] = {
    Bm25.name: Bm25,
    NaiveBayes.name: NaiveBayes,
    CharacterNgrams.name: CharacterNgrams,
    RecordLinkage.name: RecordLinkage,
    BiEncoder.name: BiEncoder,
    JointAttacker.name: lambda people: JointAttacker(people, BiEncoder(people)),
}
NAMES: Final = (*_ATTACKERS, ENSEMBLE)
OWN: Final = f"{BiEncoder.name}:"
"""Before the folder of two encoders of one's own, as ``tacenda lab train attacker`` writes it."""
_HUB: Final = PREFIX
"""Before the name or folder of a sentence encoder (extra ``hf``)."""


def open_attackers(name: str, people: People) -> tuple[Attacker, ...]:
    """Return the attacker with this name, or all of them for ``ensemble``.

    Args:
        name: one of ``NAMES``, ``encoder:FOLDER`` or ``hf:NAME``.
        people: the background knowledge.

    Raises:
        UnknownNameError: if the name is unknown.
        ModelError: if the folder has no bi-encoder, or there is no such sentence encoder.
        MissingExtraError: if an encoder needs the extra ``hf``, which is missing.
    """
    if name == ENSEMBLE:
        encoder = BiEncoder(people)
        of_words = (Bm25(people), NaiveBayes(people), CharacterNgrams(people))
        return (*of_words, RecordLinkage(people), encoder, JointAttacker(people, encoder))
    if name.startswith(OWN):
        folder = Path(name.removeprefix(OWN))
        if is_encoder_pair(folder):
            return (TransformerAttacker(people, EncoderPair(folder), name),)
        return (BiEncoder(people, AttackerModel.load(folder)),)
    if name.startswith(_HUB):
        sentence_encoder = plugins.load(plugins.EXTRAS, "sentence_encoder", f"{_HUB}NAME")
        encode = sentence_encoder(name.removeprefix(_HUB), "--attacker").encoder(())
        return (SentenceAttacker(people, name, encode),)
    if name in plugins.names(plugins.ATTACKERS, _ATTACKERS):
        attacker: Attacker = plugins.load(plugins.ATTACKERS, name, f"attacker {name!r}")(people)
        return (attacker,)
    if name not in _ATTACKERS:
        raise UnknownNameError(
            f"unknown attacker {name!r}; choose one of {', '.join(NAMES)} {OWN}FOLDER "
            f"or {_HUB}NAME."
        )
    return (_ATTACKERS[name](people),)
