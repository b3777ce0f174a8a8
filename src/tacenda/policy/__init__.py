r"""The user's policy: thresholds, operators, allow and deny lists, the person to protect.

One YAML schema. Everything is optional; the shipped policies in this package are examples.

    extends: clinical           # a shipped policy, of which the other fields take the place
    threshold: 0.2              # mask from this probability on; the model's default if absent
    thresholds: {DEM: 0.5}      # by semantic type
    length_penalty: 0.3         # in [0, 1]: how much a threshold rises with the words lost by masking
    residual_share: 0.05        # or a bound: at most this share of the identifiers may be left, on average
    domain: court               # documents are like these: for the recognizer, and for residual_share
    model: recognizer-small  # a shipped recognizer, a folder with one, or hf:NAME of transformers; the default if absent
    detectors: [mine]           # of plug-ins: find mentions besides the recognizer and the patterns
    indicators: [language]      # asked besides the recognizer; language:FOLDER for one that you trained
    combine: any                # of their values: any (the largest), all, weighted, learned, learned:FOLDER of train risk
    weights: {language: 0.5}    # for weighted; 1 if absent
    information: unigram        # what a change costs where not all may stay; or unigram:FILE, lm, lm:FOLDER, hf:NAME
    operator: tag               # the default; or suppress, pseudonym, generalize, surrogate, hash, encrypt, or a plug-in's
    tag_language: en            # the words of tags: a code such as de, or text: the language of each text
    operators: {DATETIME: suppress}                          # by semantic type
    operators_for: [{exact: Anna Berg, operator: pseudonym}] # by entity; the first match
    dates: jitter               # surrogates of dates: each by its own number, or shift: all by one number of days
    surrogate_all_or_tags: false  # tags throughout a document in which something has no good surrogate
    surrogate_culture: keep     # of made-up names: each person's, or document: that of its language for all
    target: [Galip Yalman]      # the person to protect: these names are direct identifiers
    allow: [{exact: European Court of Human Rights}, {form: time}]
    deny: [{regex: 'project \w+', type: MISC}, {fuzzy: Jon Smyth, similarity: 85, type: PERSON}]
    key_env: TACENDA_KEY        # a variable, or key_file: a path; never the key itself
    background: people.store    # no surrogate is what a person of this store is called, or has in the profile
    residual_risk: 0.01         # highest residual risk of a generalisation: a hundred things fit
    ontology: ontology-en       # of generalisations: the shipped one, or a folder with another
    prefer: people              # the generalisation under this risk; or detail: the most specific
    keep: [occupation, order of events]  # what readers need: generalized as little as the bound allows
    brackets: square            # around generalisations; or none, or italics: none, but slanted in HTML
    neutral: [sex, relationship]  # besides all masks, the text says they, spouse, parent …; nothing if absent
    recognizer: true
    patterns: true              # or {off: [phone_number, th_national_id]}: all but these
    gazetteer: 0.2              # also terms about people (occupations …) masked so often; off if absent
    propagate: true
    languages: warn             # parts in languages that the recognizer can't read; or patterns: only those there; or refuse
    checks: [mine]              # of plug-ins: look at each result before it is written

``economy`` and ``risk`` are earlier names of ``length_penalty`` and ``residual_share``, which policies
may go on using.
"""

from __future__ import annotations

from .rules import OperatorRule, Rule
from .schema import Policy

__all__ = ["OperatorRule", "Policy", "Rule"]
