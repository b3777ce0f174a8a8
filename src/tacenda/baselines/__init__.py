"""Systems to compare with, from masking nothing to the real Presidio, behind one protocol.

from tacenda.baselines import create

ner = create("ner", model="en_core_web_md")
masks = {document.id: ner.mask(document) for document in documents}

They are there to be measured, not to be used: none of them decides by risk.
"""

from .baseline import Baseline
from .registry import BASELINES, Recipe, create

__all__ = ["BASELINES", "Baseline", "Recipe", "create"]
