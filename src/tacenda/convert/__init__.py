"""Annotation formats, from and to one another.

    read(files) ─▶ AnnotatedDocument ─ fit(target, Fitting) ─▶ AnnotatedDocument ─▶ write ─▶ files

One file a format, each behind ``Format``, which declares what it can hold. What the target can't
hold is an error, or is dealt with as the user's ``Fitting`` says; nothing is lost in silence.

    from tacenda.convert import Fitting, Reading, fit, format_named, load, save

    tab, conll = format_named("tab"), format_named("conll")
    fitted = fit(tab.read(load("gold.json"), Reading()), conll, Fitting(drop_rest=True))
    save(conll.write(fitted.documents, Unit.CODE_POINTS), conll, "gold.conll")
"""

from .corpus import AnnotatedDocument, AnnotatedMention, Annotation, Feature
from .fit import Fitted, fit
from .fitting import Fitting, Fragments, Overlaps
from .format import Files, Format, Reading
from .offsets import Unit
from .registry import FORMATS, format_named, format_names, guess_input, guess_output
from .storage import load, load_texts, save

__all__ = [
    "FORMATS",
    "AnnotatedDocument",
    "AnnotatedMention",
    "Annotation",
    "Feature",
    "Files",
    "Fitted",
    "Fitting",
    "Format",
    "Fragments",
    "Overlaps",
    "Reading",
    "Unit",
    "fit",
    "format_named",
    "format_names",
    "guess_input",
    "guess_output",
    "load",
    "load_texts",
    "save",
]
