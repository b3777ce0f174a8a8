"""Generalization: true options, from the most specific to ``***``.

Olstad, Papadopoulou and Lison, "Generation of Replacement Options in Text Sanitization", section 3.
Each family of rules implements the protocol ``options.OptionRule``:

    quantities    bins and units, ages, spans of time
    date_options  month, year, decade, century, relative dates, times of day
    date_parsing  the words of dates, and periods of days
    classes       classes by the words of a name, or by an ontology; the kind of a number
    numerals      numbers in digits and in words
    candidates    share kept and risk of an option; the protocol of an ontology
    ranker        the option a person would choose
    options       the options in the decisions, and the written one
    grammar       the option in its sentence: articles, prepositions, capitals, brackets
    date_groups   ranges and lists of dates as one phrase, the others in their order
    amount_groups bounds, approximate amounts and second currencies
    consistency   dates, spans of time and ages that bind one another, in coarser words
    neighbours    options side by side as one phrase: lists, ranges, places in places
"""

from __future__ import annotations
