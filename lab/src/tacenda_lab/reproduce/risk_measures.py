"""explicit-measures: Papadopoulou et al. (2022), *Neural Text Sanitization with Explicit Measures of Privacy Risk*: its tables and figures in order."""

from __future__ import annotations

from typing import Final

from .recognition import by_type, properties, training_parameters
from .risk_figures import silver_types, threshold_curve
from .strategies import fine_tuned_half, zero_shot_half
from .tables import Experiment, left_out

TITLE: Final = "Neural Text Sanitization with Explicit Measures of Privacy Risk"

EXPERIMENTS: Final = (
    left_out("Figure 1", "sketch of the approach", "a drawing; ARCHITECTURE.md has ours"),
    left_out(
        "Table 1",
        "semantic types, with examples",
        "definitions; the types are those of tacenda.document.SemanticType, Section 3.1 counts the properties behind them",
    ),
    Experiment("Section 3.1", "properties of people in the gazetteer", properties),
    Experiment("Figure 2", "semantic types of the silver corpus", silver_types),
    Experiment("Table 2", "recognition by semantic type", by_type),
    Experiment(
        "Table 3, zero-shot", "who decides what is masked, without annotations", zero_shot_half
    ),
    Experiment(
        "Table 3", "who decides what is masked, with a fine-tuned recognizer", fine_tuned_half
    ),
    left_out(
        "Section 3.2.2",
        "answers of a web search engine",
        "Google's of June 2022, which nobody can have again; Table 3 searches an index of one's own",
    ),
    Experiment("Table 4", "training parameters", training_parameters),
    Experiment(
        "Figure 3", "precision and recall by threshold of the language model", threshold_curve
    ),
    left_out(
        "Figure 4",
        "network that emulates web queries",
        "a drawing of BERT with an LSTM; ours, `tacenda lab train emulation`, has vectors of phrases and no LSTM",
    ),
    left_out(
        "Figure 5",
        "masking decisions in an excerpt",
        "a picture of one judgment; `tacenda assess --html` draws any text",
    ),
)
