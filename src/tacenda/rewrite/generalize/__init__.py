"""Generalisation: true options, from the most specific to ``***``.

Olstad, Papadopoulou and Lison, "Generation of Replacement Options in Text Sanitization", section
3. Each family of rules is one file behind the protocol of ``rules``:

    person      PERSON 1
    quantity    bins and units; ages and durations are in files of their own
    dates       month, year, decade, century, relative dates, times of day
    code        the kind of number
    classes     classes by the words of a name, or by an ontology (``ontology``: the hook)

    candidate   share kept and risk of an option
    finishing   from candidates to options: none gives the entity away, ``***`` is the last
    choose      the option a person would choose
    offering    the options in the decisions, and the written one
    grammar     the option in its sentence: articles, prepositions, capitals, brackets
"""

from __future__ import annotations

from .candidates import Generalisation, Ontology
from .options import OptionCache, Rule, propose_options, rules, shipped_ranker
from .ranker import Ranker, most_specific_below

__all__ = [
    "Generalisation",
    "Ontology",
    "OptionCache",
    "Ranker",
    "Rule",
    "most_specific_below",
    "propose_options",
    "rules",
    "shipped_ranker",
]
