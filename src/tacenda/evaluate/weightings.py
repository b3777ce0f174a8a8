"""The weightings that users can name.

uniform        every token weighs 1
unigram        surprisal of the word in the shipped table
unigram:FILE   the same, of the words of a text file
lm             surprisal by the embedded masked language model
lm:FOLDER      the same, by one that `tacenda train language-model` made
hf:NAME        surprisal by a masked language model of the user's, a folder or a cached name
"""

from __future__ import annotations

from ..errors import InputError
from ..text.information import UnigramSurprisal
from .huggingface import HuggingFaceModel
from .information import InformationContent, Uniform
from .masked_lm import ModelSurprisal


def weighting(name: str) -> InformationContent:
    """Return the information content of this name, as in the module's docstring.

    Raises:
        InputError: there is none of this name, or its file can't be read.
        ModelError: the model is not on this machine.
        MissingExtraError: its extra is not installed.
    """
    kind, _, argument = name.partition(":")
    if name == "uniform":
        return Uniform()
    if name == "unigram":
        return UnigramSurprisal.shipped()
    if kind == "unigram" and argument:
        return UnigramSurprisal.from_file(argument)
    if kind == "lm":
        from .embedded_lm import EmbeddedModel

        return ModelSurprisal(EmbeddedModel(argument))
    if kind == "hf" and argument:
        return ModelSurprisal(HuggingFaceModel(argument))
    raise InputError(
        f"weights {name!r} are not known; choose uniform, unigram, unigram:FILE, lm or hf:NAME"
    )
